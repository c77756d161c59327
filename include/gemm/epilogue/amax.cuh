// SPDX-License-Identifier: BSL-1.0
//! @file
//! The epilogue that keeps the greatest magnitude of all elements.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include <gemm/arch/global_maximum.cuh>
#include <gemm/arch/maximum.cuh>
#include <gemm/status.hpp>

namespace gemm {

namespace detail {

/// Of a thread's elements; NaN if one was.
struct maximum_so_far {
  float magnitude = 0;
};

struct amax_to {
  using own_epilogue = void;
  using partial = maximum_so_far;
  float* result;

  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    partial own;
    accumulate(own, value, 0, 0, 0);
    flush(own);
    return value;
  }

  template <class V>
  __host__ __device__ V accumulate(partial& maximum, V value, std::int64_t, std::int64_t, std::int64_t) const {
    maximum.magnitude = arch::maximum(maximum.magnitude, std::fabs(static_cast<float>(value)));
    return value;
  }

  /// Bits of floats without a sign are ordered as the floats are, with NaN above infinity. Few threads exceed what
  /// their block has last seen of the maximum, which may be out of date, but then is less.
  __host__ __device__ void flush(partial const& of_thread) const {
    auto* const maximum = reinterpret_cast<std::uint32_t*>(result);
    auto const bits = __builtin_bit_cast(std::uint32_t, of_thread.magnitude);
    if (bits > arch::load_relaxed_block(maximum)) {
      arch::reduce_max(maximum, bits);
    }
  }

  status check(std::int64_t, std::int64_t, std::int64_t) const {
    if (result == nullptr) {
      return {status_code::invalid_argument, cudaSuccess, "amax is null, needs memory for one float"};
    }
    if (reinterpret_cast<std::uintptr_t>(result) % alignof(float) != 0) {
      return {status_code::invalid_argument, cudaSuccess, "amax's pointer %p is not a multiple of its 4 bytes",
              static_cast<void*>(result)};
    }
    return {};
  }

#if !defined(__CUDACC_RTC__)  // NVRTC has no functions of the runtime
  status prepare(cudaStream_t stream) const {
    cudaError_t const error = cudaMemsetAsync(result, 0, sizeof(float), stream);
    return error == cudaSuccess
               ? status{}
               : status{status_code::cuda_failure, error, "amax could not be cleared: %s", cudaGetErrorString(error)};
  }
#endif
};

}  // namespace detail

/// Passes the value on and leaves the maximum of |value| over all elements of C, those of all products of a batch, at
/// this place in the chain: `scale(s) | amax(p)` is of what is stored, but for its rounding, `amax(p) | scale(s)` of
/// what comes before. Exact, and the same in any order.
///
/// The call first sets *result to 0, in stream order. One NaN makes it NaN; else an infinity makes it infinite. A
/// double and an integer are rounded to float. Where C has no elements, nothing is written.
///
/// @param result  one float in device memory, which must not overlap A, B or C; null is refused
inline detail::amax_to amax(float* result) { return {result}; }

}  // namespace gemm
