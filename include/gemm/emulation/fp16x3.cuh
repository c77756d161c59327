// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 12, products of floats with the error of float arithmetic, on tensor cores that multiply halves (sm_90a).
//!
//!     a = high + low, b = high + low     (scaled, see scale.cuh; made by the passes of split_k_major.cuh)
//!     a b = high high + high low + low high, less low low, which is below the error of the parts
//!
//! The tensor cores cut off where a float's addition rounds, which over a long k would lean all sums towards 0. So they
//! sum chunks of 64 k only, in an accumulator that begins with 0, the small products first; ordinary additions of float
//! add what comes out ("promotion").
//!
//!     producer      one thread of the first warpgroup. For each tile of C and 32 k: waits until a stage is empty, has
//!                   TMA fill it with lines of 128 bytes, 32 high parts and 32 low ones
//!     consumers     a warpgroup for each 64 rows of the block's tile of C. For each chunk, two stages: wait for the
//!                   turn and the stages, start both small products and the large one, give the turn to the other when
//!                   the small ones are done, wait for the large one, say that the stages are empty, add the chunk.
//!                   After the last chunk take the scales back and store.
//!
//!     full[s]   completes when stage s has its parts; empty[s] when all consumer warps have read them.
//!     turns     two named barriers. A warpgroup's completes when the other needs the tensor cores only for its large
//!               product: while one adds a chunk, the other multiplies (H200, 4096^3 in tiles of 128 x 128: 715 us,
//!               748 us when the barriers were mbarriers).
//!
//! Blocks of a cluster share what they load, as those of tensor_core.cuh do, and all of them are persistent; what tiles
//! leave of the last wave they compute in narrow ones (see tiles.cuh). For with_fallback.cuh the other warps of the
//! first warpgroup read meanwhile, while the first tile is summed, what the passes have noted of all lines: whether
//! anything is to be stored.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include <gemm/arch/cluster.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/setmaxnreg.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/cluster_place.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/warpgroup_lines.cuh>
#include <gemm/block/warpgroup_sums.cuh>
#include <gemm/emulation/error_facts.cuh>
#include <gemm/emulation/mainloop.cuh>
#include <gemm/emulation/ring.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/tiles.cuh>
#include <gemm/emulation/unscale.cuh>
#include <gemm/epilogue/elementwise.hpp>
#include <gemm/kernel/persistent.cuh>
#include <gemm/kernel/tensor_core.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// By which power of two the low parts of floats are multiplied before they become halves: by 11, they have digits for
/// smaller numbers.
template <int Exponent>
struct low_scale {
  static constexpr int exponent = Exponent;
};

/// A problem of floats, whose maps are of the parts of A and B. Its storage means nothing: one kernel serves all. Not
/// for users; it is not in detail for the kernels' symbols.
template <class Problem>
struct fp16x3_problem {
  tma_problem<Problem> loads;
  CUtensorMap narrow_b;  // for narrow tiles
  tile_shares shares;
  detail::split_source a, b;  // the first matrices
  detail::facts_of_lines facts_a, facts_b;
  int* refused;    // set to whether the product was not computed, where a policy checks
  bool across;     // C's rows are the tiles' columns: A and B have changed places (see swaps_sides())
  int slices = 1;  // of k, where a policy cuts it
};

