// SPDX-License-Identifier: BSL-1.0
//! @file
//! Scales of operands in device memory: numbers, those of rows and of columns, against the reference.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>
#include <gemm/reference.hpp>
#include <gemm/tune.cuh>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"
#include "../support/types.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::col_major;
using gemm::order;
using gemm::row_major;
using test::bfloat16;
using test::device_array;
using test::half;
using test::int32;
using test::int8;
using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;

/// Scales of an operand; all have room for as many numbers a product as C has rows or columns.
enum class kind { none, number, rows, columns };

struct shape {
  std::int64_t m, n, k, batch_count = 1;
};

template <order Order, class T>
auto view(T* data, std::int64_t rows, std::int64_t columns, std::int64_t batch_count) {
  if constexpr (Order == order::row) {
    return gemm::batched(row_major(data, rows, columns, columns + 3), batch_count);
  } else {
    return gemm::batched(col_major(data, rows, columns, rows + 3), batch_count);
  }
}

template <kind Kind, class View, class S>
auto with_scales(View const& of, S const* scales, std::int64_t length) {
  if constexpr (Kind == kind::number) {
    return gemm::scaled(of, scales, length);
  } else if constexpr (Kind == kind::rows) {
    return gemm::scaled(of, gemm::per_row(scales, length, length));
  } else if constexpr (Kind == kind::columns) {
    return gemm::scaled(of, gemm::per_column(scales, length, length));
  } else {
    return of;
  }
}

template <class T>
std::vector<T> elements(std::int64_t count, std::uint64_t seed) {
  std::vector<T> all(static_cast<std::size_t>(count));
  gemm::random_numbers random(seed);
  for (T& x : all) {
    x = gemm::detail::convert<T>(std::is_integral_v<T> ? std::rint(20 * random.uniform()) : random.uniform());
  }
  return all;
}

/// Adds what depends on the place, and differently on row, column and product.
struct add_place {
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return value + static_cast<V>(row % 7) - static_cast<V>(2 * (column % 5)) + static_cast<V>(batch);
  }
};

/// Of how many elements of C the error exceeds its bound.
template <class Policy, class Types, kind OfA, kind OfB, order A = order::row, order B = order::column,
          order C = order::row, class InB = typename Types::input, class Epilogue = gemm::identity>
std::int64_t wrong_elements(shape const& s, double alpha = 1, double beta = 0, Epilogue const& epilogue = {}) {
  using in = typename Types::input;
  using out = typename Types::output;
  using scale = std::conditional_t<std::is_same_v<in, double>, double, float>;
  auto const lines = [&](std::int64_t rows, std::int64_t columns) { return (std::max)(rows, columns) + 3; };
  std::int64_t const count = s.batch_count;
  auto const a = elements<in>(count * lines(s.m, s.k) * lines(s.m, s.k), 1);
  auto const b = elements<InB>(count * lines(s.k, s.n) * lines(s.k, s.n), 2);
  auto const before = elements<out>(count * lines(s.m, s.n) * lines(s.m, s.n), 3);
  std::vector<scale> const of_a = elements<scale>(count * s.m, 4), of_b = elements<scale>(count * s.n, 5);
  device_array<in> const on_a(a);
  device_array<InB> const on_b(b);
  device_array<out> const on_c(before);
  device_array<scale> const on_of_a(of_a), on_of_b(of_b);
  auto const call_a = with_scales<OfA>(view<A>(on_a.data(), s.m, s.k, count), on_of_a.data(), s.m);
  auto const call_b = with_scales<OfB>(view<B>(on_b.data(), s.k, s.n, count), on_of_b.data(), s.n);
  using accum = typename Types::accum;
  gemm::options<accum> const opts{.alpha = static_cast<accum>(alpha), .beta = static_cast<accum>(beta)};
  gemm::status const status = gemm::run<Policy>(call_a, call_b, view<C>(on_c.data(), s.m, s.n, count), opts, epilogue);
  INFO(status.message());
  REQUIRE(status);
  auto const got = on_c.download();
  auto const c = view<C>(before.data(), s.m, s.n, count);
  auto const want =
      gemm::reference(with_scales<OfA>(view<A>(a.data(), s.m, s.k, count), of_a.data(), s.m),
                      with_scales<OfB>(view<B>(b.data(), s.k, s.n, count), of_b.data(), s.n), c, opts.alpha, opts.beta);
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < count * s.m * s.n; ++i) {
    std::int64_t const batch = i / (s.m * s.n), row = i / s.n % s.m, column = i % s.n;
    gemm::expected<in> e = want[static_cast<std::size_t>(i)];
    e.value = static_cast<double>(gemm::detail::apply(epilogue, static_cast<double>(e.value), row, column, batch));
    double const result = gemm::detail::widen(got[static_cast<std::size_t>(
        batch * c.batch_stride + (C == order::row ? row * c.ld + column : column * c.ld + row))]);
    double bound = static_cast<double>(gemm::error_bound<in, out>(e, s.k + 8));
    if constexpr (std::is_integral_v<out>) {
      constexpr double least = std::numeric_limits<out>::min(), most = std::numeric_limits<out>::max();
      e.value = std::clamp(static_cast<double>(e.value), least, most);
      bound = 0.5 + 1e-6 * static_cast<double>(e.magnitude);
    }
    wrong += !(std::abs(result - static_cast<double>(e.value)) <= bound);
  }
  return wrong;
}

