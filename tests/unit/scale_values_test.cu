// SPDX-License-Identifier: BSL-1.0
//! @file
//! Values of scaled products: factors that leave the range, epilogues behind them, types, and every kind of kernel.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/tune.cuh>

#include "../support/device.hpp"
#include "../support/scales.hpp"
#include "../support/sm90a.hpp"
#include "../support/types.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::col_major;
using gemm::order;
using gemm::row_major;
using test::add_place;
using test::bfloat16;
using test::device_array;
using test::elements;
using test::half;
using test::int8;
using test::kind;
using test::shape;
using test::with_scales;
using test::wrong_by_policy;
using test::wrong_elements;
using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;

template <order C>
std::int64_t wrong_with_epilogue() {
  return wrong_elements<gemm::naive_32x4, test::f32, kind::rows, kind::columns, order::row, order::row, C>(
      {13, 7, 21, 2}, 1, 0.5, gemm::relu{} | add_place{});
}

/// Factors that are the same for all elements of a product: alpha and a scale of C.
struct whole_factors {
  double alpha = 1, of_c = 1;
};

/// How many elements of C are not their accumulator, of 64s in A and B, times their factors, which may be far from 1.
/// Rows and columns take their factors in turn.
template <class Policy, class In, class Out, kind OfA, kind OfB, order C, class InB = In>
std::int64_t wrong_products(shape const& s, whole_factors const& whole, std::vector<double> const& of_rows,
                            std::vector<double> const& of_columns) {
  using number = std::conditional_t<std::is_same_v<In, double>, double, float>;
  auto const in_turn = [](std::vector<double> const& from, std::int64_t count) {
    std::vector<number> all(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = static_cast<number>(from[i % from.size()]);
    }
    return all;
  };
  std::vector<number> const rows = in_turn(of_rows, s.m), columns = in_turn(of_columns, s.n);
  device_array<In> const a(std::vector<In>(static_cast<std::size_t>(s.m * s.k), In(64)));
  device_array<InB> const b(std::vector<InB>(static_cast<std::size_t>(s.k * s.n), InB(64)));
  device_array<Out> const c(std::vector<Out>(static_cast<std::size_t>((s.m + 8) * (s.n + 8))));
  device_array<number> const on_rows(rows), on_columns(columns), of_c(std::vector<number>{number(whole.of_c)});
  auto const into = [&] {
    if constexpr (C == order::row) {
      return row_major(c.data(), s.m, s.n, s.n + 8);
    } else {
      return col_major(c.data(), s.m, s.n, s.m + 8);
    }
  }();
  auto const call_a = with_scales<OfA>(row_major(a.data(), s.m, s.k), on_rows.data(), s.m);
  auto const call_b = with_scales<OfB>(col_major(b.data(), s.k, s.n), on_columns.data(), s.n);
  using accum = gemm::detail::accumulator<In>;
  gemm::options<accum> const opts{.alpha = static_cast<accum>(whole.alpha)};
  gemm::status const status = whole.of_c == 1 ? gemm::run<Policy>(call_a, call_b, into, opts)
                                              : gemm::run<Policy>(call_a, call_b, into, opts, gemm::scale(of_c.data()));
  INFO(status.message());
  REQUIRE(status);
  auto const got = c.download();
  auto const factor = [](kind of, std::vector<number> const& all, std::int64_t i) {
    return of == kind::none ? 1.0L
                            : static_cast<long double>(all[of == kind::number ? 0 : static_cast<std::size_t>(i)]);
  };
  long double const unit = std::max(gemm::element_traits<number>::unit, gemm::element_traits<Out>::unit),
                    least = std::max(gemm::element_traits<number>::least, gemm::element_traits<Out>::least);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < s.m; ++i) {
    for (std::int64_t j = 0; j < s.n; ++j) {
      long double const want = 4096.0L * static_cast<long double>(s.k) * whole.alpha * whole.of_c *
                               factor(OfA, rows, i) * factor(OfB, columns, j);
      auto const place = static_cast<std::size_t>(C == order::row ? i * into.ld + j : j * into.ld + i);
      long double const value = gemm::detail::widen(got[place]);
      wrong += std::abs(want) > gemm::element_traits<Out>::greatest
                   ? !(std::isinf(value) && std::signbit(value) == std::signbit(want))
                   : !(std::abs(value - want) <= 4 * (unit * std::abs(want) + least));
    }
  }
  return wrong;
}

