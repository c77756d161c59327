// SPDX-License-Identifier: BSL-1.0
//! @file
//! The epilogue that makes one column of C of two columns of the product: gated activations such as SwiGLU.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arithmetic.hpp>
#include <gemm/epilogue/apply.hpp>
#include <gemm/epilogue/compose.hpp>
#include <gemm/epilogue/elementwise.hpp>
#include <gemm/status.hpp>

namespace gemm {

/// activation(gate) * up: column j of C is of the product's columns 2 j, the gate, and 2 j + 1, up. B has twice the
/// columns of C, those of both weights, interleaved. `gated<silu>{}` is SwiGLU, `gated<gelu>{}` GeGLU,
/// `gated<sigmoid>{}` GLU; any functor of the value, or of value, row and column, will do.
///
/// Epilogues before it are given the product's columns, those after it C's: `bias(b) | gated<silu>{} | row_scale(w)`.
/// alpha and the scales of A and B come before it. Both columns are rounded nowhere between. NaN and Inf propagate as
/// in the activation and a multiplication. A call with beta is refused, and so is a column-major C.
template <class Activation>
struct gated {
  using own_epilogue = void;
  Activation activation{};  ///< of the gate
};

namespace detail {

/// How many gates an epilogue has, and the same with the activation in their place.
template <class Epilogue>
struct gates {
  static constexpr int count = 0;
  using without = Epilogue;
};
template <class Activation>
struct gates<gated<Activation>> {
  static constexpr int count = 1;
  using without = Activation;
};
template <class First, class Second>
struct gates<chain<First, Second>> {
  static constexpr int count = gates<First>::count + gates<Second>::count;
  using without = chain<typename gates<First>::without, typename gates<Second>::without>;
};
template <class Epilogue>
inline constexpr bool has_gate = 0 < gates<Epilogue>::count;

/// An epilogue in three: what is applied to the product's elements, to each second of them, and to C's.
template <class Before, class Activation, class After>
struct gate_parts {
  Before before;
  Activation activation;
  After after;
};

template <class Activation>
constexpr gate_parts<identity, Activation, identity> split_at_gate(gated<Activation> const& e) {
  return {{}, e.activation, {}};
}
template <class First, class Second>
constexpr auto split_at_gate(chain<First, Second> const& e) {
  auto const chained = []<class F, class S>(F const& first, S const& second) {
    if constexpr (std::is_same_v<F, identity>) {
      return second;
    } else if constexpr (std::is_same_v<S, identity>) {
      return first;
    } else {
      return chain<F, S>{first, second};
    }
  };
  auto const make = []<class B, class A, class E>(B const& before, A const& activation, E const& after) {
    return gate_parts<B, A, E>{before, activation, after};
  };
  if constexpr (has_gate<First>) {
    auto const parts = split_at_gate(e.first);
    return make(parts.before, parts.activation, chained(parts.after, e.second));
  } else {
    auto const parts = split_at_gate(e.second);
    return make(chained(e.first, parts.before), parts.activation, parts.after);
  }
}

/// The same as a problem's epilogue, given two adjacent elements of a row at once.
template <class Before, class Activation, class After>
struct gated_pair {
  using own_epilogue = void;
  Before before;
  Activation activation;
  After after;

  /// The element of C of values in this and the next column of the product.
  template <class Out, class Functions, class V>
  __host__ __device__ auto last(partial_of<After>& partial, V gate, V up, std::int64_t row, std::int64_t column,
                                std::int64_t batch) const {
    auto const of_gate = apply(activation, apply(before, gate, row, column, batch), row, column / 2, batch);
    auto const of_up = apply(before, up, row, column + 1, batch);
    using type = std::remove_const_t<decltype(of_up)>;
    return apply_last_partial<Out, Functions>(after, partial, multiply(static_cast<type>(of_gate), of_up), row,
                                              column / 2, batch);
  }
  __host__ __device__ void flush(partial_of<After> const& partial) const { detail::flush(after, partial); }
};
template <class Before, class Activation, class After>
struct partial_type<gated_pair<Before, Activation, After>> : partial_type<After> {};

template <class Epilogue>
inline constexpr bool is_gated_pair = false;
template <class Before, class Activation, class After>
inline constexpr bool is_gated_pair<gated_pair<Before, Activation, After>> = true;

}  // namespace detail

}  // namespace gemm
