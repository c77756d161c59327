// SPDX-License-Identifier: BSL-1.0
//! @file
//! Scales of operands in device memory: numbers, those of rows and of columns. What kernels read of them.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>
#include <vector>

#include <gemm/gemm.cuh>

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
using test::device_array;
using test::kind;
using test::wrong_by_policy;
using test::wrong_elements;
using e4m3 = __nv_fp8_e4m3;

template <kind OfA, kind OfB, order A, order B>
std::int64_t wrong_in_both_orders() {
  using policy = gemm::naive_32x4;
  return wrong_elements<policy, test::f32, OfA, OfB, A, B, order::row>({13, 7, 21, 2}, 1.5, 0.5) +
         wrong_elements<policy, test::f32, OfA, OfB, A, B, order::column>({13, 7, 21, 2}, 1.5, 0.5);
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

TEST_CASE("scales by kernels that read them in different ways", "[scales]") {
  test::need_sm90a();
  constexpr order row = order::row, column = order::column;
  using f8 = test::types<e4m3, test::bfloat16>;
  CHECK(wrong_by_policy<gemm::sm90_wgmma_fp8_64x64x128, f8, row, column>({130, 136, 200, 2}) == 0);
  CHECK(wrong_elements<gemm::sm90_wgmma_fp8_128x192x128_2x1, f8, kind::rows, kind::columns>({256, 384, 256, 2}) == 0);
  CHECK(wrong_by_policy<gemm::sm90_simt_tma_64x64x32, test::f32, row, column>({70, 66, 50, 2}) == 0);
  CHECK(wrong_by_policy<gemm::small_16x16x16, test::f32, column, row>({13, 15, 16, 3}) == 0);
  CHECK(wrong_by_policy<gemm::skinny_128x1x64, test::bf16_f32, row, column>({150, 1, 100}) == 0);
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
