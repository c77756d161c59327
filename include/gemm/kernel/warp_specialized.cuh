// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 9, warp-specialised: some warps only bring tiles, the others hardly do anything but multiply.
//!
//!     producer warpgroup    for each tile of k: waits until a stage is empty, has it filled. By TMA one thread asks
//!                           for a tile with one instruction; what TMA cannot address all 128 threads copy by cp.async.
//!                           The other three warps transpose the tiles of a k-major B that consumers do not take as
//!                           it is (block/smem_transpose.cuh, block/k_major_columns.cuh).
//!     consumer warps        for each tile of k: wait until its stage is full, multiply, say that it is empty.
//!
//!     full[s]   completes when stage s has its tiles; empty[s] when the consumers have read them; landed[s] when a B
//!               that is to be turned is here, for full[s].
//!
//! A consumer thread owns 8 x 16 elements of C (in small tiles fewer), so that 6 loads of 16 bytes feed 128
//! multiply-adds. setmaxnreg takes the registers for them from the producers.
//! Left alone, ptxas moves accumulators between registers from step to step of k, and a third of the multiply-adds wait
//! for a register bank. A loop of one pass round each step, whose end the compiler cannot foresee, pins them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/setmaxnreg.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/block/async_tile_loader.cuh>
#include <gemm/block/consumer_fragments.cuh>
#include <gemm/block/consumer_layout.cuh>
#include <gemm/block/finish_tile.cuh>
#include <gemm/block/group_sum.cuh>
#include <gemm/block/k_slice.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/block/shared_sums.cuh>
#include <gemm/block/smem_transpose.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

/// One thread has the tiles of a block brought by TMA, from this place in the ring on. `first_alone`: it asks for more
/// when the first have arrived, so that those of no block wait for what others need later.
template <class Policy, class Problem, class Storage>
__device__ void produce_by_tma(tma_problem<Problem> const& x, Storage& shared, block_tile const& tile,
                               k_range const& range, ring_place<Policy::stages>& at, bool first_alone = false) {
  constexpr int block_k = Policy::block_k;
  constexpr bool by_row = Problem::storage::a == major::k, turns = turns_squares<Policy, Problem>;
  constexpr std::uint32_t line = block_k * sizeof(typename Problem::input), bytes_b = Policy::block_n * line;
  Problem const& p = x.problem;
  bool const turned = turns && !p.squares_of_b;
  std::uint32_t const bytes = Policy::block_m * line + (turned ? 0 : bytes_b);
  int const batch_a = p.a.batch_stride == 0 ? 0 : static_cast<int>(range.batch);
  int const batch_b = p.b.batch_stride == 0 ? 0 : static_cast<int>(range.batch);
  int const row = static_cast<int>(tile.row), column = static_cast<int>(tile.column);
  [[maybe_unused]] int const square_column =
      turns ? batch_b * static_cast<int>(square_columns(p.n)) + column / square_side : 0;
  for (std::int64_t done = 0; done < range.depth; done += block_k, at.advance()) {
    int const k = static_cast<int>(range.first + done);
    arch::mbarrier_wait_parity(shared.empty[at.stage], at.phase ^ 1);  // for the consumers to have read the last tiles
    arch::mbarrier_arrive_expect_tx(shared.full[at.stage], bytes);
    arch::tma_load(&shared.a[at.stage], x.a, shared.full[at.stage], by_row ? k : row, by_row ? row : k, batch_a);
    if (turned) {
      arch::fence_proxy_async();  // for who turned the last tile there
      arch::mbarrier_arrive_expect_tx(shared.landed[at.stage], bytes_b);
      arch::tma_load(&shared.b[at.stage], x.b, shared.landed[at.stage], k, column, batch_b);
    } else if constexpr (turns) {
      arch::tma_load(&shared.b[at.stage], x.b, shared.full[at.stage], 0, k, square_column);
    } else {
      constexpr bool by_row_b = reads_k_major_b<Policy, Problem>;
      arch::tma_load(&shared.b[at.stage], x.b, shared.full[at.stage], by_row_b ? k : column, by_row_b ? column : k,
                     batch_b);
    }
    if (first_alone && done == 0) {
      arch::mbarrier_wait_parity(shared.full[at.stage], at.phase);  // for the first tiles, as the consumers do
    }
  }
}

