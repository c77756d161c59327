// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which candidates and splits of k may be chosen for a problem, whatever they cost.
#pragma once

#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/choose/candidates.hpp>
#include <gemm/launch/access_width.hpp>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/split_plan.cuh>

namespace gemm::detail {

/// Whether a tile of few rows or columns has all of C's, and one of half as many has not (16 are the fewest).
inline bool fits_small_tile(compiled_kernel const& kernel, std::int64_t m, std::int64_t n) {
  bool const of_rows = kernel.block_m < kernel.block_n;
  int const most = of_rows ? kernel.block_m : kernel.block_n, least = most == 16 ? 1 : most / 2 + 1;
  std::int64_t const few = of_rows ? m : n;
  return few >= least && few <= most;
}

/// Whether persistent blocks store a C like this one well: rows in 16-byte pieces, which some need, and by TMA alone
/// where accumulators are C's transpose.
template <class Problem>
bool stores_well(compiled_kernel const& kernel, Problem const& p) {
  constexpr int width = widest<typename Problem::output>;
  bool const in_pieces = stores_vectors(p);
  return kernel.stores_misaligned_rows ||
         (in_pieces && (!kernel.stores_by_tma || p.n % width == 0) &&
          (!kernel.swap_ab || (p.beta == typename Problem::accum(0) && sizeof(typename Problem::output) == 2)));
}

/// Whether a candidate may be chosen: with registers for the epilogue, something for TMA to load, a C that persistent
/// blocks store well, few rows or columns in one tile, a short k or a batch of small products, where it is for those.
template <class Problem>
[[gnu::cold]] static bool eligible(compiled_kernel const& kernel, Problem const& p, repack_plan const& packing) {
  constexpr bool reads_b_along = Problem::storage::b == major::mn;
  code_features const code = current_code();
  bool const is_for_wgmma = code.wgmma && (p.m | p.n | p.k | p.batch_count) >> 31 == 0;
  if (kernel.uses_tma() && begins_at_any_element(p)) {
    return false;
  }
  if (!kernel.has_registers || (kernel.scales_blocks && kernel.op == math_op::simt && is_for_wgmma) ||
      (is_beaten_by_wgmma<Problem>(kernel.options) && code.wgmma)) {
    return false;
  }
  if (kernel.options.narrow_on_sm90a && reads_b_along) {
    if (code.tma && allows_vectors<widest<typename Problem::element_a>>(p.a) &&
        allows_vectors<widest<typename Problem::element_b>>(p.b)) {
      return false;
    }
  }
  if (kernel.is_small_tile() && !fits_small_tile(kernel, p.m, p.n)) {
    return false;
  }
  if (kernel.uses_tma() && !kernel.on_tensor_cores() && (p.m == 1 || p.n == 1)) {
    return false;  // the skinny kernels read a vector once (docs/tuning-notes.md, Launches)
  }
  if (kernel.repacks && kernel.uses_tma()) {
    return code.supports(kernel) && p.k > 0 && check_repack(p, packing) &&
           (!kernel.is_persistent() || stores_well(kernel, p));
  }
  if (packing.bytes > 0 && !check_repack(p, packing)) {
    return false;
  }
  if (kernel.is_skinny()) {
    std::int64_t const few = kernel.skinny_m ? p.m : p.n;
    return few <= kernel.most_of_few() && (few > 1 || kernel.few == 1);
  }
  if (kernel.most_k > 0) {
    return p.k <= kernel.most_k;
  }
  return kernel.products == 1 || (p.batch_count > 1 && p.m <= 2 * kernel.block_m && p.n <= 2 * kernel.block_n);
}

}  // namespace gemm::detail
