// SPDX-License-Identifier: BSL-1.0
//! @file
//! Scales of blocks by the C interface, against a reference in double.

#include <gemm/gemm.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "../support/device.hpp"
#include "../support/types.hpp"
#include "call.hpp"
#include "forms.hpp"

namespace {

using fp8 = __nv_fp8_e4m3;
using test::form_matrix;

std::string const fp8_name = test::name_of<fp8>(),
                  types = fp8_name + " x " + fp8_name + " -> " + test::name_of<test::bfloat16>();

/// Which blocks of A and B have a scale.
struct blocks {
  int of_a, of_b;
  char const *form, *form_of_transpose;
};

constexpr blocks all_blocks[] = {{GEMM_SCALE_PER_1_X_128, GEMM_SCALE_PER_128_X_1, ", scales of 1 x 128 and 128 x 1",
                                  ", scales of 1 x 128 and 128 x 1"},
                                 {GEMM_SCALE_PER_1_X_128, GEMM_SCALE_PER_128_X_128, ", scales of 1 x 128 and 128 x 128",
                                  ", scales of 128 x 128 and 128 x 1"},
                                 {GEMM_SCALE_PER_128_X_128, GEMM_SCALE_PER_128_X_1, ", scales of 128 x 128 and 128 x 1",
                                  ", scales of 1 x 128 and 128 x 128"}};

/// A product whose m, n and k end within a block.
struct block_scaled {
  static constexpr std::int64_t m = 130, n = 133, k = 140, batch = 2;
  form_matrix<fp8> a, b;
  form_matrix<test::bfloat16> c;
  std::int64_t rows_a, columns_b;  // of the scales
  std::vector<float> host_a, host_b;
  test::device_array<float> scales_a, scales_b, bias;
  test::c_product x;

  block_scaled(blocks const& of, int order_a, int order_b, int order_c)
      : a(batch, m, k, order_a, 5, -2),
        b(batch, k, n, order_b, 4, -1),
        c(batch, m, n, order_c, 9, -4),
        rows_a(of.of_a == GEMM_SCALE_PER_128_X_128 ? 2 : m),
        columns_b(of.of_b == GEMM_SCALE_PER_128_X_128 ? 2 : n),
        host_a(test::powers(batch * rows_a * 2)),
        host_b(test::powers(2 * columns_b)),
        scales_a(host_a),
        scales_b(host_b),
        bias(std::vector<float>(n, 3)),
        x(a.of_call, b.of_call, c.of_call) {
    // Of A a column-major matrix for each product, of B a row-major one for all.
    x.a.scale_kind = of.of_a;
    x.a.scales = scales_a.data();
    x.a.scale_order = GEMM_COLUMN_MAJOR;
    x.a.scale_rows = x.a.scale_ld = rows_a;
    x.a.scale_columns = 2;
    x.a.scale_batch_stride = rows_a * 2;
    x.b.scale_kind = of.of_b;
    x.b.scales = scales_b.data();
    x.b.scale_order = GEMM_ROW_MAJOR;
    x.b.scale_rows = 2;
    x.b.scale_columns = x.b.scale_ld = columns_b;
  }

  double want(std::int64_t at_batch, std::int64_t row, std::int64_t column) const {
    double value = 0;
    for (std::int64_t l = 0; l < k; ++l) {
      std::int64_t const of_row = rows_a == m ? row : row / 128, of_column = columns_b == n ? column : column / 128;
      double const scale_a = host_a[static_cast<std::size_t>(at_batch * rows_a * 2 + l / 128 * rows_a + of_row)];
      double const scale_b = host_b[static_cast<std::size_t>(l / 128 * columns_b + of_column)];
      value += scale_a * scale_b * a.at(at_batch, row, l) * b.at(at_batch, l, column);
    }
    value = x.call.alpha * value + x.call.beta * c.at(at_batch, row, column);
    return x.call.epilogue == nullptr ? value : std::max(value, 0.0) * x.epilogue.scale;
  }

