// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products in groups by the C interface, against a reference in double: ragged rows, columns and k, and masked
//! batches.

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

using test::bfloat16;
using test::form_matrix;

std::string const name = test::name_of<bfloat16>(), types = name + " x " + name + " -> " + name;

/// What is asked of a product: ends of 8 bytes or 4, and an epilogue with scales of rows and columns.
struct request {
  int kind, order_a, order_b, order_c;
  bool wide = false, zero_rest = false, one_matrix = false, epilogue = false;
};

std::string form_of(int kind, int order_c) {
  bool const swaps = order_c == GEMM_COLUMN_MAJOR;
  return kind == GEMM_RAGGED_K                    ? ", ragged k"
         : (kind == GEMM_RAGGED_COLUMNS) != swaps ? ", ragged columns"
                                                  : ", ragged rows";
}

/// Four products, of which one is empty; 70 of 76 rows, columns or k belong to one.
struct grouped {
  static constexpr std::int64_t groups = 4, lines = 76, other = 37, depth = 24;
  static constexpr std::int64_t ends[] = {13, 13, 50, 70}, counts[] = {13, 0, 76, 90};  // of 90 there are 76

  request of;
  std::int64_t m, n, k;
  form_matrix<bfloat16> a, b, c;
  std::vector<float> host_a, host_b;
  test::device_array<float> scales_a, scales_b;
  test::device_array<bfloat16> bias;
  test::device_array<std::int32_t> narrow;
  test::device_array<std::int64_t> wide;
  test::c_product x;

  static std::int64_t batch_of(request const& of, char operand) {
    bool const shared = of.one_matrix;
    switch (of.kind) {
      case GEMM_RAGGED_ROWS:
        return operand == 'b' && !shared ? groups : 1;
      case GEMM_RAGGED_COLUMNS:
        return operand == 'a' && !shared ? groups : 1;
      case GEMM_RAGGED_K:
        return operand == 'c' ? groups : 1;
      default:
        return operand == 'b' && shared ? 1 : groups;
    }
  }

  template <class Index>
  static std::vector<Index> numbers(request const& of) {
    auto const& from = of.kind == GEMM_MASKED_ROWS ? counts : ends;
    return std::vector<Index>(std::begin(from), std::end(from));
  }

  explicit grouped(request const& asked)
      : of(asked),
        m(asked.kind == GEMM_RAGGED_ROWS || asked.kind == GEMM_MASKED_ROWS ? lines : other),
        n(asked.kind == GEMM_RAGGED_COLUMNS ? lines : other + 3),
        k(asked.kind == GEMM_RAGGED_K ? lines : depth),
        a(batch_of(of, 'a'), m, k, of.order_a, 5, -2),
        b(batch_of(of, 'b'), k, n, of.order_b, 4, -1),
        c(batch_of(of, 'c'), m, n, of.order_c, 9, -4),
        host_a(test::powers(m * (of.kind == GEMM_RAGGED_ROWS ? 1 : groups))),
        host_b(test::powers(n * (of.kind == GEMM_RAGGED_COLUMNS ? 1 : groups))),
        scales_a(host_a),
        scales_b(host_b),
        bias(std::vector<bfloat16>(static_cast<std::size_t>(n), test::rounded<bfloat16>(3.0))),
        narrow(numbers<std::int32_t>(of)),
        wide(numbers<std::int64_t>(of)),
        x(a.of_call, b.of_call, c.of_call) {
    x.call.group_kind = of.kind;
    x.call.group_bytes = of.wide ? 8 : 4;
    x.call.group_count = groups;
    x.call.group_ends = of.wide ? static_cast<void const*>(wide.data()) : narrow.data();
    x.call.zero_rest = of.zero_rest;
    if (of.epilogue) {
      x.a.scale_kind = GEMM_SCALE_PER_ROW;
      x.a.scales = scales_a.data();
      x.a.scale_count = m;
      x.a.scale_batch_stride = of.kind == GEMM_RAGGED_ROWS ? 0 : m;
      x.b.scale_kind = GEMM_SCALE_PER_COLUMN;
      x.b.scales = scales_b.data();
      x.b.scale_batch_stride = of.kind == GEMM_RAGGED_COLUMNS ? 0 : n;
      x.call.alpha = 2;
      x.call.beta = 3;
      x.call.epilogue = &x.epilogue;
      x.epilogue.bias_kind = GEMM_BIAS_PER_COLUMN;
      x.epilogue.bias_type = GEMM_BFLOAT16;
      x.epilogue.bias = bias.data();
      x.epilogue.activation = GEMM_RELU;
    }
  }

  /// The product that an element of C belongs to; none: -1.
  std::int64_t group_of(std::int64_t batch, std::int64_t row, std::int64_t column) const {
    if (of.kind == GEMM_RAGGED_K) {
      return batch;
    }
    if (of.kind == GEMM_MASKED_ROWS) {
      return row < counts[batch] ? batch : -1;
    }
    std::int64_t const at = of.kind == GEMM_RAGGED_ROWS ? row : column;
    auto const found = std::upper_bound(std::begin(ends), std::end(ends), at);
    return found == std::end(ends) ? -1 : found - std::begin(ends);
  }

