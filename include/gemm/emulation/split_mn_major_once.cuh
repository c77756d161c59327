// SPDX-License-Identifier: BSL-1.0
//! @file
//! A and B that are both mn-major, split in one pass, where the blocks of a cluster hold all k of a row.
//!
//!     cluster     32 rows; each block has a slab of their k in shared memory
//!     1           a slab ---> shared memory, and its greatest elements
//!     2           the blocks compare theirs: the scales
//!     3           shared memory ---> terms; what tells how the rows' products err, added up by the first block
//!
//! Everything is read once, and without a pass before it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/cluster.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/maximum.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/emulation/error_facts.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/split_operand.cuh>

namespace gemm::detail {

struct alignas(16) once_storage {
  std::int32_t greatest[once_lines], large[once_lines], least[once_lines];  // of the block's slab, for the cluster
  std::int32_t of_warp[split_warps][once_lines];                            // greatest
  std::int32_t of_line[once_lines];                                         // greatest of all slabs

  /// Behind it, [k][row].
  __device__ float* tile() { return reinterpret_cast<float*>(this + 1); }
};

/// For all blocks of a cluster to have come so far.
__device__ inline void sync_cluster(int blocks) {
  if (blocks > 1) {
    arch::cluster_arrive();
    arch::cluster_wait();
  } else {
    __syncthreads();
  }
}

/// What the blocks have at `shared` for four rows, one after the other.
template <class Action>
__device__ void for_each_slab(std::int32_t const* shared, int blocks, Action action) {
  arch::shared_address const mine = arch::shared_address_of(shared);
  for (int rank = 0; rank < blocks; ++rank) {
    std::int32_t theirs[4];
    arch::load_cluster(theirs, blocks > 1 ? arch::address_in_block(mine, static_cast<unsigned>(rank)) : mine);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      action(i, theirs[i]);
    }
  }
}

/// Loads the block's slab, k from `begin` on, `rows` of them with zeros that fill up the last 64. Finds the greatest
/// element of each row.
template <bool Wide>
__device__ void load_slab(split_operand const& o, split_operands const& params, std::int64_t matrix, std::int64_t first,
                          int begin, int rows, once_storage& shared) {
  constexpr int run = Wide ? 4 : 1, across = once_lines / run, down = split_threads / across, at_once = Wide ? 8 : 16;
  int const thread = static_cast<int>(threadIdx.x), own_line = thread % across * run;
  float const* const from = o.from + matrix * o.stride + first + own_line;
  float most[run] = {};
  auto const load = [&](auto inside_all) {
    for (int k = thread / across; k < rows; k += at_once * down) {
      float value[at_once][run];
#pragma unroll
      for (int a = 0; a < at_once; ++a) {
        int const own = begin + k + a * down;
        std::int64_t const inside = decltype(inside_all)::value ? run
                                    : own < params.depth        ? o.lines - first - own_line
                                                                : 0;
        load_run(from + own * o.ld, k + a * down < rows ? inside : 0, value[a]);
      }
#pragma unroll
      for (int a = 0; a < at_once; ++a) {
        if (k + a * down < rows) {
#pragma unroll
          for (int j = 0; j < run; ++j) {
            most[j] = arch::maximum(most[j], fabsf(value[a][j]));
            shared.tile()[(k + a * down) * once_pitch + own_line + j] = value[a][j];
          }
        }
      }
    }
  };
  first + once_lines <= o.lines&& begin + rows <= params.depth ? load(std::true_type{}) : load(std::false_type{});
#pragma unroll
  for (int j = 0; j < run; ++j) {
    auto bits = static_cast<std::int32_t>(magnitude_bits(most[j]));
#pragma unroll
    for (int bit = across; bit < 32; bit *= 2) {
      bits = (max)(bits, __shfl_xor_sync(0xffffffffU, bits, bit));
    }
    if (thread % 32 < across) {
      shared.of_warp[thread / 32][own_line + j] = bits;
    }
  }
  __syncthreads();
  if (thread < once_lines) {
    std::int32_t bits = 0;
#pragma unroll
    for (int i = 0; i < split_warps; ++i) {
      bits = (max)(bits, shared.of_warp[i][thread]);
    }
    shared.greatest[thread] = bits;
  }
}