/// The same where products of some factors leave the range of a float.
template <class Policy, class In, class Out, order C = order::row, kind OfA = kind::rows, kind OfB = kind::columns,
          class InB = In>
std::int64_t wrong_far_products(shape const& s) {
  constexpr double big = 0x1.8p100, tiny = 0x1.4p-100;
  std::int64_t wrong = 0;
  auto const add = [&](whole_factors const& whole, std::vector<double> const& of_rows,
                       std::vector<double> const& of_columns) {
    wrong += wrong_products<Policy, In, Out, OfA, OfB, C, InB>(s, whole, of_rows, of_columns);
  };
  add({}, {big, 1, -big}, {tiny});
  add({}, {tiny}, {big, 1.5, -big});
  add({.alpha = big}, {tiny, 0.75}, {1});
  add({.alpha = tiny}, {big, tiny}, {0.75, 1});
  add({.of_c = tiny}, {big, 0.75}, {1, 1.25});
  add({.of_c = big}, {tiny, 0}, {1});
  add({.alpha = tiny, .of_c = big}, {1, 1.5}, {0.5});
  add({.alpha = big, .of_c = tiny}, {0x1.8p-70, 0x1.8p70}, {0x1.4p-60, 0x1.4p60});
  add({.alpha = big, .of_c = tiny}, {big}, {tiny});
  add({}, {0x1.8p-140, 0x1.8p20}, {0x1.4p110, 0x1.4p30});
  return wrong;
}

}  // namespace

TEST_CASE("no product of some factors leaves the range that the result is in", "[scales]") {
  using gemm::naive_32x4;
  using enum kind;
  constexpr order row = order::row, column = order::column;
  CHECK(wrong_far_products<naive_32x4, float, float>({13, 7, 21}) == 0);
  CHECK(wrong_far_products<naive_32x4, float, float, column>({13, 7, 21}) == 0);
  CHECK(wrong_far_products<naive_32x4, float, float, row, rows, none>({13, 7, 21}) == 0);
  CHECK(wrong_far_products<naive_32x4, float, float, column, none, columns>({13, 7, 21}) == 0);
  CHECK(wrong_far_products<naive_32x4, float, float, row, number, columns>({13, 7, 21}) == 0);
  CHECK(wrong_far_products<naive_32x4, float, float, column, number, number>({13, 7, 21}) == 0);
  CHECK(wrong_far_products<naive_32x4, double, double>({13, 7, 21}) == 0);
  CHECK(wrong_far_products<naive_32x4, half, bfloat16, column>({13, 7, 21}) == 0);
  CHECK(wrong_far_products<naive_32x4, e4m3, float, row, rows, columns, e5m2>({13, 7, 21}) == 0);
}