namespace detail {

/// Whether a policy computes nothing where the bound of float arithmetic might not hold.
template <class Policy>
inline constexpr bool checks_bound = Policy::info.with_fallback;

/// Whether no epilogue sees what is stored: then it may be stored twice, and A and B change places without C's rows.
template <class Problem>
inline constexpr bool stores_plainly = std::is_same_v<std::remove_const_t<decltype(Problem::epilogue)>, identity>;

/// One thread has the parts brought for a tile of C, or its share of what the cluster's blocks have in common: of the
/// chunks from `first` to before `last`.
template <class Policy, class Problem>
__device__ void bring_chunks(tma_problem<Problem> const& x, CUtensorMap const& map_b,
                             typename Policy::shared_storage& shared, cluster_place<Policy> const& place,
                             block_tile const& tile, int first, int last, ring_place<Policy::stages>& at) {
  using tiles = parts_tiles<Policy>;
  using parts = typename Policy::parts;
  Problem const& p = x.problem;
  constexpr int of_chunk = parts::count * piece_elements;
  int const batch_a = p.a.batch_stride == 0 ? 0 : static_cast<int>(tile.batch);
  int const batch_b = p.b.batch_stride == 0 ? 0 : static_cast<int>(tile.batch);
  int const row = static_cast<int>(tile.row), column = static_cast<int>(tile.column);
  auto& room = stages_of<Policy>(shared);
  auto& barriers = barriers_of<Policy>(shared);
  for (int part = first * of_chunk; part < last * of_chunk; part += piece_elements, at.advance()) {
    arch::mbarrier& full = barriers.full[at.stage];
    // For the consumers, those of the blocks that get what this one loads included, to have read the last parts.
    arch::mbarrier_wait_parity(barriers.empty[at.stage], at.phase ^ 1);
    arch::mbarrier_arrive_expect_tx(full, tiles::a::bytes + tiles::b::bytes);
    tiles::a::template load_part<Policy::cluster_n>(room.a[at.stage], x.a, full, row, part, batch_a, place.n,
                                                    place.sharing_a());
    tiles::b::template load_part<Policy::cluster_m>(room.b[at.stage], map_b, full, column, part, batch_b, place.m,
                                                    place.sharing_b());
  }
}

/// All chunks.
template <class Policy, class Problem>
__device__ void bring_tile(tma_problem<Problem> const& x, CUtensorMap const& map_b,
                           typename Policy::shared_storage& shared, cluster_place<Policy> const& place,
                           block_tile const& tile, ring_place<Policy::stages>& at) {
  auto const chunks = static_cast<int>(padded_depth(x.problem.k) / chunk_depth);
  bring_chunks<Policy>(x, map_b, shared, place, tile, 0, chunks, at);
}

/// The same for all of the block's tiles.
template <class Policy, class Problem>
__device__ void bring_parts(fp16x3_problem<Problem> const& x, typename Policy::shared_storage& shared,
                            cluster_place<Policy> const& place) {
  using narrow = narrow_tiles<Policy>;
  ring_place<Policy::stages> at;
  auto const goes_on = [&] { return !checks_bound<Policy> || x.loads.problem.k == 0 || !is_refused(shared.facts); };
  for_each_whole<Policy>(x.loads.problem, x.shares, place, [&](block_tile const& tile) {
    bring_tile<Policy>(x.loads, x.loads.b, shared, place, tile, at);
    return goes_on();
  });
  if constexpr (cluster_place<Policy>::sources > 1 || Policy::narrow_n < Policy::block_n) {
    wait_until_read(shared.of_whole.empty, at);
  }
  if constexpr (Policy::narrow_n < Policy::block_n) {
    if (goes_on() && x.shares.narrow > 0) {
      ring_place<narrow::stages> narrow_at;
      for_each_narrow<Policy>(x.loads.problem, x.shares, place, [&](block_tile const& tile) {
        bring_tile<narrow>(x.loads, x.narrow_b, shared, cluster_place<narrow>{place.m, place.n}, tile, narrow_at);
        return goes_on();
      });
      if constexpr (cluster_place<Policy>::sources > 1) {
        wait_until_read(shared.of_narrow.empty, narrow_at);
      }
    }
  }
}

/// A warpgroup multiplies and stores its part of a tile of C. False where the product is refused.
template <class Policy, class Problem>
__device__ bool consume_tile(fp16x3_problem<Problem> const& x, typename Policy::shared_storage& shared,
                             tile_room<Policy::block_n>& room, int warpgroup, int source, block_tile const& own,
                             ring_place<Policy::stages>& at) {
  Problem const& p = x.loads.problem;
  auto const chunks = static_cast<int>(padded_depth(p.k) / chunk_depth);
  // Half as many registers through the loop.
  int const row = static_cast<int>(own.row), column = static_cast<int>(own.column), batch = static_cast<int>(own.batch);
  if (chunks > 0) {
    start_exponents<Policy>(p, room.exponents, {row, column, batch}, sources_of(p, x.a, x.b, batch));
  }
  float chunk[Policy::accumulators] = {}, sum[Policy::accumulators] = {};
  multiply_chunks<Policy>(shared, warpgroup, source, p.turned, chunks, at, chunk, sum);
  if constexpr (checks_bound<Policy>) {
    if (chunks > 0 && is_refused(shared.facts)) {
      return false;
    }
  }
  block_tile const tile{row, column, batch};
  if (chunks > 0) {
    take_scales_back<Policy, checks_bound<Policy>>(p, sum, tile, room.exponents, sources_of(p, x.a, x.b, batch));
  }
  if (stores_plainly<Problem> && x.across) {
    store_sums_across<Policy>(p, sum, tile);
  } else if (!p.vector_c && p.beta == 0) {
    store_sums_in_lines<Policy>(p, sum, tile, room.lines);
  } else {
    store_sums<Policy>(p, sum, tile);
  }
  return true;
}

/// The same for all of the block's tiles.
template <class Policy, class Problem>
__device__ void consume_parts(fp16x3_problem<Problem> const& x, typename Policy::shared_storage& shared, int warpgroup,
                              cluster_place<Policy> const& place) {
  using narrow = narrow_tiles<Policy>;
  int const source = place.source(static_cast<int>(threadIdx.x) % 32);  // whom this lane tells of what was read
  ring_place<Policy::stages> at;
  auto& of_warp = shared.of_warp[(threadIdx.x - Policy::producer_threads) / 32];
  if (Policy::takes_turns && warpgroup == 1) {
    arch::named_barrier_arrive(turn_of(0), Policy::consumer_threads);  // whose first turn comes at once
  }
  for_each_whole<Policy>(x.loads.problem, x.shares, place, [&](block_tile const& tile) {
    return consume_tile<Policy>(x, shared, of_warp.whole, warpgroup, source, tile, at);
  });
  if constexpr (Policy::narrow_n < Policy::block_n) {
    if (!checks_bound<Policy> || x.loads.problem.k == 0 || !is_refused(shared.facts)) {
      ring_place<narrow::stages> narrow_at;
      for_each_narrow<Policy>(x.loads.problem, x.shares, place, [&](block_tile const& tile) {
        return consume_tile<narrow>(x, shared, of_warp.narrow, warpgroup, source, tile, narrow_at);
      });
    }
  }
}

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads, 1) fp16x3_kernel(__grid_constant__ fp16x3_problem<Problem> const x) {
  auto& shared = arch::computed_shared_memory<typename Policy::shared_storage>();
  auto const place = cluster_place<Policy>::of_block();
  // The same for the whole warp, which the compiler must know to keep it, and what is derived from it, once a warp.
  int const warpgroup = __shfl_sync(0xffffffffU, static_cast<int>(threadIdx.x) / 128, 0);

  if (threadIdx.x == 0) {
    prefetch_maps(x.loads);
    constexpr int readers = Policy::consumer_threads / 32 * cluster_place<Policy>::sources;
    init_ring(shared.of_whole.full, shared.of_whole.empty, 1, readers);
    init_ring(shared.of_narrow.full, shared.of_narrow.empty, 1, readers);
    if constexpr (checks_bound<Policy>) {
      init_facts(shared.facts);
    }
    arch::fence_mbarrier_init();
  }
  if constexpr (cluster_place<Policy>::sources == 1) {
    __syncthreads();
  } else {
    arch::cluster_arrive();
    arch::cluster_wait();  // for the barriers of all blocks
  }
  arch::wait_for_dependency();  // for the parts
  arch::launch_dependents();

  if (warpgroup == 0) {
    arch::setmaxnreg_dec<Policy::producer_registers>();
    if (threadIdx.x == 0) {
      bring_parts<Policy>(x, shared, place);
    }
    if constexpr (checks_bound<Policy>) {
      if (x.shares.only_narrow) {
        if (threadIdx.x == 32) {
          accept(shared.facts);
        }
      } else if (threadIdx.x >= 32 && x.loads.problem.k > 0) {
        read_facts(x.facts_a, x.facts_b, x.loads.problem.k, static_cast<int>(threadIdx.x) - 32, shared.facts,
                   blockIdx.x + blockIdx.z == 0 ? x.refused : nullptr);
      }
    }
  } else {
    arch::setmaxnreg_inc<Policy::consumer_registers>();
    consume_parts<Policy>(x, shared, warpgroup - 1, place);
  }
}

