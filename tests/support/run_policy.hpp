// SPDX-License-Identifier: BSL-1.0
//! @file
//! From a test::call back to gemm::run: what of the tests is compiled for each policy.
#pragma once

#include <gemm/gemm.cuh>

#include "../policies/policies.hpp"
#include "subject.hpp"
#include "tier.hpp"

namespace test {

template <class Policy, class Types, gemm::order A, gemm::order B, gemm::order C>
gemm::status run_with_orders(call<Types> const& x) {
  gemm::options<typename Types::accum> const opts{.alpha = x.alpha, .beta = x.beta, .stream = x.stream};
  auto const a = x.a.template as<A>();
  auto const b = x.b.template as<B>();
  auto const c = x.c.template as<C>();
  if (x.epilogue == epilogue_kind::none) {
    return gemm::run<Policy>(a, b, c, opts);
  }
  if constexpr (has_chain<Policy> && A == chain_a && B == chain_b && C == chain_c) {
    auto const second = x.second.template as<chain_second>();
    return gemm::run<Policy>(a, b, c, opts, gemm::bias(x.bias) | gemm::store(second) | gemm::relu{} | weigh{});
  } else {
    return {gemm::status_code::invalid_argument, cudaSuccess, "the tests have no chain for this policy and storage"};
  }
}

template <class Policy, class Types>
gemm::status run_every_storage(call<Types> const& x) {
  using gemm::order;
  auto const by_c = [&]<order A, order B>() {
    return x.c.layout == order::row ? run_with_orders<Policy, Types, A, B, order::row>(x)
                                    : run_with_orders<Policy, Types, A, B, order::column>(x);
  };
  if (x.a.layout == order::row) {
    return x.b.layout == order::row ? by_c.template operator()<order::row, order::row>()
                                    : by_c.template operator()<order::row, order::column>();
  }
  return x.b.layout == order::row ? by_c.template operator()<order::column, order::row>()
                                  : by_c.template operator()<order::column, order::column>();
}

/// What the list lacks, under sanitizers for one, is not compiled.
template <class Policy, class Types>
gemm::status run_policy(call<Types> const& x) {
  if constexpr (lists<Policy>(policies_for<Types>{})) {
    return run_every_storage<Policy, Types>(x);
  } else {
    return {gemm::status_code::invalid_argument, cudaSuccess, "the list of policies lacks it"};
  }
}

}  // namespace test

/// Compiles a policy for the types of a product: in every tier, or in some.
#define GEMM_TEST_INSTANTIATE(policy, types) \
  template gemm::status test::run_policy<policy, types>(test::call<types> const&)
#define GEMM_TEST_INSTANTIATE_UNDER_SANITIZERS(policy, types) \
  GEMM_TEST_UNDER_SANITIZERS(GEMM_TEST_INSTANTIATE(policy, types))
#define GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, types) \
  GEMM_TEST_UNLESS_SANITIZED(GEMM_TEST_INSTANTIATE(policy, types))
#define GEMM_TEST_INSTANTIATE_ON_GPU(policy, types) GEMM_TEST_ON_GPU(GEMM_TEST_INSTANTIATE(policy, types))

/// For the types that are tested with every policy of the list; with one of each rung; with those whose stores differ.
/// Under sanitizers float and double are of the second kind, too: policies of a rung access and wait alike.
#define GEMM_TEST_INSTANTIATE_WIDE(policy)                   \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::f32); \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::f64)
#define GEMM_TEST_INSTANTIATE_NARROW(policy)                      \
  GEMM_TEST_INSTANTIATE_UNDER_SANITIZERS(policy, test::f32);      \
  GEMM_TEST_INSTANTIATE_UNDER_SANITIZERS(policy, test::f64);      \
  GEMM_TEST_INSTANTIATE(policy, test::f16);                       \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::bf16_f32); \
  GEMM_TEST_INSTANTIATE(policy, test::s8_s32)
#define GEMM_TEST_INSTANTIATE_MIXED(policy)                       \
  GEMM_TEST_INSTANTIATE(policy, test::f32_f16);                   \
  GEMM_TEST_INSTANTIATE(policy, test::s8);                        \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::bf16);     \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::f32_bf16); \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::f16_f32);  \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::f16_bf16); \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::bf16_f16); \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::s8_f32);   \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::s8_f16);   \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::s8_bf16);  \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::f32_e4m3); \
  GEMM_TEST_INSTANTIATE_UNLESS_SANITIZED(policy, test::f16_e5m2)