/// All threads of the warpgroup copy the tiles of a block, element by element, and turn them to [k][outer].
template <class Policy, class Problem, class Storage>
__device__ void produce_by_copies(Problem const& p, Storage& shared, block_tile const& tile, k_range const& range) {
  using input = typename Problem::input;
  using storage = typename Problem::storage;
  constexpr int block_m = Policy::block_m, block_n = Policy::block_n, block_k = Policy::block_k;
  constexpr int threads = Policy::producer_threads;
  constexpr int in_flight = Policy::stages - Policy::groups / Policy::template parts<false> - 1;

  async_tile_loader<input, storage::a, block_m, block_k, threads, 1> a(part_of(operand_a(p, range.batch), range),
                                                                       tile.row);
  async_tile_loader<input, storage::b, block_n, block_k, threads, 1> b(part_of(operand_b(p, range.batch), range),
                                                                       tile.column);
  ring_place<Policy::stages> at, arrived;
  for (std::int64_t k_left = range.depth; k_left > -in_flight * block_k; k_left -= block_k, at.advance()) {
    if (k_left > 0) {
      arch::mbarrier_wait_parity(shared.empty[at.stage], at.phase ^ 1);  // for the consumers, as above
      a.start(shared.a[at.stage].by_k, k_left);
      b.start(shared.b[at.stage], k_left);
    }
    arch::cp_async_commit_group();
    if (range.depth - k_left >= in_flight * block_k) {  // the oldest tile in flight is here
      arch::cp_async_wait_group<in_flight>();
      arch::mbarrier_arrive(shared.full[arrived.stage]);
      arrived.advance();
    }
  }
}

/// Adds up the products of all tiles from this place in the ring on, of the last `last_blocks` blocks of steps; groups
/// of warps take tiles in turn. No compiler, nor ptxas, knows the signs of a kernel's parameters: `positive` ends a
/// loop, and by `read` an arrival waits for the last loads (H200: or TMA overtakes them, tests/properties/large_test).
template <class Policy, bool Tma, class Fragments, class Problem, class Storage, class T>
__device__ void consume(Problem const& p, Storage& shared, ring_place<Policy::stages>& at, std::int64_t tiles,
                        T (&sum)[Fragments::rows][Fragments::columns], int last_blocks = Fragments::blocks) {
  constexpr int rounds = Fragments::rounds;
  int positive = p.tiles_m;
  tiles -= Fragments::first_tile();
  if (tiles <= 0) {
    return;
  }
  Fragments fragments(&shared.a[0], &shared.b[0], at.stage, !p.squares_of_b);
  arch::mbarrier_wait_parity(shared.full[at.stage], at.phase);  // for the first tiles
  fragments.load_first();
  for (; tiles > 0; tiles -= rounds) {
    arch::mbarrier* const empty = &shared.empty[at.stage];
    int const blocks = tiles > rounds ? Fragments::blocks : last_blocks;
#pragma unroll 1
    for (int block = 0; block < blocks; ++block) {
      auto const step = [&]<int K>(std::integral_constant<int, K>) {
        if constexpr (K == Fragments::steps - 1) {  // whose loads are those of the next block's first step
          fragments.next_block(block);
          if (block == blocks - 1) {
            at.template advance<rounds>();
            if (tiles > rounds) {
              if constexpr (Policy::stages % rounds != 0) {
                // For another group to have read the last tiles of this stage: while they are still on their way, the
                // phase that we wait for next has the parity of the one before them.
                arch::mbarrier_wait_parity(shared.empty[at.stage], at.phase ^ 1);
              }
              arch::mbarrier_wait_parity(shared.full[at.stage], at.phase);  // for the next tiles
            }
            fragments.next_tile(at.stage);
          }
        }
#pragma unroll 1
        do {
          fragments.template step<K>(sum);
          arch::make_opaque(positive);
        } while (positive < 0);  // one pass: see above
      };
      [&]<int... K>(std::integer_sequence<int, K...>) { (step(std::integral_constant<int, K>{}), ...); }
      (std::make_integer_sequence<int, Fragments::steps>{});
      fragments.end_block();
    }
    auto const read = fragments.last_read() & static_cast<std::uint32_t>(p.tiles_n >> 31);  // 0
    if constexpr (!Tma) {
      arch::mbarrier_arrive(empty[read]);
    } else if (__syncwarp(); threadIdx.x % 32 == 0) {
      arch::mbarrier_arrive(empty[read]);
    }
  }
}

