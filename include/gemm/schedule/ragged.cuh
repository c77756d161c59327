// SPDX-License-Identifier: BSL-1.0
//! @file
//! Works of products whose ranges of rows, or columns, lie in device memory: which product a tile's number belongs to.
//!
//! Tiles are numbered product by product, and within a product as in any other (schedule/work.cuh). Which block
//! computes a tile changes no bit of it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ragged_problem.cuh>
#include <gemm/block/sharded_problem.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/schedule/cluster_works.cuh>
#include <gemm/schedule/find_product.cuh>
#include <gemm/schedule/grid_work.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// Tiles along the ragged side of the product at a position; of the clusters' tiles, `extent` long.
template <class Problem>
struct ragged_tiles {
  Problem const& p;
  int extent, products;

  __host__ __device__ unsigned count(int position) const {
    line_range const range = p.range(product_at(p, position));
    return static_cast<unsigned>((range.end - range.first + extent - 1) / extent);
  }
};

/// Places the work on tile `index` of a product that has `count` tiles along its ragged side.
template <bool OfColumns>
__host__ __device__ void locate_ragged_tile(schedule s, work& w, unsigned index, unsigned count, int product) {
  (OfColumns ? s.tiles_n : s.tiles_m) = static_cast<int>(count);
  s.batches = 1;
  w = whole_work(s);
  locate_tile(s, w, {index, 0, s.tiles_n});
  w.batch = product;
}

/// The works of a persistent cluster, by one thread, which asks for them in order: it goes from product to product
/// once.
template <class Problem>
class ragged_walk {
 public:
  __host__ __device__ ragged_walk(schedule const& s, Problem const& p, int extent)
      : s_(s), tiles_{p, extent, s.batches}, count_(tiles_.count(0)) {}

  __host__ __device__ bool next(block_position const& block, int step, work& w) {
    auto const others = static_cast<unsigned>(Problem::of_columns ? s_.tiles_m : s_.tiles_n);
    unsigned const index = block.cluster + static_cast<unsigned>(step) * block.clusters, line = index / others;
    while (line >= before_ + count_) {
      if (++position_ >= tiles_.products) {
        return false;
      }
      before_ += count_;
      count_ = tiles_.count(position_);
    }
    locate_ragged_tile<Problem::of_columns>(s_, w, index - before_ * others, count_, product_at(tiles_.p, position_));
    return true;
  }
  __host__ __device__ Problem const& problem() const { return tiles_.p; }

 private:
  schedule const& s_;
  ragged_tiles<Problem> tiles_;
  int position_ = 0;
  unsigned before_ = 0, count_;
};

/// The work of a block that has one, by whole warps.
template <class Problem>
__device__ bool find_ragged_work(schedule const& s, Problem const& p, int extent, unsigned index, work& w) {
  ragged_tiles<Problem> const tiles{p, extent, s.batches};
  auto const others = static_cast<unsigned>(Problem::of_columns ? s.tiles_m : s.tiles_n);
  return find_product(
      s.batches, index / others, [&](int position) { return tiles.count(position); }, 0, 0,
      [&](int position, unsigned before) {
        locate_ragged_tile<Problem::of_columns>(s, w, index - before * others, tiles.count(position),
                                                product_at(p, position));
      });
}

/// A kernel's parameter with such products.
template <class Parameter>
concept ragged_parameter = is_ragged_problem<problem_of_product<Parameter>>;

/// The side of a cluster's tile along which products follow one another.
template <class Policy, class Parameter>
inline constexpr int ragged_extent = [] {
  constexpr bool of_columns = problem_of_product<Parameter>::of_columns;
  if constexpr (requires { Policy::cluster_m; }) {
    return of_columns ? Policy::block_n * Policy::cluster_n : Policy::block_m * Policy::cluster_m;
  } else {
    return of_columns ? Policy::block_n : Policy::block_m;
  }
}();