/// What fp16x3 and bf16x6 have in common.
template <class Parts, class Block, class Stages, class Cluster>
struct parts_policy {
  using parts = Parts;
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int stages = Stages::count;
  static constexpr int cluster_m = Cluster::m, cluster_n = Cluster::n;
  static constexpr int low_exponent = Parts::low_exponent;
  static constexpr int warpgroup_m = 64;
  static constexpr int narrow_n = 64;  // columns of a narrow tile
  static constexpr int stages_of_narrow = narrow_stages<block_m, block_n, narrow_n, stages>;
  static constexpr bool is_narrow = false;
  static constexpr int producer_threads = 128;  // setmaxnreg is for whole warpgroups
  static constexpr int consumer_threads = block_m / warpgroup_m * 128;
  static constexpr int threads = producer_threads + consumer_threads;
  static constexpr int accumulators = block_n / 2;  // and as many sums
  static constexpr int resident = 1;
  static constexpr bool takes_turns = consumer_threads == 256, scales_low = low_exponent > 0;
  static constexpr bool compensated = false;  // whether what an addition loses is added with the next chunk
  /// How that is done, in narrow tiles, too: in place where no register is left (H200, 4096^3 in tiles of 128 x 128:
  /// 824 us, in place 882).
  static constexpr bool adds_in_place = accumulators > 64;

