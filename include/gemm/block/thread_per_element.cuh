// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the first rungs share: a block of block_m x block_n threads, each of which computes one element of C.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// The numbers of a policy with one thread per element of C.
template <class Block>
struct thread_per_element {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int threads = block_m * block_n;
  static constexpr int accumulators = 1;

  template <class T>
  static constexpr bool check() {
    constexpr bool legal = legal_threads(threads);
    static_assert(legal,
                  "gemm: block_m * block_n must be a multiple of 32 from 32 to 1024 (one thread per element of C, "
                  "whole warps). Change block.");
    return legal;
  }

  /// Elements of a wide access to an operand; 1: these rungs have none.
  template <class T, major Major>
  static constexpr int access_width = 1;

  template <class T>
  static constexpr std::size_t shared_bytes = 0;
};

/// One element of C, its row of A and its column of B read from global memory. Nothing where it lies outside C.
template <class Problem>
__device__ void compute_element(Problem const& p, std::int64_t row, std::int64_t column, std::int64_t batch) {
  if (row >= p.m || column >= p.n || batch >= p.batch_count) {
    return;
  }
  auto const a = operand_a(p, batch);
  auto const b = operand_b(p, batch);
  using accum = typename Problem::accum;
  accum sum{};
#pragma unroll 16  // as many loads in flight; with 4, 2.8 TFLOP/s coalesced at 4096^3 on an H200 instead of 6
  for (std::int64_t k = 0; k < p.k; ++k) {
    sum = multiply_add<accum>(widen(*a.at(row, k)), widen(*b.at(column, k)), sum);
  }
  store_row<1>(p, &sum, row, column, batch);
}

}  // namespace gemm::detail