template <kind OfA, kind OfB, order A, order B>
std::int64_t wrong_in_both_orders() {
  using policy = gemm::naive_32x4;
  return wrong_elements<policy, test::f32, OfA, OfB, A, B, order::row>({13, 7, 21, 2}, 1.5, 0.5) +
         wrong_elements<policy, test::f32, OfA, OfB, A, B, order::column>({13, 7, 21, 2}, 1.5, 0.5);
}

template <order C>
std::int64_t wrong_with_epilogue() {
  return wrong_elements<gemm::naive_32x4, test::f32, kind::rows, kind::columns, order::row, order::row, C>(
      {13, 7, 21, 2}, 1, 0.5, gemm::relu{} | add_place{});
}

template <class Policy, class Types, order A, order B>
std::int64_t wrong_by_policy(shape const& s) {
  return wrong_elements<Policy, Types, kind::rows, kind::columns, A, B>(s) +
         wrong_elements<Policy, Types, kind::rows, kind::columns, A, B>(s, -0.5, 0.25) +
         wrong_elements<Policy, Types, kind::number, kind::number, A, B, order::column>(s, 2);
}

}  // namespace

TEST_CASE("a sum is multiplied by the scales of its row and its column", "[scales][sanitizer]") {
  device_array<float> const a(std::vector<float>{1, 2, 3, 4}), rows(std::vector<float>{2, 10}),
      columns(std::vector<float>{1, 100}), c(std::vector<float>(4));
  auto const left = gemm::scaled(row_major(a.data(), 2, 2), gemm::per_row(rows.data(), 2));
  auto const right = gemm::scaled(row_major(a.data(), 2, 2), gemm::per_column(columns.data(), 2));
  REQUIRE(gemm::run<gemm::naive_32x4>(left, right, row_major(c.data(), 2, 2)));
  CHECK(c.download() == std::vector<float>{14, 2000, 150, 22000});
  REQUIRE(gemm::run<gemm::naive_32x4>(gemm::transposed(right), gemm::transposed(left), col_major(c.data(), 2, 2)));
  CHECK(c.download() == std::vector<float>{14, 2000, 150, 22000});
  REQUIRE(gemm::run<gemm::naive_32x4>(gemm::scaled(left, 0.5F), row_major(a.data(), 2, 2), row_major(c.data(), 2, 2)));
  CHECK(c.download() == std::vector<float>{7, 10, 75, 110});
}

TEST_CASE("scales of every storage, and for products of a batch", "[scales][sanitizer]") {
  using enum kind;
  CHECK(wrong_in_both_orders<rows, columns, order::row, order::row>() == 0);
  CHECK(wrong_in_both_orders<rows, none, order::row, order::column>() == 0);
  CHECK(wrong_in_both_orders<number, columns, order::column, order::row>() == 0);
  CHECK(wrong_in_both_orders<number, number, order::column, order::column>() == 0);
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
  CHECK(wrong_by_policy<gemm::tensor_core_fp8_64x64x128, f8, row, column>({130, 136, 200, 2}) == 0);
  CHECK(wrong_by_policy<gemm::tensor_core_fp8_128x192x128_2x1, f8, row, column>({256, 384, 256, 2}) == 0);
  CHECK(wrong_by_policy<gemm::sm80_mma_fp8_64x64x128, f8, row, row>({70, 66, 200, 2}) == 0);
  CHECK(wrong_by_policy<gemm::split_k<gemm::tensor_core_fp8_64x64x128, 3>, f8, column, column>({70, 66, 512}) == 0);
  CHECK(wrong_elements<gemm::tensor_core_fp8_64x64x128, test::e4m3_f32, kind::rows, kind::columns, column, row, row,
                       e5m2>({70, 66, 150}) == 0);
}

