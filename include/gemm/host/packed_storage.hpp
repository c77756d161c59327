// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which storages a policy's kernel takes, and what the copies of other operands are stored as.
#pragma once

#include <type_traits>

#include <gemm/arch/wgmma_atom.hpp>
#include <gemm/block/problem.cuh>
#include <gemm/block/register_operand.cuh>
#include <gemm/block/smem_transpose.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// Whether a policy's kernel takes each storage as it is, k-major and mn-major operands alike, and wants all of them in
/// swizzled lines; else what is k-major alone is swizzled, and B is so only where the kernel turns its tiles.
template <class Policy>
inline constexpr bool takes_any_storage = Policy::info.on_tensor_cores();

/// What a policy's kernel has its operands stored as, or the copies of those that are otherwise: any of the four; or
/// any A and B mn-major, or as it is where consumers multiply out of k-major tiles of it; or both k-major, as wgmma
/// reads tf32, but B as it is where the kernel turns its tiles; or one of them.
template <class Policy, class Problem>
struct storage_for {
  using own = typename Problem::storage;
  static constexpr bool k_major =
      arch::wgmma_needs_k_major<typename Problem::input> && takes_any_storage<Policy> && !Policy::info.smem_transposes;
  using any_a = std::conditional_t<own::a == major::k, nn, tn>;
  using of_tf32 = std::conditional_t<turns_tiles<Policy> && own::b == major::mn, nn, nt>;
  using one_k_major = std::conditional_t<Policy::info.needs_k_major_a, std::conditional_t<own::b == major::k, nt, nn>,
                                         std::conditional_t<own::a == major::k, nt, tt>>;
  static constexpr bool one = Policy::info.needs_k_major_a || Policy::info.needs_k_major_b;
  using type = std::conditional_t<
      k_major, of_tf32,
      std::conditional_t<
          one, one_k_major,
          std::conditional_t<takes_any_storage<Policy> || reads_k_major_b<Policy, Problem>, own, any_a>>>;
};
template <class Policy, class Problem>
using packed_storage = typename storage_for<Policy, Problem>::type;

/// Whether an operand must be turned before TMA can bring it as the policy wants it.
template <class Policy, class Problem>
inline constexpr bool turns_a = Problem::storage::a != packed_storage<Policy, Problem>::a;
template <class Policy, class Problem>
inline constexpr bool turns_b = Problem::storage::b != packed_storage<Policy, Problem>::b;
template <class Policy, class Problem>
inline constexpr bool turns_any = turns_a<Policy, Problem> || turns_b<Policy, Problem>;

/// Whether the policy's kernel takes operands as they are stored, or as copies that lie as they do: those that it wants
/// stored so, and a B that it can turn.
template <class Policy, class Problem>
inline constexpr bool takes_operands =
    !turns_any<Policy, Problem> || (turns_squares<Policy, Problem> && !turns_a<Policy, Problem>);

}  // namespace gemm::detail
