// SPDX-License-Identifier: BSL-1.0
//! @file
//! Repacking: operands that TMA cannot load are first copied to where it can, by one launch for both.
//!
//!     as it is     aligned pieces of 16 bytes ---> shifted ---> the same in the workspace, rows aligned
//!     transposed   64 x 64 elements ---> shared memory ---> their transpose
//!
//! A row that is copied as it is, is read in the aligned pieces that hold it, two for each of the copy's. To transpose,
//! memory is read an element a lane, of one byte four, so that any alignment will do. A thread takes an element from
//! each of the rows that make 16 bytes of a row of the copy, and stores these at once. Pieces of 16 bytes are swizzled
//! in shared memory: neither stores down a column, of each or every fourth row, nor loads along a row have bank
//! conflicts.
//!
//! What was tried instead, copies by the consumers and TMA loads of every fourth row of B, is in docs/tuning-notes.md
//! (repacked).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/repack_tile.cuh>
#include <gemm/block/smem_transpose.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

/// What elements of so many bytes are copied as, whatever their type.
template <std::size_t Bytes>
using copied_word = std::conditional_t<
    Bytes == 1, std::uint8_t,
    std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

}  // namespace detail

/// A batch of matrices and their copies. Not for users; it is not in detail for the kernels' symbols.
template <class T>
struct repacked_operand {
  T const* from;
  T* to;
  std::int64_t ld_from, ld_to, stride_from, stride_to;
  std::int64_t gap;            // of a copy in squares: after every 32 elements of a row
  std::int64_t lines, length;  // of the copy
  int tiles_along, tiles_of;   // of a row, of a matrix
};

/// The kernel's parameter: the first blocks copy A, the others B. Not for users; not in detail, for short symbols.
template <class T>
struct repacked_operands {
  repacked_operand<T> operand[2];
  int blocks_a;
  bool early;  // whether the next kernel's blocks come while these leave
};

namespace detail {

/// Copies the operands, a tile for each block. A is transposed where TransposesA, B where TransposesB. The end of a row
/// of the copy is filled up to 16 bytes with values that are never read.
template <class T, bool TransposesA, bool TransposesB>
__global__ void __launch_bounds__(repack_threads, 4)
    repack_kernel(__grid_constant__ repacked_operands<T> const params) {
  constexpr int side = repack_tile<T>, width = widest<T>;
  auto& shared = arch::dynamic_shared_memory<repack_storage<T>>();
  arch::wait_for_dependency();  // for who writes the operands, and who reads the last copies
  if (params.early) {
    arch::launch_dependents();
  }

  int const block = static_cast<int>(blockIdx.x);
  bool const is_b = block >= params.blocks_a, transposes = is_b ? TransposesB : TransposesA;
  repacked_operand<T> const& o = params.operand[is_b ? 1 : 0];
  int const index = block - (is_b ? params.blocks_a : 0), tile = index % o.tiles_of;
  std::int64_t const matrix = index / o.tiles_of;
  std::int64_t const line = std::int64_t{tile / o.tiles_along} * side, first = tile % o.tiles_along * side;
  int const lines = o.lines - line < side ? static_cast<int>(o.lines - line) : side;
  int const length = o.length - first < side ? static_cast<int>(o.length - first) : side;
  T const* const from =
      o.from + matrix * o.stride_from + (transposes ? first * o.ld_from + line : line * o.ld_from + first);
  T const* const end = o.from + matrix * o.stride_from + ((transposes ? o.length : o.lines) - 1) * o.ld_from +
                       (transposes ? o.lines : o.length);
  repack_pieces<T> const own;
  T* const to =
      o.to + matrix * o.stride_to + line * o.ld_to + first + own.element + (first + own.element) / square_side * o.gap;
  if (transposes) {
    transpose_tile(shared, to, o.ld_to, from, o.ld_from, end, lines, length);
  } else if (from + (lines - 1) * o.ld_from + length + 2 * width <= end) {
    copy_tile<false>(to, o.ld_to, from, o.ld_from, end, lines, length);
  } else {
    copy_tile<true>(to, o.ld_to, from, o.ld_from, end, lines, length);
  }
}

/// Whether a policy packs operands before its kernel runs, because it is `repacked` or always does.
template <class Policy>
inline constexpr bool repacks = Policy::info.repacks;

}  // namespace detail

/// A policy that uses TMA, with operands packed first that TMA cannot load: those whose pointer, leading dimension or
/// batch stride is no multiple of 16 bytes.
///
/// A k-major B is transposed as well, where Policy does not read it and the model prefers that to a transpose in shared
/// memory (block/smem_transpose.cuh). It always is if Policy `packs_k_major_b`. An operand that TMA can load stays
/// where it is. One that serves a whole batch is packed once. With k = 0 or alpha = 0 nothing is packed.
///
/// Needs a workspace for the copies: the operand's elements, with rows rounded up to 16 bytes, or to 128 from 1024
/// bytes on. Rows of a transposed B are rounded up to 128 bytes, and so is each copy. Where Policy transposes tiles of
/// B, its copy lies in squares of 32 x 32. With split-K it is `split_k<repacked<Policy>, Slices>`, whose slices follow
/// the copies.
///
/// Bitwise the same as Policy on aligned operands. What TMA cannot
/// address wherever it lies is refused: m, n, k or a batch of 2^31 and more.
template <class Policy>
struct repacked : Policy {
  static constexpr kernel_info info =
      Policy::info.with(&kernel_info::repacks, true)
          .with(&kernel_info::smem_transposes_b,
                Policy::info.smem_transposes_b && !Policy::info.options.packs_k_major_b);

  template <class T>
  static constexpr bool check() {
    constexpr bool legal = Policy::info.packs_or_may() && !Policy::info.repacks && !Policy::info.is_split();
    static_assert(legal,
                  "gemm: repacked needs a policy that loads by TMA (sm90_simt_tma), or sm80_mma, inside split_k. "
                  "Change the policy.");
    if constexpr (legal) {
      return Policy::template check<T>();
    }
    return false;
  }
};

namespace detail {

template <class Policy>
Policy without_repacked(void const*);
template <class Policy, class Direct>
Direct without_repacked(repacked<Direct> const*);

/// The policy whose kernels run: without `repacked`.
template <class Policy>
using direct = decltype(without_repacked<Policy>(static_cast<Policy const*>(nullptr)));

}  // namespace detail

}  // namespace gemm