  static constexpr kernel_info info{.arch = architecture::sm_90a,
                                    .op = math_op::wgmma,
                                    .loader = operand_loader::tma,
                                    .schedule = tile_schedule::persistent,
                                    .stages = stages,
                                    .cluster_m = cluster_m,
                                    .cluster_n = cluster_n,
                                    .consumer_threads = consumer_threads,
                                    .min_blocks = resident,
                                    .dependent_launch = true,
                                    .split_terms = true};

  struct shared_storage {
    union {
      parts_stages<block_m, block_n, stages> whole;
      parts_stages<block_m, narrow_n, stages_of_narrow> narrow;
    } tiles;
    union {
      tile_room<block_n> whole;
      tile_room<narrow_n> narrow;
    } of_warp[consumer_threads / 32];
    stage_barriers<stages> of_whole;
    stage_barriers<stages_of_narrow> of_narrow;
    facts_storage facts;
  };

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage);

  /// Registers of a thread: the sums twice, and what is left for the one that only asks for copies.
  static constexpr int producer_registers = 40, consumer_registers = 232;

  /// Whether A and B may have elements of this type.
  template <class T>
  static constexpr bool check_operands() {
    constexpr bool type = std::is_same_v<T, float>;
    static_assert(type, "gemm: fp16x3 and bf16x6 take floats apart. Use tensor_core for other types, or pipelined.");
    return type;
  }

  template <class T>
  static constexpr bool check() {
    constexpr bool sides = (block_m == 64 || block_m == 128) && (block_n == 64 || block_n == 128 || block_n == 192) &&
                           block_k == chunk_depth;
    static_assert(sides,
                  "gemm: fp16x3 and bf16x6 need a block_m of 64 or 128 (a warpgroup for each 64), a block_n of "
                  "64, 128 or 192 (sums twice in a thread's registers) and a block_k of 64 (what is summed by tensor "
                  "cores alone). Change block.");
    constexpr bool ring = stages >= Parts::count;
    static_assert(!sides || ring,
                  "gemm: a ring holds a chunk of 64 k: stages must be at least 2 for fp16x3, 3 for bf16x6.");
    constexpr bool two = cluster_m >= 1 && cluster_n >= 1 && cluster_m * cluster_n <= 2;
    static_assert(!sides || !ring || two, "gemm: a cluster of fp16x3 or bf16x6 has 1 or 2 blocks. Change cluster.");
    constexpr bool low = low_exponent == 0 || low_exponent == 11;
    static_assert(!sides || !ring || !two || low,
                  "gemm: the low parts of fp16x3 are scaled by 2^0 or 2^11. Change low_scale.");
    if constexpr (sides && ring && two && low) {
      return fits_shared_memory<shared_bytes<T>>();
    }
    return false;
  }

  template <class Policy, class Problem, bool>
  static auto kernel() {
    return &fp16x3_kernel<Policy, Problem>;
  }
};

}  // namespace detail

