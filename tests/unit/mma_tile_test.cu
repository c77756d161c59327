// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tiles for mma.sync: neither the reads of fragments nor the writes of cp.async have bank conflicts.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <vector>

#include <gemm/block/mma_tile.cuh>

namespace {

using gemm::major;
using gemm::detail::first_read;
using gemm::detail::mma_tile;

/// Whether addresses that are read or written together, of so many bytes each, lie in different banks.
bool in_different_banks(std::vector<int> const& addresses, int bytes) {
  std::vector<int> found(static_cast<std::size_t>(128 / bytes));
  for (int const address : addresses) {
    if (++found[static_cast<std::size_t>(address / bytes) % found.size()] > 1) {
      return false;
    }
  }
  return true;
}

/// The lanes of a warp in groups that shared memory serves at once: 128 bytes.
template <class Tile, bool Second>
int conflicting_reads(int from) {
  constexpr int bytes = Tile::element == 8 ? 8 : Tile::by_word ? 4 : 16, together = 128 / bytes;
  int conflicts = 0;
  for (int first = 0; first < 32; first += together) {
    std::vector<int> addresses;
    for (int lane = first; lane < first + together; ++lane) {
      addresses.push_back(first_read<Tile, Second>(lane, from));
    }
    conflicts += !in_different_banks(addresses, bytes);
  }
  return conflicts;
}

/// Eight threads write neighbouring pieces.
template <class Tile>
int conflicting_writes() {
  constexpr int pieces = Tile::row_bytes / 16;
  int conflicts = 0;
  for (int first = 0; first < Tile::rows * pieces; first += 8) {
    std::vector<int> addresses;
    for (int i = first; i < first + 8; ++i) {
      addresses.push_back(Tile::offset(i / pieces, i % pieces));
    }
    conflicts += !in_different_banks(addresses, 16);
  }
  return conflicts;
}

}  // namespace

TEMPLATE_TEST_CASE("tiles for mma.sync are written and read without bank conflicts", "[mma][tiles]",
                   (mma_tile<2, major::k, 128, 32>), (mma_tile<2, major::k, 128, 64>),
                   (mma_tile<2, major::mn, 192, 32>), (mma_tile<1, major::k, 128, 64>),
                   (mma_tile<1, major::k, 128, 128>), (mma_tile<1, major::mn, 64, 64>),
                   (mma_tile<1, major::mn, 256, 128>), (mma_tile<4, major::k, 128, 16>),
                   (mma_tile<4, major::k, 128, 32>), (mma_tile<4, major::mn, 96, 16>), (mma_tile<8, major::k, 48, 16>),
                   (mma_tile<8, major::mn, 48, 16>), (mma_tile<2, major::mn, 16, 64>), (mma_tile<2, major::mn, 32, 64>),
                   (mma_tile<1, major::mn, 16, 128>), (mma_tile<1, major::mn, 32, 128>),
                   (mma_tile<4, major::mn, 16, 32>)) {
  CHECK(conflicting_writes<TestType>() == 0);
  for (int from = 0; from < TestType::outer; from += TestType::element == 8 ? 16 : 32) {
    CAPTURE(from);
    CHECK(conflicting_reads<TestType, false>(from) == 0);
    CHECK(conflicting_reads<TestType, true>(from) == 0);
  }
}

TEMPLATE_TEST_CASE("a tile for mma.sync has a place for each piece", "[mma][tiles]", (mma_tile<2, major::k, 64, 32>),
                   (mma_tile<2, major::mn, 192, 32>), (mma_tile<1, major::mn, 128, 64>),
                   (mma_tile<4, major::mn, 64, 16>), (mma_tile<8, major::k, 64, 16>), (mma_tile<2, major::mn, 16, 64>),
                   (mma_tile<1, major::mn, 16, 128>), (mma_tile<1, major::mn, 32, 128>),
                   (mma_tile<4, major::mn, 16, 32>)) {
  std::vector<int> found(TestType::bytes / 16);
  for (int row = 0; row < TestType::rows; ++row) {
    for (int piece = 0; piece < TestType::row_bytes / 16; ++piece) {
      ++found[static_cast<std::size_t>(TestType::offset(row, piece) / 16)];
    }
  }
  CHECK(found == std::vector<int>(found.size(), 1));
}
