// SPDX-License-Identifier: BSL-1.0
//! @file
//! From a test::call back to gemm::run: what of the tests is compiled for each policy.
#pragma once

#include <gemm/gemm.cuh>

#include "subject.hpp"

namespace test {

template <class Policy, class T, gemm::order A, gemm::order B, gemm::order C>
gemm::status run_with_orders(call<T> const& x) {
  gemm::options<T> const opts{.alpha = x.alpha, .beta = x.beta, .stream = x.stream};
  auto const a = x.a.template as<A>();
  auto const b = x.b.template as<B>();
  auto const c = x.c.template as<C>();
  if (x.epilogue == epilogue_kind::none) {
    return gemm::run<Policy>(a, b, c, opts);
  }
  if constexpr (A == chain_a && B == chain_b && C == chain_c) {
    return gemm::run<Policy>(a, b, c, opts, gemm::bias(x.bias) | gemm::relu{} | weigh{});
  } else {
    return {gemm::status_code::invalid_argument, cudaSuccess, "the tests have no chain for this storage"};
  }
}

template <class Policy, class T>
gemm::status run_policy(call<T> const& x) {
  using gemm::order;
  auto const by_c = [&]<order A, order B>() {
    return x.c.layout == order::row ? run_with_orders<Policy, T, A, B, order::row>(x)
                                    : run_with_orders<Policy, T, A, B, order::column>(x);
  };
  if (x.a.layout == order::row) {
    return x.b.layout == order::row ? by_c.template operator()<order::row, order::row>()
                                    : by_c.template operator()<order::row, order::column>();
  }
  return x.b.layout == order::row ? by_c.template operator()<order::column, order::row>()
                                  : by_c.template operator()<order::column, order::column>();
}

}  // namespace test

/// Compiles a policy for an element type.
#define GEMM_TEST_INSTANTIATE(policy)                                              \
  template gemm::status test::run_policy<policy, float>(test::call<float> const&); \
  template gemm::status test::run_policy<policy, double>(test::call<double> const&)
