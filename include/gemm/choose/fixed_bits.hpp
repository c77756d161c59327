// SPDX-License-Identifier: BSL-1.0
//! @file
//! What batch_invariant fixes for all m: the instruction, the order in which k is added, and the slices of k.
#pragma once

#include <cstdint>
#include <type_traits>

#include <gemm/block/problem.cuh>
#include <gemm/extremes.hpp>
#include <gemm/kernel_info.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/split_plan.cuh>
#include <gemm/options.hpp>

namespace gemm::detail {

/// Whether a choice must fix the order of additions. Sums of integers are the same in any.
template <class Choice, class Problem>
inline constexpr bool fixes_bits =
    std::is_same_v<Choice, batch_invariant> && !std::is_integral_v<typename Problem::accum>;

/// Whether a policy adds k in the order that all others of its instruction do, for elements of one type: one
/// accumulator an element, all of k ascending; of fp8 promoted every 128.
template <class Policy, class Problem>
inline constexpr bool has_fixed_order = [] {
  constexpr kernel_info const& info = Policy::info;
  if constexpr (sizeof(typename Problem::element_a) == 1) {
    return info.scales_blocks || info.promotion == 128;
  } else if constexpr (info.op == math_op::simt) {
    return !info.is_skinny() && info.k_groups <= 1 && info.most_k == 0 && info.products == 1 &&
           info.options.tiles_per_promotion == 0 && !info.split_terms;
  } else {
    return !info.split_terms;
  }
}();

/// How a row's policy may split k. To batch_invariant those matter whose slices cost little at any m: added in a block
/// by wgmma, and by a second kernel beside the slow multiplications of float and double.
template <class Choice, class Problem, class Row>
inline constexpr splits splits_of_choice = [] {
  constexpr kernel_info const& info = Row::policy::info;
  using input = typename Problem::element_a;
  if constexpr (!fixes_bits<Choice, Problem>) {
    return Row::split;
  } else if constexpr (info.op == math_op::wgmma) {
    return sizeof(input) != 2 ? splits{} : info.promotion > 0 ? splits{.in_block = Row::split.in_block} : Row::split;
  } else {
    constexpr bool slow = info.op == math_op::simt ? std::is_same_v<input, float> : std::is_same_v<input, double>;
    return splits{.in_workspace = slow && info.reductions.workspace};
  }
}();

/// What is fixed for a problem. With slices only kernels that may split k, else only those that add all of it at once.
struct fixed_bits {
  bool fixed = false;
  math_op op = math_op::simt;
  slicing slices{};

  bool admits(compiled_kernel const& kernel, splits const& allowed) const {
    return !fixed || (kernel.op == op && (slices.most > 1 || !allowed.in_block));
  }
};

/// The slices of k for n columns of C: twice as many for half the columns, where few of them leave a device idle that
/// has few rows, too, up to what a cluster adds. Each is a multiple of the depth of all kernels' steps.
inline slicing slices_of_columns(std::int64_t n, std::int64_t k, std::int64_t longest) {
  constexpr std::int64_t enough_columns = 3584, least_depth = 512, most = 8, step = 128;
  std::int64_t count = 1;
  for (std::int64_t columns = enough_columns; n < columns && count < most && 2 * count * least_depth <= k;
       columns /= 2) {
    count *= 2;
  }
  count = greater(count, tiles(k, longest));
  std::int64_t const depth = tiles(tiles(k, count), step) * step;
  return count > 1 && depth < (1 << 30) ? slicing{static_cast<int>(tiles(k, depth)), {}, static_cast<int>(depth)}
                                        : slicing{};
}

}  // namespace gemm::detail
