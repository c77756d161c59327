// SPDX-License-Identifier: BSL-1.0
//! @file
//! From the caller's views to the kernels' problem: a column-major C becomes the row-major product of the transposed
//! operands, and all below knows row-major C alone. And from a problem to one of other types.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <gemm/block/problem.cuh>
#include <gemm/element.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/epilogue/accum_factors.hpp>
#include <gemm/epilogue/factors.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/scales.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

/// The storage of operands whose views have these orders.
template <order A, order B>
using storage_of = std::conditional_t<A == order::row, std::conditional_t<B == order::row, nn, nt>,
                                      std::conditional_t<B == order::row, tn, tt>>;

/// The epilogue of the transposed product.
template <class Epilogue>
swapped<Epilogue> swapped_epilogue(Epilogue const& epilogue) {
  return {epilogue};
}
inline identity swapped_epilogue(identity) { return {}; }  // the same kernels as for a row-major C
template <class Factors, class Rest>
auto swapped_epilogue(factored<Factors, Rest> const& e) {
  using of_transpose = decltype(transposed_factors(e.factors));
  using rest = decltype(swapped_epilogue(e.rest));
  return factored<of_transpose, rest>{transposed_factors(e.factors), swapped_epilogue(e.rest)};
}

/// Whether a product reads A and B. As in BLAS: neither where alpha is 0 nor where k is.
template <class Scalar>
constexpr bool reads_operands(Scalar alpha, std::int64_t k) {
  return alpha != Scalar(0) && k > 0;
}

/// Replaces alpha where A and B are not read, so that C becomes beta C in every kernel: alpha's NaN or Inf times
/// accumulators of 0 would not. With a beta, -0 is added, which changes no zero's sign either; without one, C becomes
/// +0.
template <class Scalar>
constexpr Scalar alpha_of_nothing(Scalar beta) {
  return beta == Scalar(0) ? Scalar(1) : Scalar(-1);
}

/// The rule of alpha and the operands' factors: kernels are given their product as one number.
template <class Scalar, class A, class B>
status check_factors(Scalar alpha, A const& a, B const& b) {
  if constexpr (std::is_floating_point_v<Scalar>) {
    Scalar const product = times_factors<Scalar>(alpha, a.factor, b.factor);
    if (std::isnormal(alpha) && std::isnormal(a.factor) && std::isnormal(b.factor) && !std::isnormal(product)) {
      return broken_rule(
          "alpha and the factors of A and B are %g, %g and %g, need a product that is a %s: scale A or "
          "B by a number in device memory",
          double{alpha}, double{a.factor}, double{b.factor}, element_traits<Scalar>::name.data());
    }
  }
  return {};
}

/// The options with the operands' factors in alpha. As in BLAS, an alpha of 0 remains, whatever it is multiplied by.
template <class A, class B, class Scalar>
options<Scalar> with_factors(options<Scalar> opts, A const& a, B const& b) {
  if (opts.alpha != Scalar(0)) {
    opts.alpha = times_factors<Scalar>(opts.alpha, a.factor, b.factor);
  }
  return opts;
}

/// A kernel's leading dimension of a matrix. Where no row that is read or written follows another, it is as small as
/// possible with the same alignment. Addresses of rows that do not exist then overflow nowhere.
template <class T, order Order>
constexpr std::int64_t used_ld(matrix<T, Order> const& m, bool is_used) {
  constexpr std::int64_t alignment = 128;  // elements: cache lines of every type
  std::int64_t const lines = Order == order::row ? m.rows : m.columns,
                     length = Order == order::row ? m.columns : m.rows, least = length > 1 ? length : 1;
  return is_used && lines > 1 ? m.ld : least + (m.ld - least) % alignment;
}

/// An operand with its scales, which take no memory where there are none.
template <class T, major Major, class Scales>
operand<T, Major, Scales> operand_of(strided<T const> const& elements, Scales const& scales) {
  if constexpr (std::is_same_v<Scales, no_scales>) {
    return {elements};
  } else {
    return {elements, scales};
  }
}

