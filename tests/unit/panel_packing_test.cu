// SPDX-License-Identifier: BSL-1.0
//! @file
//! Operands that a kernel packs while it multiplies. run() does so only where they are large: here the plans are made
//! for small ones.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

using gemm::col_major;
using gemm::row_major;
namespace detail = gemm::detail;

using direct = gemm::warp_specialized<gemm::block<256, 64, 32>, gemm::stages<2>>;
using policy = gemm::repacked<direct>;

// Strips and panels that are whole and such that are not; lines of 4 and of 5 to 8 in the last.
constexpr std::int64_t m = 133, n = 67, k = 203;

/// So many matrices' elements, and those of their transposes, `beyond` elements from an aligned address.
struct matrix {
  test::device_array<float> as_is, turned;
  int beyond;

  matrix(std::int64_t rows, std::int64_t columns, int beyond)
      : as_is(elements(rows, columns, beyond, false)), turned(elements(rows, columns, beyond, true)), beyond(beyond) {}

  static std::vector<float> elements(std::int64_t rows, std::int64_t columns, int beyond, bool turn) {
    std::vector<float> all(static_cast<std::size_t>(rows * columns + beyond));
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        all[static_cast<std::size_t>(beyond + (turn ? j * rows + i : i * columns + j))] =
            static_cast<float>((i * columns + j) * 7919 % 1009) / 101;
      }
    }
    return all;
  }
};

struct strips_to_turn {
  gemm::panel_operand<float> of;
};

/// Turns all strips of an operand, by one warp.
__global__ void turn_strips(strips_to_turn const __grid_constant__ what) {
  auto& buffer = gemm::arch::dynamic_shared_memory<detail::strip_buffer<float>>();
  for (int line = 0; line < what.of.lines; line += detail::strip_lines) {
    for (int first = 0; first < what.of.length; first += detail::strip_length) {
      detail::pack_strip<true>(what.of, buffer, line, first);
      __syncwarp();  // nobody reads the buffer any more
    }
  }
}

/// What the product is where all is packed first.
template <class A, class B>
std::vector<float> packed_before(A const& a, B const& b) {
  test::device_array<float> const c(std::vector<float>(m * n, 7));
  REQUIRE(gemm::run<policy>(a, b, row_major(c.data(), m, n)));
  return c.download();
}

/// And where the kernel packs all but the first of k, with k of the tiles beside the first column of them in slices.
template <class A, class B>
std::vector<float> packed_meanwhile(A const& a, B const& b, int slices = 1) {
  test::device_array<float> const c(std::vector<float>(m * n, 7));
  auto p = detail::problem_of(a, b, row_major(c.data(), m, n), 1.0F, 0.0F, gemm::identity{});
  detail::repack_plan plan = detail::plan_repack(detail::policy_facts_of<policy, decltype(p)>, p);
  CHECK(plan.counters == 0);  // there is too little
  std::size_t const copies = plan.bytes;
  detail::leave_panels(p, 32, plan);
  CHECK(plan.bytes == copies + 128);
  detail::split_plan split;
  if (slices > 1) {
    split = {.by = detail::addition::last_block,
             .slices = slices,
             .depth = 64,
             .first_longer = 96,
             .first_tile_n = 1,
             .whole_tiles = 1,
             .cut_tiles = 1};
  }
  auto const of_slice = static_cast<std::size_t>(direct::block_m * direct::block_n);
  test::device_array<float> const sums(static_cast<std::size_t>(slices) * of_slice + 2);  // and arrivals
  REQUIRE(detail::packs_meanwhile(plan, split));
  test::device_array<float> const memory(std::vector<float>(plan.bytes / sizeof(float), 3));
  REQUIRE(detail::enqueue_repack<policy>(p, plan, split, memory.data(), nullptr));
  REQUIRE(detail::enqueue_product<policy, detail::splits{.streams = true}>(
      detail::problem_of_packed<policy>(p, plan, memory.data()), split, sums.data(), nullptr,
      detail::panels_of<policy>(p, plan, memory.data())));
  return c.download();
}

}  // namespace

TEST_CASE("blocks that would crowd do not come before all is packed", "[repack]") {
  int multiprocessors = 0;
  REQUIRE(detail::device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount));
  auto* const any = reinterpret_cast<float*>(4096);
  auto const early = [&]<class Policy>(Policy, int tiles, detail::split_plan const& split = {}) {
    auto const c = row_major(any, std::int64_t{tiles} * Policy::block_m, 5);
    auto p = detail::problem_of(row_major(any, c.rows, 7), row_major(any, 7, 5), c, 1.0F, 0.0F, gemm::identity{});
    return detail::may_come_early(detail::policy_facts_of<Policy, decltype(p)>, p, split);
  };
  CHECK_FALSE(early(gemm::warp_specialized_64x64x32{}, multiprocessors));  // of which two fit on one
  CHECK(early(gemm::warp_specialized_64x64x32{}, multiprocessors + 1));
  CHECK(early(gemm::warp_specialized_64x64x32{}, multiprocessors, {.slices = 2}));
  CHECK_FALSE(early(gemm::persistent_36x128x32{}, 2 * multiprocessors));  // and three of these
  CHECK(early(gemm::warp_specialized_16x64x32{}, 1));                     // one fits
}