  double want(std::int64_t batch, std::int64_t row, std::int64_t column) const {
    std::int64_t const g = group_of(batch, row, column);
    double const before = c.at(batch, row, column);
    if (g < 0) {
      return of.zero_rest ? 0 : before;
    }
    bool const of_k = of.kind == GEMM_RAGGED_K;
    std::int64_t const first = of_k && g > 0 ? ends[g - 1] : 0, end = of_k ? ends[g] : k;
    double value = 0;
    for (std::int64_t l = first; l < end; ++l) {
      value += a.at(g, row, l) * b.at(g, l, column);
    }
    if (!of.epilogue) {
      return value;
    }
    auto const scale = [&](std::vector<float> const& all, std::int64_t stride, std::int64_t line) {
      return static_cast<double>(all[static_cast<std::size_t>(g * stride + line)]);
    };
    value *= scale(host_a, x.a.scale_batch_stride, row) * scale(host_b, x.b.scale_batch_stride, column);
    return std::max(2 * value + 3 * before + 3, 0.0);
  }

  std::int64_t wrong() const {
    std::vector<bfloat16> const got = c.device.download();
    std::int64_t const of_batch = m * n;
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < c.of_call.batch_count * of_batch; ++i) {
      std::int64_t const batch = i / of_batch, row = i / n % m, column = i % n;
      double const is = static_cast<double>(test::number(got[c.index(batch, row, column)]));
      count += !(is == static_cast<double>(test::number(test::rounded<bfloat16>(want(batch, row, column)))));
    }
    return count;
  }
};

}  // namespace

TEST_CASE("groups of the C interface", "[compiled]") {
  bool found = false;
  for (int kind = GEMM_RAGGED_ROWS; kind <= GEMM_RAGGED_K; ++kind) {
    for (int i = 0; i < 8; ++i) {
      int const order_a = 1 + i % 2, order_b = 1 + i / 2 % 2, order_c = 1 + i / 4;
      if (!test::is_compiled(types, order_a, order_b, order_c, form_of(kind, order_c))) {
        continue;
      }
      found = true;
      bool const may_zero = kind != GEMM_RAGGED_K;
      for (request const& of : {request{kind, order_a, order_b, order_c},
                                request{kind, order_a, order_b, order_c, true, may_zero, may_zero},
                                request{kind, order_a, order_b, order_c, false, may_zero, false, true}}) {
        INFO("group_kind " << kind << ", orders " << order_a << order_b << order_c << ", wide " << of.wide
                           << ", epilogue " << of.epilogue);
        grouped all(of);
        REQUIRE(all.x.run() == "");
        CHECK(all.wrong() == 0);
      }
    }
  }
  if (!found) {
    SKIP("no products in groups are compiled");
  }
}

TEST_CASE("groups that are refused", "[compiled]") {
  if (!test::is_compiled(types, GEMM_ROW_MAJOR, GEMM_COLUMN_MAJOR, GEMM_ROW_MAJOR, ", ragged rows")) {
    SKIP("the product is not compiled");
  }
  grouped all({GEMM_RAGGED_ROWS, GEMM_ROW_MAJOR, GEMM_COLUMN_MAJOR, GEMM_ROW_MAJOR});
  test::c_product& x = all.x;
  auto const refused = [&] {
    std::string const message = x.run();
    CHECK(x.status.code == GEMM_INVALID_ARGUMENT);
    CHECK(x.can_run() == message);
    return message;
  };
  SECTION("members") {
    x.call.group_kind = 5;
    CHECK(refused() == "group_kind is 5, needs a gemm_group_kind, from 0 to 4");
    x.call.group_kind = GEMM_RAGGED_ROWS;
    x.call.group_bytes = 2;
    CHECK(refused() == "group_bytes is 2, needs 4 for int32_t or 8 for int64_t");
    x.call.group_bytes = 4;
    x.call.group_ends = nullptr;
    CHECK(refused() == "the ends of 4 groups are null");
    x.call.group_count = -1;
    CHECK(refused() == "there are -1 groups, need 0 to 2^31 - 1");
    x.call.reserved = 7;
    CHECK(refused() == "the call's reserved is 7, needs 0");
  }
  SECTION("batches") {
    x.call.group_count = 3;
    CHECK(refused() == "B has a batch of 4, needs 1 or the 3 groups of C");
    x.call.group_kind = GEMM_MASKED_ROWS;
    CHECK(refused() == "group_count is 3, needs the matrices of A, 1, and of C, 1");
    x.call.group_kind = GEMM_RAGGED_K;
    x.call.zero_rest = 1;
    x.call.group_count = x.b.batch_count = 1;
    CHECK(refused() == "zero_rest is set, needs a ragged or masked view of C");
  }
  CHECK(all.c.is_unchanged());
}
