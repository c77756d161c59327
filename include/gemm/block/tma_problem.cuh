// SPDX-License-Identifier: BSL-1.0
//! @file
//! The parameter of kernels whose operands TMA loads.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include <gemm/arch/tma.cuh>
#include <gemm/block/wgmma_input.hpp>

namespace gemm {

namespace detail {

/// The same operands in boxes for tiles that lie partly outside C, and what those load (see swizzled_tile).
struct tma_edges {
  CUtensorMap a, b;
  int loaded_a, loaded_b;
};
struct no_edges {};
template <class Problem>
inline constexpr bool has_edges = arch::wgmma_element<typename Problem::element_a, typename Problem::element_b>;

/// Maps of C, where the memory of its parts has one each; 1 where there is one C.
template <class Problem>
inline constexpr int maps_of_c = 1;

/// Whether tiles that lie in C have a loop of their own, with constants.
template <class Problem>
inline constexpr bool loads_inner_tiles_apart = true;

/// Of a tile of so many rows, or columns, those within C where it lies partly outside; 0: none does.
template <class Problem>
int rows_at_edge(Problem const& p, int block_m) {
  return static_cast<int>(p.m % block_m);
}
template <class Problem>
int columns_at_edge(Problem const& p, int block_n) {
  return static_cast<int>(p.n % block_n);
}

/// Whether the tile between these rows, or columns, has no more within C than that.
template <class Problem>
__device__ bool is_row_edge(Problem const& p, std::int64_t, std::int64_t end) {
  return end > p.m;
}
template <class Problem>
__device__ bool is_column_edge(Problem const& p, std::int64_t, std::int64_t end) {
  return end > p.n;
}

}  // namespace detail

/// A problem and the tensor maps of its operands; without TMA they are not read. Not for users; not in detail, for
/// short symbols. `edges` is for wgmma's tiles of more than 32 rows and columns.
template <class Problem>
struct tma_problem {
  CUtensorMap a, b;
  Problem problem;
  std::conditional_t<detail::has_edges<Problem>, detail::tma_edges, detail::no_edges> edges = {};
};

/// The parameter of kernels that may store by TMA. `c` is read only if `stores`, which says that C is not read and that
/// TMA can address its rows. Not for users; not in detail, for short symbols.
template <class Problem>
struct tma_store_problem {
  tma_problem<Problem> loads;
  std::conditional_t<(detail::maps_of_c<Problem> > 1), CUtensorMap[detail::maps_of_c<Problem>], CUtensorMap> c;
  bool stores;
};

namespace detail {

/// The operands in a kernel's parameter.
template <class Problem>
__host__ __device__ tma_problem<Problem> const& loads_of(tma_problem<Problem> const& params) {
  return params;
}
template <class Problem>
__host__ __device__ tma_problem<Problem> const& loads_of(tma_store_problem<Problem> const& params) {
  return params.loads;
}

/// The problem in a kernel's parameter.
template <class Problem>
__host__ __device__ Problem const& problem_of(Problem const& x) {
  return x;
}
template <class Problem>
__host__ __device__ Problem const& problem_of(tma_problem<Problem> const& params) {
  return params.problem;
}
template <class Problem>
__host__ __device__ Problem const& problem_of(tma_store_problem<Problem> const& params) {
  return params.loads.problem;
}

/// A product's problem without its maps. Kernels know a product by its members: `loads`, with the problem and the maps
/// of A and B; and where C may be stored by TMA `c` and `stores`.
template <class Product>
using problem_of_product = std::remove_cvref_t<decltype(problem_of(std::declval<Product const&>()))>;

/// Whether a store by TMA leaves out what lies outside the product's C: the map ends where it does.
template <class Product>
inline constexpr bool is_clipped = true;

/// The coordinate in C's map of the work's matrix.
template <class Product>
__device__ int matrix_of_c(Product const&, int batch) {
  return batch;
}

/// The map of an operand's tile, and how much of it is loaded.
struct loaded {
  CUtensorMap const& map;
  int count;
};

/// A's, or B's, of the tile between these rows or columns; `most` is what a whole one loads.
template <class Loads>
__device__ loaded loaded_a(Loads const& params, std::int64_t begin, std::int64_t end, int most) {
  if constexpr (has_edges<problem_of_product<Loads>>) {
    return is_row_edge(params.problem, begin, end) ? loaded{params.edges.a, params.edges.loaded_a}
                                                   : loaded{params.a, most};
  } else {
    return {params.a, most};
  }
}
template <class Loads>
__device__ loaded loaded_b(Loads const& params, std::int64_t begin, std::int64_t end, int most) {
  if constexpr (has_edges<problem_of_product<Loads>>) {
    return is_column_edge(params.problem, begin, end) ? loaded{params.edges.b, params.edges.loaded_b}
                                                      : loaded{params.b, most};
  } else {
    return {params.b, most};
  }
}

/// Whether a skinny tile's operand has many rows: reads of all at the same time then keep memory from reading on in
/// each (see reads_on() and load_tma).
__host__ __device__ constexpr bool are_many_lines(std::int64_t lines) { return lines >= 16384; }

/// Has TMA fetch the maps before it needs them, if there are any: without k there is nothing to load.
template <class Problem>
__device__ void prefetch_maps(tma_problem<Problem> const& params) {
  if (params.problem.k > 0) {
    arch::prefetch_tensormap(params.a);
    arch::prefetch_tensormap(params.b);
  }
}
template <class Problem>
__device__ void prefetch_maps(tma_store_problem<Problem> const& params) {
  prefetch_maps(params.loads);
  if constexpr (maps_of_c<Problem> == 1) {
    if (params.stores) {
      arch::prefetch_tensormap(params.c);
    }
  }
}

}  // namespace detail

}  // namespace gemm
