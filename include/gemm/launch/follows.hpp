// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a policy's kernel can find in device memory: its products, their ranges, or their rows.
#pragma once

#include <type_traits>

#include <gemm/arch/wgmma_atom.hpp>
#include <gemm/block/grouped_problem.cuh>
#include <gemm/block/operand.hpp>
#include <gemm/kernel/repack.cuh>
#include <gemm/kernel_info.hpp>
#include <gemm/launch/packed_storage.hpp>
#include <gemm/options.hpp>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// Whether a policy's kernel has one work a block, whose operands threads copy: it asks for its product at its start.
template <class Policy>
inline constexpr bool has_own_work = [] {
  constexpr kernel_info info = direct<Policy>::info;
  return info.loader == operand_loader::cp_async && info.most_k == 0 && info.products <= 1 && !info.split_terms;
}();
/// The same of a policy that the library chooses: whether it has such policies.
template <class Policy>
inline constexpr bool has_works_of_own = [] {
  if constexpr (policy<Policy>) {
    return has_own_work<Policy>;
  }
  return !std::is_same_v<Policy, fp32_emulated>;
}();

template <class Policy>
inline constexpr bool is_persistent_wgmma = direct<Policy>::info.op ==
                                                math_op::wgmma&& direct<Policy>::info.is_persistent() &&
                                            !direct<Policy>::info.split_terms;

/// Whether a policy's kernel takes its works from ranges: persistent ones of wgmma, and those of one work a block.
template <class Policy>
inline constexpr bool follows_ranges = has_own_work<Policy> || is_persistent_wgmma<Policy>;

/// Whether a policy's kernel loads a k of their own by TMA: k runs from row to row in A and B.
template <class Policy, class Problem>
inline constexpr bool loads_ragged_k =
    is_persistent_wgmma<Policy>&& Problem::storage::a == major::mn&& Problem::storage::b == major::mn &&
    !arch::wgmma_needs_k_major<typename Problem::element_a>;

/// Whether a policy's kernel loads products that differ by TMA: operands as they are stored.
template <class Policy, class Problem>
inline constexpr bool loads_grouped = [] {
  if constexpr (is_persistent_wgmma<Policy> && !direct<Policy>::info.is_split()) {
    return loads_as_stored<Policy, Problem>;
  }
  return false;
}();

/// Whether there are such of a problem.
template <class Problem>
inline constexpr bool wgmma_loads_grouped = [] {
  using a = typename Problem::element_a;
  constexpr bool by_k = Problem::storage::a == major::k && Problem::storage::b == major::k;
  return is_grouped_problem<Problem> && arch::wgmma_element<a, typename Problem::element_b> &&
         (by_k || !arch::wgmma_needs_k_major<a>);
}();

/// Whether a policy's kernel stores rows of C one by one, wherever they are; and whether it has A's rows gathered.
template <class Policy>
inline constexpr bool can_store_by_row = has_own_work<Policy> ||
                                         (is_persistent_wgmma<Policy> && !direct<Policy>::info.swap_ab &&
                                          !direct<Policy>::info.register_operand_b && !direct<Policy>::info.is_split());
template <class Policy>
inline constexpr bool can_gather = has_own_work<Policy> ||
                                   (direct<Policy>::info.op == math_op::wgmma && !direct<Policy>::info.split_terms &&
                                    !direct<Policy>::info.is_split() && Policy::info.repacks);

}  // namespace gemm::detail
