// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rungs 9 and 10, warp-specialised: some warps only load tiles, the others hardly do anything but multiply. One kernel
//! serves whole tiles, split-K and stream-K with all reductions. Its blocks have one work each, or are persistent.
//!
//!     producer warpgroup    evaluates the schedule, publishes each work, and for each of its tiles of k: waits until a
//!                           stage is empty, has it filled. By TMA one thread asks for a tile with one instruction;
//!                           what TMA cannot address all 128 threads copy by cp.async. The other three warps transpose
//!                           the tiles of a k-major B that consumers do not take as it is (block/smem_transpose.cuh,
//!                           block/k_major_columns.cuh).
//!     consumer warps        for each work, and each of its tiles of k: wait until its stage is full, multiply, say
//!                           that it is empty. Then they reduce and store, as the work says.
//!
//!     full[s]   completes when stage s has its tiles; empty[s] when the consumers have read them; landed[s] when a B
//!               that is to be transposed is here, for full[s].
//!     works     the ring of works: schedule/work_ring.cuh.
//!
//! A consumer thread owns 8 x 16 elements of C (in small tiles fewer), so that 6 loads of 16 bytes feed 128
//! multiply-adds. setmaxnreg takes the registers for them from the producers.
//!
//! Left alone, ptxas moves accumulators between registers from step to step, and a third of the multiply-adds have
//! register bank conflicts. A loop of one pass around each step, whose end the compiler cannot foresee, pins them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/setmaxnreg.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/target.cuh>
#include <gemm/block/consumer_fragments.cuh>
#include <gemm/block/consumer_layout.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/shared_accum.cuh>
#include <gemm/block/sliced_k_reduce.cuh>
#include <gemm/block/smem_transpose.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/element.hpp>
#include <gemm/kernel/sm90_simt_tma_producer.cuh>
#include <gemm/kernel/sm90_simt_tma_store.cuh>
#include <gemm/policy.hpp>
#include <gemm/schedule/product.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/schedule/work_ring.cuh>

