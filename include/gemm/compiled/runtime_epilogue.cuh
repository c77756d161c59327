// SPDX-License-Identifier: BSL-1.0
//! @file
//! The one epilogue of the compiled library: which of its steps are taken are values.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arithmetic.hpp>
#include <gemm/compiled/epilogue_parts.cuh>
#include <gemm/element.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

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
  static constexpr bool takes_many = (Steps & (any_steps | scales_step | activation_step)) != 0;  // it has branches
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
    struct where {
      std::int64_t row, column;
    };
    number values[1] = {static_cast<number>(value)};
    accumulate_all<Out, Functions>(kept, values, 0, 1, batch, [&](int) { return where{row, column}; });
    return values[0];
  }

  /// Of alpha times values[first] and all behind it, number i in row position(i).row and .column of C.
  template <class, class Functions, int Count, class Position>
  __device__ void accumulate_all(partial& kept, number (&values)[Count], int first, number alpha, std::int64_t batch,
                                 Position const& position) const {
    auto const for_each = [&](auto const& step) {
#pragma unroll
      for (int i = 0; i < Count; ++i) {
        if (i >= first) {
          values[i] = step(values[i], position(i).row, position(i).column);
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
    return steps_among<scales_step, beta_step, column_bias_step, row_bias_step, activation_step, residual_step,
                       amax_step, scale_step, mixed_scales_step>();
  }

  /// The same, of which is known what it does.
  template <unsigned Known>
  runtime_epilogue<Out, Known> with_steps() const {
    return {scales_a, scales_b, matrix, beta, factor, bias_of_columns, bias_of_rows, activation, scale, scale_at, amax};
  }

  status prepare(cudaStream_t stream) const { return amax != nullptr ? amax_to{amax}.prepare(stream) : status{}; }

 private:
  template <unsigned... All>
  unsigned steps_among() const {
    return ((does<All>() ? All : 0) | ...);
  }

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
      case mixed_scales_step:
        return scales_a.has_many() != scales_b.has_many();
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

  template <class MultiplyBy>
  __device__ void multiply_by_mixed_scales(MultiplyBy const& multiply_by, number alpha, std::int64_t batch) const {
    number const others = alpha * scales_a.single(batch) * scales_b.single(batch);  // one of them is 1
    if (scales_a.has_many()) {
      number const* const a = scales_a.of_product(batch);
      multiply_by([&](std::int64_t row, std::int64_t) { return others * a[row]; });
    } else {
      number const* const b = scales_b.of_product(batch);
      multiply_by([&](std::int64_t, std::int64_t column) { return others * b[column]; });
    }
  }

  template <class ForEach>
  __device__ void multiply_by_scales(ForEach const& for_each, number alpha, std::int64_t batch) const {
    auto const multiply_by = [&](auto const& scale_of) {
      for_each([&](number value, std::int64_t row, std::int64_t column) {
        return with_known_bias(value * scale_of(row, column), column);
      });
    };
    if (scales_a.has_many() && scales_b.has_many()) {
      number const *const a = scales_a.of_product(batch), *const b = scales_b.of_product(batch);
      multiply_by([&](std::int64_t row, std::int64_t column) { return alpha * a[row] * b[column]; });
    } else if (takes<mixed_scales_step>()) {
      multiply_by_mixed_scales(multiply_by, alpha, batch);
    } else {
      number const all = alpha * (scales_a.single(batch) * scales_b.single(batch));
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
