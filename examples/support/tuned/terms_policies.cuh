// SPDX-License-Identifier: BSL-1.0
//! @file
//! The policies of split terms that fp32_emulated chooses from where there is wgmma.
#pragma once

#include <type_traits>

#include <gemm/choose/candidates.hpp>
#include <gemm/choose/kernel_table.hpp>
#include <gemm/policy.hpp>

namespace tools {

template <class... Policies>
struct policies {};

struct terms_rows {
  template <class Row>
  static constexpr bool accepts =
      Row::by == gemm::detail::chosen_by::fp32_emulated&& Row::policy::info.op == gemm::math_op::wgmma;
};

template <class... Rows>
policies<gemm::detail::candidate_policy<typename Rows::policy>...> candidate_policies_of(
    gemm::detail::type_list<Rows...>);
using terms_policies = decltype(candidate_policies_of(gemm::detail::rows_of<terms_rows>{}));

}  // namespace tools
