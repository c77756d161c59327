// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products whose views lie in device memory.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block/own_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/epilogue/factors.hpp>
#include <gemm/matrix.hpp>

namespace gemm::detail {

/// A product's tiles of C and of k, and how many of C there are up to its last.
struct alignas(16) counted_tiles {
  unsigned end;
  int tiles_m, tiles_n, k_tiles;
};

/// A product for a kernel that loads by TMA. `stores`: whether that may store C, too, where it is not read.
template <class Problem>
struct alignas(128) prepared_product {
  CUtensorMap a, b, c;
  Problem problem;
  bool stores;
};

/// What a kernel before that has written; and for how many products none is to be loaded so.
template <class Problem>
struct prepared_products {
  prepared_product<Problem>* products;
  counted_tiles* tiles;
  unsigned* others;
};

/// What the products have in common, sizes that are typical, and the caller's views: the kernels' A is B's transpose
/// where C is column-major.
template <class Problem, class A, class B, class C>
struct grouped_problem : Problem {
  static constexpr bool swaps = C::layout == order::column;
  A const* of_a;
  B const* of_b;
  C const* of_c;
  prepared_products<Problem> prepared = {};
  bool leaves_to_tma = false;  // those that another kernel has loaded by TMA

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

/// A matrix as a tensor map has it: rows of `inner` elements.
struct mapped_matrix {
  void const* data;
  std::int64_t inner, outer, row_bytes;

  /// Whether TMA can address it. A single row has no stride.
  __host__ __device__ bool is_legal() const {
    constexpr std::int64_t most = 0x7fffffff, stride_end = std::int64_t{1} << 40;
    return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && inner >= 1 && inner <= most && outer >= 1 &&
           outer <= most && (outer == 1 || (row_bytes > 0 && row_bytes < stride_end && row_bytes % 16 == 0));
  }
};
template <class T>
__host__ __device__ mapped_matrix mapped(strided<T> const& m, bool by_row, std::int64_t extent, std::int64_t along) {
  return {m.data, by_row ? along : extent, by_row ? extent : along, m.ld * static_cast<std::int64_t>(sizeof(T))};
}
template <class Problem>
__host__ __device__ mapped_matrix mapped_a(Problem const& p) {
  return mapped(p.a, Problem::storage::a == major::k, p.m, p.k);
}
template <class Problem>
__host__ __device__ mapped_matrix mapped_b(Problem const& p) {
  return mapped(p.b, Problem::storage::b == major::k, p.n, p.k);
}
template <class Problem>
__host__ __device__ mapped_matrix mapped_c(Problem const& p) {
  return mapped(p.c, true, p.m, p.n);
}

/// Whether TMA can load the operands of a product. Without k there is nothing to load.
template <class Problem>
__host__ __device__ bool can_load_by_tma(Problem const& p) {
  constexpr std::int64_t most = 0x7fffffff;
  return p.m <= most && p.n <= most && (p.k == 0 || (mapped_a(p).is_legal() && mapped_b(p).is_legal()));
}
/// And whether it can store C and nothing else: it writes whole pieces of 16 bytes.
template <class Problem>
__host__ __device__ bool can_store_by_tma(Problem const& p) {
  return p.vector_c && p.n % widest<typename Problem::output> == 0 && mapped_c(p).is_legal();
}

/// A product and its maps, which remain in memory.
template <class Problem>
struct grouped_loads {
  CUtensorMap const &a, &b;
  Problem const& problem;
};
template <class Problem>
struct grouped_product {
  grouped_loads<Problem> loads;
  CUtensorMap const& c;
  bool stores;
};

template <class Problem>
__device__ grouped_loads<Problem> loads_of(grouped_loads<Problem> const& product) {
  return product;
}
template <class Problem>
__device__ grouped_loads<Problem> loads_of(grouped_product<Problem> const& product) {
  return product.loads;
}
template <class Problem>
__device__ Problem const& problem_of(grouped_loads<Problem> const& product) {
  return product.problem;
}
template <class Problem>
__device__ Problem const& problem_of(grouped_product<Problem> const& product) {
  return product.loads.problem;
}

/// All tiles are loaded by the maps of whole ones, and C's map has one matrix.
template <class Problem, class A, class B, class C>
inline constexpr bool has_edges<grouped_problem<Problem, A, B, C>> = false;
template <class Problem>
__device__ loaded loaded_a(grouped_loads<Problem> const& loads, std::int64_t, std::int64_t, int most) {
  return {loads.a, most};
}
template <class Problem>
__device__ loaded loaded_b(grouped_loads<Problem> const& loads, std::int64_t, std::int64_t, int most) {
  return {loads.b, most};
}
template <class Problem>
__device__ int matrix_of_c(grouped_product<Problem> const&, int) {
  return 0;
}

}  // namespace gemm::detail