TEST_CASE("no product of factors leaves the range in any kind of store", "[scales]") {
  test::need_sm90a();
  using enum kind;
  constexpr order row = order::row, column = order::column;
  CHECK(wrong_far_products<gemm::sm90_wgmma_fp8_64x64x128, e4m3, bfloat16>({72, 136, 16}) == 0);
  CHECK(wrong_far_products<gemm::sm90_wgmma_fp8_64x64x128, e4m3, bfloat16>({65, 67, 16}) == 0);
  // By TMA: boxes of rows, of several pieces, of transposed tiles, and in turns.
  CHECK(wrong_far_products<gemm::sm90_wgmma_fp8_128x192x128_2x1, e4m3, bfloat16>({128, 192, 16}) == 0);
  CHECK(wrong_far_products<gemm::sm90_wgmma_fp8_128x192x128_2x1, e4m3, bfloat16, column>({128, 192, 16}) == 0);
  CHECK(wrong_far_products<gemm::sm90_wgmma_fp8_128x192x128_2x1, e4m3, float, row, rows, number>({128, 192, 16}) == 0);
  CHECK(wrong_far_products<gemm::sm90_wgmma_192x96x64_1x2, bfloat16, bfloat16, column>({192, 192, 16}) == 0);
  CHECK(wrong_far_products<gemm::sm90_wgmma_80x128x64_4x1, bfloat16, bfloat16>({160, 128, 16}) == 0);
  CHECK(wrong_far_products<gemm::sm90_wgmma_80x128x64_4x1, bfloat16, bfloat16, column>({160, 128, 16}) == 0);
  CHECK(wrong_far_products<gemm::sm90_wgmma_ping_pong_128x128x64, bfloat16, bfloat16>({128, 128, 16}) == 0);
  CHECK(wrong_far_products<gemm::sm90_wgmma_128x192x64_2x1, bfloat16, bfloat16, column, number, number>(
            {128, 192, 16}) == 0);
  CHECK(wrong_far_products<gemm::sm80_mma_64x64x64, bfloat16, float>({70, 66, 16}) == 0);
  CHECK(wrong_far_products<gemm::sm90_simt_tma_64x64x32, float, float, column>({70, 66, 16}) == 0);
  CHECK(wrong_far_products<gemm::split_k<gemm::pipelined_32x64x32, 2>, float, float>({40, 66, 70}) == 0);
  CHECK(wrong_far_products<gemm::skinny_1x32x512, bfloat16, bfloat16, column>({1, 40, 16}) == 0);
}

TEST_CASE("factors that begin an epilogue may vary by row and column", "[scales]") {
  device_array<float> c(std::vector<float>(1));
  device_array<float> const a(std::vector<float>{0x1p30F}), b(std::vector<float>{1}), big(std::vector<float>{0x1p100F}),
      tiny(std::vector<float>{0x1p-100F});
  auto const left = gemm::scaled(row_major(a.data(), 1, 1), gemm::per_row(big.data()));
  auto const right = row_major(b.data(), 1, 1);
  auto const product_of = [&](auto const& into, auto const& epilogue, float beta) {
    REQUIRE(gemm::run<gemm::naive_32x4>(left, right, into, {.beta = beta}, epilogue));
    return c.download()[0];
  };
  auto const by_row = row_major(c.data(), 1, 1);
  auto const by_column = col_major(c.data(), 1, 1);
  using gemm::scale;
  CHECK(product_of(by_row, gemm::row_scale(tiny.data()) | gemm::relu{}, 0) == 0x1p30F);
  CHECK(product_of(by_column, gemm::row_scale(tiny.data()) | gemm::relu{}, 0) == 0x1p30F);
  CHECK(product_of(by_row, gemm::column_scale(tiny.data()), 0) == 0x1p30F);
  CHECK(product_of(by_column, scale(0x1p-50F) | (scale(0x1p-50F) | gemm::relu{}), 0) == 0x1p30F);
  CHECK(product_of(by_row, scale(0x1p-50F) | (gemm::column_scale(tiny.data()) | scale(2.0F)), 0) == 0x1p-19F);
  CHECK(product_of(by_row, scale(0x1p-50F) | gemm::clamp(0.0F, 1.0F) | scale(3.0F), 0) == 3);
  // What beta adds is scaled as well: then the epilogue has a sum, which is a float.
  c.upload({3});
  CHECK(product_of(by_column, scale(0x1p-100F) | gemm::relu{}, 1) == std::numeric_limits<float>::infinity());
  c.upload({3});
  REQUIRE(gemm::run<gemm::naive_32x4>(right, right, by_row, {.beta = 2}, scale(0.5F) | scale(4.0F)));
  CHECK(c.download()[0] == 14);
}

