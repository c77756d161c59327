// SPDX-License-Identifier: BSL-1.0
//! @file
//! The passes of fp16x3_split.cuh over what is mn-major, if it is not for fp16x3_turn_once.cuh.
//!
//!     first pass     blocks find the greatest elements of 128 lines in a slab of k
//!     second pass    64 x 64 elements ---> shared memory ---> parts of 64 lines
//!
//! The maxima of the slabs are compared by who needs them, and the facts of a line (see line_facts.cuh) are added up,
//! for several blocks have a part of it. A thread asks for all that it will read before it uses any, which is most of
//! their speed (H200, A and B of 4096 x 4096: 113 us, one after the other 149).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/global_atomics.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/fp16_parts.cuh>
#include <gemm/block/line_facts.cuh>
#include <gemm/block/part_formats.cuh>
#include <gemm/block/split_operand.cuh>

namespace gemm::detail {

/// First pass, mn-major: the greatest elements of 128 lines in one slab.
template <bool Wide>
__device__ void find_greatest(split_operand const& o, split_operands const& x, std::int64_t block,
                              split_storage& shared) {
  constexpr int run = Wide ? 4 : 1, runs = 4 / run;  // of a thread: 4 lines
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  // A grid has less than 2^31 blocks.
  auto const groups = static_cast<std::uint32_t>((o.lines + split_group - 1) / split_group),
             slabs = static_cast<std::uint32_t>(x.slabs), group = static_cast<std::uint32_t>(block) / slabs;
  std::int64_t const slab = static_cast<std::uint32_t>(block) % slabs, matrix = group / groups,
                     first = std::int64_t{group % groups} * split_group, begin = slab * x.slab;
  int const end = static_cast<int>(begin + x.slab < x.depth ? begin + x.slab : x.depth);
  float const* const from = o.from + matrix * o.stride + first;
  std::uint32_t greatest[runs][run] = {};
  constexpr int at_once = 4;  // k that are on their way
  auto const look = [&](auto inside_all) {
    for (int k = static_cast<int>(begin) + warp; k < end; k += at_once * split_warps) {
      float value[at_once][runs][run];
#pragma unroll
      for (int a = 0; a < at_once; ++a) {
#pragma unroll
        for (int i = 0; i < runs; ++i) {
          int const line = (i * 32 + lane) * run, own = k + a * split_warps;
          std::int64_t const left = own < end ? o.lines - first - line : 0;
          load_run(from + own * o.ld + line, decltype(inside_all)::value ? run : left, value[a][i]);
        }
      }
#pragma unroll
      for (int a = 0; a < at_once; ++a) {
#pragma unroll
        for (int i = 0; i < runs; ++i) {
#pragma unroll
          for (int j = 0; j < run; ++j) {
            greatest[i][j] = max(greatest[i][j], magnitude_bits(value[a][i][j]));
          }
        }
      }
    }
  };
  bool const whole = first + split_group <= o.lines && (end - begin) % (at_once * split_warps) == 0;
  whole ? look(std::true_type{}) : look(std::false_type{});
#pragma unroll
  for (int i = 0; i < runs; ++i) {
#pragma unroll
    for (int j = 0; j < run; ++j) {
      shared.greatest[warp][(i * 32 + lane) * run + j] = greatest[i][j];
    }
  }
  __syncthreads();
  int const line = static_cast<int>(threadIdx.x);
  if (line < split_group && first + line < o.lines) {
    std::uint32_t most = 0;
#pragma unroll
    for (int i = 0; i < split_warps; ++i) {
      most = max(most, shared.greatest[i][line]);
    }
    o.maxima[slab * o.all_lines + matrix * o.lines + first + line] = most;
    if (slab == 0) {
      o.facts[matrix * o.lines + first + line] = 0;  // to which the second pass adds
    }
  }
}

/// Second pass, mn-major: the parts of 64 elements of 64 lines.
template <class Parts, bool Wide>
__device__ void split_turned(split_operand const& o, split_operands const& x, std::int64_t block,
                             split_storage& shared) {
  constexpr int side = split_tile, run = Wide ? 4 : 1, in_line = side / run, at_once = split_threads / in_line;
  // A grid has less than 2^31 blocks.
  auto const down_k = static_cast<std::uint32_t>(padded_depth(x.depth) / side),
             of_matrix = down_k * static_cast<std::uint32_t>((o.lines + side - 1) / side);
  // In the other order than the first pass: what it has read last is in the L2.
  std::uint32_t const index = static_cast<std::uint32_t>(block) / of_matrix,
                      tile = (index + 1) * of_matrix - 1 - static_cast<std::uint32_t>(block);
  int const k = static_cast<int>(tile % down_k) * side;
  std::int64_t const matrix = index, first = std::int64_t{tile / down_k} * side;
  int const thread = static_cast<int>(threadIdx.x);
  float const* const from = o.from + matrix * o.stride + first;

  constexpr int lanes = split_threads / side;  // of a line, that compare its maxima
  std::int64_t const mine = matrix * o.lines + first + thread / lanes;
  bool const inside = first + thread / lanes < o.lines;
  std::uint32_t greatest = 0;
#pragma unroll
  for (int i = 0; i < split_slabs; i += lanes) {
    int const slab = i + thread % lanes;
    greatest = max(greatest, inside && slab < x.slabs ? o.maxima[slab * o.all_lines + mine] : 0);
  }
  int const own_line = thread % in_line * run, own_k = thread / in_line;
  float own[side / at_once][run];  // all on their way at once
  auto const fetch = [&](auto inside_all) {
#pragma unroll
    for (int i = 0; i < side / at_once; ++i) {
      int const down = k + own_k + i * at_once;
      std::int64_t const left = down < x.depth ? o.lines - first - own_line : 0;
      load_run(from + down * o.ld + own_line, decltype(inside_all)::value ? run : left, own[i]);
    }
  };
  first + side <= o.lines&& k + side <= x.depth ? fetch(std::true_type{}) : fetch(std::false_type{});
#pragma unroll
  for (int i = 0; i < side / at_once; ++i) {
#pragma unroll
    for (int j = 0; j < run; ++j) {
      shared.tile[own_k + i * at_once][own_line + j] = own[i][j];
    }
  }
#pragma unroll
  for (int bit = lanes / 2; bit > 0; bit /= 2) {
    greatest = max(greatest, __shfl_xor_sync(0xffffffffU, greatest, bit));
  }
  if (thread % lanes == 0) {
    int const exponent = scale_of_greatest(greatest, Parts::greatest);
    shared.exponents[thread / lanes] = exponent;
    shared.greatest[0][thread / lanes] = greatest;
    if (inside && k == 0) {
      o.exponents[mine] = exponent;
    }
  }
  __syncthreads();

  constexpr int width = split_run<true>, runs = side / width;
  auto const here = static_cast<std::uint32_t>(x.depth - k < side ? x.depth - k : side);  // of each line
#pragma unroll
  for (int i = 0; i < side * runs; i += split_threads) {
    int const line = (i + thread) / runs, begin = thread % runs * width, exponent = shared.exponents[line];
    std::int64_t const to = matrix * o.lines + first + line;
    scale const by = scale_of_line(exponent);
    float value[1][width];
#pragma unroll
    for (int i = 0; i < width; ++i) {
      value[0][i] = shared.tile[begin + i][line];
    }
    seen_elements seen;
    seen.see(value[0]);
    scale_runs(value, by);
    seen.see_scaled<Parts>(value[0]);
    seen = seen_by<runs>(seen);
    if (first + line < o.lines) {
      auto* const parts = static_cast<typename Parts::element*>(o.parts) + to * line_of_parts<Parts>(x.depth);
      store_parts<Parts>(parts, k + begin, value[0]);
      if (begin == 0 && is_scale(exponent) && shared.greatest[0][line] != 0 && seen.large < here) {
        arch::reduce_add(o.facts + to, here - seen.large);
      }
      if (begin == 0 && (is_scale(exponent) ? seen.tiny<Parts>(by) != 0 : k == 0)) {
        arch::reduce_or(o.facts + to, is_scale(exponent) ? tiny_bit : nonfinite_facts);
      }
    }
  }
}

/// The second pass, of what is mn-major.
template <class Parts, bool Wide>
__global__ void __launch_bounds__(split_threads) fp16x3_turn_kernel(__grid_constant__ split_operands const x) {
  auto& shared = arch::dynamic_shared_memory<split_storage>();
  arch::wait_for_dependency();  // for the first
  arch::launch_dependents();
  bool const is_b = blockIdx.x >= x.of[0].second_blocks;
  split_turned<Parts, Wide>(x.of[is_b ? 1 : 0], x, blockIdx.x - (is_b ? x.of[0].second_blocks : 0), shared);
}

}  // namespace gemm::detail
