// SPDX-License-Identifier: BSL-1.0
//! @file
//! The kernels that tuning needs besides those it measures. Templates all, so that they may be defined in several
//! translation units.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/random.hpp>

namespace gemm::detail {

inline constexpr int workbench_threads = 256;

/// Values of the operands. Sums of small integers are exact in every order, so that all correct policies agree to the
/// bit: of either sign, they stay below 2^24 for every k below 2^20, and in practice for every k. Reals in [-1, 1) are
/// what is timed: the power that a multiplier takes, and with it the clock, depend on its operands' bits.
enum class operand_values { integers, reals };

template <class T>
struct fill_request {
  T* data;
  std::int64_t count;
  std::uint64_t seed;
  operand_values values;
};

template <class T>
__global__ void __launch_bounds__(workbench_threads) fill_kernel(fill_request<T> const request) {
  std::int64_t const stride = std::int64_t{gridDim.x} * workbench_threads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * workbench_threads + threadIdx.x; i < request.count; i += stride) {
    std::uint64_t const bits = random_bits(request.seed, static_cast<std::uint64_t>(i));
    if (request.values == operand_values::integers) {
      request.data[i] = convert<T>(static_cast<float>(integer_from(bits, -4, 4)));
    } else if constexpr (std::is_integral_v<T>) {
      request.data[i] = static_cast<T>(bits & 0xff);
    } else {
      request.data[i] = convert<T>(uniform_from<float>(bits));
    }
  }
}

/// What is complemented bit by bit differs from itself everywhere: what is then not written is wrong.
struct complement_request {
  std::uint64_t const* from;
  std::uint64_t* to;
  std::int64_t count;
};

template <class Request>
__global__ void __launch_bounds__(workbench_threads) complement_kernel(Request const request) {
  std::int64_t const stride = std::int64_t{gridDim.x} * workbench_threads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * workbench_threads + threadIdx.x; i < request.count; i += stride) {
    request.to[i] = ~request.from[i];
  }
}

template <class T>
struct comparison_request {
  T const* got;
  T const* want;
  std::int64_t m, n, ld, batch_stride, batch_count;
  std::uint32_t* wrong;  // a count for each thread of the grid
};

template <class T>
__global__ void __launch_bounds__(workbench_threads) comparison_kernel(comparison_request<T> const request) {
  std::int64_t const first = std::int64_t{blockIdx.x} * workbench_threads + threadIdx.x;
  std::uint32_t wrong = 0;
  for (std::int64_t i = first; i < request.m * request.n * request.batch_count;
       i += std::int64_t{gridDim.x} * workbench_threads) {
    std::int64_t const line = i / request.n,
                       at = line / request.m * request.batch_stride + line % request.m * request.ld + i % request.n;
    wrong += !(widen(request.got[at]) == widen(request.want[at]));  // so that a NaN is wrong
  }
  request.wrong[first] = wrong;
}

/// Multiplies and adds in one thread for so many steps, to give the host time to enqueue what is then timed.
struct stall_request {
  float* never;
  std::int64_t steps;
};

template <class Request>
__global__ void __launch_bounds__(32) stall_kernel(Request const request) {
  float value = 1;
  for (std::int64_t i = 0; threadIdx.x == 0 && i < request.steps; ++i) {
    value = fused_multiply_add(value, 0.5f, 0.25f);
  }
  if (value < 0) {  // which the compiler does not see
    *request.never = value;
  }
}

}  // namespace gemm::detail
