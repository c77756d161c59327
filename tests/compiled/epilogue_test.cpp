// SPDX-License-Identifier: BSL-1.0
//! @file
//! Epilogues and scales of the C interface, in all orders, against a reference in double.

#include <gemm/gemm.h>

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "../support/device.hpp"
#include "../support/types.hpp"
#include "call.hpp"
#include "forms.hpp"

namespace {

using test::device_array;

constexpr std::int64_t m = 37, n = 29, k = 23;

/// Small integers, which every type holds.
template <class T>
std::vector<T> numbers(std::int64_t count, int modulus, int least) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = test::rounded<T>(static_cast<double>(static_cast<int>(i * 7 + i / 5) % modulus + least));
  }
  return values;
}

std::size_t index(gemm_matrix const& d, std::int64_t batch, std::int64_t row, std::int64_t column) {
  std::int64_t const in_matrix = d.order == GEMM_ROW_MAJOR ? row * d.ld + column : column * d.ld + row;
  return static_cast<std::size_t>((d.batch_count == 1 ? 0 : batch * d.batch_stride) + in_matrix);
}

/// What is asked of a product besides its types and orders.
struct request {
  std::int64_t batch = 1;
  double alpha = 1, beta = 0;
  int bias = GEMM_NO_BIAS, activation = GEMM_NO_ACTIVATION;
  bool residual = false, residual_is_transposed = false;
  int scale_a = GEMM_NO_SCALES, scale_b = GEMM_NO_SCALES;
  double scale = 1;
  bool scale_at = false, amax = false;
};

double activated(int kind, double x) {
  switch (kind) {
    case GEMM_RELU:
      return x < 0 ? 0 : x;
    case GEMM_GELU:
      return x * 0.5 * std::erfc(-x * std::sqrt(0.5));
    case GEMM_GELU_TANH:
      return 0.5 * x * (1 + std::tanh(0.79788456080286536 * (x + 0.044715 * x * x * x)));
    case GEMM_SILU:
      return x / (1 + std::exp(-x));
    case GEMM_SIGMOID:
      return 1 / (1 + std::exp(-x));
    default:
      return x;
  }
}

/// A product of one pair of types, its memory and its reference.
template <class Types>
class checked_product {
  using input = typename Types::input;
  using output = typename Types::output;
  using bias_type = std::conditional_t<sizeof(output) == 1 || std::is_integral_v<output>, float, output>;

 public:
  checked_product(request const& asked, int order_a, int order_b, int order_c)
      : asked_(asked),
        host_a_(numbers<input>(asked.batch * m * k, 7, -3)),
        host_b_(numbers<input>(asked.batch * k * n, 5, -2)),
        host_c_(numbers<output>(asked.batch * m * n, 9, -4)),
        host_bias_(numbers<bias_type>(std::max(m, n), 11, -5)),
        host_residual_(numbers<output>(m * n, 6, -3)),
        host_scales_a_(numbers<float>(m, 3, 1)),
        host_scales_b_(numbers<float>(n, 2, 1)),
        a_(host_a_),
        b_(host_b_),
        c_(host_c_),
        bias_(host_bias_),
        residual_(host_residual_),
        scales_a_(host_scales_a_),
        scales_b_(host_scales_b_),
        factor_(std::vector<float>{0.5f}),
        amax_(std::vector<float>{-1.0f}),
        x_(matrix_of(a_.data(), m, k, order_a), matrix_of(b_.data(), k, n, order_b),
           matrix_of(c_.data(), m, n, order_c)),
        residual_matrix_(gemm_row_major(residual_.data(), test::type_of<output>(), m, n)) {
    x_.call.alpha = asked.alpha;
    x_.call.beta = asked.beta;
    x_.call.epilogue = &x_.epilogue;
    x_.a.scale_kind = asked.scale_a;
    x_.a.scales = scales_a_.data();
    x_.a.scale_count = asked.scale_a == GEMM_SCALE_PER_ROW ? m : -1;
    x_.b.scale_kind = asked.scale_b;
    x_.b.scales = scales_b_.data();
    x_.epilogue.bias_kind = asked.bias;
    x_.epilogue.bias_type = test::type_of<bias_type>();
    x_.epilogue.bias = bias_.data();
    x_.epilogue.activation = asked.activation;
    if (asked.residual_is_transposed) {
      residual_matrix_.order = GEMM_COLUMN_MAJOR;
      residual_matrix_.ld = m;
    }
    x_.epilogue.residual = asked.residual ? &residual_matrix_ : nullptr;
    x_.epilogue.residual_factor = 3;
    x_.epilogue.scale = asked.scale;
    x_.epilogue.scale_at = asked.scale_at ? factor_.data() : nullptr;
    x_.epilogue.amax = asked.amax ? amax_.data() : nullptr;
  }

