// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which storages a policy's kernel takes, and what the copies of other operands are stored as.
#pragma once

#include <type_traits>

#include <gemm/arch/wgmma_atom.hpp>
#include <gemm/block/problem.cuh>
#include <gemm/block/register_operand.cuh>
#include <gemm/block/smem_transpose.cuh>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// What a policy's kernel has its operands stored as, or their copies. On tensor cores any of the four, but of tf32
/// and 8 bits k-major ones, or an mn-major B of tf32 where that goes through registers. Else any A and an mn-major B,
/// or a k-major B where consumers multiply out of such tiles.
template <class Policy, class Problem>
struct storage_for {
  using own = typename Problem::storage;
  static constexpr bool k_major =
      Policy::info.op == math_op::wgmma && arch::wgmma_needs_k_major<typename Problem::element_a>;
  using any_a = std::conditional_t<own::a == major::k, nn, tn>;
  using of_tf32 = std::conditional_t<has_register_operand<Policy> && own::b == major::mn, nn, nt>;
  using one_k_major = std::conditional_t<Policy::info.needs_k_major_a, std::conditional_t<own::b == major::k, nt, nn>,
                                         std::conditional_t<own::a == major::k, nt, tt>>;
  static constexpr bool one = Policy::info.needs_k_major_a || Policy::info.needs_k_major_b;
  using type = std::conditional_t<
      k_major, of_tf32,
      std::conditional_t<
          one, one_k_major,
          std::conditional_t<Policy::info.on_tensor_cores() || reads_k_major_b<Policy, Problem>, own, any_a>>>;
};
template <class Policy, class Problem>
using packed_storage = typename storage_for<Policy, Problem>::type;

/// Whether an operand must be transposed before TMA can load it as the policy needs it.
template <class Policy, class Problem>
inline constexpr bool transposes_a = Problem::storage::a != packed_storage<Policy, Problem>::a;
template <class Policy, class Problem>
inline constexpr bool transposes_b = Problem::storage::b != packed_storage<Policy, Problem>::b;
template <class Policy, class Problem>
inline constexpr bool transposes_any = transposes_a<Policy, Problem> || transposes_b<Policy, Problem>;

/// Whether the policy's kernel takes operands as they are stored, or as copies in the same storage: those that it needs
/// so, and a B whose tiles it can transpose.
template <class Policy, class Problem>
inline constexpr bool loads_as_stored =
    !transposes_any<Policy, Problem> || (smem_transposes<Policy, Problem> && !transposes_a<Policy, Problem>);

}  // namespace gemm::detail