  std::int64_t wrong() const {
    auto const got = c.device.download();
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < batch * m * n; ++i) {
      std::int64_t const at_batch = i / (m * n), row = i / n % m, column = i % n;
      double const is = static_cast<double>(test::number(got[c.index(at_batch, row, column)]));
      double const rounded =
          static_cast<double>(test::number(test::rounded<test::bfloat16>(want(at_batch, row, column))));
      count += !(is == rounded);
    }
    return count;
  }
};

}  // namespace

TEST_CASE("scales of blocks of the C interface", "[compiled]") {
  bool found = false;
  for (blocks const& of : all_blocks) {
    for (int i = 0; i < 8; ++i) {
      int const order_a = 1 + i % 2, order_b = 1 + i / 2 % 2, order_c = 1 + i / 4;
      bool const swaps = order_c == GEMM_COLUMN_MAJOR;
      if (!test::is_compiled(types, order_a, order_b, order_c, swaps ? of.form_of_transpose : of.form)) {
        continue;
      }
      found = true;
      INFO(of.form << ", orders " << order_a << order_b << order_c);
      if (!swaps) {
        block_scaled plain(of, order_a, order_b, order_c);
        REQUIRE(plain.x.run() == "");
        CHECK(plain.wrong() == 0);
      }
      block_scaled full(of, order_a, order_b, order_c);
      full.x.call.alpha = 2;
      full.x.call.beta = 3;
      full.x.call.epilogue = &full.x.epilogue;
      full.x.epilogue.activation = GEMM_RELU;
      full.x.epilogue.scale = 0.25;
      REQUIRE(full.x.run() == "");
      CHECK(full.wrong() == 0);
    }
  }
  if (!found) {
    SKIP("no product with scales of blocks is compiled");
  }
}

TEST_CASE("scales of blocks that are refused", "[compiled]") {
  if (!test::is_compiled(types, GEMM_ROW_MAJOR, GEMM_COLUMN_MAJOR, GEMM_ROW_MAJOR, all_blocks[1].form)) {
    SKIP("the product is not compiled");
  }
  block_scaled all(all_blocks[1], GEMM_ROW_MAJOR, GEMM_COLUMN_MAJOR, GEMM_ROW_MAJOR);
  test::c_product& x = all.x;
  auto const refused = [&] {
    std::string const message = x.run();
    CHECK(x.status.code == GEMM_INVALID_ARGUMENT);
    CHECK(x.can_run() == message);
    return message;
  };
  SECTION("kinds") {
    x.b.scale_kind = GEMM_SCALE_PER_1_X_128;
    CHECK(refused() ==
          "B's scale_kind is 4, needs none, 0, one number, 1, one per column, 3, or a matrix, 5 for 128 x 1, 6 for 128 "
          "x 128");
    x.b.scale_kind = GEMM_SCALE_PER_COLUMN;
    CHECK(refused() ==
          "A's and B's scale_kind are 4 and 3, need to be both of blocks, at most one 6: others need gemm/gemm.cuh");
  }
  SECTION("the matrix of scales") {
    x.a.scale_rows = 129;
    CHECK(refused() == "the scales of A are 129 x 2, need one per 1 x 128 of A: 130 x 2");
    x.a.scale_rows = 130;
    x.a.scale_ld = 100;
    CHECK(refused() ==
          "its leading dimension is 100, needs at least 130, the rows of the matrix of scales (130 x 2, column-major)");
    x.a.scale_ld = 130;
    x.a.scale_order = 0;
    CHECK(refused() == "A's scale_order is 0, needs GEMM_ROW_MAJOR, 1, or GEMM_COLUMN_MAJOR, 2");
    x.a.scale_order = GEMM_COLUMN_MAJOR;
    x.b.scales = nullptr;
    CHECK(refused() == "the scales of B are null, need one number per 128 x 128 of B");
  }
  SECTION("groups") {
    x.call.group_kind = GEMM_RAGGED_ROWS;
    CHECK(refused() == "group_kind is 1 beside scales of blocks, needs none: both need gemm/gemm.cuh");
  }
  SECTION("other types") {
    x.a.type = x.b.type = GEMM_FLOAT;
    CHECK(
        refused() ==
        "the product is float x float -> bfloat16, row x column -> row, scales of 1 x 128 and 128 x 128, which is not "
        "compiled into this library: gemm_compiled_products() says what is");
  }
  CHECK(all.c.is_unchanged());
}