TEST_CASE("numbers of the host are multiplied by alpha without leaving its range", "[scales]") {
  device_array<float> const a(std::vector<float>{0x1p30F}), c(std::vector<float>(1));
  auto const x = row_major(a.data(), 1, 1);
  auto const run = [&](float alpha, float of_a, float of_b) {
    return gemm::run<gemm::naive_32x4>(gemm::scaled(x, of_a), gemm::scaled(x, of_b), row_major(c.data(), 1, 1),
                                       {.alpha = alpha});
  };
  REQUIRE(run(0x1p100F, 0x1p-100F, 0x1p-100F));
  CHECK(c.download()[0] == 0x1p-40F);
  REQUIRE(run(0x1p-120F, 0x1p100F, 0x1p100F));
  CHECK(c.download()[0] == std::numeric_limits<float>::infinity());
  CHECK_THAT(run(1, 0x1p100F, 0x1p100F).message(),
             Equals("alpha and the factors of A and B are 1, 1.26765e+30 and 1.26765e+30, need a product that is a "
                    "float: scale A or B by a number in device memory"));
  CHECK(!run(1, 0x1p-80F, 0x1p-80F));
  REQUIRE(run(0, 0x1p-80F, 0x1p-80F));
  CHECK(c.download()[0] == 0);
}

TEST_CASE("factors of 1 change no bit, and far ones of other rows none either", "[scales]") {
  test::need_sm90a();
  constexpr std::int64_t m = 64, n = 64, k = 200;
  auto const elements_of = [](std::uint64_t seed) { return elements<e4m3>(m * k, seed); };
  device_array<e4m3> const a(elements_of(1)), b(elements_of(2));
  device_array<bfloat16> const c(std::vector<bfloat16>(m * n));
  auto const bits_of = [&](auto const& left, auto const& right) {
    REQUIRE(gemm::run<gemm::sm90_wgmma_fp8_64x64x128>(left, right, row_major(c.data(), m, n)));
    auto const got = c.download();
    std::vector<std::uint16_t> bits(got.size());
    std::transform(got.begin(), got.end(), bits.begin(),
                   [](bfloat16 x) { return __builtin_bit_cast(std::uint16_t, x); });
    return bits;
  };
  auto const left = row_major(a.data(), m, k);
  auto const right = col_major(b.data(), k, n);
  auto const plain = bits_of(left, right);
  device_array<float> const ones(std::vector<float>(64, 1));
  CHECK(bits_of(gemm::scaled(left, gemm::per_row(ones.data())), gemm::scaled(right, gemm::per_column(ones.data()))) ==
        plain);
  CHECK(bits_of(gemm::scaled(left, ones.data()), right) == plain);
  auto rows = elements<float>(64, 3);
  device_array<float> of_rows(rows);
  device_array<float> const of_columns(elements<float>(64, 4));
  auto const scaled = [&] {
    return bits_of(gemm::scaled(left, gemm::per_row(of_rows.data())),
                   gemm::scaled(right, gemm::per_column(of_columns.data())));
  };
  auto const near = scaled();
  rows[0] = 0x1p100F;
  of_rows.upload(rows);
  auto const far = scaled();
  CHECK(std::equal(near.begin() + n, near.end(), far.begin() + n));
  CHECK(far[0] != near[0]);
}

TEST_CASE("an epilogue is given the scaled value, with the caller's row and column", "[scales]") {
  CHECK(wrong_with_epilogue<order::row>() == 0);
  CHECK(wrong_with_epilogue<order::column>() == 0);
}

TEST_CASE("scales of int8 make values floating-point", "[scales]") {
  using policy = gemm::naive_32x4;
  CHECK(wrong_elements<policy, test::s8_f32, kind::rows, kind::columns>({13, 7, 40}, 3, 2) == 0);
  CHECK(wrong_elements<policy, test::s8_f16, kind::number, kind::none>({13, 7, 40}) == 0);
  CHECK(wrong_elements<policy, test::s8, kind::rows, kind::number>({13, 7, 40}) == 0);
  CHECK(wrong_elements<policy, test::s8, kind::number, kind::columns>({13, 7, 40}, 1, 1, gemm::silu{}) == 0);
  CHECK(wrong_elements<policy, test::s8_s32, kind::none, kind::columns>({13, 7, 40}, 1, 1) == 0);
  CHECK(wrong_elements<policy, test::f64, kind::rows, kind::number>({13, 7, 40}) == 0);
}