namespace gemm {

namespace detail {

/// Adds up the products of all tiles from this stage of the ring on, of the last `last_blocks` blocks of steps;
/// k_groups take tiles in turn. The compiler does not know the signs of a kernel's parameters: `positive` ends a loop.
template <class Policy, bool Tma, class Fragments, class Problem, class Storage, class T>
__device__ void consume(Problem const& p, Storage& shared, ring_position<Policy::stages>& position, int tiles,
                        T (&accumulators)[Fragments::rows][Fragments::columns], int last_blocks = Fragments::blocks) {
  constexpr int rounds = Fragments::rounds;
  int positive = p.tiles_m;
  tiles -= Fragments::first_tile();
  if (tiles <= 0) {
    return;
  }
  Fragments fragments(&shared.a[0], &shared.b[0], position.stage, !p.squares_of_b);
  arch::mbarrier_wait_parity(shared.full[position.stage], position.phase);  // for the first tiles
  fragments.load_first();
  for (; tiles > 0; tiles -= rounds) {
    arch::mbarrier* const empty = &shared.empty[position.stage];
    int const blocks = tiles > rounds ? Fragments::blocks : last_blocks;
#pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
      auto const step = [&]<int K>(std::integral_constant<int, K>) {
        if constexpr (K == Fragments::steps - 1) {  // whose loads are those of the next block's first step
          fragments.next_block(block);
          if (block == blocks - 1) {
            position.template advance<rounds>();
            if (tiles > rounds) {
              if constexpr (Policy::stages % rounds != 0) {
                // Waits for the k_group that read the last tiles of this stage. While it still reads, the phase that we
                // wait for next has the parity of the one before.
                arch::mbarrier_wait_parity(shared.empty[position.stage], position.phase ^ 1);
              }
              arch::mbarrier_wait_parity(shared.full[position.stage], position.phase);  // for the next tiles
            }
            fragments.next_tile(position.stage);
          }
        }
#pragma unroll 1
        do {
          fragments.template step<K>(accumulators);
          arch::make_opaque(positive);
        } while (positive < 0);  // one pass: see above
      };
      [&]<int... K>(std::integer_sequence<int, K...>) { (step(std::integral_constant<int, K>{}), ...); }
      (std::make_integer_sequence<int, Fragments::steps>{});
      fragments.end_block();
    }
    auto const read = zero_after(fragments.last_read(), p.tiles_n);
    if constexpr (!Tma) {
      arch::mbarrier_arrive(empty[read]);
    } else if (__syncwarp(); threadIdx.x % 32 == 0) {
      arch::mbarrier_arrive(empty[read]);
    }
  }
}

/// Whether a policy's blocks take one work after the other.
template <class Policy>
inline constexpr bool is_persistent = Policy::info.is_persistent();

template <class Policy, class Problem, bool Tma>
__global__ void __launch_bounds__(Policy::threads, Policy::resident)
    sm90_simt_tma_kernel(__grid_constant__ scheduled<tma_problem<Problem>> const params) {
  if constexpr (arch::has_sm90a_bodies) {
    using accum = typename Problem::accum;
    constexpr bool persistent = Tma && is_persistent<Policy>, may_transpose = Tma && smem_transposes<Policy, Problem>;
    using fragments =
        consumer_fragments<Policy, Tma && Problem::storage::a == major::k, tile_of_b_in<Policy, Problem, Tma>>;
    bool const transposes = may_transpose && !has_squares_of_b(params);
    auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

    if (threadIdx.x == 0) {
      if constexpr (Tma) {
        prefetch_maps(params);
      }
      init_ring(shared.full, shared.empty, Policy::template producer_arrivals<Tma>(transposes),
                Policy::template consumer_arrivals<Tma, may_transpose>);
      if constexpr (may_transpose) {
        init_landed(shared.landed);
      }
      for (arch::mbarrier* const barrier : {&shared.all_read, &shared.groups_shared, &shared.tile_shared}) {
        arch::mbarrier_init(*barrier, Policy::consumer_threads);
      }
      arch::fence_mbarrier_init();
    } else if (threadIdx.x == 32) {  // meanwhile: a short k waits for the start
      shared.works.init(Policy::consumer_threads / 32 + (transposes ? square_transposing_warps : 0));
      arch::fence_mbarrier_init();
    }
    __syncthreads();
    if (!Tma || threadIdx.x >= 32) {  // the first warp loads, and waits when it has published a work
      arch::wait_for_dependency();    // for who writes the operands, and who reads or writes C and the workspace
      if constexpr (!persistent) {
        arch::launch_dependents();
      }
    }

    if (threadIdx.x < Policy::producer_threads) {
      arch::setmaxnreg_dec<Policy::template producer_registers<Tma, may_transpose>>();
      if constexpr (!Tma) {
        produce_by_copies<Policy>(params, shared);
      } else if (threadIdx.x == 0) {
        produce_by_tma<Policy, persistent>(params, shared);
      } else if (may_transpose && threadIdx.x >= 32 && transposes) {
        transpose_works<Policy, persistent>(shared);
      }
      return;
    }
    arch::setmaxnreg_inc<Policy::template consumer_registers<Tma, may_transpose>>();
    ring_position<Policy::stages> position{.stage = fragments::first_tile()};
    ring_position<work_slots> slot;
#pragma unroll 1
    for (int k_tiles = 0; (k_tiles = shared.works.wait(slot)) >= 0;) {
      auto const& p = problem_of(product_of(params, shared.works.item[slot.stage].batch));
      accum accumulators[fragments::rows][fragments::columns] = {};
      if constexpr (persistent) {
        auto const last_blocks = static_cast<int>((p.k - 1) % Policy::block_k / fragments::steps + 1);
        consume<Policy, Tma, fragments>(p, shared, position, k_tiles, accumulators, last_blocks);
        fragments::straighten(accumulators);
        store_tile<fragments, 4, false, true>(p, accumulators, tile_of<Policy>(params, shared.works.take(slot)));
      } else {
        consume<Policy, Tma, fragments>(p, shared, position, k_tiles, accumulators);
        fragments::straighten(accumulators);
        store_work<Policy, fragments>(params, shared, shared.works.take(slot), accumulators);
        return;
      }
    }
  } else {
    __trap();
  }
}

}  // namespace detail

