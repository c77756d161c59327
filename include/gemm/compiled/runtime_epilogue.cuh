// SPDX-License-Identifier: BSL-1.0
//! @file
//! The one epilogue of the compiled library: which of its steps are taken are values.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <gemm/arch/predicated_load.cuh>
#include <gemm/arithmetic.hpp>
#include <gemm/block/store.cuh>
#include <gemm/element.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// The activations that are compiled; the numbers are those of gemm_activation.
enum class activation_kind : std::int32_t { none, relu, gelu, gelu_tanh, silu, sigmoid };

/// The type in which the epilogue computes: double for a double C, else float.
template <class Out>
using runtime_number = std::conditional_t<std::is_same_v<Out, double>, double, float>;

/// 1 / (1 + exp(-u)): 0 at -infinity, 1 at infinity; NaN stays NaN. Of a float without a division's slow path, off by
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

/// An activation of a number. Its one branch is uniform: all threads take the same side. An epilogue is inlined for
/// every element of a thread, where few branches matter more than few instructions.
template <class Functions, class V>
__host__ __device__ V activated(activation_kind kind, V value) {
  if (kind >= activation_kind::gelu) {
    V distribution;
    if constexpr (std::is_same_v<V, float>) {
      distribution = normal_distribution<Functions>(value);
    } else {
      distribution = V(0.5) * (V(1) + std::erf(value * V(0.70710678118654752440)));
    }
    // gelu_tanh is value * logistic(u), too: (1 + tanh(u / 2)) / 2 is logistic(u).
    constexpr V root = V(1.59576912160573071176), cubic = V(0.044715);
    V const u = root * (value + cubic * value * value * value);
    V const weight = logistic<Functions>(kind == activation_kind::gelu_tanh ? u : value);
    V const gate = kind == activation_kind::gelu ? distribution : weight;
    return kind == activation_kind::sigmoid ? gate : value * gate;
  }
  return kind == activation_kind::relu && value < V(0) ? V(0) : value;
}

/// What a load returns where there is nothing to add: the sum stays, but for a -0.
template <class T>
__device__ T nothing_to_add() {
  return convert<T>(0.0f);
}

/// The address of an element, for a load that may not be done: of a null pointer it is no element's.
template <class T>
__host__ __device__ T const* address_of(T const* data, std::int64_t index) {
  return reinterpret_cast<T const*>(reinterpret_cast<std::uintptr_t>(data) +
                                    static_cast<std::uintptr_t>(index) * sizeof(T));
}

/// Numbers of T in device memory: one for all, or one for each row or column of C.
template <class T>
struct runtime_numbers {
  T const* data;  ///< null: there are none
  bool by_row, by_column;
  std::int64_t batch_stride;

  __device__ T at(T otherwise, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    std::int64_t const index = batch * batch_stride + (by_row ? row : 0) + (by_column ? column : 0);
    return arch::load_if(data != nullptr, address_of(data, index), otherwise);
  }
};

/// A matrix of C's shape and type, that may be C.
template <class T>
struct runtime_matrix {
  T const* data;  ///< null: there is none
  std::int64_t row_step, column_step, batch_stride;

  __device__ auto at(std::int64_t row, std::int64_t column, std::int64_t batch) const {
    std::int64_t const index = batch * batch_stride + row * row_step + column * column_step;
    return widen(arch::load_if(data != nullptr, address_of(data, index), nothing_to_add<T>()));
  }
};

/// The type of a bias: C's, but the numbers' where that has 8 bits or is an integer.
template <class Out>
using runtime_bias = std::conditional_t<sizeof(Out) == 1 || std::is_integral_v<Out>, float, Out>;

/// The steps, in this order:
///
///     value = value * (scale_a * scale_b)    where operands have scales
///     value += beta * matrix                 then, which is C: kernels add beta times C before
///     value += bias
///     value = activation(value)
///     value += factor * matrix               the residual
///     amax = the greatest magnitude
///     value *= scale * *scale_at
template <class Out>
struct runtime_epilogue {
  using own_epilogue = void;
  using number = runtime_number<Out>;
  using bias_type = runtime_bias<Out>;
  using partial = maximum_so_far;

  runtime_numbers<number> scales_a, scales_b;
  runtime_matrix<Out> matrix;
  number beta, factor;  ///< of the matrix, of which one is 0
  runtime_numbers<bias_type> bias;
  activation_kind activation;
  number scale;
  runtime_numbers<number> scale_at;
  float* amax;
  bool before_bias, behind_activation;  ///< whether there is any such step: most calls have none

  template <class V>
  __device__ number operator()(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    partial own;
    number const result = accumulate(own, value, row, column, batch);
    flush(own);
    return result;
  }

  template <class V>
  __device__ number accumulate(partial& kept, V value, std::int64_t row, std::int64_t column,
                               std::int64_t batch) const {
    return accumulate_last<Out, library_functions>(kept, value, row, column, batch);
  }

  template <class, class Functions, class V>
  __device__ number accumulate_last(partial& kept, V value, std::int64_t row, std::int64_t column,
                                    std::int64_t batch) const {
    auto result = static_cast<number>(value);
    if (before_bias) {
      result *= scales_a.at(1, row, column, batch) * scales_b.at(1, row, column, batch);
      result = beta != 0 ? multiply_add(beta, static_cast<number>(matrix.at(row, column, batch)), result) : result;
    }
    result += static_cast<number>(widen(bias.at(nothing_to_add<bias_type>(), row, column, 0)));
    result = activated<Functions>(activation, result);
    if (behind_activation) {
      result = factor != 0 ? multiply_add(factor, static_cast<number>(matrix.at(row, column, batch)), result) : result;
      amax_to{amax}.accumulate(kept, result, row, column, batch);
      result *= scale * scale_at.at(1, 0, 0, 0);
    }
    return result;
  }

  __device__ void flush(partial const& kept) const {
    if (amax != nullptr) {
      amax_to{amax}.flush(kept);
    }
  }

  status prepare(cudaStream_t stream) const { return amax != nullptr ? amax_to{amax}.prepare(stream) : status{}; }
};

}  // namespace gemm::detail
