// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of an accumulator and several factors: alpha, the scales of A and B, and those that begin an epilogue.
//!
//! A product of some factors may leave the range of a float where that of all does not. So the factors' product is kept
//! as two floats, each about its root: value * low * high leaves the range only where the result does. Where all
//! factors are known to be ordinary, one float has their product.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include <gemm/arithmetic.hpp>
#include <gemm/element.hpp>
#include <gemm/epilogue/compose.hpp>
#include <gemm/epilogue/elementwise.hpp>
#include <gemm/epilogue/per_line.hpp>
#include <gemm/scales.hpp>

namespace gemm {

/// An epilogue that begins with factors, and the rest of it: where C is not read, a problem's are multiplied with
/// alpha. Not for users; not in detail, because every kernel's symbol spells it twice.
template <class Factors, class Rest>
struct factored {
  using factors_type = Factors;
  Factors factors;
  Rest rest;
};

}  // namespace gemm

namespace gemm::detail {

/// What is known of an accumulator's factors: nothing; that they are ordinary; that alpha is 1 and there are no others.
enum class factors : unsigned char { any, ordinary, one };

/// The bits of a floating-point number: of its exponent, and of 1.
template <class V>
struct number_bits {
  using word = std::uint32_t;
  static constexpr word exponent = 0x7f800000U, one = 0x3f800000U;
  static constexpr int digits = 23, greatest_exponent = 127;
};
template <>
struct number_bits<double> {
  using word = std::uint64_t;
  static constexpr word exponent = 0x7ff0000000000000U, one = 0x3ff0000000000000U;
  static constexpr int digits = 52, greatest_exponent = 1023;
};

/// The product of any factors as high * low, where low is a power of two.
template <class V>
struct wide_product {
  V high = 1, low = 1;

  /// Splits a number, exactly: low is multiplied by the power of two near its root.
  __host__ __device__ void multiply(V factor) {
    using bits = number_bits<V>;
    using word = typename bits::word;
    word const root = ((__builtin_bit_cast(word, factor) & bits::exponent) + bits::one) >> 1 & bits::exponent;
    high *= factor * __builtin_bit_cast(V, 2 * bits::one - root);
    low *= __builtin_bit_cast(V, root);
  }
  __host__ __device__ void multiply(wide_product const& other) {
    high *= other.high;
    low *= other.low;
  }
  /// The power of two comes first: it rounds nothing.
  __host__ __device__ V times(V value) const { return value * low * high; }
};

/// alpha times the factors of two views; of integers modulo 2^32.
template <class Scalar>
__host__ __device__ Scalar times_factors(Scalar alpha, Scalar of_a, Scalar of_b) {
  if constexpr (std::is_floating_point_v<Scalar>) {
    wide_product<Scalar> product;
    product.multiply(of_a);
    product.multiply(of_b);
    product.multiply(alpha);
    return product.times(1);
  } else {
    return multiply(alpha, multiply(of_a, of_b));
  }
}

/// The product of ordinary factors.
template <class V>
struct plain_product {
  V number = 1;

