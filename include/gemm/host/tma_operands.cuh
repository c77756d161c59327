// SPDX-License-Identifier: BSL-1.0
//! @file
//! A policy's operands as TMA is to see them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/k_slice.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/staged_store.cuh>
#include <gemm/host/tensor_map.hpp>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// Whether a policy's kernel takes each storage as it is, k-major and mn-major operands alike, and wants all of them in
/// swizzled lines of 128 bytes; else B is mn-major, and only a k-major A is swizzled.
template <class Policy>
inline constexpr bool takes_any_storage = requires {
  requires Policy::takes_any_storage;
};

/// Products in the batch; the slices of one are not counted.
template <class Problem>
std::int64_t products_of(Problem const& p) {
  return p.batch_count;
}
template <class In, class Out, class Storage>
std::int64_t products_of(problem<In, Out, Storage, k_slices> const& p) {
  return p.batch_count / p.epilogue.count;
}

/// What TMA is to know of an operand of which a block takes Outer x K tiles; see warp_specialized, and for lines of 128
/// bytes swizzled_tile.
template <major Major, int Outer, int K, bool Lines, class T>
tma_matrices<T> matrices_of(T const* data, std::int64_t extent, std::int64_t k, std::int64_t ld, std::int64_t stride,
                            std::int64_t products) {
  constexpr bool by_row = Major == major::k;
  constexpr int outer = Lines ? 128 / static_cast<int>(sizeof(T)) : Outer;
  return {.data = data,
          .inner = by_row ? k : extent,
          .outer = by_row ? extent : k,
          .batches = stride == 0 ? 1 : products,
          .ld = ld,
          .batch_stride = stride,
          .box_inner = by_row ? K : outer,
          .box_outer = by_row ? Outer : K,
          .swizzle = by_row || Lines ? tma_swizzle::bytes_128 : tma_swizzle::none};
}

/// Blocks of a policy's own clusters, which bring tiles for one another.
template <class Policy>
inline constexpr int blocks_along_m = [] {
  if constexpr (requires { Policy::cluster_m; }) {
    return Policy::cluster_m;
  } else {
    return 1;
  }
}();
template <class Policy>
inline constexpr int blocks_along_n = [] {
  if constexpr (requires { Policy::cluster_n; }) {
    return Policy::cluster_n;
  } else {
    return 1;
  }
}();

template <class Policy, class Problem>
auto matrices_of_a(Problem const& p) {
  return matrices_of<Problem::storage::a, ratio(Policy::block_m, blocks_along_n<Policy>), Policy::block_k,
                     takes_any_storage<Policy>>(p.a, p.m, p.k, p.lda, p.batch_stride_a, products_of(p));
}
template <class Policy, class Problem>
auto matrices_of_b(Problem const& p) {
  return matrices_of<Problem::storage::b, ratio(Policy::block_n, blocks_along_m<Policy>), Policy::block_k,
                     takes_any_storage<Policy>>(p.b, p.n, p.k, p.ldb, p.batch_stride_b, products_of(p));
}

/// Whether a policy's kernel stores C by TMA where it can, in boxes of staged_box.
template <class Policy>
inline constexpr bool stores_by_tma = requires {
  requires Policy::stores_by_tma;
};

template <class Problem>
auto matrices_of_c(Problem const& p) {
  using output = typename Problem::output;
  using box = staged_box<output>;
  return tma_matrices<output>{.data = p.c,
                              .inner = p.n,
                              .outer = p.m,
                              .batches = p.batch_count,
                              .ld = p.ldc,
                              .batch_stride = p.batch_stride_c,
                              .box_inner = box::columns,
                              .box_outer = box::rows,
                              .swizzle = tma_swizzle::bytes_128};
}

/// Whether B must be turned to mn-major before TMA can bring it as the policy wants it.
template <class Policy, class Problem>
inline constexpr bool turns_b = Problem::storage::b == major::k && !takes_any_storage<Policy>;

/// Whether TMA can bring both operands as the policy wants them.
template <class Policy, class Problem>
bool loads_by_tma(Problem const& p) {
  return !turns_b<Policy, Problem> && tma_can_load(matrices_of_a<Policy>(p)) && tma_can_load(matrices_of_b<Policy>(p));
}

}  // namespace gemm::detail
