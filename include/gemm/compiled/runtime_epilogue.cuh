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

/// Scales of an operand in device memory: one for all of its lines, or one for each.
template <class T>
struct runtime_scales {
  T const* data;  ///< null: there are none
  bool of_lines;
  std::int64_t batch_stride;

  __device__ bool has_lines() const { return data != nullptr && of_lines; }
  __device__ T const* of_product(std::int64_t batch) const { return data + batch * batch_stride; }
  /// That of all lines, unless each has one.
  __device__ T of_all(std::int64_t batch) const { return data != nullptr && !of_lines ? *of_product(batch) : T(1); }
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
  any_steps = 256
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

  runtime_scales<number> scales_a, scales_b;  ///< of rows and columns
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
    accumulate_all<Out, Functions>(kept, values, 0, 1, batch, [&](int) { return place{row, column}; });
    return values[0];
  }

  /// Of alpha times values[first] and all behind it, number i at place(i).row and .column.
  template <class, class Functions, int Count, class Place>
  __device__ void accumulate_all(partial& kept, number (&values)[Count], int first, number alpha, std::int64_t batch,
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
    if (takes<scales_step>()) {
      multiply_by_scales(for_each, alpha, batch);
    } else {
      for_each([&](number value, std::int64_t, std::int64_t column) { return with_known_bias(alpha * value, column); });
    }
    if (takes<beta_step>()) {
      add_matrix(beta);
    }
    if (takes<column_bias_step>() && !knows_bias) {
      for_each([&](number value, std::int64_t, std::int64_t column) { return with_bias(value, column); });
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
    return step_if(does<scales_step>(), scales_step) | step_if(does<beta_step>(), beta_step) |
           step_if(does<column_bias_step>(), column_bias_step) | step_if(does<row_bias_step>(), row_bias_step) |
           step_if(does<activation_step>(), activation_step) | step_if(does<residual_step>(), residual_step) |
           step_if(does<amax_step>(), amax_step) | step_if(does<scale_step>(), scale_step);
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
      case scales_step:
        return scales_a.data != nullptr || scales_b.data != nullptr;
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

  /// Whether a bias of columns follows the factors for sure, so that both are one instruction.
  static constexpr bool knows_bias = Steps != any_steps && (Steps & column_bias_step) != 0 && (Steps & beta_step) == 0;

  __device__ number with_bias(number value, std::int64_t column) const {
    return value + static_cast<number>(widen(bias_of_columns[column]));
  }
  __device__ number with_known_bias(number value, std::int64_t column) const {
    if constexpr (knows_bias) {
      return with_bias(value, column);
    } else {
      return value;
    }
  }

  template <class ForEach>
  __device__ void multiply_by_scales(ForEach const& for_each, number alpha, std::int64_t batch) const {
    bool const of_rows = scales_a.has_lines(), of_columns = scales_b.has_lines();
    auto const multiply_by = [&](auto const& factor) {
      for_each([&](number value, std::int64_t row, std::int64_t column) {
        return with_known_bias(value * factor(row, column), column);
      });
    };
    if (of_rows && of_columns) {
      number const *const a = scales_a.of_product(batch), *const b = scales_b.of_product(batch);
      multiply_by([&](std::int64_t row, std::int64_t column) { return alpha * a[row] * b[column]; });
    } else if (of_rows) {
      number const* const a = scales_a.of_product(batch);
      number const both = alpha * scales_b.of_all(batch);
      multiply_by([&](std::int64_t row, std::int64_t) { return both * a[row]; });
    } else if (of_columns) {
      number const* const b = scales_b.of_product(batch);
      number const both = alpha * scales_a.of_all(batch);
      multiply_by([&](std::int64_t, std::int64_t column) { return both * b[column]; });
    } else {
      number const all = alpha * (scales_a.of_all(batch) * scales_b.of_all(batch));
      multiply_by([&](std::int64_t, std::int64_t) { return all; });
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
