// SPDX-License-Identifier: BSL-1.0
//! @file
//! The arithmetic of examples/explain: occupancy, waves, bytes, least times, sectors and bank conflicts.

#include "../../examples/explain/access.hpp"
#include "../../examples/explain/account.hpp"
#include "../../examples/explain/study.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <vector>

namespace {

using explain::occupancy_of;

/// Each lane asks for `bytes` bytes, `stride` bytes after its neighbour.
explain::warp_access strided(int bytes, int stride) {
  explain::warp_access access;
  for (int lane = 0; lane < 32; ++lane) {
    access.push_back({lane, std::int64_t{lane} * stride, bytes});
  }
  return access;
}

std::size_t passes(explain::warp_access const& access) { return explain::passes_of(access).size(); }

}  // namespace

TEST_CASE("the occupancy of a 1024-thread kernel on an A6000 is limited by threads and registers", "[explain]") {
  auto const o = occupancy_of(explain::limits_of("a6000"), {.threads = 1024, .registers = 37, .shared_bytes = 8192});
  CHECK(o.by_shared_memory == 11);
  CHECK(o.by_threads == 1);
  CHECK(o.by_registers == 1);
  CHECK(o.blocks == 1);
  CHECK(o.warps == 32);
  CHECK(o.most_warps == 48);
  CHECK(static_cast<int>(100 * o.share()) == 66);
  CHECK(o.limited_by() == "registers and threads");
}

TEST_CASE("occupancy on an H200 by each of its limits", "[explain]") {
  auto const device = explain::h200();
  SECTION("registers come in units of 256 a warp") {
    // 65 a thread are 2080 a warp, and take 2304: 28 warps.
    auto const o = occupancy_of(device, {.threads = 128, .registers = 65, .shared_bytes = 0});
    CHECK(o.by_registers == 7);
    CHECK(o.limited_by() == "registers");
    CHECK(occupancy_of(device, {.threads = 128, .registers = 64, .shared_bytes = 0}).by_registers == 8);
    CHECK(occupancy_of(device, {.threads = 128, .registers = 72, .shared_bytes = 0}).by_registers == 7);
    CHECK(occupancy_of(device, {.threads = 128, .registers = 73, .shared_bytes = 0}).by_registers == 6);
  }
  SECTION("a warp's registers come from one of four partitions") {
    // 6144 a warp: 10 warps by the sum, but 2 in each partition.
    CHECK(occupancy_of(device, {.threads = 32, .registers = 192, .shared_bytes = 0}).by_registers == 8);
  }
  SECTION("shared memory, with 1 KiB for each block besides") {
    auto const o = occupancy_of(device, {.threads = 256, .registers = 32, .shared_bytes = 56 * 1024});
    CHECK(o.by_shared_memory == 4);
    CHECK(o.blocks == 4);
    CHECK(o.warps == 32);
    CHECK(o.limited_by() == "shared memory");
    CHECK(occupancy_of(device, {.threads = 256, .registers = 32, .shared_bytes = 57 * 1024}).by_shared_memory == 3);
    // Units of 128 bytes: one byte more than 56 KiB is as much as 128 more.
    CHECK(occupancy_of(device, {.threads = 256, .registers = 32, .shared_bytes = 56 * 1024 + 1}).by_shared_memory == 3);
  }
  SECTION("the largest block that fits, and the next") {
    CHECK(occupancy_of(device, {.threads = 256, .registers = 32, .shared_bytes = 227 * 1024}).blocks == 1);
    auto const o = occupancy_of(device, {.threads = 256, .registers = 32, .shared_bytes = 227 * 1024 + 1});
    CHECK(o.blocks == 0);
    CHECK(o.warps == 0);
    CHECK(o.limited_by() == "shared memory");
    CHECK(occupancy_of(device, {.threads = 1024, .registers = 128, .shared_bytes = 0}).blocks == 0);
  }
  SECTION("block slots") {
    auto const o = occupancy_of(device, {.threads = 32, .registers = 32, .shared_bytes = 0});
    CHECK(o.blocks == 32);
    CHECK(o.limited_by() == "block slots");
    CHECK(o.share() == 0.5);
  }
  SECTION("a tie names all that limit") {
    auto const o = occupancy_of(device, {.threads = 512, .registers = 32, .shared_bytes = 56 * 1024});
    CHECK(o.blocks == 4);
    CHECK(o.limited_by() == "registers and threads and shared memory");
  }
  SECTION("a part of a warp takes a whole one") {
    CHECK(occupancy_of(device, {.threads = 33, .registers = 32, .shared_bytes = 0}).by_threads == 32);
    CHECK(occupancy_of(device, {.threads = 33, .registers = 32, .shared_bytes = 0}).warps == 64);
  }
}