template <class Policy, class Problem, bool Tma>
__global__ void __launch_bounds__(Policy::threads, Policy::resident)
    warp_specialized_kernel(__grid_constant__ tma_problem<Problem> const x) {
  using accum = typename Problem::accum;
  constexpr bool turns = Tma && turns_squares<Policy, Problem>;
  using fragments =
      consumer_fragments<Policy, Tma && Problem::storage::a == major::k, tile_of_b_in<Policy, Problem, Tma>>;
  Problem const& p = x.problem;
  auto& shared = arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  block_tile const tile = tile_of_block<Policy>(p);
  if (tile.batch >= p.batch_count) {
    return;  // the whole block
  }
  if (threadIdx.x == 0) {
    if constexpr (Tma) {
      prefetch_maps(x);
    }
    init_ring(shared.full, shared.empty, Policy::template producer_arrivals<Tma>(turns && !p.squares_of_b),
              Policy::template consumer_arrivals<Tma, turns>);
    if constexpr (turns) {
      init_landed(shared.landed);
    }
    for (arch::mbarrier* const barrier : {&shared.all_read, &shared.groups_shared, &shared.tile_shared}) {
      arch::mbarrier_init(*barrier, Policy::consumer_threads);
    }
    arch::fence_mbarrier_init();
  }
  __syncthreads();
  arch::wait_for_dependency();  // for who writes the operands
  arch::launch_dependents();

  k_range const range = range_of(p, tile);
  std::int64_t const tiles_of_k = (range.depth + Policy::block_k - 1) / Policy::block_k;
  if (threadIdx.x < Policy::producer_threads) {
    arch::setmaxnreg_dec<Policy::template producer_registers<Tma, turns>>();
    if constexpr (!Tma) {
      produce_by_copies<Policy>(p, shared, tile, range);
    } else if (threadIdx.x == 0) {
      ring_place<Policy::stages> at;
      produce_by_tma<Policy>(x, shared, tile, range, at);
    } else if (threadIdx.x >= 32) {
      if constexpr (turns) {
        if (!p.squares_of_b) {
          ring_place<Policy::stages> at;
          turn_tiles<Policy>(shared, at, tiles_of_k);
        }
      }
    }
    return;
  }
  arch::setmaxnreg_inc<Policy::template consumer_registers<Tma, turns>>();
  accum sum[fragments::rows][fragments::columns] = {};
  ring_place<Policy::stages> at{.stage = fragments::first_tile()};
  consume<Policy, Tma, fragments>(p, shared, at, tiles_of_k, sum);
  fragments::straighten(sum);
  finish_tile<Policy, fragments>(p, shared, sum);
}

}  // namespace detail

/// Producer and consumer warps with a ring of stages between them. Block: the tile of C and its depth, 32; Stages:
/// tiles of each operand in the ring; KGroups: groups of consumers, each of which has the whole tile and a part of its
/// k, so that small tiles keep a multiprocessor busy, too; Warp: one consumer warp's elements.
/// Float, on sm_90 with code for sm_90a. TMA brings the tiles where pointers, leading dimensions and batch strides are
/// multiples of 16 bytes, those of a k-major B (nt and tt) unless the kernel would have to turn odd squares; everything
/// else goes through 4-byte copies, a fifth slower, unless it is `repacked` first.
template <class Block, class Stages, class KGroups = k_groups<1>, class Warp = warp<64, 64>>
struct warp_specialized {
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
                                    .sums_whole_as_slice = true,
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
  };

  /// Who says that a stage has been read: a lane of each warp, or for copies, whose order racecheck must see, all.
  template <bool Tma, bool Turns>
  static constexpr int consumer_arrivals = parts<Turns>*(Tma ? group_threads / 32 : group_threads);

  /// Who says that it is full: who issues TMA and who transposes each half of a square, or every thread that copies.
  template <bool Tma>
  __device__ static int producer_arrivals(bool turns) {
    return !Tma ? producer_threads : turns ? 1 + detail::halves_of_tile<warp_specialized> : 1;
  }

  /// What k_groups exchange, in the room of the ring, and the bytes behind it, where a tile of sums may have room.
  template <class T>
  static constexpr std::size_t exchanged_bytes = detail::group_sum_bytes<accumulators, group_threads, groups, T>;
  template <class T>
  static constexpr std::size_t sum_room =
      std::size_t{block_m + block_n} * block_k* stages * sizeof(T) - exchanged_bytes<T>;
  template <class T>
  static constexpr bool shares_tile = detail::shared_tile_bytes<warp_specialized, T> <= sum_room<T>;

  /// Registers of a thread: the sums, the fragments and little else, and what is left for a producer.
  template <bool Tma, bool Turns>
  static constexpr int producer_registers = Tma && !Turns ? 24 : 40;
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
    static_assert(type, "gemm: warp_specialized multiplies float so far. Use pipelined for other types.");
    return type;
  }

  template <class T>
  static constexpr bool check() {
    constexpr int lanes_m = detail::consumer_lanes_m(warp_m), lanes_n = 32 / lanes_m, rows = warp_m / lanes_m;
    constexpr bool warps = warp_m > 0 && warp_n > 0 && warp_m % lanes_m == 0 && warp_n % (4 * lanes_n) == 0 &&
                           rows <= 16 && accumulators >= 32 && accumulators <= 128;
    static_assert(
        warps,
        "gemm: a thread of warp_specialized has 32 to 128 elements, in at most 16 rows and a multiple of 4 columns. "
        "Lanes along m are warp_m / 8 where that is a power of two, else 4. Change warp.");
    constexpr bool whole = warps && consumer_threads % 128 == 0 && consumer_threads > 0 && consumer_threads <= 256 &&
                           block_m % warp_m == 0 && block_n % warp_n == 0;
    static_assert(!warps || whole,
                  "gemm: warp_specialized needs block_m and block_n to be multiples of warp's, and 4 or 8 warps in its "
                  "k_groups together (whole warpgroups of consumers). Change block or k_groups.");
    static_assert(
        !whole || block_k == 32,
        "gemm: warp_specialized needs a block_k of 32 (rows of 128 bytes, which TMA swizzles). Change block.");
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
  static auto kernel() {
    return &detail::warp_specialized_kernel<Policy, Problem, Tma>;
  }
};

}  // namespace gemm
