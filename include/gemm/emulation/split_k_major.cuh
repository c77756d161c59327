// SPDX-License-Identifier: BSL-1.0
//! @file
//! The passes before fp16x3.cuh: A and B become terms, row after row with k running fastest (see split_formats.cuh).
//!
//!     k-major     as many warps as hold a row read it, find its greatest element, and write the terms
//!     mn-major    sets to zero what the second pass, split_mn_major.cuh, adds to
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/emulation/error_facts.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/split_operand.cuh>

namespace gemm::detail {

/// The greatest magnitude_bits() of a row that Lanes threads share.
template <int Lanes>
__device__ std::uint32_t greatest_of_line(std::uint32_t greatest, int group, int lane, split_storage& shared) {
  constexpr int in_warp = Lanes < 32 ? Lanes : 32, warps = Lanes / in_warp;
#pragma unroll
  for (int bit = in_warp / 2; bit > 0; bit /= 2) {
    greatest = (max)(greatest, __shfl_xor_sync(0xffffffffU, greatest, bit));
  }
  if constexpr (warps > 1) {
    if (lane % 32 == 0) {
      shared.greatest[group * warps + lane / 32] = greatest;
    }
    arch::named_barrier_sync(1 + group, Lanes);
#pragma unroll
    for (int i = 0; i < warps; ++i) {
      greatest = (max)(greatest, shared.greatest[group * warps + i]);
    }
  }
  return greatest;
}

/// What they have seen together.
template <int Lanes>
__device__ seen_elements seen_of_line(seen_elements seen, int group, int lane, split_storage& shared) {
  constexpr int in_warp = Lanes < 32 ? Lanes : 32, warps = Lanes / in_warp;
  seen = seen_by<in_warp>(seen);
  if constexpr (warps > 1) {
    if (lane % 32 == 0) {
      shared.large[group * warps + lane / 32] = seen.large;
      shared.least[group * warps + lane / 32] = seen.least;
    }
    arch::named_barrier_sync(1 + group, Lanes);
    seen = {};
#pragma unroll
    for (int i = 0; i < warps; ++i) {
      seen.large += shared.large[group * warps + i];
      seen.least = (min)(seen.least, shared.least[group * warps + i]);
    }
  }
  return seen;
}

/// First pass, k-major: Lanes threads for each row, a part of a warp or whole ones.
template <class Terms, bool Wide, int Lanes>
__device__ void split_lines(split_operand const& o, split_operands const& params, std::int64_t block,
                            split_storage& shared) {
  constexpr int run = split_run<Wide>, runs = split_held / run, step = Lanes * run;
  int const group = static_cast<int>(threadIdx.x) / Lanes, lane = static_cast<int>(threadIdx.x) % Lanes;
  std::int64_t const line = block * (split_threads / Lanes) + group;
  bool const inside = line < o.all_lines;
  if (Lanes >= 32 && Lanes < split_threads && !inside) {
    return;  // the whole group, of whole warps
  }
  int const depth = inside ? params.depth : 0;
  std::int64_t const matrix = o.all_lines == o.lines ? 0 : line / o.lines;  // which takes 80 instructions
  int const padded = static_cast<int>(padded_depth(depth));
  float const* const from = o.from + matrix * o.stride + (line - matrix * o.lines) * o.ld;
  auto* const terms = static_cast<typename Terms::element*>(o.terms) + line * line_of_terms<Terms>(depth);

  float value[runs][run];
#pragma unroll
  for (int i = 0; i < runs; ++i) {
    int const k = i * step + lane * run;
    load_run(from + k, depth - k, value[i]);
  }
  float most = 0;
  seen_elements seen;
#pragma unroll
  for (int i = 0; i < runs; ++i) {
    most = greater_of(most, value[i]);
    seen.see(value[i]);
  }
  for (int k = runs * step + lane * run; k < depth; k += step) {
    float more[run];
    load_run(from + k, depth - k, more);
    most = greater_of(most, more);
    seen.see(more);
  }
  std::uint32_t const greatest = greatest_of_line<Lanes>(magnitude_bits(most), group, lane, shared);
  int const exponent = scale_of_greatest(greatest, Terms::greatest);
  if (lane == 0 && inside) {
    o.exponents[line] = exponent;
  }

  scale const factor = scale_of_line(exponent);
  scale_runs(value, factor);
#pragma unroll
  for (int i = 0; i < runs; ++i) {
    int const k = i * step + lane * run;
    if (k < padded) {
      store_terms<Terms>(terms, k, value[i]);
      seen.see_scaled<Terms>(value[i]);
    }
  }
  for (int k = runs * step + lane * run; k < padded; k += step) {
    float more[1][run];
    load_run(from + k, depth - k, more[0]);
    scale_runs(more, factor);
    store_terms<Terms>(terms, k, more[0]);
    seen.see_scaled<Terms>(more[0]);
  }
  seen = seen_of_line<Lanes>(seen, group, lane, shared);
  if (lane == 0 && inside) {
    o.facts[line] = facts_of_line<Terms>(seen, exponent, greatest, depth);
  }
}

/// First pass, mn-major: the zeros from which the second one counts, 16 bytes of each thread.
__device__ inline void clear_words(split_operand const& o, std::int64_t block) {
  constexpr int width = widest<std::uint32_t>, bytes = width * sizeof(std::uint32_t);
  std::int64_t const own = block * split_threads + static_cast<std::int64_t>(threadIdx.x);
  if (own * bytes < o.cleared_bytes) {
    store_vector(o.cleared + own * width, vector<std::uint32_t, width>{});
  }
}

/// The first pass. Lanes: threads of a row that is k-major, 8 or from 32 to all of the block's.
template <class Terms, bool Wide, int Lanes>
__global__ void __launch_bounds__(split_threads) split_k_major_kernel(__grid_constant__ split_operands const params) {
  auto& shared = arch::dynamic_shared_memory<split_storage>();
  arch::wait_for_dependency();  // for who writes the operands, and who reads the last terms
  if (params.refused != nullptr && blockIdx.x + threadIdx.x == 0) {
    *params.refused = not_decided;
  }
  arch::launch_dependents();
  bool const is_b = blockIdx.x >= params.operand[0].blocks;
  split_operand const& o = params.operand[is_b ? 1 : 0];
  std::int64_t const block = blockIdx.x - (is_b ? params.operand[0].blocks : 0);
  if (o.by_k) {
    split_lines<Terms, Wide, Lanes>(o, params, block, shared);
  } else {
    clear_words(o, block);
  }
}

}  // namespace gemm::detail
