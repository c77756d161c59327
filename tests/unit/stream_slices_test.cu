// SPDX-License-Identifier: BSL-1.0
//! @file
//! Blocks that come to the same tile: the last one knows, whatever was in memory, and sees what the others have done.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/stream_shares.cuh>
#include <gemm/block/stream_slices.cuh>
#include <gemm/host/launch.cuh>
#include <gemm/kernel/persistent.cuh>

#include "../support/device.hpp"

namespace {

constexpr int tiles = 7, slices = 5, threads = 64;

/// What is left of a problem for its blocks to share its tiles.
struct tiles_alone {};
using shared_alone = gemm::shared_tiles_problem<tiles_alone>;

struct walked_tiles {
  shared_alone problem;
  int all, steps;  // of each
  int* counts;     // [tile][step]
};

/// Counts who has which block_k of which tile.
__global__ void count_steps(walked_tiles const __grid_constant__ what) {
  shared_alone const& p = what.problem;
  for (gemm::detail::part_walk<shared_alone> walk(p); walk.tile < static_cast<unsigned>(what.all); walk.advance(p)) {
    for (int step = walk.first(p); step < walk.first(p) + walk.steps(p, what.steps); ++step) {
      ++what.counts[static_cast<int>(walk.tile) * what.steps + step];
    }
  }
}

/// Bands of two tiles, of which the last one here has one.
struct high_tile {
  static constexpr int block_m = 1024, block_n = 8;
};
struct numbered_tiles {
  int tiles_m, tiles_n;
  std::int64_t batch_count;
  int* counts;  // [batch][column][row]
};

__global__ void find_tiles(numbered_tiles const __grid_constant__ what) {
  gemm::detail::for_each_tile<high_tile>(what, [&](gemm::detail::block_tile const& tile) {
    std::int64_t const index =
        ((tile.batch * what.tiles_n) + tile.column / high_tile::block_n) * what.tiles_m + tile.row / high_tile::block_m;
    ++what.counts[index];
  });
}

struct pairs_of_two {
  unsigned long long* arrivals;
  int* answers;  // [launch][asked first, arrived, asks again]
  int launch;
};

/// One warp comes, then the other.
__global__ void come_in_turn(pairs_of_two const __grid_constant__ what) {
  int* const to = what.answers + 3 * what.launch;
  to[0] = gemm::detail::has_come_of_two(*what.arrivals) ? 1 : 0;
  to[1] = gemm::detail::arrive_as_last(*what.arrivals, 2) ? 1 : 0;
  to[2] = gemm::detail::has_come_of_two(*what.arrivals) ? 1 : 0;
}

struct meeting {
  int* values;  // [slice][tile][thread]
  unsigned long long* arrivals;
  int* sums;  // [tile][thread], of the last to come
  int* last;  // [tile], how many were
};

__global__ void meet(meeting const __grid_constant__ what) {
  auto& room = gemm::arch::dynamic_shared_memory<int>();
  int const block = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x), tile = block % tiles;
  what.values[block * threads + thread] = block + thread;
  __syncthreads();
  if (thread == 0) {
    room = gemm::detail::arrive_as_last(what.arrivals[tile], slices) ? 1 : 0;
  }
  __syncthreads();
  if (room == 0) {
    return;
  }
  int sum = 0;
  for (int slice = 0; slice < slices; ++slice) {
    sum += what.values[(slice * tiles + tile) * threads + (thread + 1) % threads];  // another thread's
  }
  what.sums[tile * threads + thread] = sum;
  if (thread == 0) {
    ++what.last[tile];
  }
}

}  // namespace

TEST_CASE("the last of a tile's blocks knows that it is, and sees what the others have done", "[stream_k][sanitizer]") {
  auto const before = GENERATE(0ULL, 4ULL, ~0ULL, 0x7fff'ffff'7fff'ffffULL, 0x3f80'0000'0000'0004ULL);
  test::device_array<int> const values(std::size_t{slices * tiles * threads}), sums(std::size_t{tiles * threads}),
      last(std::vector<int>(tiles, 0));
  test::device_array<unsigned long long> const arrivals(std::vector<unsigned long long>(tiles, before));
  meeting const what{.values = values.data(), .arrivals = arrivals.data(), .sums = sums.data(), .last = last.data()};
  constexpr int launches = 2;  // the second finds what the first has left
  for (int i = 0; i < launches; ++i) {
    test::require_success(gemm::detail::launch(&meet, dim3(tiles * slices), threads, sizeof(int), nullptr, what),
                          "launch");
  }
  CHECK(last.download() == std::vector<int>(tiles, launches));
  CHECK(arrivals.download() == std::vector<unsigned long long>(tiles, 0));
  std::vector<int> expected;
  for (int tile = 0; tile < tiles; ++tile) {
    for (int thread = 0; thread < threads; ++thread) {
      int sum = 0;
      for (int slice = 0; slice < slices; ++slice) {
        sum += slice * tiles + tile + (thread + 1) % threads;
      }
      expected.push_back(sum);
    }
  }
  CHECK(sums.download() == expected);
}

TEST_CASE("of two the one who finds that the other has come leaves nothing behind", "[stream_k]") {
  auto const before = GENERATE(0ULL, 1ULL, ~0ULL);
  constexpr int launches = 2;
  test::device_array<unsigned long long> const arrivals(std::vector<unsigned long long>(1, before));
  test::device_array<int> const answers(std::size_t{3 * launches});
  for (int i = 0; i < launches; ++i) {
    pairs_of_two const what{arrivals.data(), answers.data(), i};
    test::require_success(gemm::detail::launch(&come_in_turn, dim3(1), 1, 0, nullptr, what), "launch");
  }
  CHECK(answers.download() == std::vector<int>{0, 0, 1, 0, 0, 1});
}

TEST_CASE("blocks that stay have each tile once where C has several bands of them") {
  numbered_tiles what{.tiles_m = 5, .tiles_n = 3, .batch_count = 2, .counts = nullptr};
  test::device_array<int> const counts(std::vector<int>(30, 0));
  what.counts = counts.data();
  test::require_success(gemm::detail::launch(&find_tiles, dim3(4), 1, 0, nullptr, what), "launch");
  CHECK(counts.download() == std::vector<int>(30, 1));
}

TEST_CASE("blocks that share tiles have each block_k of each tile once", "[stream_k]") {
  auto const left = GENERATE(1, 3, 7);  // of which a helper has none, several, all
  constexpr int blocks = 8, steps = 5;
  int const all = 2 * blocks + left;
  test::device_array<int> const counts(std::vector<int>(static_cast<std::size_t>(all * steps), 0));
  walked_tiles const what{{{}, left, 3, nullptr, nullptr}, all, steps, counts.data()};
  test::require_success(gemm::detail::launch(&count_steps, dim3(blocks), 1, 0, nullptr, what), "launch");
  CHECK(counts.download() == std::vector<int>(static_cast<std::size_t>(all * steps), 1));
}
