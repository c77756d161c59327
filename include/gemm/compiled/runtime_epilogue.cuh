// SPDX-License-Identifier: BSL-1.0
//! @file
//! The one epilogue of the compiled library: which of its steps are taken are values.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <gemm/arithmetic.hpp>
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

/// gelu_tanh, silu or sigmoid.
template <class Functions, class V>
__host__ __device__ V gated_by_logistic(activation_kind kind, V value) {
  // gelu_tanh is value * logistic(u), too: (1 + tanh(u / 2)) / 2 is logistic(u).
  constexpr V root = V(1.59576912160573071176), cubic = V(0.044715);
  V const u = root * (value + cubic * value * value * value);
  V const gate = logistic<Functions>(kind == activation_kind::gelu_tanh ? u : value);
  return kind == activation_kind::sigmoid ? gate : value * gate;
}

/// Numbers of T in device memory: one for all, or one for each row or column of C.
template <class T>
struct runtime_numbers {
  T const* data;  ///< null: there are none
  bool of_lines;
  std::int64_t batch_stride;

  __device__ T at(std::int64_t line, std::int64_t batch) const {
    return data[batch * batch_stride + (of_lines ? line : 0)];
  }
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
  scale_a_step = 1,
  scale_b_step = 2,
  beta_step = 4,
  column_bias_step = 8,
  row_bias_step = 16,
  activation_step = 32,
  residual_step = 64,
  amax_step = 128,
  scale_step = 256,
  any_steps = 512
};

/// The steps, in this order:
///
///     value = value * (scale_a * scale_b)    where operands have scales
///     value += beta * matrix                 then, which is C: kernels add beta times C before
///     value += bias
///     value = activation(value)
///     value += factor * matrix               the residual
///     amax = the greatest magnitude
///     value *= scale * *scale_at
///
/// Steps: those that are taken. Of any_steps it is decided once for many elements of a thread.
template <class Out, unsigned Steps = any_steps>
struct runtime_epilogue {
  using own_epilogue = void;
  using takes_many = void;
  using number = runtime_number<Out>;
  using bias_type = runtime_bias<Out>;
  using partial = maximum_so_far;

  runtime_numbers<number> scales_a, scales_b;  ///< of rows and columns
  runtime_matrix<Out> matrix;
  number beta, factor;                              ///< of the matrix, of which one is 0
  bias_type const *bias_of_columns, *bias_of_rows;  ///< null: there is none
  activation_kind activation;
  number scale;
  number const* scale_at;  ///< null: there is none
  float* amax;             ///< null: it is not wanted

  template <class V>
  __device__ number operator()(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    partial own;
    number const result = accumulate_last<Out, library_functions>(own, value, row, column, batch);
    flush(own);
    return result;
  }

  template <class, class Functions, class V>
  __device__ number accumulate_last(partial& kept, V value, std::int64_t row, std::int64_t column,
                                    std::int64_t batch) const {
    struct place {
      std::int64_t row, column;
    };
    number values[1] = {static_cast<number>(value)};
    accumulate_all<Out, Functions>(kept, values, 0, batch, [&](int) { return place{row, column}; });
    return values[0];
  }

  /// Of values[first] and all behind it, number i at place(i).row and .column.
  template <class, class Functions, int Count, class Place>
  __device__ void accumulate_all(partial& kept, number (&values)[Count], int first, std::int64_t batch,
                                 Place const& place) const {
    auto const for_each = [&](auto const& step) {
#pragma unroll
      for (int i = 0; i < Count; ++i) {
        if (i >= first) {
          values[i] = step(values[i], place(i).row, place(i).column);
        }
      }
    };
    auto const add_matrix = [&](number by) {
      for_each([&](number value, std::int64_t row, std::int64_t column) {
        return multiply_add(by, static_cast<number>(matrix.at(row, column, batch)), value);
      });
    };
    multiply_by_scales(for_each, batch);
    if (takes<beta_step>()) {
      add_matrix(beta);
    }
    if (takes<column_bias_step>()) {
      for_each([&](number value, std::int64_t, std::int64_t column) {
        return value + static_cast<number>(widen(bias_of_columns[column]));
      });
    }
    if (takes<row_bias_step>()) {
      for_each([&](number value, std::int64_t row, std::int64_t) {
        return value + static_cast<number>(widen(bias_of_rows[row]));
      });
    }
    if (takes<activation_step>()) {
      activate<Functions>(for_each);
    }
    if (takes<residual_step>()) {
      add_matrix(factor);
    }
    if (takes<amax_step>()) {
      for_each([&](number value, std::int64_t row, std::int64_t column) {
        return amax_to{amax}.accumulate(kept, value, row, column, batch);
      });
    }
    if (takes<scale_step>()) {
      number const scale_of_all = scale_at != nullptr ? scale * *scale_at : scale;
      for_each([&](number value, std::int64_t, std::int64_t) { return value * scale_of_all; });
    }
  }

