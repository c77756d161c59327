// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products whose views lie in device memory.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block/own_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/epilogue/factors.hpp>
#include <gemm/matrix.hpp>

namespace gemm::detail {

/// What the products have in common, sizes that are typical, and the caller's views: the kernels' A is B's transpose
/// where C is column-major.
template <class Problem, class A, class B, class C>
struct grouped_problem : Problem {
  static constexpr bool swaps = C::layout == order::column;
  A const* of_a;
  B const* of_b;
  C const* of_c;

  using common = Problem;
  static constexpr char const* kind = "grouped";
  template <class Other>
  grouped_problem<Other, A, B, C> around(Other const& p) const {
    return {p, of_a, of_b, of_c};
  }
};

template <class Problem>
inline constexpr bool is_grouped_problem = false;
template <class Problem, class A, class B, class C>
inline constexpr bool is_grouped_problem<grouped_problem<Problem, A, B, C>> = true;

template <class Problem, class A, class B, class C>
inline constexpr bool has_own_problems<grouped_problem<Problem, A, B, C>> = true;

/// The rows and columns of a product's C, as kernels count them.
struct product_extents {
  std::int64_t m, n;
};
template <class Problem, class A, class B, class C>
__host__ __device__ product_extents extents_of(grouped_problem<Problem, A, B, C> const& whole, std::int64_t product) {
  C const& c = whole.of_c[product];
  std::int64_t const rows = c.rows > 0 ? c.rows : 0, columns = c.columns > 0 ? c.columns : 0;
  return C::layout == order::column ? product_extents{columns, rows} : product_extents{rows, columns};
}

/// The problem of one product. Without A and B, as where alpha is 0, it has no k.
template <class Problem, class A, class B, class C>
__host__ __device__ Problem part_of(grouped_problem<Problem, A, B, C> const& whole, std::int64_t product) {
  using output = typename Problem::output;
  constexpr std::uintptr_t wide = sizeof(output) * widest<output>;
  Problem p = whole;
  A const& a = whole.of_a[product];
  B const& b = whole.of_b[product];
  C const& c = whole.of_c[product];
  auto const point_to = [](auto& operand, auto const& view) {
    operand.data = reinterpret_cast<decltype(operand.data)>(view.data);
    operand.ld = view.ld;
    operand.batch_stride = 0;
  };
  if constexpr (C::layout == order::column) {
    point_to(p.a, b);
    point_to(p.b, a);
  } else {
    point_to(p.a, a);
    point_to(p.b, b);
  }
  point_to(p.c, c);
  product_extents const extents = extents_of(whole, product);
  p.m = extents.m;
  p.n = extents.n;
  p.alpha = times_factors<typename Problem::accum>(whole.alpha, a.factor, b.factor);
  set_k(p, whole.k == 0 || a.columns < 0 ? 0 : a.columns);
  p.vector_c =
      (reinterpret_cast<std::uintptr_t>(c.data) | static_cast<std::uintptr_t>(c.ld) * sizeof(output)) % wide == 0;
  return p;
}

}  // namespace gemm::detail
