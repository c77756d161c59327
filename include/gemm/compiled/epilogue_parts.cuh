// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the compiled library's epilogue consists of: numbers, scales, a matrix, activations, and the sets of steps.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <gemm/element.hpp>

namespace gemm::detail {

/// The activations that are compiled; the numbers are those of gemm_activation.
enum class activation_kind : std::int32_t { none, relu, gelu, gelu_tanh, silu, sigmoid };

/// The type in which the epilogue computes: double for a double C, else float.
template <class Out>
using runtime_number = std::conditional_t<std::is_same_v<Out, double>, double, float>;

/// 1 / (1 + exp(-u)): 0 at -infinity, 1 at infinity; of NaN NaN. Of a float without a division's slow path, off by
/// at most |u| + 4 units in the last place.
template <class Functions, class V>
__host__ __device__ V logistic(V u) {
  if constexpr (std::is_same_v<V, float>) {
    float const divisor = 1 + Functions::exp2(-1.44269504f * u);
#if defined(__CUDA_ARCH__)
    return __fdividef(1, divisor);
#else
    return 1 / divisor;
#endif
  } else {
    return V(1) / (V(1) + std::exp(-u));
  }
}

/// gelu_tanh, silu or sigmoid.
template <class Functions, class V>
__host__ __device__ V gated_by_logistic(activation_kind kind, V value) {
  // gelu_tanh is value * logistic(u), too: (1 + tanh(u / 2)) / 2 is logistic(u).
  constexpr V root = V(1.59576912160573071176), cubic = V(0.044715);
  V const u = root * (value + cubic * value * value * value);
  V const gate = logistic<Functions>(kind == activation_kind::gelu_tanh ? u : value);
  return kind == activation_kind::sigmoid ? gate : value * gate;
}

/// Scales of an operand in device memory: one, or one for each row or column of C.
template <class T>
struct runtime_scales {
  T const* data;  ///< null: there are none
  bool are_many;
  std::int64_t batch_stride;

  __host__ __device__ bool has_many() const { return data != nullptr && are_many; }
  __device__ T const* of_product(std::int64_t batch) const { return data + batch * batch_stride; }
  /// The one, or 1.
  __device__ T single(std::int64_t batch) const { return data != nullptr && !are_many ? *of_product(batch) : T(1); }
};

/// A matrix of C's shape and type, that may be C.
template <class T>
struct runtime_matrix {
  T const* data;
  std::int64_t row_step, column_step, batch_stride;

  __device__ auto at(std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return widen(data[batch * batch_stride + row * row_step + column * column_step]);
  }
};

/// The type of a bias: C's, but the numbers' where that has 8 bits or is an integer.
template <class Out>
using runtime_bias = std::conditional_t<sizeof(Out) == 1 || std::is_integral_v<Out>, float, Out>;

/// Steps of an epilogue, as bits of a set.
enum epilogue_steps : unsigned {
  scales_step = 1,
  beta_step = 2,
  column_bias_step = 4,
  row_bias_step = 8,
  activation_step = 16,
  residual_step = 32,
  amax_step = 64,
  scale_step = 128,
  mixed_scales_step = 256,  ///< besides: many scales of one operand, at most one of the other
  any_steps = 512
};

}  // namespace gemm::detail