TEST_CASE("scales of fp8 by kernels of tensor cores", "[scales]") {
  test::need_sm90a();
  constexpr order row = order::row, column = order::column;
  using f8 = test::types<e4m3, bfloat16>;
  CHECK(wrong_by_policy<gemm::sm90_wgmma_fp8_128x192x128_2x1, f8, row, column>({256, 384, 256, 2}) == 0);
  CHECK(wrong_by_policy<gemm::sm80_mma_fp8_64x64x128, f8, row, row>({70, 66, 200, 2}) == 0);
  CHECK(wrong_by_policy<gemm::split_k<gemm::sm90_wgmma_fp8_64x64x128, 3>, f8, column, column>({70, 66, 512}) == 0);
  CHECK(
      wrong_elements<gemm::sm90_wgmma_fp8_64x64x128, test::e4m3_f32, kind::rows, kind::columns, column, row, row, e5m2>(
          {70, 66, 150}) == 0);
}

TEST_CASE("scales by other kernels", "[scales]") {
  test::need_sm90a();
  constexpr order row = order::row, column = order::column;
  CHECK(wrong_by_policy<gemm::sm90_wgmma_128x128x64_2x2, test::bf16, row, row>({264, 256, 100, 2}) == 0);
  CHECK(wrong_by_policy<gemm::cluster_split_k<gemm::sm90_wgmma_s8_64x64x128, 2>, test::s8, row, column>(
            {64, 64, 512}) == 0);
  CHECK(wrong_by_policy<gemm::fp16x3_128x128x64_2x1, test::f32, row, column>({70, 66, 50, 2}) == 0);
}

TEST_CASE("scaled operands are tuned as they are without scales", "[scales]") {
  device_array<float> const a(std::vector<float>(16)), c(std::vector<float>(16));
  auto const operand = row_major(a.data(), 4, 4);
  gemm::tune_result const result =
      gemm::tune<gemm::naive_32x4>(gemm::scaled(operand, gemm::per_row(a.data())), gemm::scaled(operand, a.data()),
                                   row_major(c.data(), 4, 4), {.repetitions = 1});
  INFO(result.status.message());
  REQUIRE(result);
  CHECK(result.measured.size() == 1);
}

TEST_CASE("a scaled A may be multiplied by a prepacked B", "[scales]") {
  test::need_sm90a();
  using policy = gemm::fp16x3_128x128x64_2x1;
  std::vector<float> const ones(64 * 64, 1);
  device_array<float> const x(ones), scales(elements<float>(64, 1)), c(ones);
  auto const a = row_major(x.data(), 64, 64);
  std::size_t const bytes = gemm::prepacked_size(gemm::prepacked_b<policy>(a));
  device_array<unsigned char> const memory(bytes);
  auto const b = gemm::prepacked_b<policy>(a, {memory.data(), bytes});
  REQUIRE(gemm::prepack(b));
  REQUIRE(gemm::run<policy>(gemm::scaled(a, gemm::per_row(scales.data())), b, row_major(c.data(), 64, 64)));
  auto const got = c.download(), factor = scales.download();
  CHECK(got[64 * 5 + 3] == 64 * factor[5]);
}

TEST_CASE("run() without a policy scales", "[scales]") {
  test::need_sm90a();
  CHECK(wrong_elements<gemm::automatic, test::types<e4m3, bfloat16>, kind::rows, kind::columns>({100, 30, 77}) == 0);
}

TEST_CASE("a scale that is no number or infinite propagates", "[scales]") {
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  device_array<float> const a(std::vector<float>{1, 0, 1}), rows(std::vector<float>{infinity, infinity, nan}),
      c(std::vector<float>(3));
  REQUIRE(gemm::run<gemm::naive_32x4>(gemm::scaled(row_major(a.data(), 3, 1), gemm::per_row(rows.data())),
                                      row_major(a.data(), 1, 1), row_major(c.data(), 3, 1)));
  auto const got = c.download();
  CHECK(got[0] == infinity);
  CHECK(std::isnan(got[1]));
  CHECK(std::isnan(got[2]));
}
