// SPDX-License-Identifier: BSL-1.0
//! @file
//! What sm80_mma's blocks have in shared memory, which work and which part of it is whose, and the loads of its tiles.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/block_index.cuh>
#include <gemm/arch/cp_async.cuh>
#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/mma_loader.cuh>
#include <gemm/block/mma_store.cuh>
#include <gemm/block/mma_tile.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/shared_accum.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/schedule/next_work.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/reduce.cuh>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// What a policy's blocks have in shared memory.
template <class Policy, class Problem>
struct sm80_mma_tiles {
  using a = mma_tile<static_cast<int>(sizeof(typename Problem::element_a)), Problem::storage::a, Policy::block_m,
                     Policy::block_k>;
  using b = mma_tile<static_cast<int>(sizeof(typename Problem::element_b)), Problem::storage::b, Policy::block_n,
                     Policy::block_k>;
  using strip = mma_strip<typename Problem::accum, Policy::warp_n, b::order>;
  static constexpr unsigned stage_bytes = a::bytes + b::bytes, ring_bytes = Policy::stages * stage_bytes;

  union shared_storage {
    alignas(1024) unsigned char ring[ring_bytes];
    strip of_warp[Policy::threads / 32];
  };
};

/// The block's work, which is asked for anew before the store instead of kept in registers. False: it has none.
template <class Policy, class Parameter>
__device__ bool work_of_block(scheduled<Parameter> const& params, work& w) {
  uint3 const block = arch::block_index();
  unsigned const of_layer = gridDim.x * gridDim.y, tile = block.x + gridDim.x * block.y;
  bool const shares = supports_cluster_slices<Policy> && params.order.mode == reduction::cluster;
  block_position const position{tile + (shares ? 0 : of_layer * block.z), of_layer * gridDim.z, shares ? block.z : 0};
  return next_work(params.order, position, 0, w);
}

/// The warp's part of the block's tile, likewise.
template <class Policy>
struct warp_position {
  int warp, lane, row, column;

  __device__ warp_position() {
    int const thread = arch::thread_index();
    warp = __shfl_sync(0xffffffffU, thread / 32, 0);  // made known to be the same for the warp
    lane = thread % 32;
    row = warp % Policy::warps_m * Policy::warp_m;
    column = warp / Policy::warps_m * Policy::warp_n;
  }
};

/// Puts a thread's accumulators into the block's tile in shared memory. Of policies that add in clusters.
template <class Policy, int Rows, int Columns, class Accum>
__device__ void share_mma_accum(Accum const (&accum)[Rows][Columns][4], Accum* shared,
                                warp_position<Policy> const& from) {
  constexpr int pitch = shared_tile_pitch<Policy, Accum>;
  Accum* const first = shared + (from.row + from.lane / 4) * pitch + from.column + from.lane % 4 * 2;
#pragma unroll
  for (int i = 0; i < Rows; ++i) {
#pragma unroll
    for (int j = 0; j < Columns; ++j) {
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        store_vector(first + (16 * i + 8 * h) * pitch + 8 * j,
                     vector<Accum, 2>{accum[i][j][2 * h], accum[i][j][2 * h + 1]});
      }
    }
  }
}

/// A block's loads of a work's operands, from its first tile on. Made anew after the loop that copies whole tiles,
/// which would else keep in registers what it does not need.
template <class Policy, class Problem, bool Wide>
struct sm80_mma_loads {
  using tiles = sm80_mma_tiles<Policy, Problem>;
  using storage = typename Problem::storage;

  mma_loader<typename Problem::element_a, typename tiles::a, storage::a, Policy::threads, Wide, a_view<Problem>> a;
  mma_loader<typename Problem::element_b, typename tiles::b, storage::b, Policy::threads, Wide> b;
  int k_tiles, k_of_last;  // of the work, and the k of its last tile
  int whole_tiles;         // that are multiplied while whole ones are copied

  template <class Params>
  __device__ sm80_mma_loads(Params const& params, work const& w, int thread)
      : a(view_of_a(params, w.batch), std::int64_t{w.tile_m} * Policy::block_m, k_from(w, 0), thread),
        b(view_of_b(params, w.batch), std::int64_t{w.tile_n} * Policy::block_n, k_from(w, 0), thread),
        k_tiles(w.k_tiles) {
    find_whole_tiles(product_of(params, w.batch).k - k_from(w, k_tiles - 1));
  }
  /// Of a tile whose first element is (row, column), and of all k of the operands.
  __device__ sm80_mma_loads(operand_view<typename Problem::element_a, storage::a> const& of_a,
                            operand_view<typename Problem::element_b, storage::b> const& of_b, std::int64_t row,
                            std::int64_t column, int thread)
      : a(of_a, row, 0, thread),
        b(of_b, column, 0, thread),
        k_tiles(static_cast<int>((of_a.depth + Policy::block_k - 1) / Policy::block_k)) {
    find_whole_tiles(of_a.depth - std::int64_t{k_tiles - 1} * Policy::block_k);
  }
  __device__ static std::int64_t k_from(work const& w, int tile) {
    return (std::int64_t{w.k_begin} + tile) * Policy::block_k;
  }

  /// Starts a part of the copies of a tile, which is known to be Whole, or may lie behind the last one.
  template <bool Whole>
  __device__ void start(unsigned char* stage, int tile, int part, int parts) {
    if constexpr (Whole) {
      a.load_whole(stage, part, parts);
      b.load_whole(stage + tiles::a::bytes, part, parts);
    } else if (tile < k_tiles) {
      int const k_left = tile + 1 < k_tiles ? Policy::block_k : k_of_last;
      load(a, stage, k_left, part, parts);
      load(b, stage + tiles::a::bytes, k_left, part, parts);
    }
    if (part + 1 == parts) {
      arch::cp_async_commit_group();  // a group for each tile, empty ones at the end, so that counting them is enough
      advance(1);
    }
  }
  __device__ void advance(int count) {
    a.advance(count);
    b.advance(count);
  }

 private:
  /// of_last: what there is of k from the last tile on.
  __device__ void find_whole_tiles(std::int64_t of_last) {
    k_of_last = of_last < Policy::block_k ? static_cast<int>(of_last) : Policy::block_k;
    bool const whole_pieces = a.has_whole_pieces() && b.has_whole_pieces();
    int const whole = k_tiles - (Policy::stages - 1) - (k_of_last < Policy::block_k ? 1 : 0);
    whole_tiles = whole_pieces && whole > 0 ? whole : 0;
  }

  /// Beside 192 accumulators no registers keep the thread's offset in a tile.
  template <class Loader>
  __device__ static void load(Loader& from, unsigned char* to, int k_left, int part, int parts) {
    if constexpr (Policy::accum_registers > 160) {
      from.locate(arch::thread_index());
    }
    from.load(to, k_left, part, parts);
  }
};

}  // namespace gemm::detail
