// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products whose ranges of rows, columns or k lie in device memory: their launch, which depends on none of them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/operand.hpp>
#include <gemm/block/ragged_k_problem.cuh>
#include <gemm/block/ragged_problem.cuh>
#include <gemm/epilogue/accum_factors.hpp>
#include <gemm/extremes.hpp>
#include <gemm/kernel/repack.cuh>
#include <gemm/kernel/zero_rest.cuh>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/launch/follows.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_kernel.cuh>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/split_plan.cuh>
#include <gemm/launch/tensor_map.hpp>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/schedule/own_problem.cuh>
#include <gemm/schedule/ragged.cuh>
#include <gemm/schedule/ragged_k.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Operands with block_k rows from each row of memory on (block/ragged_k_problem.cuh).
template <class T>
tma_matrices<T> matrices_from_rows(tma_matrices<T> all, int block_k) {
  all.batches = all.outer;
  all.batch_stride = all.ld;
  all.outer = block_k;
  return all;
}
template <class Problem>
auto matrices_of_a(compiled_kernel const& kernel, ragged_k_problem<Problem> const& p) {
  return matrices_from_rows(matrices_of(kernel, kernel.a, p.a, p.m, p.k, 1), kernel.block_k);
}
template <class Problem>
auto matrices_of_b(compiled_kernel const& kernel, ragged_k_problem<Problem> const& p) {
  return matrices_from_rows(matrices_of(kernel, kernel.b, p.b, p.n, p.k, 1), kernel.block_k);
}

/// Whether products begin at any element of an operand along memory, which TMA and wide copies cannot.
template <class Problem, bool OfColumns>
bool begins_at_any_element(ragged_problem<Problem, OfColumns> const& p) {
  return (OfColumns ? Problem::storage::b : Problem::storage::a) == major::mn && !p.ranges.counted;
}

/// Products begin at any column of C, too.
template <class Problem, bool OfColumns>
bool stores_vectors(ragged_problem<Problem, OfColumns> const& p) {
  return (!OfColumns || p.ranges.counted) && stores_vectors(static_cast<Problem const&>(p));
}
template <class Problem, bool OfColumns>
bool reads_wide(compiled_kernel const& kernel, ragged_problem<Problem, OfColumns> const& p,
                repack_plan const& packing = {}) {
  return !begins_at_any_element(p) && reads_wide(kernel, static_cast<Problem const&>(p), packing);
}

template <class Problem>
inline constexpr bool may_read_wide<ragged_k_problem<Problem>> = true;

/// A k along memory begins at any element, too. Operands that are copied by element anyway may.
template <class Problem>
bool reads_wide(compiled_kernel const& kernel, ragged_k_problem<Problem> const& p, repack_plan const& packing = {}) {
  bool const a = Problem::storage::a == major::mn || kernel.wide_access_a == 1,
             b = Problem::storage::b == major::mn || kernel.wide_access_b == 1;
  return a && b && reads_wide(kernel, static_cast<Problem const&>(p), packing);
}

/// Tiles of all products, at most: each has one that is not whole.
template <class Problem, bool OfColumns>
std::int64_t most_tiles(schedule const& s, ragged_problem<Problem, OfColumns> const& p) {
  std::int64_t const along = OfColumns ? s.tiles_n : s.tiles_m, others = OfColumns ? s.tiles_m : s.tiles_n;
  return (p.ranges.counted ? along * p.batch_count : along + p.batch_count) * others;
}

/// As that of a batch, but for the grid of one work a block, which has as many as there may be.
template <class Problem, bool OfColumns>
launch_plan plan_launch(compiled_kernel const& kernel, ragged_problem<Problem, OfColumns> const& p,
                        split_plan const& split, repack_plan const& packing = {}) {
  launch_plan plan = plan_launch<ragged_problem<Problem, OfColumns>>(kernel, p, split, packing);
  if (plan.order.order != tile_order::persistent) {
    std::int64_t const all = most_tiles(plan.order, p), y = tiles(all, 0x7fffffff);
    plan.grid = dim3(static_cast<unsigned>(tiles(all, y)), static_cast<unsigned>(y));
  }
  return plan;
}

/// Zeroes the rest of C, where the options ask for it.
template <class Problem>
status enqueue_rest(Problem const&, bool, cudaStream_t) {
  return {};
}
template <class Problem, bool OfColumns>
static status enqueue_rest(ragged_problem<Problem, OfColumns> const& p, bool zero_rest, cudaStream_t stream) {
  using word = copied_word<sizeof(typename Problem::output)>;
  constexpr std::int64_t most_rows = 4096, most_matrices = 65535;
  if (!zero_rest) {
    return {};
  }
  std::int64_t const columns = is_gated<Problem> ? p.n / 2 : p.n;
  rest_of_c<word> const rest{reinterpret_cast<word*>(p.c.data), p.m, columns, p.c.ld, p.c.batch_stride, p.ranges,
                             static_cast<int>(p.batch_count)};
  dim3 const grid(static_cast<unsigned>(lesser(p.m, most_rows)),
                  static_cast<unsigned>(p.ranges.counted ? lesser(p.batch_count, most_matrices) : 1));
  launch_kind const kind{.dependent = current_code().dependent_launch};
  return status_of_launch("the rest of C",
                          launch(&zero_rest_kernel<word, OfColumns>, grid, zero_rest_threads, 0, stream, rest, kind));
}

}  // namespace gemm::detail
