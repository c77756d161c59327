// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products that have a range of C's rows each, or of its columns: the ranges lie in device memory.
//!
//!     rows of A and C   | 0 0 0 | 1 | 3 3 3 3 |  -     one matrix; ends 3, 4, 4, 8: product 2 has no rows
//!     or                | 0 0 - | 1 - - |  - - - |     a batch; counts 2, 1, 0
//!
//! A kernel sees a product as a problem of all rows, whose m is where the range ends, and the origin that its tiles are
//! counted from.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/block/sharded_problem.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/ragged.hpp>

namespace gemm::detail {

/// What the products have in common: all rows as m, or OfColumns all columns as n; batch_count products.
template <class Problem, bool OfColumns>
struct ragged_problem : Problem {
  static constexpr bool of_columns = OfColumns;
  line_ranges ranges;

  using common = Problem;
  static constexpr char const* kind = "ragged";
  template <class Other>
  ragged_problem<Other, OfColumns> around(Other const& p) const {
    return {p, ranges};
  }

  __host__ __device__ line_range range(int product) const {
    if constexpr (is_sharded<Problem>) {
      return range_of_shard(*this, product, this->m);
    } else {
      return ranges.of(product, OfColumns ? this->n : this->m);
    }
  }
};

template <class Problem>
inline constexpr bool is_ragged_problem = false;
template <class Problem, bool OfColumns>
inline constexpr bool is_ragged_problem<ragged_problem<Problem, OfColumns>> = true;

/// Along the ragged side, smaller boxes are for tiles with so few rows: what a larger one loads behind a product's last
/// row is the next one's, and not stored.
inline constexpr int few_ragged_lines = 16;
template <class Problem, bool OfColumns>
inline constexpr bool loads_inner_tiles_apart<ragged_problem<Problem, OfColumns>> = false;
template <class Problem>
int rows_at_edge(ragged_problem<Problem, false> const&, int) {
  return few_ragged_lines;
}
template <class Problem>
int columns_at_edge(ragged_problem<Problem, true> const&, int) {
  return few_ragged_lines;
}
template <class Problem>
__device__ bool is_row_edge(ragged_problem<Problem, false> const& p, std::int64_t begin, std::int64_t) {
  return p.m - begin <= few_ragged_lines;
}
template <class Problem>
__device__ bool is_column_edge(ragged_problem<Problem, true> const& p, std::int64_t begin, std::int64_t) {
  return p.n - begin <= few_ragged_lines;
}

/// A problem that ends where its product does.
template <class Problem, bool OfColumns>
__host__ __device__ ragged_problem<Problem, OfColumns> part_of(ragged_problem<Problem, OfColumns> p, int product) {
  line_range const range = p.range(product);
  (OfColumns ? p.n : p.m) = range.end;
  if constexpr (scatters_c<Problem>) {
    p.c.data = static_cast<typename Problem::output*>(p.signals->results[product]) - range.first * p.c.ld;
  }
  return p;
}

/// The same with the maps of all rows, which remain where they are.
template <class Problem>
struct ragged_loads {
  CUtensorMap const &a, &b;
  Problem problem;
  decltype(tma_problem<Problem>::edges) const& edges;
};
template <class Problem>
struct ragged_product {
  ragged_loads<Problem> loads;
  CUtensorMap const& c;
  bool stores;
};

template <class Problem>
__device__ ragged_loads<Problem> loads_of(ragged_loads<Problem>&& product) {
  return product;
}
template <class Problem>
__device__ ragged_loads<Problem> loads_of(ragged_product<Problem>&& product) {
  return product.loads;
}
template <class Problem>
__device__ Problem problem_of(ragged_loads<Problem>&& product) {
  return product.problem;
}
template <class Problem>
__device__ Problem problem_of(ragged_product<Problem>&& product) {
  return product.loads.problem;
}
template <class Problem>
__device__ Problem const& problem_of(ragged_loads<Problem> const& product) {
  return product.problem;
}
template <class Problem>
__device__ Problem const& problem_of(ragged_product<Problem> const& product) {
  return product.loads.problem;
}

/// Behind a product's last row are rows of the next one, unless each has a map of its own.
template <class Problem>
inline constexpr bool is_clipped<ragged_product<Problem>> = scatters_c<Problem>;
template <scatters_c Problem>
inline constexpr int maps_of_c<Problem> = most_peers;

/// C's map has one matrix for all products, or one for each.
template <class Problem>
__device__ int matrix_of_c(ragged_product<Problem> const& product, int batch) {
  return product.loads.problem.c.batch_stride == 0 ? 0 : batch;
}

}  // namespace gemm::detail
