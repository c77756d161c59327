// SPDX-License-Identifier: BSL-1.0
//! @file
//! A problem's epilogue where operands have scales in device memory: they are factors of a sum, before beta.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arithmetic.hpp>
#include <gemm/block_scales.hpp>
#include <gemm/element.hpp>
#include <gemm/epilogue/compose.hpp>
#include <gemm/epilogue/elementwise.hpp>

namespace gemm {

/// A problem's epilogue where A or B has scales: what becomes of a sum before beta, and then the caller's epilogue. Not
/// for users; not in detail, because every kernel's symbol spells it twice. For sums alone that read A and B.
template <class A, class B, class Epilogue>
struct scaled_accum {
  A a;
  B b;
  Epilogue epilogue;

  /// alpha * sum times the scales. What is the same for a row of C comes first, so that it is computed once.
  template <class V, class Accum>
  __host__ __device__ V scaled(Accum alpha, Accum sum, std::int64_t row, std::int64_t column,
                               std::int64_t batch) const {
    constexpr bool integers = std::is_integral_v<Accum>;
    V factor = integers ? V(1) : static_cast<V>(alpha);
    V value = static_cast<V>(integers ? detail::multiply(alpha, sum) : sum);
    if constexpr (!std::is_same_v<A, no_scales>) {
      factor *= a.at(row, column, batch);
    }
    if constexpr (B::is_uniform && !std::is_same_v<B, no_scales>) {
      factor *= b.at(row, column, batch);
    }
    value *= factor;
    if constexpr (!B::is_uniform) {
      value *= b.at(row, column, batch);
    }
    return value;
  }
};

namespace detail {

/// The problem's epilogue of two operands and the caller's.
template <class A, class B, class Epilogue>
constexpr auto epilogue_of_operands(A const& a, B const& b, Epilogue const& epilogue) {
  if constexpr (is_scaled<A> || is_scaled<B>) {
    auto const of_a = scales_of(a);
    auto const of_b = scales_of(b);
    return scaled_accum<std::remove_const_t<decltype(of_a)>, std::remove_const_t<decltype(of_b)>, Epilogue>{of_a, of_b,
                                                                                                            epilogue};
  } else {
    return epilogue;
  }
}

/// A problem's epilogue, split: the caller's, the value that it is given, and whether a factor that is the same
/// for all elements of a product, and a rounding, are all that becomes of a sum.
template <class In, class Out, class Epilogue>
struct epilogue_facts {
  using epilogue = Epilogue;
  using value = epilogue_value<In, Out>;
  static constexpr bool is_identity = std::is_same_v<Epilogue, identity>, is_plain = is_identity, has_scales = false,
                        scales_blocks = false;

  __host__ __device__ static epilogue const& of_caller(Epilogue const& e) { return e; }
};
template <class In, class Out, class A, class B, class Epilogue>
struct epilogue_facts<In, Out, scaled_accum<A, B, Epilogue>> {
  using epilogue = Epilogue;
  using value = combined<epilogue_value<In, Out>, scale_of<In>>;
  static constexpr bool is_identity = false, has_scales = true, scales_blocks = is_per_block<A> || is_per_block<B>,
                        is_plain = A::is_uniform && B::is_uniform && std::is_same_v<Epilogue, identity>;

  __host__ __device__ static epilogue const& of_caller(scaled_accum<A, B, Epilogue> const& e) { return e.epilogue; }
};

/// The parts of a problem's epilogue.
template <class Problem>
using epilogue_facts_of =
    epilogue_facts<typename Problem::input, typename Problem::output, std::remove_const_t<decltype(Problem::epilogue)>>;

}  // namespace detail

}  // namespace gemm
