// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules that the types of a call of several ranks must keep.
#pragma once

#include <type_traits>

#include <gemm/choose/arguments.hpp>
#include <gemm/choose/type_rules.hpp>
#include <gemm/distributed/options.hpp>
#include <gemm/launch/ragged.cuh>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/policy.hpp>

namespace gemm {

namespace detail {

template <class A>
using peer_options_for = std::type_identity_t<peer_options<typename scalar_of<A>::type>>;

template <class Scalar>
options<Scalar> options_of(peer_options<Scalar> const& given) {
  return {.alpha = given.alpha, .beta = given.beta, .stream = given.stream, .workspace = given.workspace};
}

/// The rules that types must keep: of plain matrices, those of run(), and of shards.
template <class Policy, class A, class B, class C, class Epilogue>
constexpr bool check_shard_types() {
  constexpr bool matrices = is_matrix<A> && is_matrix<B> && is_matrix<C>;
  static_assert(matrices, "gemm: ranks share plain matrices, without scales, ragged rows, pointers or terms.");
  if constexpr (matrices) {
    constexpr bool by_row = C::layout == order::row;
    static_assert(by_row, "gemm: ranks share the rows of C. Use gemm::row_major.");
    constexpr bool follows = [] {
      if constexpr (policy<Policy>) {
        return follows_ranges<Policy> && !Policy::info.is_split();
      } else {
        return !std::is_same_v<Policy, fp32_emulated>;
      }
    }();
    static_assert(!by_row || follows,
                  "gemm: products of several ranks need automatic, sm80_mma, pipelined or persistent sm90_wgmma, not "
                  "split. Use one of these.");
    if constexpr (by_row && follows) {
      return check_types<Policy, A, B, C, Epilogue>();
    }
  }
  return false;
}

}  // namespace detail

}  // namespace gemm
