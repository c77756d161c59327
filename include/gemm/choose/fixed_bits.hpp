// SPDX-License-Identifier: BSL-1.0
//! @file
//! The order in which k is added: how much an accumulator may add, and what batch_invariant fixes for all m, which is
//! the instruction, the order and the slices of k.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/block/gated_store.cuh>
#include <gemm/block/indexed_problem.cuh>
#include <gemm/block/own_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ragged_problem.cuh>
#include <gemm/choose/kernel_table.hpp>
#include <gemm/choose/plan_load.hpp>
#include <gemm/extremes.hpp>
#include <gemm/kernel_info.hpp>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device_info.hpp>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/split_plan.cuh>
#include <gemm/options.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

/// Whether an accumulator may be too long for a problem: of half or bf16 where the result is as precise.
template <class Problem>
inline constexpr bool limits_accumulators = sizeof(typename Problem::element_a) == 2 &&
                                            sizeof(typename Problem::output) >= sizeof(float);

/// Of half and bf16 an accumulator without promotion adds at most so much of k, where plans can be had that do: terms
/// of one sign, which tensor cores truncate, add up too small (docs/accuracy.md). cublasGemmEx slices some such k.
inline constexpr std::int64_t most_k_of_accum = 32768;

/// Whether an accumulator of the tensor cores adds more of k.
template <class Problem>
bool adds_too_long(compiled_kernel const& kernel, Problem const& p, split_plan const& split) {
  if constexpr (limits_accumulators<Problem>) {
    std::int64_t const added = split.slices > 1 ? std::int64_t{split.depth} + split.first_longer : p.k;
    return kernel.on_tensor_cores() && kernel.promotion == 0 && added > most_k_of_accum;
  }
  return false;
}

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

/// Whether a policy of the table is for a choice because of the order in which it adds k, and whether it may be.
template <class Choice, class Problem, class Row>
inline constexpr bool is_chosen_for_order = (Row::by == chosen_by::run_long_k &&
                                             (limits_accumulators<Problem> || fixes_bits<Choice, Problem>)) ||
                                            (Row::by == chosen_by::batch_invariant && fixes_bits<Choice, Problem>);
template <class Choice, class Problem, class Row>
inline constexpr bool keeps_order = !fixes_bits<Choice, Problem> || has_fixed_order<typename Row::policy, Problem>;

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

/// Whether a problem is one product, or a batch that the host knows.
template <class Problem>
inline constexpr bool is_one_product =
    !is_ragged_problem<Problem> && !has_own_problems<Problem> && !stores_by_row<Problem> && !gathering<Problem>;
/// How a row's policy may split k for a choice and a problem. A block that adds its slices itself may for any.
template <class Choice, class Problem, class Row>
inline constexpr splits splits_for = [] {
  splits const allowed = splits_of_choice<Choice, Problem, Row>;
  return is_one_product<Problem> ? allowed : splits{.in_block = allowed.in_block};
}();

/// What is fixed for a problem. With slices only kernels that may split k, else only those that add all of it at once.
/// Where nothing is, promoted kernels of half and bf16 are for a long k alone.
struct fixed_bits {
  bool fixed = false;
  math_op op = math_op::simt;
  slicing slices{};

  template <class Problem>
  bool admits(compiled_kernel const& kernel, splits const& allowed, Problem const& p) const {
    return fixed ? kernel.op == op && (slices.most > 1 || !allowed.in_block)
                 : kernel.promotion == 0 || !limits_accumulators<Problem> || p.k > most_k_of_accum;
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

/// Whether a kernel's instruction computes problems of any m such as this, on the device.
template <class Problem>
[[gnu::cold]] static bool computes_any_rows(compiled_kernel const& kernel, Problem const& p,
                                            device_info const& device) {
  std::int64_t const others = (p.swapped_ab ? p.m : p.n) | p.k | p.batch_count;
  bool const by_wgmma = kernel.op == math_op::wgmma;
  return current_code().supports(kernel) && peak_of(kernel, device) > 0 &&
         !(by_wgmma && (p.k == 0 || others >> 31 != 0 || begins_at_any_element(p)));
}

/// What batch_invariant fixes for a problem: the fastest instruction, and slices where a kernel for any m adds them. A
/// k that lies in device memory has none: they would depend on that of all products. `all`: the candidates.
template <class Listed, class Problem>
[[gnu::cold]] static fixed_bits fixed_bits_of(Listed const& all, Problem const& p, device_info const& device) {
  fixed_bits bits{.fixed = true};
  for (auto const& listed : all) {
    bool const faster = listed.kernel->op > bits.op && computes_any_rows(*listed.kernel, p, device);
    bits.op = faster ? listed.kernel->op : bits.op;
  }
  bool splits_any = false;
  for (auto const& listed : all) {
    splits_any = splits_any || (listed.kernel->op == bits.op &&
                                (bits.op == math_op::wgmma ? listed.allowed.in_block : listed.allowed.in_workspace));
  }
  if (splits_any && p.k > 0 && !has_own_problems<Problem>) {
    std::int64_t const longest = limits_accumulators<Problem> ? most_k_of_accum : p.k;
    bits.slices = slices_of_columns(p.swapped_ab ? p.m : p.n, p.k, longest);
  }
  return bits;
}

/// Why batch_invariant has no plan.
template <class Problem>
[[gnu::cold]] static status no_plan_with_bits(fixed_bits const& bits, Problem const& p, std::size_t limit) {
  using wide = long long;
  return broken_rule(
      "batch_invariant keeps %s with k in %d slices for n = %lld and k = %lld, needs a kernel of these for m = %lld "
      "and a batch of %lld within %llu bytes of workspace",
      name_of_op[static_cast<int>(bits.op)], int{bits.slices.most}, wide{p.swapped_ab ? p.m : p.n}, wide{p.k},
      wide{p.swapped_ab ? p.n : p.m}, wide{p.batch_count}, static_cast<unsigned long long>(limit));
}

}  // namespace gemm::detail
