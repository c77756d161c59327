// SPDX-License-Identifier: BSL-1.0
//! @file
//! Floats in parts of halves: what fp16x3 says of its error, on inputs that try it.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gemm/gemm.cuh>

#include "../policies/policies.hpp"
#include "../support/device.hpp"
#include "../support/random.hpp"
#include "../support/sm90a.hpp"

namespace {

using gemm::col_major;
using gemm::row_major;
using test::random_numbers;

/// A, m x k, and B, n x k, both with neighbours along k.
struct inputs {
  std::int64_t m, n, k;
  std::vector<float> a, b;
};

/// a(row, l) and b(column, l).
template <class A, class B>
inputs make(std::int64_t m, std::int64_t n, std::int64_t k, A a, B b) {
  inputs x{.m = m, .n = n, .k = k, .a = {}, .b = {}};
  for (std::int64_t i = 0; i < m * k; ++i) {
    x.a.push_back(static_cast<float>(a(i / k, i % k)));
  }
  for (std::int64_t i = 0; i < n * k; ++i) {
    x.b.push_back(static_cast<float>(b(i / k, i % k)));
  }
  return x;
}

template <class Policy>
std::vector<float> product_of(inputs const& x) {
  test::device_array<float> const a(x.a), b(x.b), c(static_cast<std::size_t>(x.m * x.n));
  gemm::status const status =
      gemm::run<Policy>(row_major(a.data(), x.m, x.k), col_major(b.data(), x.k, x.n), row_major(c.data(), x.m, x.n));
  INFO(status.message());
  REQUIRE(status);
  return c.download();
}

struct wide_64x64x64_2 : gemm::fp16x3<gemm::block<64, 64, 64>, gemm::stages<2>, gemm::cluster<1>, gemm::low_scale<11>> {
};

/// The largest error, in parts of what the documentation of fp16x3 allows.
double worst_of(inputs const& x, std::vector<float> const& c, double lost_of_greatest) {
  double worst = 0;
  for (std::int64_t i = 0; i < x.m; ++i) {
    for (std::int64_t j = 0; j < x.n; ++j) {
      double want = 0, magnitude = 0, sum_a = 0, sum_b = 0, most_a = 0, most_b = 0;
      for (std::int64_t l = 0; l < x.k; ++l) {
        double const a = x.a[static_cast<std::size_t>(i * x.k + l)], b = x.b[static_cast<std::size_t>(j * x.k + l)];
        want += a * b;
        magnitude += std::abs(a * b);
        sum_a += std::abs(a);
        sum_b += std::abs(b);
        most_a = std::max(most_a, std::abs(a));
        most_b = std::max(most_b, std::abs(b));
      }
      double const bound = (static_cast<double>(x.k) / 64 + 24) * 0x1p-24 * magnitude +
                           lost_of_greatest * (most_a * sum_b + most_b * sum_a) + 0x1p-149;
      double const error = std::abs(c[static_cast<std::size_t>(i * x.n + j)] - want);
      worst = error <= bound * worst ? worst : error / bound;  // so that NaN stays
    }
  }
  return worst;
}

template <class Policy>
double worst_error(inputs const& x) {
  return worst_of(x, product_of<Policy>(x), Policy::scales_low ? 0x1p-49 : 0x1p-39);
}

}  // namespace

TEST_CASE("a float becomes two halves of its line's scale") {
  using gemm::detail::has_infinity;
  using gemm::detail::has_nan;
  auto const exponent = [](float greatest) {
    return gemm::detail::scale_of_greatest(gemm::detail::magnitude_bits(greatest));
  };
  CHECK(exponent(1) == 14);
  CHECK(exponent(-1.999f) == 14);
  CHECK(exponent(2) == 13);
  CHECK(exponent(0) == 0);
  CHECK(exponent(std::numeric_limits<float>::max()) == -113);
  CHECK(exponent(0x1p-126f) == 140);
  CHECK(exponent(0x1.8p-127f) == 141);
  CHECK(exponent(0x1p-149f) == 163);
  CHECK(exponent(std::numeric_limits<float>::infinity()) == has_infinity);
  CHECK(exponent(-std::numeric_limits<float>::quiet_NaN()) == has_nan);

  random_numbers random(11);
  for (int power = 0; power < 45; ++power) {
    for (float const greatest : {0x1p-148f, 0x1p-100f, 1.0f, 3e38f}) {
      double const x = std::ldexp(static_cast<double>(greatest) * random.uniform(), -power);
      auto const element = static_cast<float>(x);
      int const scale = exponent(greatest);
      for (int const low : {0, 11}) {
        gemm::detail::fp16_parts const parts =
            gemm::detail::parts_of(element, gemm::detail::scale::of(scale), static_cast<float>(1 << low));
        double const sum = std::ldexp(static_cast<double>(__half2float(parts.low)), -low) +
                           static_cast<double>(__half2float(parts.high));
        double const lost = std::abs(std::ldexp(sum, -scale) - static_cast<double>(element));
        CHECK(lost <= std::max(0x1p-23 * std::abs(element), std::ldexp(static_cast<double>(greatest), -39 - low)));
      }
    }
  }
}

