// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the first rungs share: a block of block_m x block_n threads, each of which computes one element of C.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// The numbers of a policy with one thread per element of C.
template <class Block>
struct thread_per_element : any_operands {
  static constexpr int block_m = Block::m, block_n = Block::n, block_k = Block::k;
  static constexpr int threads = block_m * block_n;
  static constexpr int accumulators = 1;
  static constexpr kernel_info info{.loader = operand_loader::direct};

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

/// Step neighbours of an operand's row from k on; in one access where they are neighbours in memory.
template <int Step, class T, major Major>
__device__ vector<T, Step> load_along_k(operand_view<T, Major> const& from, std::int64_t outer, std::int64_t k) {
  if constexpr (Major == major::k) {
    return load_vector<Step>(from.at(outer, k));
  } else {
    vector<T, Step> v;
#pragma unroll
    for (int i = 0; i < Step; ++i) {
      v.element[i] = *from.at(outer, k + i);
    }
    return v;
  }
}

/// One element of C, its row of A and its column of B read from global memory, k-major operands Step elements at a
/// time. Nothing where it lies outside C.
template <int Step, class Problem>
__device__ void compute_element(Problem const& p, std::int64_t row, std::int64_t column, std::int64_t batch) {
  if (row >= p.m || column >= p.n || batch >= p.batch_count) {
    return;
  }
  auto const a = operand_a(p, batch);
  auto const b = operand_b(p, batch);
  using accum = typename Problem::accum;
  accum accumulator{};
  std::int64_t k = 0;
// 16 elements in flight (docs/tuning-notes.md, coalesced).
#pragma unroll(16 / Step)
  for (; k + Step <= p.k; k += Step) {
    auto const a_k = load_along_k<Step>(a, row, k);
    auto const b_k = load_along_k<Step>(b, column, k);
#pragma unroll
    for (int i = 0; i < Step; ++i) {
      accumulator = multiply_add<accum>(widen(a_k.element[i]), widen(b_k.element[i]), accumulator);
    }
  }
  if constexpr (Step > 1) {
#pragma unroll 1
    for (; k < p.k; ++k) {
      accumulator = multiply_add<accum>(widen(*a.at(row, k)), widen(*b.at(column, k)), accumulator);
    }
  }
  store_row<1>(p, &accumulator, row, column, batch);
}

}  // namespace gemm::detail
