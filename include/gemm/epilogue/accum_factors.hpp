// SPDX-License-Identifier: BSL-1.0
//! @file
//! The factors of an accumulator besides alpha: scales of A and B in device memory, before beta, and those that begin
//! the caller's epilogue.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arithmetic.hpp>
#include <gemm/element.hpp>
#include <gemm/epilogue/compose.hpp>
#include <gemm/epilogue/elementwise.hpp>
#include <gemm/epilogue/factors.hpp>
#include <gemm/epilogue/gated.hpp>
#include <gemm/scales.hpp>

namespace gemm::detail {

/// alpha * sum times factors of an element of C. What is the same for a row of C is multiplied first, so that it is
/// computed once.
template <factors Known, class V, class Accum, class... Factors>
__host__ __device__ V times_factors_at(std::int64_t row, std::int64_t column, std::int64_t batch, Accum alpha,
                                       Accum sum, Factors const&... all) {
  constexpr bool integers = std::is_integral_v<Accum>;
  factor_product<Known, V> of_row, of_column;
  if constexpr (!integers) {
    of_row.multiply(static_cast<V>(alpha));
  }
  auto const by_row = [&](V number) { of_row.multiply(number); };
  auto const by_column = [&](V number) { of_column.multiply(number); };
  auto const multiply_by = [&](auto const& factor) {
    for_each_factor<varies::never, V>(factor, row, column, batch, by_row);
    for_each_factor<varies::by_row, V>(factor, row, column, batch, by_row);
    for_each_factor<varies::by_column, V>(factor, row, column, batch, by_column);
  };
  (multiply_by(all), ...);
  of_row.multiply(of_column);
  return of_row.times(static_cast<V>(integers ? multiply(alpha, sum) : sum));
}

/// A problem's epilogue, split: the factors that begin it, no_scales where there are none, and the rest, which is given
/// the value.
template <class Epilogue>
struct split_epilogue {
  using factors = no_scales;
  using rest = Epilogue;
  static constexpr bool is_factored = false;

  __host__ __device__ static no_scales factors_of(Epilogue const&) { return {}; }
  __host__ __device__ static rest const& rest_of(Epilogue const& e) { return e; }
};
template <class Factors, class Rest>
struct split_epilogue<factored<Factors, Rest>> {
  using factors = Factors;
  using rest = Rest;
  static constexpr bool is_factored = true;

  __host__ __device__ static Factors const& factors_of(factored<Factors, Rest> const& e) { return e.factors; }
  __host__ __device__ static Rest const& rest_of(factored<Factors, Rest> const& e) { return e.rest; }
};

/// What becomes of an accumulator of In with such scales of A and B: the value that the rest of the epilogue is given,
/// and whether a factor that is the same for all elements of a product, and a rounding, are all (`is_plain`).
template <class In, class Out, class Epilogue, class ScalesA = no_scales, class ScalesB = no_scales>
struct epilogue_facts : split_epilogue<Epilogue> {
  using typename split_epilogue<Epilogue>::factors;
  using typename split_epilogue<Epilogue>::rest;
  static constexpr bool has_scales = !std::is_same_v<ScalesA, no_scales> || !std::is_same_v<ScalesB, no_scales>,
                        begins_with_factors = !std::is_same_v<factors, no_scales>,
                        has_factors = has_scales || split_epilogue<Epilogue>::is_factored,
                        is_identity = !has_factors && std::is_same_v<rest, identity>,
                        is_plain = is_uniform<ScalesA> && is_uniform<ScalesB> && is_uniform<factors> &&
                                   std::is_same_v<rest, identity>;
  using value =
      std::conditional_t<has_factors, combined<epilogue_value<In, Out>, scale_of<In>>, epilogue_value<In, Out>>;

  /// Factors, alpha included, and whether one of them varies so.
  static constexpr int count = 1 + factor_count<ScalesA> + factor_count<ScalesB> + factor_count<factors>;
  template <varies With>
  static constexpr bool has = has_factor<With, ScalesA> || has_factor<With, ScalesB> || has_factor<With, factors>;
};

/// The same for a problem.
template <class Problem>
using epilogue_facts_of =
    epilogue_facts<typename Problem::element_a, typename Problem::output, typename Problem::epilogue_type,
                   typename Problem::scales_a, typename Problem::scales_b>;

/// A problem's epilogue with a gate, and what is before it as a problem's.
template <class Own, class Before, class Activation, class After>
constexpr auto gate_behind(Own const& own, gate_parts<Before, Activation, After> const& parts) {
  using split = split_epilogue<Own>;
  using rest = gated_pair<typename split::rest, Activation, After>;
  rest const pair{split::rest_of(own), parts.activation, parts.after};
  if constexpr (split::is_factored) {
    return factored<typename split::factors, rest>{split::factors_of(own), pair};
  } else {
    return pair;
  }
}

/// Whether a problem's elements of C are of pairs of the product's.
template <class Problem>
inline constexpr bool is_gated = is_gated_pair<typename epilogue_facts_of<Problem>::rest>;

/// A caller's epilogue as a problem's, for elements of In and Out. Only floating-point values are multiplied by the
/// factors that begin an epilogue as by others: integers become floating-point with scales of A or B.
template <class In, class Out, bool Scaled, class Epilogue>
constexpr auto problem_epilogue(Epilogue const& epilogue) {
  if constexpr (has_gate<Epilogue>) {
    auto const parts = split_at_gate(epilogue);
    return gate_behind(problem_epilogue<In, Out, Scaled>(parts.before), parts);
  } else if constexpr (begins_with_factors<Epilogue> && (Scaled || std::is_floating_point_v<epilogue_value<In, Out>>)) {
    return begin_epilogue(epilogue);
  } else {
    return epilogue;
  }
}

}  // namespace gemm::detail
