// SPDX-License-Identifier: BSL-1.0
//! @file
//! The narrow tiles of fp16x3: when there are some, and that nobody sees them in C.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>
#include <gemm/schedule/next_work.cuh>

#include "../policies/policies.hpp"
#include "../support/cpu_options.hpp"
#include "../support/device.hpp"
#include "../support/host_matrix.hpp"
#include "../support/sm90a.hpp"
#include "../support/tier.hpp"

namespace test {

struct compensated_64x192x64_2 : gemm::fp16x3<gemm::block<64, 192, 64>, gemm::stages<2>> {
  static constexpr bool compensated = true;
};
struct compensated_64x64x64_3 : fp16x3_64x64x64_3 {
  static constexpr bool compensated = true, adds_in_place = true;
};

}  // namespace test

namespace {

using gemm::col_major;
using gemm::row_major;
using test::same_bits;

/// The shares of a product on so many multiprocessors.
template <class Policy>
gemm::detail::tile_plan shares_of(std::int64_t m, std::int64_t n, int multiprocessors, std::int64_t batch = 1) {
  float element = 0;  // whose address is not used
  auto const p = gemm::detail::problem_of(row_major(&element, m, 1), row_major(&element, 1, n),
                                          batched(row_major(&element, m, n), batch), 1.0F, 0.0F, gemm::identity{});
  return gemm::detail::plan_narrow_tiles<Policy>(p, multiprocessors);
}

/// Views in one order that is a parameter.
template <gemm::order Order>
auto in_order(float const* data, std::int64_t rows, std::int64_t columns) {
  if constexpr (Order == gemm::order::row) {
    return row_major(data, rows, columns);
  } else {
    return col_major(data, rows, columns);
  }
}

/// How many columns of B are split beside the narrow tiles, of a product whose C may be written twice or not.
template <class Policy, gemm::order OfB = gemm::order::column>
std::int64_t overlapped_columns(std::int64_t m, std::int64_t n, std::int64_t k, int multiprocessors, float beta = 0) {
  float element = 0;
  auto const p = gemm::detail::problem_of(row_major(&element, m, k), in_order<OfB>(&element, k, n),
                                          row_major(&element, m, n), 1.0F, beta, gemm::identity{});
  return gemm::detail::overlapped_columns<Policy>(p, gemm::detail::plan_fp16x3<typename Policy::terms>(p),
                                                  gemm::detail::plan_narrow_tiles<Policy>(p, multiprocessors),
                                                  gemm::detail::checks_bound<Policy>);
}

/// Whether rows of A are split beside them instead, where B has its parts already or has not.
enum class parts_of_b { none, some };
template <class Policy, gemm::order OfA = gemm::order::row, gemm::order OfB = gemm::order::column>
bool swaps_sides(parts_of_b given, std::int64_t m, std::int64_t n, std::int64_t k, int multiprocessors,
                 float beta = 0) {
  float element = 0;
  auto const p = gemm::detail::problem_of(in_order<OfA>(&element, m, k), in_order<OfB>(&element, k, n),
                                          row_major(&element, m, n), 1.0F, beta, gemm::identity{});
  gemm::detail::prepacked_terms parts;
  if (given == parts_of_b::some) {
    parts.b.data = &element;
  }
  auto const plan = gemm::detail::plan_fp16x3<typename Policy::terms>(p, parts);
  return gemm::detail::swaps_sides<Policy>(p, plan, multiprocessors, gemm::detail::checks_bound<Policy>);
}

/// The elements of A and behind them B, all of a batch; the last one of A is as said.
std::vector<float> random_operands(std::int64_t of_a, std::int64_t of_b, float last_of_a) {
  gemm::random_numbers random(7);
  std::vector<float> elements(static_cast<std::size_t>(of_a + of_b));
  for (float& x : elements) {
    x = static_cast<float>(random.uniform());
  }
  elements[static_cast<std::size_t>(of_a - 1)] = last_of_a;
  return elements;
}

/// Every way in which C is stored, as the policy leaves it in memory, or one of them.
enum class ways { all, one };
template <class Policy, gemm::order OfB = gemm::order::column>
std::vector<float> results_of(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch,
                              ways which = ways::all, float last_of_a = 1) {
  test::device_array<float> const operands(random_operands(m * k * batch, n * k * batch, last_of_a));
  auto const a = batched(row_major(operands.data(), m, k), batch);
  auto const b = batched(in_order<OfB>(operands.data() + m * k * batch, k, n), batch);
  std::vector<float> all;
  auto const add = [&](auto const& c, float beta) {
    auto const room = static_cast<std::size_t>(c.ld * (c.layout == gemm::order::row ? m : n) * batch);
    std::vector<float> const before(room, beta == 0 ? std::numeric_limits<float>::quiet_NaN() : 0.5F);
    test::device_array<float> const memory(before);
    auto own = c;
    own.data = memory.data();
    gemm::status const status = gemm::run<Policy>(a, b, batched(own, batch), {.alpha = 1.5F, .beta = beta});
    INFO(status.message());
    REQUIRE(status);
    std::vector<float> const got = memory.download();
    all.insert(all.end(), got.begin(), got.end());
  };
  float* const none = nullptr;
  add(row_major(none, m, n, (n + 3) / 4 * 4), 0);
  if (which == ways::one) {
    return all;
  }
  add(row_major(none, m, n, (n + 3) / 4 * 4 + 1), 0);
  add(row_major(none, m, n), 2);
  add(col_major(none, m, n), 0);
  return all;
}

}  // namespace