TEST_CASE("strips that are turned write to no line but their own", "[repack][sanitizer]") {
  constexpr int length = 133, before = 4;
  int const lines = GENERATE(3, 5, 11, 13, 16);  // of a strip up to 4, up to 8, and whole ones
  int const ld = (lines + 3) / 4 * 4;
  std::vector<float> elements(static_cast<std::size_t>(before + lines * length), 1e9F);
  for (std::size_t i = before; i < elements.size(); ++i) {
    elements[i] = static_cast<float>(i);
  }
  std::vector<float> const old(static_cast<std::size_t>(ld * (length + 2)), -1);
  test::device_array<float> const from(elements), to(old);
  strips_to_turn const what{{.from = from.data() + before,
                             .to = to.data() + ld,
                             .ld_from = length,
                             .ld_to = ld,
                             .gap = 0,
                             .lines = lines,
                             .length = length,
                             .strips = 0,
                             .k_along = false,
                             .turned = true}};
  test::require_success(detail::launch(&turn_strips, dim3(1), 32, sizeof(detail::strip_buffer<float>), nullptr, what),
                        "launch");
  std::vector<float> const got = to.download();
  int wrong = 0;
  for (int column = -1; column <= length; ++column) {
    for (int line = 0; line < (column == length ? ld : lines); ++line) {
      float const want = column < 0 || column == length ? -1 : static_cast<float>(before + line * length + column);
      wrong += got[static_cast<std::size_t>((column + 1) * ld + line)] != want;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("packed while the kernel multiplies, the results are the same bits", "[repack][sanitizer]") {
  test::need_sm90a();
  int const beyond = GENERATE(0, 1);
  matrix const a(m, k, beyond), b(k, n, beyond);
  auto const a_by_row = row_major(a.as_is.data() + beyond, m, k), b_by_row = row_major(b.as_is.data() + beyond, k, n);
  auto const a_by_column = col_major(a.turned.data() + beyond, m, k);
  auto const b_by_column = col_major(b.turned.data() + beyond, k, n);
  CHECK(packed_meanwhile(a_by_row, b_by_row) == packed_before(a_by_row, b_by_row));
  CHECK(packed_meanwhile(a_by_column, b_by_column) == packed_before(a_by_column, b_by_column));
}

#if defined(GEMM_TEST_CPU_DEVICE)
// Fewer orders than these miss a producer that does not wait for the last strip.
TEST_CASE("a panel is not asked for before its last strip is packed, in whichever order warps run", "[repack]") {
  matrix const a(m, k, 1), b(k, n, 1);
  auto const x = col_major(a.turned.data() + 1, m, k), y = col_major(b.turned.data() + 1, k, n);
  std::vector<float> const want = packed_before(x, y);
  cpu_device::scoped_options with;
  with->order = cpu_device::run_order::random;
  with->completion = cpu_device::copy_completion::eager;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    with->seed = seed;
    CHECK(packed_meanwhile(x, y) == want);
  }
}
#endif

TEST_CASE("slices of the last tiles wait for what others pack", "[repack][sanitizer]") {
  test::need_sm90a();
  matrix const a(m, k, 1), b(k, n, 1);
  auto const x = row_major(a.as_is.data() + 1, m, k), y = row_major(b.as_is.data() + 1, k, n);
  std::vector<float> const got = packed_meanwhile(x, y, 2), whole = packed_before(x, y);
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    double const error = std::abs(double{got[i]} - double{whole[i]}) / double{whole[i]};
    worst = error <= worst ? worst : error;  // nor is NaN
  }
  CHECK(worst < 1e-5);
}

TEST_CASE("a kernel packs what is large, as much as it can meanwhile", "[repack]") {
  auto* const data = reinterpret_cast<float*>(4096) + 1;
  using large = gemm::repacked<gemm::warp_specialized_128x128x32>;
  auto const plan_for = [&](std::int64_t rows, std::int64_t columns, std::int64_t depth) {
    auto p = detail::problem_of(row_major(data, rows, depth), row_major(data, depth, columns),
                                row_major(data, rows, columns), 1.0F, 0.0F, gemm::identity{});
    return detail::plan_repack(detail::policy_facts_of<large, decltype(p)>, p);
  };
  detail::repack_plan const odd = plan_for(2047, 2047, 2047);
  CHECK(odd.first_k == 128);
  CHECK(odd.counters == 1 + 15);
  CHECK(odd.counter_bytes() == 128);
  CHECK(plan_for(1000, 1001, 1001).counters == 0);
  CHECK(plan_for(2047, 2047, 128).counters == 0);
  CHECK(plan_for(20001, 20001, 160).counters == 0);  // a quarter of k is packed as fast before
  CHECK(!detail::packs_meanwhile(odd, {.slices = 2}));
  CHECK(!detail::packs_meanwhile(odd, {.by = detail::addition::last_block, .slices = 2}));  // of all tiles
  CHECK(detail::packs_meanwhile(odd, {.by = detail::addition::last_block, .slices = 2, .first_tile_n = 1}));
  // A row of tiles multiplies faster than it could pack.
  detail::repack_plan const wide = plan_for(128, 100001, 2048);
  CHECK(wide.first_k > 1024);
  CHECK(wide.first_k < 2048);
  CHECK(wide.first_k % 32 == 0);
}