TEST_CASE("fp16x3 keeps to its bound", "[sanitizer]") {
  test::need_sm90a();
  random_numbers random(5);
  auto const any = [&](auto...) { return random.uniform(); };
  auto const positive = [&](auto...) { return std::abs(random.uniform()); };
  auto const wide = [&](auto...) { return std::ldexp(random.uniform(), static_cast<int>(random.integer(-20, 20))); };
  auto const scaled = [&](std::int64_t line, auto) {
    return std::ldexp(random.uniform(), static_cast<int>(line * 37 % 81) - 40);
  };
  // Column l of A times what row l of B is divided by.
  auto const by_k = [&](int sign) {
    return [&, sign](auto, std::int64_t l) {
      return std::ldexp(random.uniform(), sign * (static_cast<int>(l * 11 % 49) - 24));
    };
  };
  auto const pairs = [&](std::int64_t line, std::int64_t l) {  // each nearly cancels the one before
    return (l % 2 == 0 ? 1 : -1) * (1 + 1e-6 * static_cast<double>(line + l));
  };
  auto const large = [&](auto...) { return 3e38 * random.uniform(); };
  auto const small = [&](auto...) { return random.uniform() / 256; };
  auto const denormal = [&](auto...) { return 0x1p-130 * random.uniform(); };
#if defined(GEMM_TEST_SANITIZERS)
  std::vector<std::int64_t> const depths{200};
#else
  std::vector<std::int64_t> const depths{1, 64, 200};
#endif
  for (std::int64_t const k : depths) {
    CAPTURE(k);
    auto const check = [&](inputs const& x) {
      CHECK(worst_error<test::fp16x3_64x64x64_3>(x) <= 1);
      CHECK(worst_error<wide_64x64x64_2>(x) <= 1);
    };
    check(make(19, 17, k, any, any));
    check(make(19, 17, k, wide, wide));
    check(make(19, 17, k, scaled, scaled));
    check(make(19, 17, k, by_k(1), by_k(-1)));
    check(make(19, 17, k, pairs, positive));
    check(make(19, 17, k, large, small));
    check(make(19, 17, k, denormal, any));
  }
  // Where tensor cores alone would be off by about k / 16 units in the last place, and lines are read twice.
  CHECK(worst_error<test::fp16x3_64x64x64_3>(make(3, 5, 9000, positive, positive)) <= 1);
  // Larger tiles, in clusters, with some of C missing.
  CHECK(worst_error<gemm::fp16x3_128x192x64_2x1>(make(130, 200, 70, any, positive)) <= 1);
  CHECK(worst_error<gemm::fp16x3_128x128x64_2x1>(make(130, 140, 130, positive, any)) <= 1);
  CHECK(worst_error<gemm::fp16x3_wide_128x128x64_2x1>(make(130, 140, 130, wide, any)) <= 1);
}

TEST_CASE("fp16x3 says what workspace it needs") {
  float element = 0;  // whose address is not used
  auto const bytes = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    return gemm::workspace_size<gemm::fp16x3_128x192x64_2x1>(row_major(&element, m, k), col_major(&element, k, n),
                                                             row_major(&element, m, n));
  };
  CHECK(bytes(100, 200, 0) == 0);
  CHECK(bytes(256, 512, 64) == (256 + 512) * (64 * 4 + 4));
  CHECK(bytes(256, 512, 65) == (256 + 512) * (128 * 4 + 4));
}