TEST_CASE("k is cut into as many slices as fill the device") {
  float element = 0;  // whose address is not used
  auto const slices = [&]<class Policy>(Policy, std::int64_t m, std::int64_t n, std::int64_t k) {
    auto const p = gemm::detail::problem_of(row_major(&element, m, k), col_major(&element, k, n),
                                            row_major(&element, m, n), 1.0F, 0.0F, gemm::identity{});
    return gemm::detail::plan_tiles<Policy>(p, 132).slices;
  };
  gemm::fp16x3_sliced_128x128x64 const any;
  CHECK(slices(any, 128, 128, 4096) == 8);
  CHECK(slices(any, 512, 512, 4096) == 6);  // 15 clusters of 8, 15 of 7
  CHECK(slices(any, 768, 768, 4096) == 3);
  CHECK(slices(any, 768, 768, 65) == 2);  // chunks
  CHECK(slices(any, 1024, 1024, 4096) == 2);
  CHECK(slices(any, 1024, 1152, 4096) == 1);
  CHECK(slices(any, 512, 512, 0) == 1);
  CHECK(slices(test::fp16x3_sliced_64x64x64_3{}, 4096, 4096, 4096) == 3);
  CHECK(slices(test::fp16x3_sliced_64x64x64_3{}, 4096, 4096, 1) == 1);
}

TEST_CASE("what is mn-major is read once where a cluster holds all k of a line") {
  auto const plan = [](std::int64_t k, std::int64_t m = 70) {
    float element = 0;  // whose address is not used
    auto const p = gemm::detail::problem_of(col_major(&element, m, k), row_major(&element, k, 40),
                                            row_major(&element, m, 40), 1.0F, 0.0F, gemm::identity{});
    return gemm::detail::plan_fp16x3<gemm::half_terms<0>>(p);
  };
  CHECK(plan(1).cluster == 1);
  CHECK(plan(1).a.slab == 64);
  CHECK(plan(513).cluster == 2);
  CHECK(plan(513).a.slab == 320);
  CHECK(plan(513).a.second_blocks == 3);
  CHECK(plan(2048).cluster == 4);
  CHECK(plan(2049).cluster == 0);
}

