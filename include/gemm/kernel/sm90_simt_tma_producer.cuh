// SPDX-License-Identifier: BSL-1.0
//! @file
//! The producer warpgroup of rung 9, which evaluates the schedule, publishes its works and loads their tiles.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/block/async_tile_loader.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/smem_transpose.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/schedule/next_work.cuh>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm::detail {

/// One thread has TMA load the tiles of a work, from this stage of the ring on. `first_alone`: it asks for more when
/// the first have arrived, so that those of no block wait for what others need later.
template <class Policy, class Problem, class Storage>
__device__ void load_by_tma(scheduled<tma_problem<Problem>> const& params, Storage& shared, work const& w,
                            ring_position<Policy::stages>& position, bool first_alone) {
  constexpr int block_k = Policy::block_k;
  constexpr bool by_row = Problem::storage::a == major::k, may_transpose = smem_transposes<Policy, Problem>;
  constexpr std::uint32_t line = block_k * sizeof(typename Problem::element_a), bytes_b = Policy::block_n * line;
  auto const& io = product_of(params, w.batch);
  auto const& p = io.problem;
  bool const transposes = may_transpose && !p.squares_of_b;
  std::uint32_t const bytes = Policy::block_m * line + (transposes ? 0 : bytes_b);
  int const batch_a = p.a.batch_stride == 0 ? 0 : batch_of(params, w.batch),
            batch_b = p.b.batch_stride == 0 ? 0 : batch_of(params, w.batch);
  int const row = w.tile_m * Policy::block_m, column = w.tile_n * Policy::block_n;
  [[maybe_unused]] int const square_column =
      may_transpose ? batch_b * static_cast<int>(square_columns(p.n)) + column / square_side : 0;
  int k = w.k_begin * block_k;
  for (int tile = 0; tile < w.k_tiles; ++tile, k += block_k, position.advance()) {
    arch::mbarrier_wait_parity(shared.empty[position.stage],
                               position.phase ^ 1);  // for the consumers to have read the last tiles
    arch::mbarrier_arrive_expect_tx(shared.full[position.stage], bytes);
    arch::tma_load(&shared.a[position.stage], io.a, shared.full[position.stage], by_row ? k : row, by_row ? row : k,
                   batch_a);
    if (transposes) {
      arch::fence_proxy_async();  // for who transposed the last tile there
      arch::mbarrier_arrive_expect_tx(shared.landed[position.stage], bytes_b);
      arch::tma_load(&shared.b[position.stage], io.b, shared.landed[position.stage], k, column, batch_b);
    } else if constexpr (may_transpose) {
      arch::tma_load(&shared.b[position.stage], io.b, shared.full[position.stage], 0, k, square_column);
    } else {
      constexpr bool by_row_b = reads_k_major_b<Policy, Problem>;
      arch::tma_load(&shared.b[position.stage], io.b, shared.full[position.stage], by_row_b ? k : column,
                     by_row_b ? column : k, batch_b);
    }
    if (first_alone && tile == 0) {
      arch::mbarrier_wait_parity(shared.full[position.stage],
                                 position.phase);  // for the first tiles, as the consumers do
    }
  }
}

/// Has the L2 fetch a ring of a work's first tiles of constant operands, before the kernel before has ended.
template <class Policy, class Problem>
__device__ void prefetch_constant(scheduled<tma_problem<Problem>> const& params, work const& w) {
  auto const& io = product_of(params, w.batch);
  auto const& p = io.problem;
  if (!p.constant.any()) {
    return;
  }
  constexpr int block_k = Policy::block_k;
  constexpr bool by_row_a = Problem::storage::a == major::k, by_row_b = Problem::storage::b == major::k;
  int const batch_a = p.a.batch_stride == 0 ? 0 : batch_of(params, w.batch),
            batch_b = p.b.batch_stride == 0 ? 0 : batch_of(params, w.batch);
  int const row = w.tile_m * Policy::block_m, column = w.tile_n * Policy::block_n;
  int k = w.k_begin * block_k;
#pragma unroll 1
  for (int tile = 0; tile < w.k_tiles && tile < Policy::stages; ++tile, k += block_k) {
    if (p.constant.a) {
      arch::tma_prefetch(io.a, by_row_a ? k : row, by_row_a ? row : k, batch_a);
    }
    if (p.constant.b) {
      arch::tma_prefetch(io.b, by_row_b ? k : column, by_row_b ? column : k, batch_b);
    }
  }
}

