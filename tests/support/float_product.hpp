// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of floats with any elements, and how far a result is from the exact one.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "device.hpp"

namespace test {

/// A, m x k, and B, n x k, both with neighbours along k.
struct float_product {
  std::int64_t m, n, k;
  std::vector<float> a, b;
};

/// a(row, l) and b(column, l).
template <class A, class B>
float_product make_float_product(std::int64_t m, std::int64_t n, std::int64_t k, A a, B b) {
  float_product x{.m = m, .n = n, .k = k, .a = {}, .b = {}};
  for (std::int64_t i = 0; i < m * k; ++i) {
    x.a.push_back(static_cast<float>(a(i / k, i % k)));
  }
  for (std::int64_t i = 0; i < n * k; ++i) {
    x.b.push_back(static_cast<float>(b(i / k, i % k)));
  }
  return x;
}

/// How far apart exponents of two are in the grading products, either way from 0.
struct exponent_spans {
  int elements, lines, k;
};

/// Calls check(float_product) for a small product of each of the classes of inputs that schemes of parts are tried
/// with.
template <class Check>
void for_each_grading_product(gemm::random_numbers& random, std::int64_t k, exponent_spans const& spans, Check check) {
  auto const spread = [](std::int64_t i, int factor, int span) {
    return static_cast<int>(i * factor % (2 * span + 1)) - span;
  };
  auto const any = [&](auto...) { return random.uniform(); };
  auto const positive = [&](auto...) { return std::abs(random.uniform()); };
  auto const wide = [&](auto...) {
    return std::ldexp(random.uniform(), static_cast<int>(random.integer(-spans.elements, spans.elements)));
  };
  auto const scaled = [&](std::int64_t line, auto) {
    return std::ldexp(random.uniform(), spread(line, 37, spans.lines));
  };
  // Column l of A times what row l of B is divided by.
  auto const by_k = [&](int sign) {
    return [&, sign](auto, std::int64_t l) { return std::ldexp(random.uniform(), sign * spread(l, 11, spans.k)); };
  };
  auto const pairs = [&](std::int64_t line, std::int64_t l) {  // each nearly cancels the one before
    return (l % 2 == 0 ? 1 : -1) * (1 + 1e-6 * static_cast<double>(line + l));
  };
  // All but the first product of a chunk are below the last bit that tensor cores keep beside it.
  auto const needle = [&](int power) {
    return [&, power](auto, std::int64_t l) { return l % 64 == 0 ? 1 : std::ldexp(0.999, -power); };
  };
  auto const large = [&](auto...) { return 3e38 * random.uniform(); };
  auto const small = [&](auto...) { return random.uniform() / 256; };
  auto const denormal = [&](auto...) { return 0x1p-130 * random.uniform(); };
  check(make_float_product(19, 17, k, any, any));
  check(make_float_product(19, 17, k, wide, wide));
  check(make_float_product(19, 17, k, scaled, scaled));
  check(make_float_product(19, 17, k, by_k(1), by_k(-1)));
  check(make_float_product(19, 17, k, pairs, positive));
  check(make_float_product(19, 17, k, needle(12), needle(13)));
  check(make_float_product(19, 17, k, large, small));
  check(make_float_product(19, 17, k, denormal, any));
}

/// C, by run<Policy>() on A as it is and a column-major B.
template <class Policy>
std::vector<float> result_of(float_product const& x) {
  device_array<float> const a(x.a), b(x.b), c(static_cast<std::size_t>(x.m * x.n));
  gemm::status const status = gemm::run<Policy>(
      gemm::row_major(a.data(), x.m, x.k), gemm::col_major(b.data(), x.k, x.n), gemm::row_major(c.data(), x.m, x.n));
  INFO(status.message());
  REQUIRE(status);
  return c.download();
}

/// The largest error of an element, in parts of so many times u |A| |B|, and so many times what the greatest elements
/// of its row and column say (see fp16x3).
inline double worst_error(float_product const& x, std::vector<float> const& c, double units, double of_greatest) {
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
      double const bound = units * 0x1p-24 * magnitude + of_greatest * (most_a * sum_b + most_b * sum_a) + 0x1p-149;
      double const error = std::abs(c[static_cast<std::size_t>(i * x.n + j)] - want);
      worst = error <= bound * worst ? worst : error / bound;  // so that NaN stays
    }
  }
  return worst;
}

}  // namespace test