  /// Runs it and compares.
  void check() {
    REQUIRE(x_.run() == "");
    auto const got = c_.download();
    std::int64_t wrong = 0;
    double greatest = 0;
    for (std::int64_t batch = 0; batch < asked_.batch; ++batch) {
      for (std::int64_t row = 0; row < m; ++row) {
        for (std::int64_t column = 0; column < n; ++column) {
          double const value = before_scale(batch, row, column);
          greatest = std::max(greatest, std::fabs(value));
          double const want = value * asked_.scale * (asked_.scale_at ? 0.5 : 1);
          double const rounded = number(test::rounded<output>(want));
          double const is = number(got[index(x_.c, batch, row, column)]);
          // Half a unit of C from the reference, and what float's functions are off.
          double const unit = std::is_integral_v<output> ? 0 : gemm::element_traits<output>::unit;
          wrong += !(std::fabs(is - rounded) <= std::fabs(want) * unit * 1.5 + 2e-6) && is != rounded;
        }
      }
    }
    CHECK(wrong == 0);
    if (asked_.amax) {
      float const is = amax_.download()[0];
      CHECK(std::fabs(static_cast<double>(is) - greatest) <= 1e-5 * greatest);
    }
  }

 private:
  template <class T>
  static double number(T value) {
    return static_cast<double>(test::number(value));
  }

  template <class T>
  gemm_matrix matrix_of(T* data, std::int64_t rows, std::int64_t columns, int order) const {
    gemm_matrix d = order == GEMM_ROW_MAJOR ? gemm_row_major(data, test::type_of<T>(), rows, columns)
                                            : gemm_col_major(data, test::type_of<T>(), rows, columns);
    d.batch_count = asked_.batch;
    d.batch_stride = rows * columns;
    return d;
  }

  double before_scale(std::int64_t batch, std::int64_t row, std::int64_t column) const {
    double value = 0;
    for (std::int64_t l = 0; l < k; ++l) {
      value += number(host_a_[index(x_.a, batch, row, l)]) * number(host_b_[index(x_.b, batch, l, column)]);
    }
    auto const of_line = [](int kind, std::vector<float> const& scales, std::int64_t line) {
      return kind == GEMM_NO_SCALES          ? 1.0
             : kind == GEMM_SCALE_PER_MATRIX ? static_cast<double>(scales[0])
                                             : static_cast<double>(scales[static_cast<std::size_t>(line)]);
    };
    value *=
        asked_.alpha * of_line(asked_.scale_a, host_scales_a_, row) * of_line(asked_.scale_b, host_scales_b_, column);
    value += asked_.beta * number(host_c_[index(x_.c, batch, row, column)]);
    if (asked_.bias != GEMM_NO_BIAS) {
      value += number(host_bias_[static_cast<std::size_t>(asked_.bias == GEMM_BIAS_PER_ROW ? row : column)]);
    }
    value = activated(asked_.activation, value);
    return asked_.residual ? value + 3 * number(host_residual_[index(residual_matrix_, 0, row, column)]) : value;
  }

  request asked_;
  std::vector<input> host_a_, host_b_;
  std::vector<output> host_c_;
  std::vector<bias_type> host_bias_;
  std::vector<output> host_residual_;
  std::vector<float> host_scales_a_, host_scales_b_;
  device_array<input> a_, b_;
  device_array<output> c_;
  device_array<bias_type> bias_;
  device_array<output> residual_;
  device_array<float> scales_a_, scales_b_, factor_, amax_;
  test::c_product x_;
  gemm_matrix residual_matrix_;
};

/// In all orders that are compiled, if any.
template <class Types>
bool check_everywhere(request const& asked) {
  std::string const input = test::name_of<typename Types::input>();
  bool is_any = false;
  for (int const a : {GEMM_ROW_MAJOR, GEMM_COLUMN_MAJOR}) {
    for (int const b : {GEMM_ROW_MAJOR, GEMM_COLUMN_MAJOR}) {
      for (int const c : {GEMM_ROW_MAJOR, GEMM_COLUMN_MAJOR}) {
        INFO("orders " << a << b << c);
        if (test::is_compiled(input + " x " + input + " -> " + test::name_of<typename Types::output>(), a, b, c, "")) {
          is_any = true;
          checked_product<Types>(asked, a, b, c).check();
        }
      }
    }
  }
  return is_any;
}

}  // namespace

