// SPDX-License-Identifier: BSL-1.0
//! @file
//! Epilogues with one value for each row or column of C: bias and scale.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/element.hpp>
#include <gemm/epilogue/compose.hpp>
#include <gemm/status.hpp>

namespace gemm {

namespace detail {

struct plus {
  template <class V>
  __host__ __device__ static V of(V value, V number) {
    return multiply_add(V(1), number, value);
  }
};
struct times {
  template <class V>
  __host__ __device__ static V of(V value, V number) {
    return multiply(value, number);
  }
};

struct column_bias_kind : plus {
  static constexpr bool by_column = true;
  static constexpr char const name[] = "bias";
};
struct row_bias_kind : plus {
  static constexpr bool by_column = false;
  static constexpr char const name[] = "row_bias";
};
struct column_scale_kind : times {
  static constexpr bool by_column = true;
  static constexpr char const name[] = "column_scale";
};
struct row_scale_kind : times {
  static constexpr bool by_column = false;
  static constexpr char const name[] = "row_scale";
};

/// Kind::of(value, data[column]) or Kind::of(value, data[row]).
template <class T, class Kind>
struct per_line {
  using own_epilogue = void;
  T const* data;
  std::int64_t length;  // negative: the caller did not say

  template <class V>
  __host__ __device__ combined<V, T> operator()(V value, std::int64_t row, std::int64_t column) const {
    using type = combined<V, T>;
    return Kind::of(static_cast<type>(value), static_cast<type>(widen(data[Kind::by_column ? column : row])));
  }

  status check(std::int64_t rows, std::int64_t columns, std::int64_t) const {
    std::int64_t const needed = Kind::by_column ? columns : rows;
    char const* const line = Kind::by_column ? "column" : "row";
    if (data == nullptr) {
      return {status_code::invalid_argument, cudaSuccess, "%s is null, needs one value per %s of C", Kind::name, line};
    }
    if (length >= 0 && length < needed) {
      return {status_code::invalid_argument,
              cudaSuccess,
              "%s has %lld values, needs one per %s of C: %lld",
              Kind::name,
              static_cast<long long>(length),
              line,
              static_cast<long long>(needed)};
    }
    return {};
  }
};

}  // namespace detail

/// Adds values[column].
///
/// @param values  one per column of C, in device memory, of any element type, the same for all products of a batch.
/// With
///     floating-point ones, integers become floating-point
/// @param length  how many there are; if not negative, a call checks that it covers C
template <class T>
detail::per_line<T, detail::column_bias_kind> bias(T const* values, std::int64_t length = -1) {
  return {values, length};
}

/// Adds values[row], one per row of C; otherwise as bias().
template <class T>
detail::per_line<T, detail::row_bias_kind> row_bias(T const* values, std::int64_t length = -1) {
  return {values, length};
}

/// Multiplies by factors[column], one per column of C; otherwise as bias(). Integers by integers wrap modulo 2^32.
template <class T>
detail::per_line<T, detail::column_scale_kind> column_scale(T const* factors, std::int64_t length = -1) {
  return {factors, length};
}

/// Multiplies by factors[row], one per row of C; otherwise as bias(). Integers by integers wrap modulo 2^32.
template <class T>
detail::per_line<T, detail::row_scale_kind> row_scale(T const* factors, std::int64_t length = -1) {
  return {factors, length};
}

}  // namespace gemm