TEST_CASE("slabs are long where there are blocks enough, and few have to meet") {
  using gemm::detail::plan_slab;
  CHECK(plan_slab(1, 1) == 64);
  CHECK(plan_slab(2048, 32) == 128);
  CHECK(plan_slab(4096, 64) == 256);
  CHECK(plan_slab(100, 1e6) == 256);
  CHECK(plan_slab(16384, 1) == 256);
  CHECK(plan_slab(16385, 1e6) == 320);
  CHECK(plan_slab(1 << 30, 1) == 1 << 24);
}

TEST_CASE("narrow tiles take what whole ones leave of the last wave") {
  using wide = gemm::fp16x3_128x192x64_2x1;
  gemm::detail::tile_plan const most = shares_of<wide>(4096, 4096, 132);
  CHECK(most.held == 66);
  CHECK(most.tiles_n == 21);
  CHECK(most.tail.whole == 5 * 66);
  CHECK(most.tail.columns == 1);
  CHECK(most.tail.narrow == (16 * 21 - 5 * 66) * 3 + 16);
  CHECK((most.waves > 5 && most.waves < 6));
  CHECK(shares_of<wide>(2816, 5760, 132).tail.narrow == 0);  // five waves
  CHECK(shares_of<wide>(8192, 8192, 132).tail.narrow == 0);  // too much for a wave of narrow ones
  gemm::detail::tile_plan const few = shares_of<wide>(256, 64, 132);
  CHECK(few.tail.whole == 0);
  CHECK(few.tail.narrow == 1);
  CHECK(shares_of<wide>(256, 192, 132, 66).tail.narrow == 0);
  CHECK(shares_of<wide>(256, 192, 132, 67).tail.narrow == 3);
  CHECK(shares_of<gemm::fp16x3<gemm::block<64, 64, 64>, gemm::stages<3>>>(64, 64, 1).tail.narrow == 0);
}

TEST_CASE("whole and narrow tiles cover C once") {
  using wide = gemm::fp16x3_128x192x64_2x1;
  constexpr int in_whole = wide::block_n / wide::narrow_n;
  auto const check = [](std::int64_t m, std::int64_t n, std::int64_t batch, int multiprocessors) {
    CAPTURE(m, n, batch);
    gemm::detail::tile_plan const plan = shares_of<wide>(m, n, multiprocessors, batch);
    gemm::detail::schedule const s{.order = gemm::detail::tile_order::persistent,
                                   .mode = gemm::detail::reduction::none,
                                   .tiles_m = plan.tiles_m,
                                   .tiles_n = plan.tiles_n,
                                   .batches = static_cast<int>(batch),
                                   .band = gemm::detail::cluster_tile<wide>::band,
                                   .k_tiles = 1};
    std::int64_t const width = plan.tiles_n * in_whole + plan.tail.columns;
    std::vector<int> seen(static_cast<std::size_t>(plan.tiles_m * width * batch));
    auto const see = [&](gemm::detail::work const& w, std::int64_t first, int count) {
      for (int i = 0; i < count; ++i) {
        ++seen.at(static_cast<std::size_t>((w.batch * std::int64_t{plan.tiles_m} + w.tile_m) * width + first + i));
      }
    };
    auto const clusters = static_cast<unsigned>(plan.clusters());
    for (unsigned cluster = 0; cluster < clusters; ++cluster) {
      gemm::detail::block_position const block{cluster, clusters, 0};
      gemm::detail::work w;
      for (int turn = 0; cluster + static_cast<unsigned>(turn) * clusters < plan.tail.whole; ++turn) {
        REQUIRE(next_work(s, block, turn, w));
        see(w, std::int64_t{w.tile_n} * in_whole, in_whole);
      }
      for (int turn = 0; next_narrow_work(s, plan.tail, in_whole, block, turn, w); ++turn) {
        see(w, w.tile_n, 1);
      }
    }
    CHECK(std::count(seen.begin(), seen.end(), 1) == static_cast<std::ptrdiff_t>(seen.size()));
    CHECK(width * wide::narrow_n >= n);
  };
  check(4096, 4096, 1, 132);  // narrow ones for the last wave, and for the last columns
  check(2816, 5760, 1, 132);  // none
  check(256, 64, 3, 132);     // nothing else
  check(4500, 700, 5, 132);
}

