// SPDX-License-Identifier: BSL-1.0
//! @file
//! How epilogues are composed with `|`.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include <gemm/element.hpp>
#include <gemm/epilogue/apply.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// An epilogue of the library: it has `using own_epilogue = void`.
template <class Epilogue>
concept own_epilogue = requires {
  typename Epilogue::own_epilogue;
};

/// What both keep.
template <class First, class Second>
struct chain_partial {
  struct both {
    partial_of<First> first;
    partial_of<Second> second;
  };
  using type = std::conditional_t<keeps_partial<First> || keeps_partial<Second>, both, no_partial>;
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

  template <class Partial, class V>
  __host__ __device__ auto accumulate(Partial& partial, V value, std::int64_t row, std::int64_t column,
                                      std::int64_t batch) const {
    auto const between = apply_partial(first, partial.first, value, row, column, batch);
    return apply_partial(second, partial.second, between, row, column, batch);
  }

  template <class Out, class Functions, class Partial, class V>
  __host__ __device__ auto accumulate_last(Partial& partial, V value, std::int64_t row, std::int64_t column,
                                           std::int64_t batch) const {
    auto const between = apply_partial(first, partial.first, value, row, column, batch);
    return apply_last_partial<Out, Functions>(second, partial.second, between, row, column, batch);
  }

  template <class Partial>
  __host__ __device__ void flush(Partial const& partial) const {
    detail::flush(first, partial.first);
    detail::flush(second, partial.second);
  }

  status check(std::int64_t rows, std::int64_t columns, std::int64_t batch_count) const {
    status result = check_epilogue(first, rows, columns, batch_count);
    return result ? check_epilogue(second, rows, columns, batch_count) : result;
  }

  status prepare(cudaStream_t stream) const {
    status result = prepare_epilogue(first, stream);
    return result ? prepare_epilogue(second, stream) : result;
  }
};

template <class First, class Second>
struct partial_type<chain<First, Second>> : chain_partial<First, Second> {};

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

  template <class Out, class Functions, class Partial, class V>
  __host__ __device__ auto accumulate_last(Partial& partial, V value, std::int64_t row, std::int64_t column,
                                           std::int64_t batch) const {
    return apply_last_partial<Out, Functions>(epilogue, partial, value, column, row, batch);
  }

  template <class Partial>
  __host__ __device__ void flush(Partial const& partial) const {
    detail::flush(epilogue, partial);
  }
};
template <class Epilogue>
struct partial_type<swapped<Epilogue>> : partial_type<Epilogue> {};

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
