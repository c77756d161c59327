// SPDX-License-Identifier: BSL-1.0
//! @file
//! Operands with scales in device memory, and products of them against the reference.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>
#include <gemm/reference.hpp>

#include "device.hpp"
#include "types.hpp"

namespace test {

/// Scales of an operand; all have room for as many numbers a product as C has rows or columns.
enum class kind { none, number, rows, columns };

struct shape {
  std::int64_t m, n, k, batch_count = 1;
};

template <gemm::order Order, class T>
auto view(T* data, std::int64_t rows, std::int64_t columns, std::int64_t batch_count) {
  if constexpr (Order == gemm::order::row) {
    return gemm::batched(gemm::row_major(data, rows, columns, columns + 3), batch_count);
  } else {
    return gemm::batched(gemm::col_major(data, rows, columns, rows + 3), batch_count);
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
template <class Policy, class Types, kind OfA, kind OfB, gemm::order A = gemm::order::row,
          gemm::order B = gemm::order::column, gemm::order C = gemm::order::row, class InB = typename Types::input,
          class Epilogue = gemm::identity>
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
        batch * c.batch_stride + (C == gemm::order::row ? row * c.ld + column : column * c.ld + row))]);
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

template <class Policy, class Types, gemm::order A, gemm::order B>
std::int64_t wrong_by_policy(shape const& s) {
  return wrong_elements<Policy, Types, kind::rows, kind::columns, A, B>(s) +
         wrong_elements<Policy, Types, kind::rows, kind::columns, A, B>(s, -0.5, 0.25) +
         wrong_elements<Policy, Types, kind::number, kind::number, A, B, gemm::order::column>(s, 2);
}

}  // namespace test
