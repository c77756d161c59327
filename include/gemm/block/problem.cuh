// SPDX-License-Identifier: BSL-1.0
//! @file
//! The problem that a kernel is given, its operands, and where a block finds its part of it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/block_index.cuh>
#include <gemm/block/operand.hpp>
#include <gemm/element.hpp>

namespace gemm {

namespace detail {

/// Which operands are complete before the kernel before in the stream begins, and may be loaded while it runs.
struct constant_operands {
  bool a : 1, b : 1;

  __host__ __device__ constexpr bool any() const { return a || b; }
  __host__ __device__ constexpr bool all() const { return a && b; }
};

}  // namespace detail

/// A kernel's parameter: C = epilogue(alpha * A B + beta * C), batch_count times. C is m x n and row-major, A is m x k,
/// B is k x n; both are operands. Not for users; not in detail, because every kernel's symbol spells it twice.
template <class A, class B, class Out, class Epilogue>
struct problem {
  using element_a = typename A::element;
  using element_b = typename B::element;
  using scales_a = typename A::scales_type;
  using scales_b = typename B::scales_type;
  using storage = detail::storage_of_majors<A::layout, B::layout>;
  using output = Out;
  using epilogue_type = Epilogue;
  using accum = detail::accumulator<element_a>;
  static_assert(std::is_same_v<accum, detail::accumulator<element_b>>);

  std::int64_t m, n, k;
  A a;
  B b;
  strided<Out> c;
  std::int64_t batch_count;
  accum alpha, beta;
  int tiles_m, tiles_n;  // block tiles of C
  bool vector_c;         // C's rows may be accessed in 16-byte pieces
  bool swapped_ab;       // A and B have been swapped, for a column-major C
  bool squares_of_b;     // B is a copy in squares, whatever its major says (block/smem_transpose.cuh)
  detail::constant_operands constant;
  Epilogue epilogue;
};

/// A problem that is for a kernel only if the one before it has refused it. Not for users; likewise.
template <class Problem>
struct refused_problem : Problem {
  int const* refused;  // a detail::refusal
  bool undecided;      // whether it was not_decided when the kernel before began
};

namespace detail {

/// A problem without scales, of operands of one type.
template <class In, class Out, class Storage, class Epilogue>
using plain_problem = problem<operand<In, Storage::a>, operand<In, Storage::b>, Out, Epilogue>;

/// What is known of a product that may be refused. What was said of another one is there before the passes.
enum refusal : int { was_accepted, was_refused, not_decided };

/// Whether a problem is one that another kernel most often computes.
template <class Problem>
inline constexpr bool waits_for_refusal = false;
template <class Problem>
inline constexpr bool waits_for_refusal<refused_problem<Problem>> = true;

/// Whether a kernel has nothing to do; to be asked after the kernel before it.
template <class Problem>
__device__ bool is_another_kernels(Problem const& p) {
  if constexpr (waits_for_refusal<Problem>) {
    return *p.refused == was_accepted;
  } else {
    return false;
  }
}

/// Whether this is known while the kernel before still runs, so that the block need not wait for it. One block waits,
/// for the kernels that wait for this one (docs/tuning-notes.md, fallback).
template <class Problem>
__device__ bool is_known_to_be_anothers(Problem const& p) {
  if constexpr (waits_for_refusal<Problem>) {
    return p.undecided && blockIdx.x + blockIdx.y + blockIdx.z > 0 &&
           *static_cast<int const volatile*>(p.refused) == was_accepted;
  } else {
    return false;
  }
}

/// One operand of one product, seen alike for A and B: `extent` is m for A and n for B, `outer` an index below it.
template <class T, major Major>
struct operand_view {
  static constexpr major layout = Major;
  T const* data;
  std::int64_t ld, extent, depth;

  __device__ T const* at(std::int64_t outer, std::int64_t k) const {
    return Major == major::k ? data + outer * ld + k : data + k * ld + outer;
  }
};

/// An operand from the first k of a range on.
template <class T, major Major>
__device__ operand_view<T, Major> part_of(operand_view<T, Major> whole, std::int64_t first, std::int64_t depth) {
  whole.data += Major == major::k ? first : first * whole.ld;
  whole.depth = depth;
  return whole;
}

template <class Problem>
__device__ operand_view<typename Problem::element_a, Problem::storage::a> operand_a(Problem const& p,
                                                                                    std::int64_t batch) {
  return {p.a.data + batch * p.a.batch_stride, p.a.ld, p.m, p.k};
}

template <class Problem>
__device__ operand_view<typename Problem::element_b, Problem::storage::b> operand_b(Problem const& p,
                                                                                    std::int64_t batch) {
  return {p.b.data + batch * p.b.batch_stride, p.b.ld, p.n, p.k};
}

/// The part of C that a block computes: its first row and column, and the product of the batch.
struct block_tile {
  std::int64_t row, column, batch;
};

/// The tile of C with this number, of `columns` columns of tiles from the first on. Numbers go down a band of 2048 rows
/// of C, then to the next column of tiles in the band. So blocks that run at the same time share rows of A and columns
/// of B in the L2 (docs/tuning-notes.md, coalesced).
template <class Policy>
__host__ __device__ block_tile tile_in_columns(int tiles_m, int first, int columns, int index, std::int64_t batch) {
  constexpr int band_tiles = 2048 / Policy::block_m > 1 ? 2048 / Policy::block_m : 1;
  int const band = tiles_m < band_tiles ? tiles_m : band_tiles;  // keeps band * columns in an int
  int const first_row = index / (band * columns) * band, in_band = index % (band * columns);
  int const rows = tiles_m - first_row < band ? tiles_m - first_row : band;
  return {.row = std::int64_t{first_row + in_band % rows} * Policy::block_m,
          .column = std::int64_t{first + in_band / rows} * Policy::block_n,
          .batch = batch};
}

/// Of all columns.
template <class Policy, class Problem>
__device__ block_tile tile_of_index(Problem const& p, int index, std::int64_t batch) {
  return tile_in_columns<Policy>(p.tiles_m, 0, p.tiles_n, index, batch);
}

/// The tile of a block that has one: its number is the grid's x, its product of the batch y, and z where y ends.
template <class Policy, class Problem>
__device__ block_tile tile_of_block(Problem const& p) {
  uint3 const block = [] {
    if constexpr (Policy::accumulators > 1) {
      return arch::block_index();  // so that the kernel can ask again after its main loop
    } else {
      return uint3{blockIdx.x, blockIdx.y, blockIdx.z};
    }
  }();
  return tile_of_index<Policy>(p, static_cast<int>(block.x), block.y + std::int64_t{block.z} * gridDim.y);
}

}  // namespace detail

}  // namespace gemm