  __host__ __device__ void multiply(V factor) { number *= factor; }
  __host__ __device__ void multiply(plain_product const& other) { number *= other.number; }
  __host__ __device__ V times(V value) const { return value * number; }
};

template <factors Factors, class V>
using factor_product = std::conditional_t<Factors == factors::any, wide_product<V>, plain_product<V>>;

/// Whether a factor is 0, or so near to 1 that every product of at most Count such is normal or 0.
template <int Count, class V>
__host__ __device__ bool is_ordinary(V factor) {
  using bits = number_bits<V>;
  using word = typename bits::word;
  constexpr word reach = word{(bits::greatest_exponent - 1) / Count} << bits::digits;
  word const magnitude = __builtin_bit_cast(word, factor) & (~word{0} >> 1);
  return (magnitude == 0) | (magnitude - (bits::one - reach) <= 2 * reach);
}

/// How many factors a type stands for: scales of an operand, an epilogue that multiplies, or a chain of these.
template <class F>
inline constexpr int factor_count = 0;
template <class S>
inline constexpr int factor_count<scale_per_matrix<S>> = 1;
template <class S, bool ByColumn>
inline constexpr int factor_count<scale_per_line<S, ByColumn>> = 1;
template <class Scales>
inline constexpr int factor_count<gathered_scales<Scales>> = factor_count<Scales>;
template <class S>
inline constexpr int factor_count<scaled_by<S>> = 1;
template <class T>
inline constexpr int factor_count<scaled_by_number_at<T>> = 1;
template <class T>
inline constexpr int factor_count<per_line<T, row_scale_kind>> = 1;
template <class T>
inline constexpr int factor_count<per_line<T, column_scale_kind>> = 1;
template <class First, class Second>
inline constexpr int factor_count<chain<First, Second>> =
    0 < factor_count<First> && 0 < factor_count<Second> ? factor_count<First> + factor_count<Second> : 0;

/// With what a factor varies.
enum class varies : unsigned char { never, by_row, by_column };
template <class F>
inline constexpr varies varies_of = varies::never;
template <class S, bool ByColumn>
inline constexpr varies varies_of<scale_per_line<S, ByColumn>> = ByColumn ? varies::by_column : varies::by_row;
template <class Scales>
inline constexpr varies varies_of<gathered_scales<Scales>> = varies_of<Scales>;
template <class T>
inline constexpr varies varies_of<per_line<T, row_scale_kind>> = varies::by_row;
template <class T>
inline constexpr varies varies_of<per_line<T, column_scale_kind>> = varies::by_column;

template <varies With, class F>
inline constexpr bool has_factor = factor_count<F> == 1 && varies_of<F> == With;
template <varies With, class First, class Second>
inline constexpr bool has_factor<With, chain<First, Second>> = 0 < factor_count<chain<First, Second>> &&
                                                               (has_factor<With, First> || has_factor<With, Second>);

/// Calls use(number) for each factor that varies so, of an element of C.
template <varies With, class V, class F, class Use>
__host__ __device__ void for_each_factor(F const& f, std::int64_t row, std::int64_t column, std::int64_t batch,
                                         Use const& use) {
  if constexpr (1 < factor_count<F>) {
    for_each_factor<With, V>(f.first, row, column, batch, use);
    for_each_factor<With, V>(f.second, row, column, batch, use);
  } else if constexpr (factor_count<F> == 1 && varies_of<F> == With) {
    if constexpr (requires { f.at(row, column, batch); }) {
      use(static_cast<V>(f.at(row, column, batch)));
    } else {
      use(static_cast<V>(f(V(1), row, column)));
    }
  }
}

/// The factors that begin an epilogue, no_scales where it does not begin with any, and the rest of it.
template <class Epilogue>
constexpr auto begin_epilogue(Epilogue const& e) {
  if constexpr (0 < factor_count<Epilogue>) {
    return factored<Epilogue, identity>{e, {}};
  } else {
    return factored<no_scales, Epilogue>{{}, e};
  }
}
template <class First, class Second>
constexpr auto begin_epilogue(chain<First, Second> const& e) {
  if constexpr (0 < factor_count<chain<First, Second>>) {
    return factored<chain<First, Second>, identity>{e, {}};
  } else if constexpr (0 < factor_count<First>) {
    auto const second = begin_epilogue(e.second);
    using of_second = typename std::remove_const_t<decltype(second)>::factors_type;
    using rest = std::remove_const_t<decltype(second.rest)>;
    if constexpr (0 < factor_count<of_second>) {
      return factored<chain<First, of_second>, rest>{{e.first, second.factors}, second.rest};
    } else {
      return factored<First, Second>{e.first, e.second};
    }
  } else {
    auto const first = begin_epilogue(e.first);
    using of_first = typename std::remove_const_t<decltype(first)>::factors_type;
    using rest = std::remove_const_t<decltype(first.rest)>;
    if constexpr (0 < factor_count<of_first>) {
      return factored<of_first, chain<rest, Second>>{first.factors, {first.rest, e.second}};
    } else {
      return factored<no_scales, chain<First, Second>>{{}, e};
    }
  }
}

template <class Epilogue>
inline constexpr bool begins_with_factors =
    !std::is_same_v<typename decltype(begin_epilogue(std::declval<Epilogue const&>()))::factors_type, no_scales>;

/// Whether factors are the same for all elements of a product.
template <class F>
inline constexpr bool is_uniform = factor_count<F> <= 1 && varies_of<F> == varies::never;
template <class First, class Second>
inline constexpr bool is_uniform<chain<First, Second>> = is_uniform<First>&& is_uniform<Second>;

/// The factors of the transposed product.
template <class F>
constexpr F transposed_factors(F const& f) {
  return f;
}
template <class T>
constexpr auto transposed_factors(per_line<T, row_scale_kind> const& f) {
  return per_line<T, column_scale_kind>{f.data, f.length};
}
template <class T>
constexpr auto transposed_factors(per_line<T, column_scale_kind> const& f) {
  return per_line<T, row_scale_kind>{f.data, f.length};
}
template <class First, class Second>
constexpr auto transposed_factors(chain<First, Second> const& f) {
  using first = decltype(transposed_factors(f.first));
  using second = decltype(transposed_factors(f.second));
  return chain<first, second>{transposed_factors(f.first), transposed_factors(f.second)};
}

}  // namespace gemm::detail