/// Float in, float out, on the tensor cores of sm_90 (wgmma): A and B are scaled line by line and taken apart into two
/// halves each, by passes of their own, and three of the four products of the parts are summed. Four times as fast as
/// the multiply-adds of float, where m, n and k are some thousands.
///
/// Block: the tile of C, 64 or 128 rows with 64, 128 or 192 columns, and 64, the k that tensor cores sum by themselves;
/// Stages: tiles of 32 k of both operands in the ring; Cluster: one block, or two that share what they load; Low: 0, or
/// 11 for lines of a wide range, at some cost in time.
///
/// With u = 2^-24, |A| |B| the product of the absolute values, R the greatest of them in a row of A and S in a column
/// of B, an element of C = A B is off by at most
///
///     (k / 64 + 48) u |A| |B| + F (R sum |b| + S sum |a|)
///
/// where the sums are over the element's column of B and row of A, and F is 2^-39, or 2^-49 with low_scale<11>. The
/// first term is below float arithmetic's own, (k + 4) u |A| |B|, from k = 45 on; most elements are much closer. The
/// second counts where elements of a row of A, or of a column of B, differ by more than 2^16 (2^27 with low_scale<11>),
/// and the small ones meet large ones: what is below 2^-16 of its line's greatest element loses digits, and below 2^-39
/// all of them (2^-27, 2^-50). So A D and D^-1 B with a D of a wide range do not give what A and B do: `checked` looks
/// for such products and computes them in another way.
///
/// k / 64 is what the additions of chunks lose. A policy with `compensated = true` adds that with the next chunk, a
/// tenth slower: then it is 3 + k / 2^24 at most. 8 of the 48 are of the parts, 40 of the tensor cores. NVIDIA does not
/// document their sums; but what an H200 was seen to do, and tests/unit/wgmma_test.cu asks of every device, is that an
/// instruction brings its products and the sum before it to one exponent, with two bits below a float's last one, cuts
/// off the rest, adds them, and cuts off once more. So each of the four instructions for the large products of 64 k
/// loses (16 / 2 + 2) u at most.
///
/// Scaling lines by powers of two scales the result exactly; denormals of A, B and C are kept, with all digits that
/// they have; only what exceeds the greatest float becomes infinite, whatever sums there were before. NaN and infinite
/// elements have in C the effect that IEEE arithmetic says; infinite ones cost the time of a few dot products for each
/// element in their row or column. Sums of integers, of up to 11 bits in A or B and up to 22 in the other, are exact
/// while below 2^24. A row of C depends on its row of A and on B, not on the tile, and is the same whether C is row- or
/// column-major.
///
/// Needs a workspace: 4 bytes for every element of A and B, with k rounded up to 64, and about 8 for each of their
/// lines. Any storage, leading dimension and alignment; m, n and a batch below 2^31, k up to 2^30 - 64. k is not split.
template <class Block, class Stages, class Cluster = cluster<1>, class Low = low_scale<0>>
struct fp16x3 : detail::parts_policy<half_parts<Low::exponent>, Block, Stages, Cluster> {};

}  // namespace gemm