/// The problem C = epilogue(alpha A B + beta C), without the views' factors, with such scales of A and B. `tiles_m`,
/// `tiles_n` and `vector_c` are left to the launch.
template <class TA, order A, class TB, order B, class TC, order C, class Scalar, class Epilogue,
          class ScalesA = no_scales, class ScalesB = no_scales>
auto problem_of(matrix<TA, A> const& a, matrix<TB, B> const& b, matrix<TC, C> const& c, Scalar alpha, Scalar beta,
                Epilogue const& epilogue, ScalesA const& scales_a = {}, ScalesB const& scales_b = {}) {
  if constexpr (C == order::column) {
    auto p = problem_of(transposed(b), transposed(a), transposed(c), alpha, beta, swapped_epilogue(epilogue),
                        transposed(scales_b), transposed(scales_a));
    p.swapped_ab = true;
    return p;
  } else {
    using element_a = std::remove_const_t<TA>;
    using element_b = std::remove_const_t<TB>;
    constexpr major major_a = storage_of<A, B>::a, major_b = storage_of<A, B>::b;
    using result = problem<operand<element_a, major_a, ScalesA>, operand<element_b, major_b, ScalesB>, TC, Epilogue>;
    // A batch of one is used for all of C's.
    std::int64_t const stride_a = a.batch_count == 1 ? 0 : a.batch_stride;
    std::int64_t const stride_b = b.batch_count == 1 ? 0 : b.batch_stride;
    std::int64_t const stride_c = c.batch_count == 1 ? 0 : c.batch_stride;  // means nothing, not even an alignment
    bool const reads = reads_operands(alpha, a.columns);
    return result{.m = c.rows,
                  .n = c.columns,
                  .k = reads ? a.columns : 0,
                  .a = operand_of<element_a, major_a>({a.data, used_ld(a, reads), stride_a}, scales_a),
                  .b = operand_of<element_b, major_b>({b.data, used_ld(b, reads), stride_b}, scales_b),
                  .c = {c.data, used_ld(c, true), stride_c},
                  .batch_count = c.batch_count,
                  .alpha = reads ? alpha : alpha_of_nothing(beta),
                  .beta = beta,
                  .tiles_m = 0,
                  .tiles_n = 0,
                  .vector_c = false,
                  .swapped_ab = false,
                  .squares_of_b = false,
                  .constant = {},
                  .epilogue = epilogue};
  }
}

/// The problem with another C, epilogue and storage: that of the copies that are to replace A and B, or the one by
/// which a kernel knows all four.
template <class Storage, class Problem, class Out, class Epilogue>
auto problem_like(Problem const& p, Out* c, Epilogue const& epilogue) {
  using element_a = typename Problem::element_a;
  using element_b = typename Problem::element_b;
  using a = operand<element_a, Storage::a, typename Problem::scales_a>;
  using b = operand<element_b, Storage::b, typename Problem::scales_b>;
  return problem<a, b, Out, Epilogue>{.m = p.m,
                                      .n = p.n,
                                      .k = p.k,
                                      .a = operand_of<element_a, Storage::a>(p.a, p.a.factors()),
                                      .b = operand_of<element_b, Storage::b>(p.b, p.b.factors()),
                                      .c = {c, p.c.ld, p.c.batch_stride},
                                      .batch_count = p.batch_count,
                                      .alpha = p.alpha,
                                      .beta = p.beta,
                                      .tiles_m = p.tiles_m,
                                      .tiles_n = p.tiles_n,
                                      .vector_c = p.vector_c,
                                      .swapped_ab = p.swapped_ab,
                                      .squares_of_b = p.squares_of_b,
                                      .constant = p.constant,
                                      .epilogue = epilogue};
}

}  // namespace gemm::detail
