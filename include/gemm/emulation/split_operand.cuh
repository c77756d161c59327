// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the passes that split A and B receive, and how a thread reads elements of a row and writes their terms.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include <gemm/arch/maximum.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/emulation/error_facts.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_formats.cuh>

namespace gemm {

/// A batch of matrices that are split. Not for users; it is not in detail for the kernels' symbols.
struct split_operand {
  float const* from;
  void* terms;              // [matrix][row][line_of_terms]
  int* exponents;           // [matrix][row]
  std::uint32_t* facts;     // [matrix][row]
  std::uint32_t* maxima;    // [matrix][64 rows][slab][row], of what is mn-major, if it has more than one slab
  std::int64_t ld, stride;  // of `from`
  std::int64_t lines;       // m or n
  std::int64_t all_lines;   // of all matrices
  std::int64_t blocks;      // of the first pass, and of the second
  std::int64_t second_blocks;
  std::uint32_t* cleared;      // facts and maxima, where the first pass sets them to 0,
  std::int64_t cleared_bytes;  // a multiple of 16
  int slab;                    // how many k a block of the second pass has
  bool by_k;                   // k-major
};

/// What the kernels receive: the first blocks have A, the others B. Not for users, likewise.
struct split_operands {
  split_operand operand[2];
  int depth;               // k
  int* refused = nullptr;  // where it is to be said that nothing is known of the product (see refused_problem)
};

namespace detail {

inline constexpr int split_threads = 256, split_warps = split_threads / 32, split_tile = 64;

/// Elements of a row that a thread keeps in registers. Those beyond, of a row too long for all of the block's
/// registers, it reads a second time.
inline constexpr int split_held = 32;

/// Elements that a thread has at a time, neighbours in memory: where rows are aligned, as many as fill 16 bytes of
/// terms.
template <bool Wide>
inline constexpr int split_run = Wide ? 8 : 1;

/// What the warps have seen that share a row.
struct split_storage {
  std::uint32_t greatest[split_warps], large[split_warps], least[split_warps];
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

/// The terms of neighbours that are scaled, two at a time where a format can.
template <class Terms, int Width>
__device__ void split_neighbours(float const* value, typename Terms::element (&part)[Width][Terms::count]) {
  if constexpr (Width % 2 == 0 && requires { &Terms::split_pair; }) {
#pragma unroll
    for (int i = 0; i < Width; i += 2) {
      Terms::split_pair(value[i], value[i + 1], part[i], part[i + 1]);
    }
  } else {
#pragma unroll
    for (int i = 0; i < Width; ++i) {
      Terms::split(value[i], {1, 1}, part[i]);
    }
  }
}

/// Writes the terms of a run that begins at element k of a row, and is scaled.
template <class Terms, int Run>
__device__ void store_terms(typename Terms::element* line, int k, float const (&value)[Run]) {
  using element = typename Terms::element;
  constexpr int width = widest_in<element, Run>;
#pragma unroll
  for (int begin = 0; begin < Run; begin += width) {
    vector<element, width> part[Terms::count];
    element own[width][Terms::count];
    split_neighbours<Terms>(value + begin, own);
#pragma unroll
    for (int i = 0; i < width; ++i) {
#pragma unroll
      for (int j = 0; j < Terms::count; ++j) {
        part[j].element[i] = own[i][j];
      }
    }
#pragma unroll
    for (int j = 0; j < Terms::count; ++j) {
      store_vector(line + offset_of_term<Terms>(k + begin, j), part[j]);
    }
  }
}

/// The greatest magnitude, a NaN if there is one.
template <int Run>
__device__ float greater_of(float greatest, float const (&value)[Run]) {
#pragma unroll
  for (int i = 0; i < Run; ++i) {
    greatest = arch::maximum(greatest, fabsf(value[i]));
  }
  return greatest;
}

/// What so many neighbouring lanes have seen together.
template <int Lanes>
__device__ seen_elements seen_by(seen_elements seen) {
#pragma unroll
  for (int bit = Lanes / 2; bit > 0; bit /= 2) {
    seen.large += __shfl_xor_sync(0xffffffffU, seen.large, bit);
    seen.least = (min)(seen.least, __shfl_xor_sync(0xffffffffU, seen.least, bit));
  }
  return seen;
}

/// The scale by which a row is multiplied, by one factor if a float has it; any where its accumulators are not used.
__device__ inline scale scale_of_line(int exponent) {
  constexpr int most = 127;
  return !is_scale(exponent) ? scale{1, 1} : exponent <= most ? scale{power_of_two(exponent), 1} : scale::of(exponent);
}

/// The facts of a row, from what was seen of all of it.
template <class Terms>
__device__ std::uint32_t facts_of_line(seen_elements const& seen, int exponent, std::uint32_t greatest, int depth) {
  std::uint32_t const small_count = greatest == 0 ? 0 : static_cast<std::uint32_t>(depth) - seen.large;
  scale const factor = scale_of_line(exponent);
  return is_scale(exponent) ? small_count | seen.tiny<Terms>(factor) : nonfinite_facts;
}

/// Scales elements in place.
template <int Runs, int Run>
__device__ void scale_runs(float (&value)[Runs][Run], scale const& factor) {
  auto const multiply = [&](float step) {
#pragma unroll
    for (int i = 0; i < Runs; ++i) {
#pragma unroll
      for (int j = 0; j < Run; ++j) {
        value[i][j] *= step;
      }
    }
  };
  multiply(factor.first);
  if (factor.second != 1) {
    multiply(factor.second);
  }
}

}  // namespace detail

}  // namespace gemm