TEST_CASE("narrow tiles come first where multiprocessors are left to split B beside them") {
  using wide = gemm::fp16x3_128x192x64_2x1;
  CHECK(overlapped_columns<wide>(4096, 4096, 4096, 132) == 20 * 192);
  CHECK(overlapped_columns<wide, gemm::order::row>(4096, 4096, 4096, 132) == 20 * 192);
  CHECK(overlapped_columns<wide>(4096, 4096, 512, 132) == 0);   // too little to split
  CHECK(overlapped_columns<wide>(8192, 8192, 8192, 132) == 0);  // no narrow ones
  CHECK(overlapped_columns<wide>(2304, 4096, 4096, 132) == 0);  // they leave too few
  CHECK(overlapped_columns<wide>(4096, 4096, 4096, 132, 0.5F) == 20 * 192);
  CHECK(overlapped_columns<gemm::with_fallback<wide>>(4096, 4096, 4096, 132) == 20 * 192);
  CHECK(overlapped_columns<gemm::with_fallback<wide>>(4096, 4096, 4096, 132, 0.5F) == 0);  // it cannot be stored twice
}

TEST_CASE("what is left to split, or takes longer, is split beside narrow tiles") {
  using wide = gemm::with_fallback<gemm::fp16x3_128x192x64_2x1>;
  constexpr auto row = gemm::order::row, column = gemm::order::column;
  CHECK(swaps_sides<wide>(parts_of_b::some, 4096, 4096, 4096, 132));
  CHECK(swaps_sides<wide, column>(parts_of_b::some, 4096, 4096, 4096, 132));
  CHECK(swaps_sides<wide, column>(parts_of_b::none, 4096, 4096, 4096, 132));
  CHECK_FALSE(swaps_sides<wide, row>(parts_of_b::none, 4096, 4096, 4096, 132));
  CHECK_FALSE(swaps_sides<wide, row, row>(parts_of_b::none, 4096, 4096, 4096, 132));
  CHECK_FALSE(swaps_sides<wide, column, row>(parts_of_b::none, 4096, 4096, 4096, 132));
  CHECK_FALSE(swaps_sides<wide>(parts_of_b::some, 4096, 4096, 4096, 132, 0.5F));  // C is read
  CHECK_FALSE(swaps_sides<wide>(parts_of_b::some, 8192, 8192, 8192, 132));        // no narrow ones
  CHECK_FALSE(swaps_sides<wide>(parts_of_b::some, 3840, 4160, 4096, 132));        // five waves, swapped more
}

TEST_CASE("a product is the same in whole tiles and in narrow ones", "[sanitizer]") {
  test::need_sm90a();
  test::cpu_options const few([](auto& options) { options.device.multiprocessors = 4; });
  auto const check = []<class Policy>(Policy, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch) {
    CAPTURE(m, n, k, batch);
    CHECK(same_bits(results_of<Policy>(m, n, k, batch), results_of<test::fp16x3_64x64x64_3>(m, n, k, batch)));
  };
  using narrow = gemm::fp16x3<gemm::block<64, 128, 64>, gemm::stages<2>>;
  check(narrow{}, 65, 401, 70, 1);
  check(narrow{}, 130, 50, 64, 1);
  if (!test::on_cpu_device) {
    check(narrow{}, 2560, 700, 130, 1);  // more than a wave
  }
#if !defined(GEMM_TEST_SANITIZERS)
  check(gemm::with_fallback<narrow>{}, 65, 200, 130, 3);
  check(gemm::fp16x3<gemm::block<64, 192, 64>, gemm::stages<2>, gemm::cluster<1, 2>>{}, 130, 450, 40, 1);
  check(gemm::with_fallback<gemm::fp16x3_128x192x64_2x1>{}, 300, 450, 70, 1);
  CHECK(same_bits(results_of<test::compensated_64x192x64_2>(130, 450, 300, 1),
                  results_of<test::compensated_64x64x64_3>(130, 450, 300, 1)));
#endif
}