TEST_CASE("waves and how full the last one is", "[explain]") {
  CHECK(explain::waves{.blocks = 264, .slots = 264}.count() == 1);
  CHECK(explain::waves{.blocks = 264, .slots = 264}.last() == 1);
  CHECK(explain::waves{.blocks = 265, .slots = 264}.count() == Catch::Approx(1.0038).epsilon(1e-4));
  CHECK(explain::waves{.blocks = 265, .slots = 264}.last() == Catch::Approx(1 / 264.0));
  CHECK(explain::waves{.blocks = 1024, .slots = 264}.count() == Catch::Approx(3.879).epsilon(1e-3));
  CHECK(explain::waves{.blocks = 1, .slots = 0}.count() == 0);
}

TEST_CASE("the least time is that of the slowest unit", "[explain]") {
  using enum explain::sums;
  auto const device = explain::h200();
  explain::work w{.flops = 2 * 4096.0 * 4096 * 4096, .dram_bytes = 3 * 4096.0 * 4096 * 4};
  CHECK(least_time_of(device, f32, w).seconds() == Catch::Approx(2.108e-3).epsilon(1e-3));
  CHECK(least_time_of(device, f64, w).seconds() == Catch::Approx(4.216e-3).epsilon(1e-3));
  // 32-bit integers: 64 multiply-adds a clock, where float has 128.
  CHECK(least_time_of(device, i32, w).seconds() == Catch::Approx(2 * 2.108e-3).epsilon(1e-3));
  CHECK(least_time_of(explain::limits_of("a6000"), i32, w).seconds() ==
        Catch::Approx(2 * least_time_of(explain::limits_of("a6000"), f32, w).seconds()));
  CHECK(std::string(least_time_of(device, f32, w).set_by()) == "arithmetic");
  w.dram_bytes = 1e11;
  CHECK(std::string(least_time_of(device, f32, w).set_by()) == "DRAM");
  w.passes = 132 * 1.98e9;
  CHECK(least_time_of(device, f32, w).seconds() == Catch::Approx(1));
  CHECK(std::string(least_time_of(device, f32, w).set_by()) == "L1 and shared memory");
}

TEST_CASE("sectors and lines of loads from global memory", "[explain]") {
  auto const neighbours = cost_of_global(strided(4, 4));
  CHECK(neighbours.sectors == 4);
  CHECK(neighbours.lines == 1);
  CHECK(neighbours.used_bytes == 128);

  auto const every_other = cost_of_global(strided(4, 8));
  CHECK(every_other.sectors == 8);
  CHECK(every_other.used_bytes == 128);

  auto const far_apart = cost_of_global(strided(4, 16384));
  CHECK(far_apart.sectors == 32);
  CHECK(far_apart.lines == 32);
  CHECK(far_apart.used_bytes == 128);

  auto const one_for_all = cost_of_global(strided(4, 0));
  CHECK(one_for_all.sectors == 1);
  CHECK(one_for_all.used_bytes == 4);

  auto const wide = cost_of_global(strided(16, 16));
  CHECK(wide.sectors == 16);
  CHECK(wide.lines == 4);
  CHECK(wide.used_bytes == 512);

  auto shifted = strided(4, 4);
  for (auto& p : shifted) {
    p.address += 4;  // over the end of a line
  }
  CHECK(cost_of_global(shifted).sectors == 5);
  CHECK(cost_of_global(shifted).lines == 2);
}

TEST_CASE("sectors of narrow elements", "[explain]") {
  auto const halves = cost_of_global(strided(2, 2));
  CHECK(halves.sectors == 2);
  CHECK(halves.lines == 1);
  CHECK(halves.used_bytes == 64);

  auto const bytes = cost_of_global(strided(1, 1));
  CHECK(bytes.sectors == 1);
  CHECK(bytes.used_bytes == 32);

  auto const column_of_bytes = cost_of_global(strided(1, 4096));
  CHECK(column_of_bytes.sectors == 32);
  CHECK(column_of_bytes.lines == 32);
  CHECK(column_of_bytes.used_bytes == 32);

  auto const every_other_half = cost_of_global(strided(2, 4));
  CHECK(every_other_half.sectors == 4);
  CHECK(every_other_half.used_bytes == 64);

  CHECK(cost_of_global(strided(1, 0)).used_bytes == 1);
  CHECK(explain::cost_of_global({{0, 0, 4}, {1, 1, 1}, {2, 6, 2}}).used_bytes ==
        6);  // of one word, and half of the next
}

