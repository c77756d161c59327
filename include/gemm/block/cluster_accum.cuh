// SPDX-License-Identifier: BSL-1.0
//! @file
//! The end of a kernel whose blocks share a tile of C, a slice of k each. They add their accumulators through each
//! other's shared memory.
#pragma once

#include <cuda_runtime.h>

#include <gemm/arch/cluster.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/shared_accum.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>

namespace gemm::detail {

/// Adds the accumulators that the cluster's blocks have in shared memory and stores C. Every block does a part of the
/// tile, and adds the slices in their order. From its own slice on, the last bits would depend on the position in the
/// tile.
///
/// By Threads threads of every block of the cluster; `thread` is their number. Accumulators are fetched, not sent, and
/// misaligned rows of C are not gathered: both are faster (docs/tuning-notes.md, cluster reduction).
template <class Policy, int Threads, class Problem>
__device__ void store_cluster_accum(Problem const& p, int slices, typename Problem::accum const* shared, int thread,
                                    block_tile const& tile) {
  using accum = typename Problem::accum;
  constexpr int width = widest<accum>, pitch = shared_tile_pitch<Policy, accum>;
  constexpr int in_row = Policy::block_n / width, pieces = Policy::block_m * in_row;
  // Pieces of a thread whose loads are in flight at the same time; few slices leave it more than one.
  constexpr int each = pieces / Threads / 4, together = each < 1 ? 1 : each < 4 ? each : 4;

  arch::cluster_arrive();
  arch::cluster_wait();  // for all accumulators of the tile to be there
  int const rank = static_cast<int>(arch::cluster_rank()), share = (pieces + slices - 1) / slices;
  int const end = (rank + 1) * share < pieces ? (rank + 1) * share : pieces;
  arch::shared_address const own = arch::shared_address_of(shared);
  for (int first = rank * share + thread; first < end; first += together * Threads) {
    accum total[together][width] = {};
#pragma unroll 2
    for (int slice = 0; slice < slices; ++slice) {
      arch::shared_address const theirs = arch::address_in_block(own, static_cast<unsigned>(slice));
      accum part[together][width];
#pragma unroll
      for (int t = 0; t < together; ++t) {
        int const piece = first + t * Threads < end ? first + t * Threads : end - 1;  // no branch between the loads
        arch::load_cluster(part[t], theirs + arch::offset((piece / in_row * pitch + piece % in_row * width) *
                                                          static_cast<int>(sizeof(accum))));
      }
#pragma unroll
      for (int t = 0; t < together; ++t) {
#pragma unroll
        for (int e = 0; e < width; ++e) {
          total[t][e] = multiply_add(accum(1), part[t][e], total[t][e]);
        }
      }
    }
#pragma unroll
    for (int t = 0; t < together; ++t) {
      int const piece = first + t * Threads;
      if (piece < end) {
        store_row<width>(p, total[t], tile.row + piece / in_row, tile.column + piece % in_row * width, tile.batch);
      }
    }
  }
  arch::cluster_arrive_relaxed();
  arch::cluster_wait();  // for nobody to read this block's accumulators any more
}

}  // namespace gemm::detail