TEST_CASE("scales by other kernels", "[scales]") {
  test::need_sm90a();
  constexpr order row = order::row, column = order::column;
  CHECK(wrong_by_policy<gemm::tensor_core_128x128x64_2x2, test::bf16, row, row>({264, 256, 100, 2}) == 0);
  CHECK(wrong_by_policy<gemm::warp_specialized_64x64x32, test::f32, row, column>({70, 66, 50, 2}) == 0);
  CHECK(wrong_by_policy<gemm::cluster_split_k<gemm::tensor_core_s8_64x64x128, 2>, test::s8, row, column>(
            {64, 64, 512}) == 0);
  CHECK(wrong_by_policy<gemm::small_16x16x16, test::f32, column, row>({13, 15, 16, 3}) == 0);
  CHECK(wrong_by_policy<gemm::skinny_128x1x64, test::bf16_f32, row, column>({150, 1, 100}) == 0);
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

TEST_CASE("where operands are not read their scales are not either", "[scales]") {
  device_array<float> const c(std::vector<float>{1, 2, 3, 4, 5, 6});
  constexpr float const* nowhere = nullptr;
  auto const left = [](std::int64_t k) { return gemm::scaled(row_major(nowhere, 2, k), gemm::per_row(nowhere, 0)); };
  auto const right = [](std::int64_t k) { return gemm::scaled(row_major(nowhere, k, 3), nowhere); };
  gemm::options<float> const opts{.alpha = std::numeric_limits<float>::quiet_NaN(), .beta = 2};
  REQUIRE(gemm::run<gemm::naive_32x4>(left(0), right(0), row_major(c.data(), 2, 3), opts, add_place{}));
  CHECK(c.download() == std::vector<float>{2, 2, 2, 9, 9, 9});
  REQUIRE(gemm::run<gemm::naive_32x4>(left(4), right(4), col_major(c.data(), 2, 3), {.alpha = 0, .beta = 1}));
  CHECK(c.download() == std::vector<float>{2, 2, 2, 9, 9, 9});
  REQUIRE(gemm::run<gemm::naive_32x4>(left(4), right(4), row_major(c.data(), 2, 3), {.alpha = 0}));
  CHECK(c.download() == std::vector<float>(6));
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

TEST_CASE("a call names the scales that break a rule", "[scales]") {
  device_array<float> const x(std::vector<float>(100)), scales(std::vector<float>(8)), c(std::vector<float>(100));
  auto const a = row_major(x.data(), 5, 4);
  auto const b = row_major(x.data(), 4, 7);
  auto const to = row_major(c.data(), 5, 7);
  constexpr float const* nowhere = nullptr;
  using gemm::naive_32x4;
  using gemm::scaled;
  CHECK_THAT(gemm::run<naive_32x4>(scaled(a, gemm::per_row(scales.data(), 4)), b, to).message(),
             Equals("the scales of A are 4 numbers, need one per row of A: 5"));
  CHECK_THAT(gemm::can_run<naive_32x4>(a, scaled(b, gemm::per_column(scales.data(), 6)), to).message(),
             Equals("the scales of B are 6 numbers, need one per column of B: 7"));
  CHECK_THAT(gemm::run<naive_32x4>(scaled(a, gemm::per_row(nowhere)), b, to).message(),
             Equals("the scales of A are null, need one number per row of A"));
  CHECK_THAT(gemm::run<naive_32x4>(a, scaled(b, nowhere), to).message(),
             Equals("the scales of B are null, need one number per matrix of B"));
  CHECK(gemm::can_run<naive_32x4>(scaled(a, gemm::per_row(scales.data())), scaled(b, scales.data()), to));
}