TEST_CASE("bytes at each level by the sizes of elements, sums and C", "[explain]") {
  explain::study s;
  s.size = {.m = 256, .n = 128, .k = 64};
  s.block_m = s.block_n = 64;
  s.block_k = 16;
  s.element_bytes = 1;
  s.sum_bytes = s.output_bytes = 4;
  s.a.read_bytes = 1000;
  s.b.read_bytes = 24;
  s.b.write_passes = 3;
  s.facts.from = explain::feed::registers;
  auto const w = work_of(s);
  CHECK(w.flops == 2.0 * 256 * 128 * 64);
  CHECK(w.dram_bytes == 256 * 64 + 64 * 128 + 4 * 256 * 128);
  CHECK(w.global_bytes == 256 * 64 * 2 + 64 * 128 * 4);  // A for each of 2 columns of tiles, B for each of 4 rows
  CHECK(w.shared_bytes == 4 * 2 * 4 * 1024);             // tiles of C, steps of k
  CHECK(w.passes == 4 * 2 * 4 * 3);

  s.facts.from = explain::feed::global;
  CHECK(work_of(s).global_bytes == 2.0 * 256 * 128 * 64);

  s.element_bytes = s.output_bytes = 2;
  CHECK(work_of(s).dram_bytes == 2 * (256 * 64 + 64 * 128 + 256 * 128));
}

TEST_CASE("passes over the banks for 4 bytes a lane", "[explain]") {
  CHECK(passes(strided(4, 4)) == 1);
  CHECK(passes(strided(4, 8)) == 2);
  CHECK(passes(strided(4, 12)) == 1);  // an odd number of words
  CHECK(passes(strided(4, 64)) == 16);
  CHECK(passes(strided(4, 128)) == 32);
  CHECK(passes(strided(4, 132)) == 1);  // a row of padding
  CHECK(passes(strided(4, 0)) == 1);    // one word for all
  CHECK(passes({}) == 0);

  auto const conflicts = explain::passes_of(strided(4, 8));
  CHECK(least_passes(conflicts) == 1);
  CHECK_FALSE(conflicts[0].conflict);
  CHECK(conflicts[1].conflict);
  CHECK(conflicts[1].banks[0].lanes == std::vector<int>{16});
  CHECK(conflicts[1].banks[1].lanes.empty());
}

TEST_CASE("passes over the banks for wider accesses", "[explain]") {
  CHECK(passes(strided(8, 8)) == 2);
  CHECK(passes(strided(16, 16)) == 4);
  CHECK(least_passes(explain::passes_of(strided(16, 16))) == 4);
  CHECK(passes(strided(16, 32)) == 8);  // thread tiles 8 wide, read 4 at a time
  CHECK(least_passes(explain::passes_of(strided(16, 32))) == 4);
  CHECK(passes(strided(16, 128)) == 32);
  CHECK(passes(strided(16, 0)) == 2);
  CHECK(passes(strided(8, 0)) == 1);
}

TEST_CASE("lanes that share with a neighbour are served in half as many passes", "[explain]") {
  auto const shared_by = [](auto group) {
    explain::warp_access access;
    for (int lane = 0; lane < 32; ++lane) {
      access.push_back({lane, std::int64_t{group(lane)} * 16, 16});
    }
    return access;
  };
  CHECK(passes(shared_by([](int lane) { return lane / 2; })) == 2);                   // lane ^ 1
  CHECK(passes(shared_by([](int lane) { return lane / 4 * 2 + lane % 2; })) == 2);    // lane ^ 2
  CHECK(passes(shared_by([](int lane) { return lane % 16; })) == 4);                  // lane ^ 16 does not count
  CHECK(passes(shared_by([](int lane) { return lane < 31 ? lane / 2 : 31; })) >= 4);  // all lanes must
}

TEST_CASE("lanes that take no part cost nothing", "[explain]") {
  explain::warp_access half;
  for (int lane = 0; lane < 16; ++lane) {
    half.push_back({lane, std::int64_t{lane} * 16, 16});
  }
  CHECK(passes(half) == 2);
}