TEST_CASE("narrow tiles that come first are overwritten where the product is refused", "[sanitizer]") {
  test::need_sm90a();
  using narrow = gemm::with_fallback<gemm::fp16x3<gemm::block<64, 128, 64>, gemm::stages<2>>>;
  constexpr bool small = test::on_cpu_device;
  constexpr int multiprocessors = small ? 2 : 132;
  test::cpu_options const few([](auto& options) { options.device.multiprocessors = multiprocessors; });
  constexpr std::int64_t m = small ? 64 : 768, n = small ? 320 : 1536, k = small ? 500 : 3000;
  constexpr std::int64_t beside = small ? 256 : 1408;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  auto const check = [&]<gemm::order OfB>() {
    CAPTURE(OfB);
    REQUIRE(overlapped_columns<narrow, OfB>(m, n, k, multiprocessors) == beside);
    CHECK(same_bits(results_of<narrow, OfB>(m, n, k, 1, ways::one),
                    results_of<test::fp16x3_64x64x64_3, OfB>(m, n, k, 1, ways::one)));
    CHECK(same_bits(results_of<narrow, OfB>(m, n, k, 1, ways::one, infinity),
                    results_of<gemm::detail::pipelined_where_refused, OfB>(m, n, k, 1, ways::one, infinity)));
  };
  check.template operator()<gemm::order::column>();
  check.template operator()<gemm::order::row>();
}

TEST_CASE("a product is the same where rows of A are split beside narrow tiles", "[sanitizer]") {
  test::need_sm90a();
  using narrow = gemm::with_fallback<gemm::fp16x3<gemm::block<64, 128, 64>, gemm::stages<2>>>;
  constexpr bool small = test::on_cpu_device;
  constexpr int multiprocessors = small ? 2 : 132;
  test::cpu_options const few([](auto& options) { options.device.multiprocessors = multiprocessors; });
  constexpr std::int64_t m = small ? 301 : 1531, n = small ? 62 : 766, k = small ? 500 : 3000;
  auto const check = [&]<gemm::order OfA>(float last_of_a, auto otherwise) {
    CAPTURE(OfA, last_of_a);
    REQUIRE(swaps_sides<narrow, OfA>(parts_of_b::some, m, n, k, multiprocessors));
    test::device_array<float> const operands(random_operands(m * k, n * k, last_of_a));
    auto const a = in_order<OfA>(operands.data(), m, k);
    auto const b = col_major(operands.data() + m * k, k, n);
    auto const unpacked = prepacked_b<narrow>(b);
    test::device_array<unsigned char> const memory(static_cast<std::int64_t>(prepacked_size(unpacked)));
    auto const packed = prepacked_b<narrow>(b, {memory.data(), prepacked_size(unpacked)});
    REQUIRE(gemm::prepack(packed));
    auto const check_c = [&](auto const& c) {
      auto const room = static_cast<std::size_t>(c.ld * (c.layout == gemm::order::row ? m : n));
      auto const result = [&]<class Policy>(Policy, auto const& own_b) {
        test::device_array<float> const to(std::vector<float>(room, std::numeric_limits<float>::quiet_NaN()));
        auto own = c;
        own.data = to.data();
        REQUIRE(gemm::run<Policy>(a, own_b, own, {.alpha = 1.5F}));
        return to.download();
      };
      CHECK(same_bits(result(narrow{}, packed), result(otherwise, b)));
    };
    float* const none = nullptr;
    check_c(row_major(none, m, n, n + 3));
    check_c(col_major(none, m, n));
  };
  constexpr float infinity = std::numeric_limits<float>::infinity();
  check.template operator()<gemm::order::row>(1, test::fp16x3_64x64x64_3{});
  check.template operator()<gemm::order::column>(1, test::fp16x3_64x64x64_3{});
  check.template operator()<gemm::order::row>(infinity, gemm::detail::pipelined_where_refused{});
}
