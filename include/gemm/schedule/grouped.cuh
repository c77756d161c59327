// SPDX-License-Identifier: BSL-1.0
//! @file
//! Works of products whose sizes lie in device memory: no launch can have a block for each, so a block takes
//! one after the other.
//!
//! Tiles are numbered product by product, and within a product as in any other (schedule/work.cuh).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/grouped_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/schedule/block_works.cuh>
#include <gemm/schedule/find_product.cuh>
#include <gemm/schedule/own_problem.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// The work at hand, which all threads of the block read, in shared memory behind what the policy has there.
struct grouped_work {
  work item;
  int product;      // the work's,
  unsigned before;  // and the tiles of those before it
  bool found;
};
template <class Policy, class Accum>
inline constexpr std::size_t grouped_work_begins = (Policy::template shared_bytes<Accum> + 15) / 16 * 16;
template <class Policy, class Accum>
inline constexpr std::size_t grouped_shared_bytes = grouped_work_begins<Policy, Accum> + sizeof(grouped_work);

template <class Policy, class Accum>
__device__ grouped_work& work_at_hand() {
  struct memory {
    alignas(16) unsigned char of_policy[grouped_work_begins<Policy, Accum>];
    grouped_work current;
  };
  return arch::dynamic_shared_memory<memory>().current;
}

/// A parameter with such products.
template <class Parameter>
concept grouped_parameter = is_grouped_problem<Parameter>;

/// The tiles of one product, with all of its k.
template <class Problem>
__host__ __device__ schedule tiles_of_product(schedule s, Problem const& p, std::int64_t product, int tile_m,
                                              int tile_n) {
  product_extents const extents = extents_of(p, product);
  s.tiles_m = static_cast<int>((extents.m + tile_m - 1) / tile_m);
  s.tiles_n = static_cast<int>((extents.n + tile_n - 1) / tile_n);
  s.batches = 1;
  return s;
}
__host__ __device__ inline unsigned tiles_in(schedule const& s) { return tiles_of(s, s.tiles_n); }

/// A block's works, each found by its first warp, which goes on from the product that had the last.
template <class Policy, grouped_parameter Parameter>
class block_works<Policy, Parameter> {
 public:
  __device__ explicit block_works(scheduled<Parameter> const& params) : params_(params), index_(blockIdx.x) {
    if (threadIdx.x == 0) {
      current().product = 0;
      current().before = 0;
    }
    arch::wait_for_dependency();  // for who writes the views
    find();
  }
  __device__ bool next() {
    __syncthreads();  // nobody reads the work any more
    index_ += gridDim.x;
    find();
    return current().found;
  }

 private:
  __device__ static grouped_work& current() { return work_at_hand<Policy, typename Parameter::accum>(); }

  __device__ void find() {
    if (threadIdx.x < 32) {
      __syncwarp();  // the last work's product is there
      auto const tiles_of_one = [&](int product) {
        return tiles_of_product(params_.order, params_.io, product, Policy::block_m, Policy::block_n);
      };
      auto const tiles = [&](int product) {
        bool const leaves = params_.io.leaves_to_tma && can_load_by_tma(part_of(params_.io, product));
        return leaves ? 0 : tiles_in(tiles_of_one(product));
      };
      auto const set_current = [&](int product, unsigned before) {
        __syncwarp();  // all lanes have read where the search begins
        if (threadIdx.x == 0) {
          schedule s = tiles_of_one(product);
          std::int64_t const k = part_of(params_.io, product).k;
          s.k_tiles = static_cast<int>((k + Policy::block_k - 1) / Policy::block_k);
          current().item = whole_work(s);
          locate_tile(s, current().item, {index_ - before, 0, s.tiles_n});
          current().item.batch = current().product = product;
          current().before = before;
        }
      };
      bool const none = params_.io.leaves_to_tma && *params_.io.prepared.others == 0;
      bool const found =
          !none && find_product(params_.order.batches, index_, tiles, current().product, current().before, set_current);
      if (threadIdx.x == 0) {
        current().found = found;
      }
    }
    __syncthreads();  // the work is there
  }

  scheduled<Parameter> const& params_;
  unsigned index_;
};

/// The work at hand, where there is one.
template <class Policy, grouped_parameter Parameter>
__device__ bool work_of_block(scheduled<Parameter> const&, work& w) {
  grouped_work const& current = work_at_hand<Policy, typename Parameter::accum>();
  w = current.item;
  return current.found;
}
template <class Policy, grouped_parameter Parameter>
__device__ block_tile tile_in_grid(scheduled<Parameter> const& params) {
  work w{};
  if (!work_of_block<Policy>(params, w)) {
    return {0, 0, params.io.batch_count};
  }
  return {std::int64_t{w.tile_m} * Policy::block_m, std::int64_t{w.tile_n} * Policy::block_n, w.batch};
}

}  // namespace gemm::detail
