// SPDX-License-Identifier: BSL-1.0
//! @file
//! Scales of operands in device memory.

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"

TEST_CASE("scales multiply sums", "[scales]") {
  std::vector<float> const a{1, 2, 3, 4}, b{1, 2, 3, 4}, rows{2, 10}, columns{1, 100};
  test::device_array<float> const on_a(a), on_b(b), on_rows(rows), on_columns(columns);
  test::device_array<float> const on_c(std::vector<float>(4));
  auto const A = gemm::scaled(gemm::row_major(on_a.data(), 2, 2), gemm::per_row(on_rows.data()));
  auto const B = gemm::scaled(gemm::row_major(on_b.data(), 2, 2), gemm::per_column(on_columns.data()));
  REQUIRE(gemm::run<gemm::naive_32x4>(A, B, gemm::row_major(on_c.data(), 2, 2)));
  CHECK(on_c.download() == std::vector<float>{14, 2000, 150, 22000});
  REQUIRE(gemm::run<gemm::naive_32x4>(A, B, gemm::col_major(on_c.data(), 2, 2)));
  CHECK(on_c.download() == std::vector<float>{14, 150, 2000, 22000});
}