TEMPLATE_TEST_CASE("epilogues of the C interface", "[compiled]", test::f32, test::bf16, test::s8_s32) {
  if (!test::has_all_storages<TestType>()) {
    SKIP("the types are not compiled");
  }
  SECTION("a bias of columns, in a batch") { check_everywhere<TestType>({.batch = 3, .bias = GEMM_BIAS_PER_COLUMN}); }
  SECTION("a bias of rows, and an activation") {
    check_everywhere<TestType>({.beta = 1, .bias = GEMM_BIAS_PER_ROW, .activation = GEMM_RELU});
  }
  SECTION("a residual") { check_everywhere<TestType>({.activation = GEMM_RELU, .residual = true}); }
  SECTION("a residual of the other order, and a scale") {
    check_everywhere<TestType>({.residual = true, .residual_is_transposed = true, .scale = 0.25, .scale_at = true});
  }
  SECTION("all steps") {
    check_everywhere<TestType>({.batch = 2,
                                .alpha = 2,
                                .bias = GEMM_BIAS_PER_COLUMN,
                                .activation = GEMM_RELU,
                                .residual = true,
                                .scale_a = GEMM_SCALE_PER_ROW,
                                .scale_b = GEMM_SCALE_PER_COLUMN,
                                .scale = 0.125,
                                .scale_at = true,
                                .amax = true});
  }
  SECTION("scales, and beta") {
    check_everywhere<TestType>({.alpha = 3, .beta = 2, .scale_a = GEMM_SCALE_PER_MATRIX});
    check_everywhere<TestType>({.scale_b = GEMM_SCALE_PER_COLUMN});
    check_everywhere<TestType>({.scale_a = GEMM_SCALE_PER_ROW, .scale_b = GEMM_SCALE_PER_MATRIX, .amax = true});
  }
}

// Steps that have kernels of their own, where C is row-major and they are those of columns, and others that do not.
TEST_CASE("linear layers of bfloat16", "[compiled]") {
  for (int const bias : {GEMM_NO_BIAS, GEMM_BIAS_PER_COLUMN, GEMM_BIAS_PER_ROW}) {
    for (int activation = GEMM_NO_ACTIVATION; activation <= GEMM_SIGMOID; ++activation) {
      INFO("bias " << bias << ", activation " << activation);
      if (!check_everywhere<test::bf16>({.alpha = 0.0625, .bias = bias, .activation = activation})) {
        SKIP("the types are not compiled");
      }
    }
    check_everywhere<test::bf16>(
        {.batch = 2, .alpha = 0.25, .beta = 0.5, .bias = bias, .activation = GEMM_GELU, .scale = 2});
    check_everywhere<test::bf16>({.batch = 2, .alpha = 0.25, .beta = 0.5, .bias = bias, .activation = GEMM_GELU});
  }
}

TEST_CASE("linear layers of fp8", "[compiled]") {
  using types = test::types<__nv_fp8_e4m3, test::bfloat16>;
  for (int const a : {GEMM_NO_SCALES, GEMM_SCALE_PER_MATRIX, GEMM_SCALE_PER_ROW}) {
    for (int const b : {GEMM_NO_SCALES, GEMM_SCALE_PER_MATRIX, GEMM_SCALE_PER_COLUMN}) {
      for (int const bias : {GEMM_NO_BIAS, GEMM_BIAS_PER_COLUMN, GEMM_BIAS_PER_ROW}) {
        for (int const activation : {GEMM_NO_ACTIVATION, GEMM_GELU, GEMM_SILU}) {
          INFO("scales " << a << " and " << b << ", bias " << bias << ", activation " << activation);
          request asked{.alpha = 0.125, .bias = bias, .activation = activation, .scale_a = a, .scale_b = b};
          if (!check_everywhere<types>(asked)) {
            SKIP("the types are not compiled");
          }
          asked.beta = 2;
          check_everywhere<types>(asked);
        }
      }
    }
  }
}

TEST_CASE("activations of the C interface", "[compiled]") {
  if (!test::has_all_storages<test::f32>()) {
    SKIP("float is not compiled");
  }
  for (int kind = GEMM_NO_ACTIVATION; kind <= GEMM_SIGMOID; ++kind) {
    INFO("activation " << kind);
    checked_product<test::f32>({.alpha = 0.0625, .activation = kind}, GEMM_ROW_MAJOR, GEMM_ROW_MAJOR, GEMM_ROW_MAJOR)
        .check();
  }
}

// As of the headers: with k = 0 or alpha = 0 neither A and B nor their scales are read.
TEST_CASE("scales of what is not read", "[compiled]") {
  if (!test::has_all_storages<test::f32>()) {
    SKIP("float is not compiled");
  }
  device_array<float> const c(std::vector<float>{1, 2, 3, 4});
  test::c_product x(gemm_row_major(nullptr, GEMM_FLOAT, 2, 5), gemm_row_major(nullptr, GEMM_FLOAT, 5, 2),
                    gemm_row_major(c.data(), GEMM_FLOAT, 2, 2));
  x.a.scale_kind = GEMM_SCALE_PER_ROW;
  x.call.alpha = 0;
  x.call.beta = 3;
  x.epilogue.scale = 2;
  x.call.epilogue = &x.epilogue;
  CHECK(x.run() == "");
  CHECK(c.download() == std::vector<float>{6, 12, 18, 24});
}
