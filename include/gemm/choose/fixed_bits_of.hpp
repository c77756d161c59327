// SPDX-License-Identifier: BSL-1.0
//! @file
//! What batch_invariant fixes for one problem on the current device.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gemm/block/own_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/choose/candidates.hpp>
#include <gemm/choose/fixed_bits.hpp>
#include <gemm/choose/plan_load.hpp>
#include <gemm/choose/plan_rules.hpp>
#include <gemm/kernel_info.hpp>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device_info.hpp>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

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
