// SPDX-License-Identifier: BSL-1.0
//! @file
//! The passes before fp16x3.cuh: A and B become parts, line after line with k running fastest (see part_formats.cuh).
//!
//!     k-major     as many warps as hold a line read it, find its greatest element, and write the parts
//!     mn-major    first pass: blocks find the greatest elements of 128 lines in a slab of k
//!                 second pass: 64 x 64 elements ---> shared memory ---> parts of 64 lines
//!
//! Everything is read once, or what is mn-major twice. The maxima of the slabs are compared by who needs them, and the
//! facts of a line (see line_facts.cuh) are added up where several blocks have a part of it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/reduction.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/fp16_parts.cuh>
#include <gemm/block/line_facts.cuh>
#include <gemm/block/part_formats.cuh>
#include <gemm/block/vector.cuh>

namespace gemm {

/// A batch of matrices that are taken apart. Not for users; it is not in detail for the kernels' symbols.
struct split_operand {
  float const* from;
  void* parts;              // [matrix][line][line_of_parts]
  int* exponents;           // [matrix][line]
  std::uint32_t* facts;     // [matrix][line]
  std::uint32_t* maxima;    // [slab][matrix][line], of what is mn-major
  std::int64_t ld, stride;  // of `from`
  std::int64_t lines;       // m or n
  std::int64_t all_lines;   // of all matrices
  std::int64_t blocks;      // of the first pass, and of the second
  std::int64_t second_blocks;
  bool by_k;  // k-major
};

/// What the kernels are told: the first blocks have A, the others B. Not for users, likewise.
struct split_operands {
  split_operand of[2];
  int depth;  // k
  int slab;   // how many k have maxima of their own
  int slabs;
  bool beside = false;  // the kernel before, which does not need them and has waited for all before it
};

namespace detail {

inline constexpr int split_threads = 256, split_warps = split_threads / 32, split_tile = 64, split_group = 128;

/// Elements of a line that a thread keeps in registers; what is beyond it, of a line too long for all of the block's,
/// it reads a second time.
inline constexpr int split_held = 32;

/// Elements that a thread has at a time, neighbours in memory: where lines are aligned, as many as fill 16 bytes of
/// parts.
template <bool Wide>
inline constexpr int split_run = Wide ? 8 : 1;

struct split_storage {
  std::uint32_t greatest[split_warps][split_group];
  std::uint32_t large[split_warps], tiny[split_warps];  // of the warps' elements of a line
  float tile[split_tile][split_tile + 1];               // [k][line]
  int exponents[split_tile];
};

/// A run of `count` neighbours, of which what is not there is 0.
template <int Run>
__device__ void load_run(float const* from, std::int64_t count, float (&value)[Run]) {
  if (Run > 1 && count >= Run) {
#pragma unroll
    for (int i = 0; i < Run; i += widest_in<float, Run>) {
      auto const piece = load_vector<widest_in<float, Run>>(from + i);
#pragma unroll
      for (int j = 0; j < widest_in<float, Run>; ++j) {
        value[i + j] = piece.element[j];
      }
    }
  } else {
#pragma unroll
    for (int i = 0; i < Run; ++i) {
      value[i] = i < count ? from[i] : 0.0f;
    }
  }
}

/// Writes the parts of a run that begins at element k of a line.
template <class Parts, int Run>
__device__ void store_parts(typename Parts::element* line, int k, float const (&value)[Run], scale const& by) {
  using element = typename Parts::element;
  constexpr int width = widest_in<element, Run>;
#pragma unroll
  for (int begin = 0; begin < Run; begin += width) {
    vector<element, width> part[Parts::count];
#pragma unroll
    for (int i = 0; i < width; ++i) {
      element of_one[Parts::count];
      Parts::split(value[begin + i], by, of_one);
#pragma unroll
      for (int j = 0; j < Parts::count; ++j) {
        part[j].element[i] = of_one[j];
      }
    }
#pragma unroll
    for (int j = 0; j < Parts::count; ++j) {
      store_vector(line + place_of_part<Parts>(k + begin, j), part[j]);
    }
  }
}

template <int Run>
__device__ std::uint32_t greater_of(std::uint32_t greatest, float const (&value)[Run]) {
#pragma unroll
  for (int i = 0; i < Run; ++i) {
    greatest = max(greatest, magnitude_bits(value[i]));
  }
  return greatest;
}

/// What so many neighbouring lanes have seen together.
template <int Lanes>
__device__ seen_elements seen_by(seen_elements seen) {
#pragma unroll
  for (int bit = Lanes / 2; bit > 0; bit /= 2) {
    seen.large += __shfl_xor_sync(0xffffffffU, seen.large, bit);
    seen.tiny |= __shfl_xor_sync(0xffffffffU, seen.tiny, bit);
  }
  return seen;
}

/// The scale by which a line is multiplied; any where its sums are not used.
__device__ inline scale scale_of_line(int exponent) { return scale::of(is_scale(exponent) ? exponent : 0); }

/// First pass, k-major: Lanes threads for each line.
template <class Parts, bool Wide, int Lanes>
__device__ void split_lines(split_operand const& o, split_operands const& x, std::int64_t block,
                            split_storage& shared) {
  constexpr int run = split_run<Wide>, runs = split_held / run, step = Lanes * run;
  int const depth = x.depth, lane = static_cast<int>(threadIdx.x) % Lanes;
  std::int64_t const line = block * (split_threads / Lanes) + static_cast<int>(threadIdx.x) / Lanes;
  constexpr int warps = Lanes / 32;
  int const group = static_cast<int>(threadIdx.x) / Lanes, first_warp = group * warps;
  if (Lanes < split_threads && line >= o.all_lines) {
    return;  // the whole group
  }
  std::int64_t const matrix = line / o.lines;
  int const padded = static_cast<int>(padded_depth(depth));
  float const* const from = o.from + matrix * o.stride + (line - matrix * o.lines) * o.ld;
  auto* const parts = static_cast<typename Parts::element*>(o.parts) + line * line_of_parts<Parts>(depth);

  float value[runs][run];
#pragma unroll
  for (int i = 0; i < runs; ++i) {
    int const k = i * step + lane * run;
    load_run(from + k, depth - k, value[i]);
  }
  std::uint32_t greatest = 0;
#pragma unroll
  for (int i = 0; i < runs; ++i) {
    greatest = greater_of(greatest, value[i]);
  }
  for (int k = runs * step + lane * run; k < depth; k += step) {
    float more[run];
    load_run(from + k, depth - k, more);
    greatest = greater_of(greatest, more);
  }
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) {
    greatest = max(greatest, __shfl_xor_sync(0xffffffffU, greatest, bit));
  }
  if constexpr (warps > 1) {
    if (lane % 32 == 0) {
      shared.greatest[first_warp + lane / 32][0] = greatest;
    }
    arch::named_barrier_sync(1 + group, Lanes);
#pragma unroll
    for (int i = 0; i < warps; ++i) {
      greatest = max(greatest, shared.greatest[first_warp + i][0]);
    }
  }
  int const exponent = scale_of_greatest(greatest, Parts::greatest);
  if (lane == 0) {
    o.exponents[line] = exponent;
  }