/// One thread publishes the block's works and has TMA load their tiles: all of them where the block `Stays`, else one.
template <class Policy, bool Stays, class Problem, class Storage>
__device__ void produce_by_tma(scheduled<tma_problem<Problem>> const& params, Storage& shared) {
  block_position const block = Stays ? position_in_grid() : position_of_one_work(params.order.mode);
  ring_position<Policy::stages> position;
  ring_position<work_slots> slot;
  work w;
  for (int step = 0; next_work(params.order, block, step, w); ++step) {
    shared.works.publish(slot, w, position);
    if (step == 0) {
      prefetch_constant<Policy>(params, w);
    }
    arch::wait_for_dependency();  // for who writes the operands; after the first work it is over
    if constexpr (!Stays) {
      arch::launch_dependents();
    }
    load_by_tma<Policy>(params, shared, w, position, Stays && step == 0);
    if constexpr (!Stays) {
      return;
    }
  }
  w.k_tiles = -1;
  shared.works.publish(slot, w, position);
  if constexpr (Stays) {
    // Now that nothing is left to ask for: blocks that come earlier alternate with these.
    arch::launch_dependents();
  }
}

/// All threads of the warpgroup copy the tiles of the block's only work, element by element, as [k][outer].
template <class Policy, class Problem, class Storage>
__device__ void produce_by_copies(scheduled<tma_problem<Problem>> const& params, Storage& shared) {
  using input = typename Problem::element_a;
  using storage = typename Problem::storage;
  constexpr int block_m = Policy::block_m, block_n = Policy::block_n, block_k = Policy::block_k;
  constexpr int threads = Policy::producer_threads;
  constexpr int in_flight = Policy::stages - Policy::groups / Policy::template parts<false> - 1;

  ring_position<Policy::stages> position, arrived;
  ring_position<work_slots> const slot;
  if (threadIdx.x == 0) {
    work w;
    if (!next_work(params.order, position_of_one_work(params.order.mode), 0, w)) {
      w.k_tiles = -1;
    }
    auto next = slot;
    shared.works.publish(next, w, position);
  }
  if (shared.works.wait(slot) < 0) {
    return;
  }
  work const& w = shared.works.item[slot.stage];  // read when it is needed: registers are few
  auto const& p = problem_of(product_of(params, w.batch));
  auto const k_left = [&](int tile) { return p.k - (std::int64_t{w.k_begin} + tile) * block_k; };
  std::int64_t const first_k = std::int64_t{w.k_begin} * block_k,
                     batch = static_cast<unsigned>(batch_of(params, w.batch));
  async_tile_loader<input, storage::a, block_m, block_k, threads, 1> a(part_of(operand_a(p, batch), first_k, k_left(0)),
                                                                       std::int64_t{w.tile_m} * block_m);
  async_tile_loader<input, storage::b, block_n, block_k, threads, 1> b(part_of(operand_b(p, batch), first_k, k_left(0)),
                                                                       std::int64_t{w.tile_n} * block_n);
  for (int tile = 0; tile < w.k_tiles + in_flight; ++tile, position.advance()) {
    if (tile < w.k_tiles) {
      arch::mbarrier_wait_parity(shared.empty[position.stage], position.phase ^ 1);  // for the consumers, as above
      a.start(shared.a[position.stage].by_k, k_left(tile));
      b.start(shared.b[position.stage], k_left(tile));
    }
    arch::cp_async_commit_group();
    if (tile >= in_flight) {  // the oldest tile in flight is here
      arch::cp_async_wait_group<in_flight>();
      arch::mbarrier_arrive(shared.full[arrived.stage]);
      arrived.advance();
    }
  }
}

/// Warps 1 to 3 transpose the tiles of B of the block's works. Between works a thread keeps only its phase: it has 40
/// registers.
template <class Policy, bool Stays, class Storage>
__device__ void transpose_works(Storage& shared) {
#pragma unroll 1
  for (unsigned step = 0; true; ++step) {
    ring_position<work_slots> slot{static_cast<int>(step % work_slots), step / work_slots % 2};
    int const k_tiles = shared.works.wait(slot);
    if (k_tiles < 0) {
      return;
    }
    auto const position = shared.works.template tiles_of<Policy::stages>(slot);
    transpose_tiles<Policy>(shared, position, k_tiles);
    shared.works.take(slot);
    if constexpr (!Stays) {
      return;
    }
  }
}

}  // namespace gemm::detail
