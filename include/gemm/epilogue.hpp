// SPDX-License-Identifier: BSL-1.0
//! @file
//! Epilogues: what happens to alpha * A B + beta * C before it is stored, without a second pass over memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/status.hpp>

namespace gemm {

/// An epilogue is any copyable functor `value(value, row, column)`, or `value(value, row, column, batch)`, of the
/// accumulator's type, callable on the device and passed to the kernel by value. Row and column are those of the
/// caller's C, whatever its order. It is called once for each element of C, in no particular order. Epilogues are
/// composed with `|` and applied from left to right:
///
///     gemm::bias(b) | gemm::relu{} | my_functor{}
///
/// A functor that reads memory may say what it needs: `status check(std::int64_t rows, std::int64_t columns,
/// std::int64_t batch_count) const` is called on the host before the launch.
struct identity {
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return value;
  }
};

/// max(value, 0). NaN stays NaN, unlike fmax.
struct relu {
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return value < V(0) ? V(0) : value;
  }
};

namespace detail {

struct along_columns {
  static constexpr char const name[] = "bias", unit[] = "column";
};
struct along_rows {
  static constexpr char const name[] = "row_bias", unit[] = "row";
};

/// value + data[column] or value + data[row].
template <class T, class Along>
struct bias_vector {
  T const* data;
  std::int64_t length;  // negative: the caller did not say

  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t row, std::int64_t column) const {
    return value + static_cast<V>(data[std::is_same_v<Along, along_columns> ? column : row]);
  }

  status check(std::int64_t rows, std::int64_t columns, std::int64_t) const {
    std::int64_t const needed = std::is_same_v<Along, along_columns> ? columns : rows;
    if (data == nullptr) {
      return {status_code::invalid_argument, cudaSuccess, "%s is null, needs one value per %s of C", Along::name,
              Along::unit};
    }
    if (length >= 0 && length < needed) {
      return {status_code::invalid_argument,
              cudaSuccess,
              "%s has %lld values, needs one per %s of C: %lld",
              Along::name,
              static_cast<long long>(length),
              Along::unit,
              static_cast<long long>(needed)};
    }
    return {};
  }
};

/// Calls an epilogue with the batch index where it wants one.
template <class Epilogue, class V>
__host__ __device__ V apply(Epilogue const& epilogue, V value, std::int64_t row, std::int64_t column,
                            std::int64_t batch) {
  if constexpr (std::is_invocable_v<Epilogue const&, V, std::int64_t, std::int64_t, std::int64_t>) {
    return epilogue(value, row, column, batch);
  } else {
    return epilogue(value, row, column);
  }
}

template <class Epilogue>
status check_epilogue(Epilogue const& epilogue, std::int64_t rows, std::int64_t columns, std::int64_t batch_count) {
  if constexpr (requires { epilogue.check(rows, columns, batch_count); }) {
    return epilogue.check(rows, columns, batch_count);
  } else {
    return {};
  }
}

/// Second after First.
template <class First, class Second>
struct chain {
  First first;
  Second second;

  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return apply(second, apply(first, value, row, column, batch), row, column, batch);
  }

  status check(std::int64_t rows, std::int64_t columns, std::int64_t batch_count) const {
    status result = check_epilogue(first, rows, columns, batch_count);
    return result ? check_epilogue(second, rows, columns, batch_count) : result;
  }
};

/// The epilogue of the transposed product: kernels compute C^T where C is column-major.
template <class Epilogue>
struct swapped {
  Epilogue epilogue;

  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return apply(epilogue, value, column, row, batch);
  }
};

template <class Epilogue>
inline constexpr bool is_own_epilogue = false;
template <>
inline constexpr bool is_own_epilogue<identity> = true;
template <>
inline constexpr bool is_own_epilogue<relu> = true;
template <class T, class Along>
inline constexpr bool is_own_epilogue<bias_vector<T, Along>> = true;
template <class First, class Second>
inline constexpr bool is_own_epilogue<chain<First, Second>> = true;

/// First, then second. One of the two must be the library's own, or the operator would be everybody's.
template <class First, class Second>
requires(is_own_epilogue<First> || is_own_epilogue<Second>) chain<First, Second>
operator|(First const& first, Second const& second) { return {first, second}; }

}  // namespace detail

using detail::operator|;  // argument-dependent lookup finds it for relu and identity here, for the others in detail

/// Adds values[column], one value per column of C. With a length, a call checks that it covers the columns.
template <class T>
detail::bias_vector<T, detail::along_columns> bias(T const* values, std::int64_t length = -1) {
  return {values, length};
}

/// Adds values[row], one value per row of C. With a length, a call checks that it covers the rows.
template <class T>
detail::bias_vector<T, detail::along_rows> row_bias(T const* values, std::int64_t length = -1) {
  return {values, length};
}

}  // namespace gemm
