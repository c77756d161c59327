// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a kernel is told whose operands TMA brings.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/tma.cuh>
#include <gemm/block/tensor_core_input.hpp>

namespace gemm {

namespace detail {

/// The same operands in boxes for tiles that lie partly outside C, and what those bring (see swizzled_tile).
struct tma_edges {
  CUtensorMap a, b;
  int brought_a, brought_b;
};
struct no_edges {};
template <class Problem>
inline constexpr bool has_edges = arch::wgmma_element<typename Problem::input>;

}  // namespace detail

/// A problem and the maps by which TMA finds its operands; without TMA they are not read. Not for users; it is not in
/// detail for the kernels' symbols. `edges` is for the tensor cores' tiles that are not slim.
template <class Problem>
struct tma_problem {
  CUtensorMap a, b;
  Problem problem;
  std::conditional_t<detail::has_edges<Problem>, detail::tma_edges, detail::no_edges> edges = {};
};

/// What a kernel is told that may store by TMA. `c` is read only if `stores`, which says that C is not read and that
/// TMA can find its rows. Not for users; it is not in detail for the kernels' symbols.
template <class Problem>
struct tma_store_problem {
  tma_problem<Problem> loads;
  CUtensorMap c;
  bool stores;
};

namespace detail {

/// Where in what a kernel is told the operands are.
template <class Problem>
__host__ __device__ tma_problem<Problem> const& loads_of(tma_problem<Problem> const& x) {
  return x;
}
template <class Problem>
__host__ __device__ tma_problem<Problem> const& loads_of(tma_store_problem<Problem> const& x) {
  return x.loads;
}

/// By which map an operand's tile is brought, and how much of it.
struct brought {
  CUtensorMap const& map;
  int count;
};

/// A's, or B's: `end` is where the tile ends, and `most` what a whole one brings.
template <class Problem>
__device__ brought brought_a(tma_problem<Problem> const& x, std::int64_t end, int most) {
  if constexpr (has_edges<Problem>) {
    return end > x.problem.m ? brought{x.edges.a, x.edges.brought_a} : brought{x.a, most};
  } else {
    return {x.a, most};
  }
}
template <class Problem>
__device__ brought brought_b(tma_problem<Problem> const& x, std::int64_t end, int most) {
  if constexpr (has_edges<Problem>) {
    return end > x.problem.n ? brought{x.edges.b, x.edges.brought_b} : brought{x.b, most};
  } else {
    return {x.b, most};
  }
}

/// Whether lines of a slim tile's operand are so many that those which are read at the same time keep memory from
/// reading on in each (see reads_on() and load_slice()).
__host__ __device__ constexpr bool are_many_lines(std::int64_t lines) { return lines >= 16384; }

/// Has TMA fetch the maps before it needs them, if there are any: without k there is nothing to load.
template <class Problem>
__device__ void prefetch_maps(tma_problem<Problem> const& x) {
  if (x.problem.k > 0) {
    arch::prefetch_tensormap(x.a);
    arch::prefetch_tensormap(x.b);
  }
}

}  // namespace detail

}  // namespace gemm
