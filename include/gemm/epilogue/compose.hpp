// SPDX-License-Identifier: BSL-1.0
//! @file
//! How epilogues are called, checked and composed with `|`.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include <gemm/element.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

// nvcc only warns of a functor that is no __device__ function, constexpr or not, and what it computes is undefined.
#if defined(__NVCC_DIAG_PRAGMA_SUPPORT__)
#pragma nv_diagnostic push
#pragma nv_diag_error 20011, 20013, 20014, 20015
#endif

/// Calls an epilogue, with the batch index where it takes one; widens its result.
template <class Epilogue, class V>
__host__ __device__ auto apply(Epilogue const& epilogue, V value, std::int64_t row, std::int64_t column,
                               std::int64_t batch) {
  if constexpr (requires { epilogue(value, row, column, batch); }) {
    return widen(epilogue(value, row, column, batch));
  } else {
    return widen(epilogue(value, row, column));
  }
}

#if defined(__NVCC_DIAG_PRAGMA_SUPPORT__)
#pragma nv_diagnostic pop
#endif

template <class Epilogue>
status check_epilogue(Epilogue const& epilogue, std::int64_t rows, std::int64_t columns, std::int64_t batch_count) {
  if constexpr (requires { epilogue.check(rows, columns, batch_count); }) {
    return epilogue.check(rows, columns, batch_count);
  } else {
    return {};
  }
}

/// The same for a float that is at once converted to Out. last(), where the epilogue has it, needs no more accuracy
/// than Out can tell, and may use the faster Functions.
template <class Out, class Functions, class Epilogue, class V>
__host__ __device__ auto apply_last(Epilogue const& epilogue, V value, std::int64_t row, std::int64_t column,
                                    std::int64_t batch) {
  if constexpr (std::is_same_v<V, float> && requires { epilogue.template last<Out, Functions>(value); }) {
    return epilogue.template last<Out, Functions>(value);
  } else if constexpr (requires { epilogue.template last<Out, Functions>(value, row, column, batch); }) {
    return epilogue.template last<Out, Functions>(value, row, column, batch);
  } else {
    return apply(epilogue, value, row, column, batch);
  }
}

/// An epilogue of the library: it has `using own_epilogue = void`.
template <class Epilogue>
concept own_epilogue = requires {
  typename Epilogue::own_epilogue;
};

/// Second after First.
template <class First, class Second>
struct chain {
  using own_epilogue = void;
  First first;
  Second second;

  template <class V>
  __host__ __device__ auto operator()(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return apply(second, apply(first, value, row, column, batch), row, column, batch);
  }

  template <class Out, class Functions, class V>
  __host__ __device__ auto last(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return apply_last<Out, Functions>(second, apply(first, value, row, column, batch), row, column, batch);
  }

  status check(std::int64_t rows, std::int64_t columns, std::int64_t batch_count) const {
    status result = check_epilogue(first, rows, columns, batch_count);
    return result ? check_epilogue(second, rows, columns, batch_count) : result;
  }
};

/// Whether an epilogue is, or contains, an extended __device__ lambda, whose type the host's compiler cannot call.
#if defined(__CUDACC_EXTENDED_LAMBDA__)
template <class Epilogue>
inline constexpr bool has_device_lambda = __nv_is_extended_device_lambda_closure_type(Epilogue);
#else
template <class Epilogue>
inline constexpr bool has_device_lambda = false;
#endif
template <class First, class Second>
inline constexpr bool has_device_lambda<chain<First, Second>> = has_device_lambda<First> || has_device_lambda<Second>;

/// Whether every epilogue with `using needs_real_number = void` gets a floating-point value, if the first gets a V.
template <class Epilogue, class V>
constexpr bool gets_real_numbers() {
  if constexpr (has_device_lambda<Epilogue>) {
    return true;
  } else if constexpr (requires { typename Epilogue::needs_real_number; }) {
    return std::is_floating_point_v<V>;
  } else if constexpr (requires(Epilogue e) { e.first, e.second; }) {
    using first = decltype(Epilogue::first);
    if constexpr (gets_real_numbers<first, V>()) {
      return gets_real_numbers<decltype(Epilogue::second),
                               decltype(apply(std::declval<first const&>(), V{}, 0, 0, 0))>();
    }
    return false;
  } else {
    return true;
  }
}

/// The epilogue of the transposed product: kernels compute C^T where C is column-major.
template <class Epilogue>
struct swapped {
  Epilogue epilogue;

  template <class V>
  __host__ __device__ auto operator()(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return apply(epilogue, value, column, row, batch);
  }

  template <class Out, class Functions, class V>
  __host__ __device__ auto last(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return apply_last<Out, Functions>(epilogue, value, column, row, batch);
  }
};

/// First, then second. One of the two must be the library's own, so that the operator fits nothing else.
template <class First, class Second>
requires(own_epilogue<First> || own_epilogue<Second>) chain<First, Second>
operator|(First const& first, Second const& second) { return {first, second}; }

/// The type of a V combined with data of T: an integer becomes floating-point with floating-point data, any other V
/// stays.
template <class V, class T>
using combined = std::conditional_t<std::is_integral_v<V> && std::is_floating_point_v<widened<T>>, widened<T>, V>;

}  // namespace gemm::detail

namespace gemm {
using detail::operator|;  // found for the epilogues of this namespace; in detail, for those of detail
}  // namespace gemm
