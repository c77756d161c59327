// SPDX-License-Identifier: BSL-1.0
//! @file
//! The parts of a policy's kernel, by name.
#pragma once

#include <type_traits>

#include <gemm/block/staged_scales.cuh>
#include <gemm/collective/help.cuh>
#include <gemm/collective/mma.cuh>
#include <gemm/collective/order.cuh>
#include <gemm/collective/store.cuh>

namespace gemm::detail {

/// Policies that multiply something else than the elements of A and B have a specialisation, and one each of
/// wgmma_parameter and product_tiles.
template <class Policy, class Problem>
struct wgmma_parts {
  using mma = mma_of<Policy, Problem>;
  using order = order_of<Policy, Problem>;
  using store = store_of<Policy, Problem, loads_register_operand<Policy, Problem>>;
  using help =
      std::conditional_t<stages_scales<Policy, Problem>, help_scales<Policy, Problem>, help_nothing<Policy, Problem>>;
};

}  // namespace gemm::detail
