// SPDX-License-Identifier: BSL-1.0
//! @file
//! Schedules, walked on the host: the works of all blocks have every tile of k of every tile of C once, whatever the
//! sizes, and the slices of a tile agree on how many they are.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>
#include <vector>

#include <gemm/schedule/next_work.cuh>

namespace {

using gemm::detail::reduction;
using gemm::detail::schedule;
using gemm::detail::tile_order;
using gemm::detail::work;

/// What the walk found of one tile of C.
struct tile_found {
  std::vector<int> of_k;     // how often each tile of k was seen
  std::vector<bool> slices;  // which were seen, where k is split
  int slot = -1, whole = 0;  // of the split tile; and works with all of k
};

/// Whether the works of `clusters` clusters, of `ranks` blocks that have works of their own, cover C once.
bool covers_once(schedule const& s, unsigned clusters, unsigned ranks) {
  auto const tiles = static_cast<std::size_t>(s.tiles_m) * s.tiles_n * s.batches;
  std::vector<tile_found> found(tiles);
  for (tile_found& tile : found) {
    tile.of_k.resize(static_cast<std::size_t>(s.k_tiles));
  }
  for (unsigned cluster = 0; cluster < clusters; ++cluster) {
    for (unsigned rank = 0; rank < ranks; ++rank) {
      work w{};
      for (int step = 0; next_work(s, {cluster, clusters, rank}, step, w); ++step) {
        bool const inside = w.tile_m >= 0 && w.tile_m < s.tiles_m && w.tile_n >= 0 && w.tile_n < s.tiles_n &&
                            w.batch >= 0 && w.batch < s.batches && w.k_begin >= 0 && w.k_tiles >= 0 &&
                            w.k_begin + w.k_tiles <= s.k_tiles;
        if (!inside) {
          return false;
        }
        tile_found& tile = found[(static_cast<std::size_t>(w.batch) * s.tiles_n + w.tile_n) * s.tiles_m + w.tile_m];
        for (int k = w.k_begin; k < w.k_begin + w.k_tiles; ++k) {
          ++tile.of_k[static_cast<std::size_t>(k)];
        }
        if (w.mode == reduction::none) {
          tile.whole += w.slices == 1 && w.k_begin == 0 && w.k_tiles == s.k_tiles ? 1 : 2;  // 2 is wrong
          continue;
        }
        tile.slices.resize(w.slices);
        if (w.mode != s.mode || w.slices != s.slices || w.slice >= w.slices || tile.slices[w.slice] ||
            (tile.slot >= 0 && tile.slot != w.slot)) {
          return false;
        }
        tile.slices[w.slice] = true;
        tile.slot = w.slot;
      }
    }
  }
  std::vector<bool> slots(tiles);
  for (tile_found const& tile : found) {
    bool const split = !tile.slices.empty();
    bool const once = std::all_of(tile.of_k.begin(), tile.of_k.end(), [](int count) { return count == 1; }) &&
                      std::all_of(tile.slices.begin(), tile.slices.end(), [](bool seen) { return seen; });
    if (!once || tile.whole != (split ? 0 : 1)) {
      return false;
    }
    if (split) {
      auto const slot = static_cast<std::size_t>(tile.slot);
      if (slot >= tiles || slots[slot]) {
        return false;  // another tile's
      }
      slots[slot] = true;
    }
  }
  return true;
}

/// Sizes with one band and with several, the last of which may be lower.
std::vector<schedule> sizes() {
  std::vector<schedule> all;
  for (int const tiles_m : {1, 2, 3, 7, 16, 17, 40}) {
    for (int const tiles_n : {1, 2, 5, 13}) {
      for (int const batches : {1, 3}) {
        for (int const band : {1, 8, 16}) {
          for (int const k_tiles : {0, 1, 2, 9, 64}) {
            all.push_back({.order = tile_order::persistent,
                           .mode = reduction::none,
                           .tiles_m = tiles_m,
                           .tiles_n = tiles_n,
                           .batches = batches,
                           .band = band,
                           .k_tiles = k_tiles});
          }
        }
      }
    }
  }
  return all;
}

/// Cuts k into at most so many slices, none of them empty.
bool split(schedule& s, int most) {
  if (s.k_tiles < 2) {
    return false;
  }
  s.depth = (s.k_tiles + most - 1) / most;
  s.slices = (s.k_tiles + s.depth - 1) / s.depth;
  return s.slices > 1;
}

unsigned count_of_tiles(schedule const& s) { return tiles_of(s, s.tiles_n); }

}  // namespace

TEST_CASE("a cluster for each tile covers C once", "[schedule]") {
  int right = 0, all = 0;
  for (schedule s : sizes()) {
    s.order = tile_order::single_tile;
    right += covers_once(s, count_of_tiles(s), 1) ? 1 : 0;
    ++all;
    s.mode = reduction::cluster;
    for (int const most : {2, 3, 8}) {
      if (split(s, most)) {
        right += covers_once(s, count_of_tiles(s), static_cast<unsigned>(s.slices)) ? 1 : 0;
        ++all;
      }
    }
  }
  CHECK(right == all);
}

TEST_CASE("persistent clusters cover C once, however many they are", "[schedule]") {
  auto const clusters = GENERATE(1U, 2U, 5U, 66U, 132U, 3000U);
  int right = 0, all = 0;
  for (schedule const& s : sizes()) {
    right += covers_once(s, clusters, 1) ? 1 : 0;
    ++all;
  }
  CHECK(right == all);
}

TEST_CASE("slices of k cover C once", "[schedule]") {
  auto const clusters = GENERATE(1U, 5U, 66U, 3000U);
  auto const how = GENERATE(reduction::workspace, reduction::last_arriver);
  int right = 0, all = 0;
  for (schedule s : sizes()) {
    s.order = tile_order::split_k;
    s.mode = how;
    for (int const most : {2, 3, 16}) {
      if (split(s, most)) {
        right += covers_once(s, clusters, 1) ? 1 : 0;
        ++all;
      }
    }
  }
  CHECK(right == all);
}

TEST_CASE("whole tiles and the slices of the last columns cover C once", "[schedule]") {
  auto const clusters = GENERATE(1U, 5U, 66U, 3000U);
  int right = 0, all = 0;
  for (schedule s : sizes()) {
    s.order = tile_order::stream_k;
    s.mode = reduction::last_arriver;
    for (int const first : {0, 1, s.tiles_n - 1, s.tiles_n}) {
      for (int const longer : {0, 1, 3}) {
        if (s.k_tiles > longer + 1) {
          s.first_tile_n = std::min(first, s.tiles_n);
          s.first_longer = longer;
          s.depth = (s.k_tiles - longer + 2) / 3;
          s.slices = (s.k_tiles - longer + s.depth - 1) / s.depth;
          if (s.slices > 1) {
            right += covers_once(s, clusters, 1) ? 1 : 0;
            ++all;
          }
        }
      }
    }
  }
  CHECK(right == all);
}

TEST_CASE("a walk that leaves out a work or repeats one is found", "[schedule]") {
  schedule s = sizes().back();
  s.order = tile_order::split_k;
  s.mode = reduction::workspace;
  REQUIRE(split(s, 4));
  CHECK(covers_once(s, 7, 1));
  CHECK_FALSE(covers_once(s, 7, 2));  // every work twice
  --s.slices;
  CHECK_FALSE(covers_once(s, 7, 1));  // the last slice is missing
  s.order = tile_order::single_tile;
  s.slices = 1;
  s.mode = reduction::none;
  CHECK_FALSE(covers_once(s, count_of_tiles(s) - 1, 1));  // the last tile is
}