  scale const by = scale_of_line(exponent);
  seen_elements seen;
#pragma unroll
  for (int i = 0; i < runs; ++i) {
    int const k = i * step + lane * run;
    if (k < padded) {
      store_parts<Parts>(parts, k, value[i], by);
      seen.see<Parts>(value[i], by);
    }
  }
  for (int k = runs * step + lane * run; k < padded; k += step) {
    float more[run];
    load_run(from + k, depth - k, more);
    store_parts<Parts>(parts, k, more, by);
    seen.see<Parts>(more, by);
  }
  seen = seen_by<32>(seen);
  if constexpr (warps > 1) {
    if (lane % 32 == 0) {
      shared.large[first_warp + lane / 32] = seen.large;
      shared.tiny[first_warp + lane / 32] = seen.tiny;
    }
    arch::named_barrier_sync(1 + group, Lanes);
    seen = {};
#pragma unroll
    for (int i = 0; i < warps; ++i) {
      seen.large += shared.large[first_warp + i];
      seen.tiny |= shared.tiny[first_warp + i];
    }
  }
  if (lane == 0) {
    std::uint32_t const small = greatest == 0 ? 0 : static_cast<std::uint32_t>(depth) - seen.large;
    o.facts[line] = is_scale(exponent) ? small | seen.tiny : nonfinite_facts;
  }
}

/// First pass, mn-major: the greatest elements of 128 lines in one slab.
template <bool Wide>
__device__ void find_greatest(split_operand const& o, split_operands const& x, std::int64_t block,
                              split_storage& shared) {
  constexpr int run = Wide ? 4 : 1, runs = 4 / run;  // of a thread: 4 lines
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  std::int64_t const groups = (o.lines + split_group - 1) / split_group, slab = block % x.slabs,
                     matrix = block / x.slabs / groups, first = (block / x.slabs - matrix * groups) * split_group;
  std::int64_t const begin = slab * x.slab;
  int const end = static_cast<int>(begin + x.slab < x.depth ? begin + x.slab : x.depth);
  float const* const from = o.from + matrix * o.stride + first;
  std::uint32_t greatest[runs][run] = {};
#pragma unroll 4
  for (int k = static_cast<int>(begin) + warp; k < end; k += split_warps) {
#pragma unroll
    for (int i = 0; i < runs; ++i) {
      int const line = (i * 32 + lane) * run;
      float value[run];
      load_run(from + k * o.ld + line, o.lines - first - line, value);
#pragma unroll
      for (int j = 0; j < run; ++j) {
        greatest[i][j] = max(greatest[i][j], magnitude_bits(value[j]));
      }
    }
  }
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
  std::int64_t const down_k = padded_depth(x.depth) / side, of_matrix = down_k * ((o.lines + side - 1) / side);
  // In the other order than the first pass: what it has read last is in the L2.
  std::int64_t const matrix = block / of_matrix, tile = (matrix + 1) * of_matrix - 1 - block;
  int const k = static_cast<int>(tile % down_k) * side;
  std::int64_t const first = tile / down_k * side;
  int const thread = static_cast<int>(threadIdx.x);
  float const* const from = o.from + matrix * o.stride + first;
#pragma unroll 4
  for (int down = thread / in_line; down < side; down += at_once) {
    int const line = thread % in_line * run;
    float value[run];
    load_run(from + (k + down) * o.ld + line, k + down < x.depth ? o.lines - first - line : 0, value);
#pragma unroll
    for (int i = 0; i < run; ++i) {
      shared.tile[down][line + i] = value[i];
    }
  }
  constexpr int lanes = split_threads / side;  // of a line, that compare its maxima
  std::int64_t const mine = matrix * o.lines + first + thread / lanes;
  bool const inside = first + thread / lanes < o.lines;
  std::uint32_t greatest = 0;
  for (int slab = thread % lanes; inside && slab < x.slabs; slab += lanes) {
    greatest = max(greatest, o.maxima[slab * o.all_lines + mine]);
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
  for (int line = thread / runs; line < side; line += split_threads / runs) {
    int const begin = thread % runs * width, exponent = shared.exponents[line];
    std::int64_t const to = matrix * o.lines + first + line;
    scale const by = scale_of_line(exponent);
    float value[width];
#pragma unroll
    for (int i = 0; i < width; ++i) {
      value[i] = shared.tile[begin + i][line];
    }
    seen_elements seen;
    seen.see<Parts>(value, by);
    seen = seen_by<runs>(seen);
    if (first + line < o.lines) {
      auto* const parts = static_cast<typename Parts::element*>(o.parts) + to * line_of_parts<Parts>(x.depth);
      store_parts<Parts>(parts, k + begin, value, by);
      if (begin == 0 && is_scale(exponent) && shared.greatest[0][line] != 0 && seen.large < here) {
        arch::reduce_add(o.facts + to, here - seen.large);
      }
      if (begin == 0 && (is_scale(exponent) ? seen.tiny != 0 : k == 0)) {
        arch::reduce_or(o.facts + to, is_scale(exponent) ? tiny_bit : nonfinite_facts);
      }
    }
  }
}

/// The first pass. Lanes: threads of a line that is k-major, from 32 to all of the block's.
template <class Parts, bool Wide, int Lanes>
__global__ void __launch_bounds__(split_threads) fp16x3_split_kernel(__grid_constant__ split_operands const x) {
  auto& shared = arch::dynamic_shared_memory<split_storage>();
  if (!x.beside) {
    arch::wait_for_dependency();  // for who writes the operands, and who reads the last parts
  }
  arch::launch_dependents();
  bool const is_b = blockIdx.x >= x.of[0].blocks;
  split_operand const& o = x.of[is_b ? 1 : 0];
  std::int64_t const block = blockIdx.x - (is_b ? x.of[0].blocks : 0);
  if (o.by_k) {
    split_lines<Parts, Wide, Lanes>(o, x, block, shared);
  } else {
    find_greatest<Wide>(o, x, block, shared);
  }
  if (x.beside && blockIdx.x + 1 == gridDim.x) {
    arch::wait_for_dependency();  // so that who waits for this kernel has waited for the one before
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

}  // namespace detail

}  // namespace gemm