/// Writes the terms of the slab, and what is seen of its elements.
template <class Terms>
__device__ void split_slab(split_operand const& o, split_operands const& params, std::int64_t line, bool inside,
                           int begin, int rows, scale const& factor, once_storage& shared) {
  constexpr int width = split_run<true>, runs = split_threads / once_lines;
  int const own = static_cast<int>(threadIdx.x) / runs, run = static_cast<int>(threadIdx.x) % runs;
  auto* const terms = static_cast<typename Terms::element*>(o.terms) + line * line_of_terms<Terms>(params.depth);
  seen_elements seen;
#pragma unroll 2
  for (int k = run * width; k < rows; k += runs * width) {
    float value[1][width];
#pragma unroll
    for (int i = 0; i < width; ++i) {
      value[0][i] = shared.tile()[(k + i) * once_pitch + own];
    }
    seen.see(value[0]);
    scale_runs(value, factor);
    seen.see_scaled<Terms>(value[0]);
    if (inside) {
      store_terms<Terms>(terms, begin + k, value[0]);
    }
  }
  seen = seen_by<runs>(seen);
  if (run == 0) {
    shared.large[own] = static_cast<std::int32_t>(seen.large);
    shared.least[own] = static_cast<std::int32_t>(seen.least);
  }
}

/// The grid is groups of rows x 1 x slabs, a cluster along the slabs.
template <class Terms, bool Wide>
__global__ void __launch_bounds__(split_threads, 3)
    split_mn_major_once_kernel(__grid_constant__ split_operands const params) {
  auto& shared = arch::dynamic_shared_memory<once_storage>();
  arch::wait_for_dependency();  // for who writes the operands, and who reads the last terms
  int const thread = static_cast<int>(threadIdx.x), rank = static_cast<int>(blockIdx.z), blocks = params.cluster;
  if (params.refused != nullptr && blockIdx.x + blockIdx.z + threadIdx.x == 0) {
    *params.refused = not_decided;
  }
  arch::launch_dependents();
  bool const is_b = blockIdx.x >= params.operand[0].second_blocks;
  split_operand const& o = params.operand[is_b ? 1 : 0];
  auto const group = static_cast<std::uint32_t>(blockIdx.x - (is_b ? params.operand[0].second_blocks : 0)),
             groups = static_cast<std::uint32_t>((o.lines + once_lines - 1) / once_lines);
  std::int64_t const matrix = group / groups, first = std::int64_t{group % groups} * once_lines;
  int const begin = rank * o.slab, padded = static_cast<int>(padded_depth(params.depth)),
            rows = padded - begin < o.slab ? padded - begin : o.slab;

  load_slab<Wide>(o, params, matrix, first, begin, rows, shared);
  sync_cluster(blocks);  // for the greatest elements of all slabs
  if (thread < once_lines / 4) {
    std::int32_t most[4] = {};
    for_each_slab(shared.greatest + 4 * thread, blocks,
                  [&](int i, std::int32_t bits) { most[i] = (max)(most[i], bits); });
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      shared.of_line[4 * thread + i] = most[i];
    }
  }
  __syncthreads();

  int const own = thread * once_lines / split_threads;
  std::int64_t const line = matrix * o.lines + first + own;
  split_slab<Terms>(o, params, line, first + own < o.lines, begin, rows,
                    scale_of_line(scale_of_greatest(static_cast<std::uint32_t>(shared.of_line[own]), Terms::greatest)),
                    shared);
  sync_cluster(blocks);  // for what all have seen
  if (rank == 0 && thread < once_lines / 4) {
    std::uint32_t large[4] = {}, least[4] = {infinite_bits, infinite_bits, infinite_bits, infinite_bits};
    for_each_slab(shared.large + 4 * thread, blocks,
                  [&](int i, std::int32_t count) { large[i] += static_cast<std::uint32_t>(count); });
    for_each_slab(shared.least + 4 * thread, blocks,
                  [&](int i, std::int32_t bits) { least[i] = (min)(least[i], static_cast<std::uint32_t>(bits)); });
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      int const of_group = 4 * thread + i;
      if (first + of_group < o.lines) {
        std::int64_t const to = matrix * o.lines + first + of_group;
        auto const greatest = static_cast<std::uint32_t>(shared.of_line[of_group]);
        int const exponent = scale_of_greatest(greatest, Terms::greatest);
        seen_elements const seen{large[i], least[i]};
        o.exponents[to] = exponent;
        o.facts[to] = facts_of_line<Terms>(seen, exponent, greatest, params.depth);
      }
    }
  }
  if (blocks > 1) {
    arch::cluster_arrive_relaxed();
    arch::cluster_wait();  // for nobody to read this block's memory any more
  }
}

}  // namespace gemm::detail