template <class Problem, bool OfColumns, class Index>
__device__ auto product_of(scheduled<ragged_problem<Problem, OfColumns>> const& params, Index product) {
  return part_of(params.io, static_cast<int>(product));
}
template <class Problem, bool OfColumns, class Index>
__device__ auto product_of(scheduled<tma_problem<ragged_problem<Problem, OfColumns>>> const& params, Index product) {
  return ragged_loads<ragged_problem<Problem, OfColumns>>{
      params.io.a, params.io.b, part_of(params.io.problem, static_cast<int>(product)), params.io.edges};
}
template <class Problem, bool OfColumns, class Index>
__device__ auto product_of(scheduled<tma_store_problem<ragged_problem<Problem, OfColumns>>> const& params,
                           Index product) {
  tma_problem<ragged_problem<Problem, OfColumns>> const& loads = params.io.loads;
  CUtensorMap const& c = [&]() -> CUtensorMap const& {
    if constexpr (scatters_c<Problem>) {
      return params.io.c[product];
    } else {
      return params.io.c;
    }
  }();
  return ragged_product<ragged_problem<Problem, OfColumns>>{
      {loads.a, loads.b, part_of(loads.problem, static_cast<int>(product)), loads.edges}, c, params.io.stores};
}

template <ragged_parameter Parameter, class Index>
__device__ product_origin origin_of(scheduled<Parameter> const& params, Index product) {
  std::int64_t const first = problem_of(params.io).range(static_cast<int>(product)).first;
  return problem_of_product<Parameter>::of_columns ? product_origin{0, first} : product_origin{first, 0};
}

template <class View>
__device__ View from_line(View view, std::int64_t first) {
  view.data += View::layout == major::k ? first * view.ld : first;
  view.extent -= first;
  return view;
}
template <ragged_parameter Parameter, class Index>
__device__ auto view_of_a(scheduled<Parameter> const& params, Index product) {
  return from_line(operand_a(problem_of(product_of(params, product)), product), origin_of(params, product).row);
}
template <ragged_parameter Parameter, class Index>
__device__ auto view_of_b(scheduled<Parameter> const& params, Index product) {
  return from_line(operand_b(problem_of(product_of(params, product)), product), origin_of(params, product).column);
}

/// The works of a persistent cluster, after the kernel before, which may write the ranges.
template <class Policy, ragged_parameter Parameter>
class cluster_works<Policy, Parameter> {
 public:
  __device__ explicit cluster_works(scheduled<Parameter> const& params)
      : walk_((arch::wait_for_dependency(), params.order), problem_of(params.io), ragged_extent<Policy, Parameter>) {}
  __device__ bool next(int step, work& w) {
    bool const found = walk_.next(position_in_grid(), step, w);
    if constexpr (awaits_a<problem_of_product<Parameter>>) {
      if (found) {
        wait_for_shard(walk_.problem(), here_, w.batch, w.tile_m, w.tile_n, ragged_extent<Policy, Parameter>);
      }
    }
    return found;
  }

 private:
  ragged_walk<problem_of_product<Parameter>> walk_;
  std::uint32_t here_ = 0;  // of A's shards
};

/// The work of a block in a grid of one work each: x counts the tiles, and y goes on where x ends.
template <class Policy, ragged_parameter Parameter>
__device__ bool work_of_block(scheduled<Parameter> const& params, work& w) {
  arch::wait_for_dependency();  // for who writes the ranges
  uint3 const block = arch::block_index();
  auto const& p = problem_of(params.io);
  bool const found =
      find_ragged_work(params.order, p, ragged_extent<Policy, Parameter>, block.x + gridDim.x * block.y, w);
  if constexpr (awaits_a<problem_of_product<Parameter>>) {
    if (found) {
      std::uint32_t here = 0;
      wait_for_shard(p, here, w.batch, w.tile_m, w.tile_n, ragged_extent<Policy, Parameter>);
    }
  }
  return found;
}

/// The block's tile, of the product behind the last where it has none.
template <class Policy, ragged_parameter Parameter>
__device__ block_tile tile_in_grid(scheduled<Parameter> const& params) {
  work w{};
  if (!work_of_block<Policy>(params, w)) {
    return {0, 0, problem_of(params.io).batch_count};
  }
  product_origin const origin = origin_of(params, w.batch);
  return {origin.row + std::int64_t{w.tile_m} * Policy::block_m,
          origin.column + std::int64_t{w.tile_n} * Policy::block_n, w.batch};
}

}  // namespace gemm::detail
