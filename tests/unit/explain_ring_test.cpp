// SPDX-License-Identifier: BSL-1.0
//! @file
//! The arithmetic of examples/explain on rings of stages: swizzled lines, rooms, occupancy.

#include "../../examples/explain/ring.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using explain::core_matrix;
using explain::passes_of;

/// TMA's swizzle of 128 bytes, by its definition.
explain::swizzle_map swizzled() {
  explain::swizzle_map map{};
  for (int line = 0; line < 8; ++line) {
    for (int place = 0; place < 8; ++place) {
      map[static_cast<std::size_t>(line)][static_cast<std::size_t>(place)] = place ^ line;
    }
  }
  return map;
}

}  // namespace

TEST_CASE("a piece of eight lines is in the same banks, and by a swizzle in all of them", "[explain]") {
  for (int piece = 0; piece < 8; ++piece) {
    CHECK(core_matrix(explain::unswizzled(), piece).size() == 8);
    CHECK(passes_of(core_matrix(explain::unswizzled(), piece)).size() == 8);
    CHECK(core_matrix(swizzled(), piece).size() == 8);
    CHECK(passes_of(core_matrix(swizzled(), piece)).size() == 1);
  }
  auto const third = core_matrix(swizzled(), 3);
  CHECK(third[0].address == 3 * 16);
  CHECK(third[5].address == 5 * 128 + (3 ^ 5) * 16);
  // Of two lines that are swizzled alike the second takes a pass of its own.
  auto map = swizzled();
  map[1] = map[0];
  CHECK(passes_of(core_matrix(map, 0)).size() == 2);
}

TEST_CASE("blocks with a ring are limited by registers at launch, and all of the block's threads", "[explain]") {
  explain::ring_study s;
  s.tile.threads = 256;  // of 384
  s.threads = 384;
  s.registers = 168;
  s.consumer_registers = 232;
  s.tile.shared_bytes = 100 * 1024;
  auto const o = occupancy_of(s, explain::h200());
  CHECK(o.blocks == 1);
  CHECK(o.by_registers == 1);
  CHECK(o.by_shared_memory == 2);
  CHECK(o.by_threads == 5);
  CHECK(explain::h200().has_wgmma);
  CHECK_FALSE(explain::limits_of("a6000").has_wgmma);
}