/// Producer and consumer warps with a ring of stages between them. Block: the tile of C and its depth, 32; Stages:
/// tiles of each operand in the ring; KGroups: groups of consumers, each with the whole tile and a part of its k, so
/// that small tiles keep a multiprocessor busy; Warp: one consumer warp's elements.
///
/// Float, on sm_90 with code for sm_90a. TMA loads operands whose pointers, leading dimensions and batch strides are
/// multiples of 16 bytes. It loads a k-major B (nt, tt) only if the kernel reads or transposes its tiles. Other
/// operands go through 4-byte copies, which are slower, unless the policy is `repacked`.
template <class Block, class Stages, class KGroups = k_groups<1>, class Warp = warp<64, 64>>
struct sm90_simt_tma {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int warp_m = Warp::m, warp_n = Warp::n, thread_m = 4, thread_n = 4;
  static constexpr int stages = Stages::count;
  static constexpr int producer_threads = 128;  // setmaxnreg is for whole warpgroups
  static constexpr int groups = KGroups::count;
  static constexpr int group_threads = detail::ratio(block_m, warp_m) * detail::ratio(block_n, warp_n) * 32;
  static constexpr int consumer_threads = groups * group_threads;
  static constexpr int threads = producer_threads + consumer_threads;
  static constexpr int accumulators = warp_m * warp_n / 32;
  /// Into how many parts the k of each tile is cut, for as many groups; where there are more, they take tiles in turn.
  /// Where B is transposed, parts for eight warps are too small (docs/tuning-notes.md, k_groups).
  template <bool Turns>
  static constexpr int parts = [] {
    constexpr int warps = group_threads / 32, most = !Turns || warps < 2 ? 4 : warps < 4 ? 2 : 1;
    return groups < most ? groups : most;
  }();
  /// Blocks that share a multiprocessor.
  static constexpr int resident = consumer_threads > 128 ? 1 : accumulators > 40 ? 2 : 3;

  /// Whether consumers multiply out of k-major tiles of B: where there are registers for it, and groups. Else the
  /// kernel transposes those tiles, or B is packed, as `repacked` does.
  static constexpr bool reads_k_major_b = groups > 1 && accumulators <= 64;

  static constexpr kernel_info info{.arch = architecture::sm_90a,
                                    .loader = operand_loader::tma,
                                    .reductions = {.workspace = true, .cluster = true},
                                    .stages = stages,
                                    .k_groups = groups,
                                    .consumer_threads = consumer_threads,
                                    .min_blocks = resident,
                                    .dependent_launch = true,
                                    .smem_transposes_b = block_n % detail::square_side == 0 && !reads_k_major_b,
                                    .reads_k_major_b = reads_k_major_b};

  template <class T>
  struct shared_storage {
    union tile_a {  // as TMA leaves a k-major A, rows of 128 bytes, their 16-byte pieces swizzled; else by k
      T by_row[detail::swizzled_rows(block_m)][block_k];
      T by_k[block_k][block_m];
    };
    tile_a a[stages];
    T b[stages][block_k][block_n];  // by k, or k-major as TMA leaves it, and then in squares, or not
    arch::mbarrier full[stages], empty[stages], landed[stages];
    arch::mbarrier all_read, groups_shared, tile_shared;
    detail::work_ring<detail::work_slots> works;
  };

  /// Who says that a stage has been read: a lane of each warp, or for copies, whose order racecheck must see, all.
  template <bool Tma, bool Turns>
  static constexpr int consumer_arrivals = parts<Turns>*(Tma ? group_threads / 32 : group_threads);

