// SPDX-License-Identifier: BSL-1.0
//! @file
//! Prepares products whose views lie in device memory for a kernel that loads by TMA: each as a problem with its maps.
//!
//! The first block counts tiles. In the others, a warp for each product edits copies of the host's maps in shared
//! memory, a lane for each map, and copies them to the workspace.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/target.cuh>
#include <gemm/arch/tensor_map.cuh>
#include <gemm/block/grouped_problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/schedule/find_product.cuh>
#include <gemm/schedule/grouped.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm {

/// Products, and maps of A, B and C of which all but address, extents and stride are right. `tile_m`, `tile_n`: of a
/// cluster. Not for users; not in detail, for short symbols.
template <class Problem>
struct unprepared_products {
  CUtensorMap maps[3];  // of A, B and C
  Problem problem;
  int count, tile_m, tile_n, tile_k;
};

namespace detail {

inline constexpr int maps_of_product = 3;
inline constexpr int prepare_threads = 256, prepare_warps = prepare_threads / 32;

struct prepare_storage {
  alignas(128) CUtensorMap maps[prepare_warps][maps_of_product];
  unsigned of_warp[prepare_warps];
};

/// Writes the tiles of each product, none of those that TMA cannot load, and how many these are. By one block.
template <class Problem>
__device__ void count_tiles(unprepared_products<Problem> const& params, prepare_storage& shared) {
  int const warp = static_cast<int>(threadIdx.x) / 32;
  unsigned before = 0, others = 0;
  for (int first = 0; first < params.count; first += prepare_threads) {
    int const product = first + static_cast<int>(threadIdx.x);
    counted_tiles own{};
    if (product < params.count) {
      auto const p = part_of(params.problem, product);
      if (can_load_by_tma(p)) {
        schedule const s = tiles_of_product(schedule{}, params.problem, product, params.tile_m, params.tile_n);
        own = {tiles_in(s), s.tiles_m, s.tiles_n, static_cast<int>((p.k + params.tile_k - 1) / params.tile_k)};
      } else {
        ++others;
      }
    }
    unsigned until = before + sum_up_to_lane(own.end);
    if (threadIdx.x % 32 == 31) {
      shared.of_warp[warp] = until - before;
    }
    __syncthreads();
    for (int i = 0; i < prepare_warps; ++i) {
      until += i < warp ? shared.of_warp[i] : 0;
      before += shared.of_warp[i];
    }
    if (product < params.count) {
      own.end = until;
      params.problem.prepared.tiles[product] = own;
    }
    __syncthreads();  // for the next to be written
  }
  unsigned const until = sum_up_to_lane(others);
  if (threadIdx.x % 32 == 31) {
    shared.of_warp[warp] = until;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    others = 0;
    for (unsigned const of_one : shared.of_warp) {
      others += of_one;
    }
    *params.problem.prepared.others = others;
  }
}

/// Makes a map that of a matrix; of none that TMA can address, of an element that is not read.
__device__ inline void edit_map_of(CUtensorMap& map, mapped_matrix const& matrix, bool used, void const* otherwise) {
  arch::replace_map_address(map, used ? matrix.data : otherwise);
  arch::replace_map_extent<0>(map, used ? static_cast<std::uint32_t>(matrix.inner) : 1);
  arch::replace_map_extent<1>(map, used ? static_cast<std::uint32_t>(matrix.outer) : 1);
  arch::replace_map_row_stride(map, used && matrix.outer > 1 ? static_cast<std::uint64_t>(matrix.row_bytes) : 16);
}

/// Writes a warp's products.
template <class Problem>
__device__ void write_products(unprepared_products<Problem> const& params, CUtensorMap (&own)[maps_of_product]) {
  using word = vector<std::uint32_t, 4>;
  constexpr int words = sizeof(CUtensorMap) / sizeof(word);
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  if (lane < maps_of_product * words) {
    reinterpret_cast<word*>(own)[lane] = reinterpret_cast<word const*>(params.maps)[lane];
  }
  int const warps = static_cast<int>(gridDim.x - 1) * prepare_warps;
  for (int product = static_cast<int>(blockIdx.x - 1) * prepare_warps + warp; product < params.count;
       product += warps) {
    auto& to = params.problem.prepared.products[product];
    __syncwarp();  // the maps may be written
    if (lane < maps_of_product) {
      auto const p = part_of(params.problem, product);
      bool const loads = p.k > 0 && can_load_by_tma(p), stores = can_store_by_tma(p);
      edit_map_of(own[lane],
                  lane == 0   ? mapped_a(p)
                  : lane == 1 ? mapped_b(p)
                              : mapped_c(p),
                  lane == 2 ? stores : loads, &to);
      if (lane == 0) {
        to.problem = p;
        to.stores = stores;
      }
    }
    __syncwarp();  // for those of the other lanes
    arch::publish_map(&to.a, own[0]);
    arch::publish_map(&to.b, own[1]);
    arch::publish_map(&to.c, own[2]);
  }
}

template <class Problem>
__global__ void __launch_bounds__(prepare_threads)
    prepare_grouped_kernel(__grid_constant__ unprepared_products<Problem> const params) {
  if constexpr (arch::has_sm90a_bodies) {
    auto& shared = arch::dynamic_shared_memory<prepare_storage>();
    arch::wait_for_dependency();  // for who writes the views, and who reads the last maps
    arch::launch_dependents();
    if (blockIdx.x == 0) {
      count_tiles(params, shared);
    } else {
      write_products(params, shared.maps[threadIdx.x / 32]);
    }
  } else {
    __trap();
  }
}

}  // namespace detail

}  // namespace gemm
