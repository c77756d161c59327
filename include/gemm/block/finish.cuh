// SPDX-License-Identifier: BSL-1.0
//! @file
//! What becomes of accumulators: factors, beta, the epilogue, and the rounding to elements of C.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/exp2.cuh>
#include <gemm/arch/maximum.cuh>
#include <gemm/arithmetic.hpp>
#include <gemm/block/problem.cuh>
#include <gemm/element.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/epilogue/accum_factors.hpp>

namespace gemm::detail {

/// What a device has for epilogues.
struct device_functions {
  __host__ __device__ static float exp2(float x) { return arch::exp2(x); }
  __host__ __device__ static float maximum(float a, float b) { return arch::maximum(a, b); }
  __host__ __device__ static float saturated(float x) {
#if defined(__CUDA_ARCH__)
    return __saturatef(x);
#else
    return library_functions::saturated(x);
#endif
  }
};

/// What the epilogue keeps of a thread's elements until flush_partial().
template <class Problem>
using partial_for = partial_of<typename epilogue_facts_of<Problem>::rest>;
template <class Problem>
__device__ void flush_partial(Problem const& p, partial_for<Problem> const& partial) {
  flush(epilogue_facts_of<Problem>::rest_of(p.epilogue), partial);
}

/// What the rest of the epilogue is given of one accumulator; arguments as finish() has them.
template <bool ReadsC, factors Factors, class Problem>
__device__ auto value_of(Problem const& p, typename Problem::accum accum, typename Problem::output previous,
                         std::int64_t row, std::int64_t column, std::int64_t batch) {
  using facts = epilogue_facts_of<Problem>;
  using type = typename facts::value;
  type value;
  bool const adds_previous = ReadsC && p.beta != typename Problem::accum(0);
  if constexpr (facts::has_factors) {
    if (facts::begins_with_factors && adds_previous) {
      value = times_factors_at<Factors, type>(row, column, batch, p.alpha, accum, p.a.factors(), p.b.factors());
    } else {
      value = times_factors_at<Factors, type>(row, column, batch, p.alpha, accum, p.a.factors(), p.b.factors(),
                                              facts::factors_of(p.epilogue));
    }
  } else {
    value = static_cast<type>(Factors == factors::one ? accum : multiply(p.alpha, accum));
  }
  if (adds_previous) {
    value = multiply_add(static_cast<type>(p.beta), static_cast<type>(widen(previous)), value);
    if constexpr (facts::begins_with_factors) {
      value = times_factors_at<Factors, type>(row, column, batch, type(1), value, facts::factors_of(p.epilogue));
    }
  }
  return value;
}

/// What becomes of one accumulator. `previous` is C's old value, anything where beta is 0; without ReadsC it is.
/// Factors: what is known of alpha and the scales. flush_partial() must follow.
template <bool ReadsC = true, factors Factors = factors::any, class Problem>
__device__ typename Problem::output finish(Problem const& p, typename Problem::accum accum,
                                           typename Problem::output previous, std::int64_t row, std::int64_t column,
                                           std::int64_t batch, partial_for<Problem>& partial) {
  using output = typename Problem::output;
  auto const value = value_of<ReadsC, Factors>(p, accum, previous, row, column, batch);
  return convert<output>(apply_last_partial<output, device_functions>(epilogue_facts_of<Problem>::rest_of(p.epilogue),
                                                                      partial, value, row, column, batch));
}

/// An accumulator, C's old value as finish() has it, and its place in C.
template <class Problem>
struct accum_at {
  typename Problem::accum value;
  typename Problem::output previous;
  std::int64_t row, column;
};

/// What becomes of the accumulators sum(first) to sum(Count - 1), of type accum_at: put(i, element of C). Else as
/// finish().
template <int Count, bool ReadsC = true, factors Factors = factors::any, class Problem, class Sum, class Put>
__device__ void finish_all(Problem const& p, int first, std::int64_t batch, partial_for<Problem>& partial,
                           Sum const& sum, Put const& put) {
  using output = typename Problem::output;
  using facts = epilogue_facts_of<Problem>;
  if constexpr (takes_many<typename facts::rest>) {
    using number = typename facts::rest::number;
    constexpr bool of_sums = !ReadsC && !facts::has_factors && std::is_floating_point_v<typename Problem::accum>;
    number values[Count];
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      accum_at<Problem> const accum = sum(i);
      values[i] = i < first || of_sums ? static_cast<number>(accum.value)
                                       : static_cast<number>(value_of<ReadsC, Factors>(p, accum.value, accum.previous,
                                                                                       accum.row, accum.column, batch));
    }
    number const alpha = of_sums ? static_cast<number>(p.alpha) : number(1);
    facts::rest_of(p.epilogue)
        .template accumulate_all<output, device_functions>(partial, values, first, alpha, batch, sum);
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      if (i >= first) {
        put(i, convert<output>(values[i]));
      }
    }
  } else {
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      if (i >= first) {
        accum_at<Problem> const accum = sum(i);
        put(i, finish<ReadsC, Factors>(p, accum.value, accum.previous, accum.row, accum.column, batch, partial));
      }
    }
  }
}

/// What becomes of the accumulators in this and the next column, where the epilogue has a gate.
template <class Problem>
__device__ typename Problem::output finish_pair(Problem const& p, typename Problem::accum const* pair, std::int64_t row,
                                                std::int64_t column, std::int64_t batch,
                                                partial_for<Problem>& partial) {
  using output = typename Problem::output;
  auto const gate = value_of<false, factors::any>(p, pair[0], output{}, row, column, batch),
             up = value_of<false, factors::any>(p, pair[1], output{}, row, column + 1, batch);
  return convert<output>(epilogue_facts_of<Problem>::rest_of(p.epilogue)
                             .template last<output, device_functions>(partial, gate, up, row, column, batch));
}

/// The same of a single element.
template <bool ReadsC = true, factors Factors = factors::any, class Problem>
__device__ typename Problem::output finish(Problem const& p, typename Problem::accum accum,
                                           typename Problem::output previous, std::int64_t row, std::int64_t column,
                                           std::int64_t batch) {
  partial_for<Problem> partial{};
  auto const result = finish<ReadsC, Factors>(p, accum, previous, row, column, batch, partial);
  flush_partial(p, partial);
  return result;
}

}  // namespace gemm::detail
