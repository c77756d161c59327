// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products that share A and B, of which each multiplies a range of k that lies in device memory.
//!
//!     columns of A, rows of B   | 0 0 0 | 1 | 3 3 3 3 |  -     ends 3, 4, 4, 8: product 2 has no k
//!
//! A product's operands end where its range does. All loads put zeros behind, or before, in A and in B: what lies there
//! is the next product's, and zero times its NaN would be NaN.
//!
//! By TMA, where k runs from row to row: a map has block_k rows from each row of memory on, first of which is the
//! batch's coordinate. A box of a tile with `valid` of k begins at row valid - block_k: so many zeros, and then the k.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/operand.hpp>
#include <gemm/block/own_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/ragged.hpp>

namespace gemm::detail {

/// What the products have in common, of all k; batch_count products.
template <class Problem>
struct ragged_k_problem : Problem {
  line_ranges ranges;

  using common = Problem;
  static constexpr char const* kind = "ragged k";
  template <class Other>
  ragged_k_problem<Other> around(Other const& p) const {
    return {p, ranges};
  }
};

template <class Problem>
inline constexpr bool is_ragged_k_problem = false;
template <class Problem>
inline constexpr bool is_ragged_k_problem<ragged_k_problem<Problem>> = true;

template <class Problem>
inline constexpr bool has_own_problems<ragged_k_problem<Problem>> = true;

/// The problem with the k of one product.
template <class Problem>
__host__ __device__ Problem part_of(ragged_k_problem<Problem> const& whole, std::int64_t product) {
  using storage = typename Problem::storage;
  Problem p = whole;
  line_range const range = whole.ranges.of(static_cast<int>(product), whole.k);
  p.a.data += storage::a == major::k ? range.first : range.first * p.a.ld;
  p.b.data += storage::b == major::k ? range.first : range.first * p.b.ld;
  set_k(p, range.end - range.first);
  return p;
}

/// The maps of operands that are not clipped at their outer edge are those of whole tiles.
template <class Problem>
inline constexpr bool has_edges<ragged_k_problem<Problem>> = false;

/// Where TMA finds a tile of a matrix of a batch: its coordinates along k, and of its matrix. By reference: by value,
/// nvcc orders the loads of large tiles otherwise.
struct k_of_matrix {
  template <class Problem>
  __device__ k_of_matrix(Problem const&, int) {}
  template <int>
  __device__ static int const& row(int const& k) {
    return k;
  }
  __device__ static int const& matrix(int const&, int const& batch) { return batch; }
};

/// Where the tile of a range from its `k` on begins for TMA: at which row of the matrix that begins at a row of memory.
/// Without k the tile has zeros alone.
struct k_of_range {
  int first, length;

  template <class Problem>
  __device__ k_of_range(ragged_k_problem<Problem> const& p, int product) {
    line_range const range = p.ranges.of(product, p.k);
    first = static_cast<int>(range.first);
    length = static_cast<int>(range.end - range.first);
  }
  template <int BlockK>
  __device__ int row(int k) const {
    return length - k < BlockK ? length - k - BlockK : 0;
  }
  __device__ int matrix(int k, int) const { return first + k; }
};

}  // namespace gemm::detail
