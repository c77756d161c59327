// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of a batch whose matrices are where arrays of pointers say.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/own_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>

namespace gemm::detail {

/// What the products have in common, and the pointers of the operands and of C, null where they lie in strides.
template <class Problem>
struct pointer_problem : Problem {
  typename Problem::element_a const* const* of_a;
  typename Problem::element_b const* const* of_b;
  typename Problem::output* const* of_c;

  using common = Problem;
  static constexpr char const* kind = "pointers";
  template <class Other>
  pointer_problem<Other> around(Other const& p) const {
    return {p, of_a, of_b, of_c};
  }
};

template <class Problem>
inline constexpr bool has_own_problems<pointer_problem<Problem>> = true;

/// The problem with the memory of one product.
template <class Problem>
__device__ Problem part_of(pointer_problem<Problem> const& whole, std::int64_t product) {
  Problem p = whole;
  auto const point_to = [product](auto& operand, auto const* of_product) {
    if (of_product != nullptr) {
      operand.data = of_product[product];
      operand.batch_stride = 0;
    }
  };
  point_to(p.a, whole.of_a);
  point_to(p.b, whole.of_b);
  point_to(p.c, whole.of_c);
  constexpr std::uintptr_t wide = sizeof(typename Problem::output) * widest<typename Problem::output>;
  p.vector_c = p.vector_c && reinterpret_cast<std::uintptr_t>(p.c.data) % wide == 0;
  return p;
}

}  // namespace gemm::detail
