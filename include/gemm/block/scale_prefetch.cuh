// SPDX-License-Identifier: BSL-1.0
//! @file
//! The scales of a tile's rows and columns, loaded into the L1 before the tile is stored.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/prefetch.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/epilogue/scaled_accum.hpp>

namespace gemm::detail {

/// One thread asks for Count numbers of an array, as far as there are `left`.
template <int Count, class S>
__device__ void prefetch_numbers(S const* first, std::int64_t left) {
  constexpr int line = 128 / static_cast<int>(sizeof(S));
#pragma unroll 1
  for (int i = 0; i < Count + line; i += line) {
    int const at = i < Count ? i : Count - 1;  // an array may begin inside a cache line
    if (at < left) {
      arch::prefetch_l1(first + at);
    }
  }
}

/// One thread asks for the scales of a tile's rows and columns, where there are some. Stores read them at once, and
/// would wait for the L2 once for each box of columns.
template <class Policy, class Problem>
__device__ void prefetch_scales([[maybe_unused]] Problem const& p, [[maybe_unused]] block_tile const& tile) {
  if constexpr (epilogue_facts_of<Problem>::has_scales) {
    auto const& [a, b, caller] = p.epilogue;
    if constexpr (!std::remove_cvref_t<decltype(a)>::is_uniform) {
      prefetch_numbers<Policy::block_m>(a.data + tile.batch * a.batch_stride + tile.row, p.m - tile.row);
    }
    if constexpr (!std::remove_cvref_t<decltype(b)>::is_uniform) {
      prefetch_numbers<Policy::block_n>(b.data + tile.batch * b.batch_stride + tile.column, p.n - tile.column);
    }
  }
}

}  // namespace gemm::detail