  /// Who says that it is full: who issues TMA and who transposes each half of a square, or every thread that copies.
  template <bool Tma>
  __device__ static int producer_arrivals(bool transposes) {
    return !Tma ? producer_threads : transposes ? 1 + detail::halves_of_tile<sm90_simt_tma> : 1;
  }

  /// Bytes that k_groups exchange, in the memory of the ring, with those behind it where a tile of accumulators may
  /// lie.
  template <class T>
  static constexpr std::size_t exchanged_bytes = detail::sliced_k_reduce_bytes<accumulators, group_threads, groups, T>;
  template <class T>
  static constexpr std::size_t accum_memory =
      std::size_t{block_m + block_n} * block_k* stages * sizeof(T) - exchanged_bytes<T>;
  template <class T>
  static constexpr bool shares_tile = detail::shared_tile_bytes<sm90_simt_tma, T> <= accum_memory<T>;

  /// Registers of a thread: the accumulators, the fragments and little else, and what is left for a producer.
  template <bool Tma, bool Turns>
  static constexpr int producer_registers = !Tma    ? 56
                                            : Turns ? 40
                                                    : 24;
  template <bool Tma, bool Turns>
  static constexpr int consumer_registers = [] {
    constexpr int at_launch = 65536 / resident / threads / 8 * 8;
    constexpr int left = threads * at_launch - producer_threads * producer_registers<Tma, Turns>;
    constexpr int most = left / (consumer_threads > 0 ? consumer_threads : 1) / 8 * 8;
    return most < 240 ? most : 240;
  }();

  /// Whether A and B may have elements of this type.
  template <class T>
  static constexpr bool check_operands() {
    constexpr bool type = std::is_same_v<T, float>;
    static_assert(type, "gemm: sm90_simt_tma multiplies float so far. Use pipelined for other types.");
    return type;
  }

  template <class T>
  static constexpr bool check() {
    constexpr int lanes_m = detail::consumer_lanes_m(warp_m), lanes_n = 32 / lanes_m, rows = warp_m / lanes_m;
    constexpr bool warps = warp_m > 0 && warp_n > 0 && warp_m % lanes_m == 0 && warp_n % (4 * lanes_n) == 0 &&
                           rows <= 16 && accumulators >= 32 && accumulators <= 128;
    static_assert(
        warps,
        "gemm: a thread of sm90_simt_tma has 32 to 128 elements, in at most 16 rows and a multiple of 4 columns. "
        "Lanes along m are warp_m / 8 where that is a power of two, else 4. Change warp.");
    constexpr bool whole = warps && consumer_threads % 128 == 0 && consumer_threads > 0 && consumer_threads <= 256 &&
                           block_m % warp_m == 0 && block_n % warp_n == 0;
    static_assert(!warps || whole,
                  "gemm: sm90_simt_tma needs block_m and block_n to be multiples of warp's, and 4 or 8 warps in its "
                  "k_groups together (whole warpgroups of consumers). Change block or k_groups.");
    static_assert(!whole || block_k == 32,
                  "gemm: sm90_simt_tma needs a block_k of 32 (rows of 128 bytes, which TMA swizzles). Change block.");
    constexpr bool shares = groups == 1 || rows % groups == 0;
    static_assert(!whole || block_k != 32 || shares,
                  "gemm: k_groups must divide the rows of a thread, of which each group adds an equal part. Change "
                  "k_groups or warp.");
    constexpr bool ring = stages >= 2 && stages > groups;
    static_assert(!whole || block_k != 32 || !shares || ring,
                  "gemm: stages must be at least 2, and more than k_groups (tiles are multiplied while another is "
                  "copied).");
    if constexpr (whole && block_k == 32 && shares && ring) {
      return detail::fits_shared_memory<sizeof(shared_storage<T>)>();
    }
    return false;
  }

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage<T>);

  template <class Policy, class Problem, bool Tma>
  static consteval auto kernel() {
    return &detail::sm90_simt_tma_kernel<Policy, Problem, Tma>;
  }
};

}  // namespace gemm