  __device__ void flush(partial const& kept) const {
    if (takes<amax_step>()) {
      amax_to{amax}.flush(kept);
    }
  }

  /// What it does.
  unsigned steps() const {
    auto const step_if = [](bool taken, unsigned step) { return taken ? step : 0; };
    return step_if(does<scale_a_step>(), scale_a_step) | step_if(does<scale_b_step>(), scale_b_step) |
           step_if(does<beta_step>(), beta_step) | step_if(does<column_bias_step>(), column_bias_step) |
           step_if(does<row_bias_step>(), row_bias_step) | step_if(does<activation_step>(), activation_step) |
           step_if(does<residual_step>(), residual_step) | step_if(does<amax_step>(), amax_step) |
           step_if(does<scale_step>(), scale_step);
  }

  /// The same, of which is known what it does.
  template <unsigned Known>
  runtime_epilogue<Out, Known> with_steps() const {
    return {scales_a, scales_b, matrix, beta, factor, bias_of_columns, bias_of_rows, activation, scale, scale_at, amax};
  }

  status prepare(cudaStream_t stream) const { return amax != nullptr ? amax_to{amax}.prepare(stream) : status{}; }

 private:
  template <unsigned Step>
  __host__ __device__ bool does() const {
    switch (Step) {
      case scale_a_step:
        return scales_a.data != nullptr;
      case scale_b_step:
        return scales_b.data != nullptr;
      case beta_step:
        return beta != 0;
      case column_bias_step:
        return bias_of_columns != nullptr;
      case row_bias_step:
        return bias_of_rows != nullptr;
      case activation_step:
        return activation != activation_kind::none;
      case residual_step:
        return factor != 0;
      case amax_step:
        return amax != nullptr;
      default:
        return scale != 1 || scale_at != nullptr;
    }
  }

  template <unsigned Step>
  __device__ bool takes() const {
    return Steps == any_steps ? does<Step>() : (Steps & Step) != 0;
  }

  template <class ForEach>
  __device__ void multiply_by_scales(ForEach const& for_each, std::int64_t batch) const {
    if (takes<scale_a_step>() && takes<scale_b_step>()) {
      for_each([&](number value, std::int64_t row, std::int64_t column) {
        return value * (scales_a.at(row, batch) * scales_b.at(column, batch));
      });
    } else if (takes<scale_a_step>()) {
      for_each([&](number value, std::int64_t row, std::int64_t) { return value * scales_a.at(row, batch); });
    } else if (takes<scale_b_step>()) {
      for_each([&](number value, std::int64_t, std::int64_t column) { return value * scales_b.at(column, batch); });
    }
  }

  template <class Functions, class ForEach>
  __device__ void activate(ForEach const& for_each) const {
    if (activation == activation_kind::relu) {
      for_each([](number value, std::int64_t, std::int64_t) { return value < 0 ? number(0) : value; });
    } else if (activation == activation_kind::gelu) {
      for_each([](number value, std::int64_t row, std::int64_t column) {
        return apply_last<Out, Functions>(gelu{}, value, row, column, 0);
      });
    } else {
      for_each(
          [&](number value, std::int64_t, std::int64_t) { return gated_by_logistic<Functions>(activation, value); });
    }
  }
};

}  // namespace gemm::detail
