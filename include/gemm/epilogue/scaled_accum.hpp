// SPDX-License-Identifier: BSL-1.0
//! @file
//! A problem's epilogue where accumulators have factors: operands' scales in device memory, before beta, and those that
//! begin the caller's epilogue.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arithmetic.hpp>
#include <gemm/block_scales.hpp>
#include <gemm/element.hpp>
#include <gemm/epilogue/compose.hpp>
#include <gemm/epilogue/elementwise.hpp>
#include <gemm/epilogue/factors.hpp>
#include <gemm/scales.hpp>

namespace gemm {

/// A problem's epilogue where an accumulator has factors besides alpha: the scales of A and of B, those that begin the
/// caller's epilogue, and the rest of that. Not for users; not in detail, because every kernel's symbol spells it
/// twice. For sums alone that read A and B.
template <class A, class B, class C, class Epilogue>
struct scaled_accum {
  A a;
  B b;
  C c;
  Epilogue epilogue;

  /// Factors, alpha included.
  static constexpr int count = 1 + detail::factor_count<A> + detail::factor_count<B> + detail::factor_count<C>;

  /// Whether one of them varies so.
  template <detail::varies With>
  static constexpr bool has = detail::has_factor<With, A> || detail::has_factor<With, B> || detail::has_factor<With, C>;

  /// alpha * sum times the scales of A and B and, WithC, those that begin the epilogue. What is the same for a row of C
  /// is multiplied first, so that it is computed once.
  template <detail::factors Factors, bool WithC, class V, class Accum>
  __host__ __device__ V scaled(Accum alpha, Accum sum, std::int64_t row, std::int64_t column,
                               std::int64_t batch) const {
    constexpr bool integers = std::is_integral_v<Accum>;
    detail::product_of<Factors, V> of_row, of_column;
    if constexpr (!integers) {
      of_row.multiply(static_cast<V>(alpha));
    }
    auto const by_row = [&](V number) { of_row.multiply(number); };
    auto const by_column = [&](V number) { of_column.multiply(number); };
    auto const multiply_by = [&](auto const& factor) {
      detail::for_each_factor<detail::varies::never, V>(factor, row, column, batch, by_row);
      detail::for_each_factor<detail::varies::by_row, V>(factor, row, column, batch, by_row);
      detail::for_each_factor<detail::varies::by_column, V>(factor, row, column, batch, by_column);
    };
    multiply_by(a);
    multiply_by(b);
    if constexpr (WithC) {
      multiply_by(c);
    }
    of_row.multiply(of_column);
    return of_row.times(static_cast<V>(integers ? detail::multiply(alpha, sum) : sum));
  }

  /// A value of C times the factors that begin the epilogue.
  template <detail::factors Factors, class V>
  __host__ __device__ V scaled_value(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return scaled_accum<no_scales, no_scales, C, Epilogue>{{}, {}, c, epilogue}.template scaled<Factors, true, V>(
        V(1), value, row, column, batch);
  }
};

namespace detail {

/// A problem's epilogue, split: the caller's, but for the factors that begin it, the value that it is given, and
/// whether a factor that is the same for all elements of a product, and a rounding, are all that becomes of a sum.
template <class In, class Out, class Epilogue>
struct epilogue_facts {
  using epilogue = Epilogue;
  using value = epilogue_value<In, Out>;
  static constexpr bool is_identity = std::is_same_v<Epilogue, identity>, is_plain = is_identity, has_factors = false,
                        has_scales = false, begins_with_factors = false, scales_blocks = false;

  __host__ __device__ static epilogue const& of_caller(Epilogue const& e) { return e; }
};
template <class In, class Out, class A, class B, class C, class Epilogue>
struct epilogue_facts<In, Out, scaled_accum<A, B, C, Epilogue>> {
  using epilogue = Epilogue;
  static constexpr bool has_factors = true, is_identity = false,
                        has_scales = !std::is_same_v<A, no_scales> || !std::is_same_v<B, no_scales>,
                        begins_with_factors = !std::is_same_v<C, no_scales>,
                        scales_blocks = is_per_block<A> || is_per_block<B>,
                        is_plain =
                            is_uniform<A> && is_uniform<B> && is_uniform<C> && std::is_same_v<Epilogue, identity>;
  using value = combined<epilogue_value<In, Out>, scale_of<In>>;

  __host__ __device__ static epilogue const& of_caller(scaled_accum<A, B, C, Epilogue> const& e) { return e.epilogue; }
};

/// The problem's epilogue of two operands and the caller's, for elements of In and Out. Only floating-point values are
/// multiplied by the factors that begin an epilogue as by others: integers become floating-point with them.
template <class In, class Out, class A, class B, class Epilogue>
constexpr auto epilogue_of_operands(A const& a, B const& b, Epilogue const& epilogue) {
  auto const of_a = scales_of(a);
  auto const of_b = scales_of(b);
  using scales_a = std::remove_const_t<decltype(of_a)>;
  using scales_b = std::remove_const_t<decltype(of_b)>;
  constexpr bool scaled = is_scaled<A> || is_scaled<B>;
  if constexpr (begins_with_factors<Epilogue> && (scaled || std::is_floating_point_v<epilogue_value<In, Out>>)) {
    auto const begun = begin_epilogue(epilogue);
    return scaled_accum<scales_a, scales_b, std::remove_const_t<decltype(begun.factors)>,
                        std::remove_const_t<decltype(begun.rest)>>{of_a, of_b, begun.factors, begun.rest};
  } else if constexpr (scaled) {
    return scaled_accum<scales_a, scales_b, no_scales, Epilogue>{of_a, of_b, {}, epilogue};
  } else {
    return epilogue;
  }
}

/// The parts of a problem's epilogue.
template <class Problem>
using epilogue_facts_of =
    epilogue_facts<typename Problem::input, typename Problem::output, std::remove_const_t<decltype(Problem::epilogue)>>;

}  // namespace detail

}  // namespace gemm
