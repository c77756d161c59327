// SPDX-License-Identifier: BSL-1.0
//! @file
//! Whether operands may be accessed in wide pieces.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// Whether all rows of a matrix may be accessed in pieces of `width` elements, a power of two, in every product of the
/// batch.
template <class T>
bool allows_vectors(int width, strided<T> const& operand) {
  std::int64_t const below = width - 1;
  return (reinterpret_cast<std::uintptr_t>(operand.data) & (static_cast<std::size_t>(width) * sizeof(T) - 1)) == 0 &&
         (operand.ld & below) == 0 && (operand.batch_stride & below) == 0;
}
template <int Width, class T>
bool allows_vectors(strided<T> const& operand) {
  return allows_vectors(Width, operand);
}

/// Whether C's rows may be accessed in 16-byte pieces.
template <class Problem>
bool stores_vectors(Problem const& p) {
  return allows_vectors<widest<typename Problem::output>>(p.c);
}

/// Elements of a wide access to A and to B: 1 where a policy says that it accesses one of them by element anyway.
template <class Policy, class T, major Major>
inline constexpr int wide_access_a = Policy::info.options.narrow_a ? 1 : Policy::template access_width<T, Major>;
template <class Policy, class T, major Major>
inline constexpr int wide_access_b = Policy::info.options.narrow_b ? 1 : Policy::template access_width<T, Major>;

template <class Policy, class Problem>
inline constexpr bool has_wide_kernel = wide_access_a<Policy, typename Problem::element_a, Problem::storage::a> > 1 ||
                                        wide_access_b<Policy, typename Problem::element_b, Problem::storage::b> > 1;

}  // namespace gemm::detail
