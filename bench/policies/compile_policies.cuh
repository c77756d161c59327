// SPDX-License-Identifier: BSL-1.0
//! @file
//! From a bench::product back to gemm::run: what of the benchmarks is compiled for each policy.
#pragma once

#include <string>
#include <vector>

#include "../support/elements.hpp"
#include "policies.hpp"

namespace bench {

template <class Policy, class Element>
gemm::status run_policy(product const& p) {
  auto const* const a = static_cast<typename Element::input const*>(p.a);
  auto const* const b = static_cast<typename Element::input const*>(p.b);
  auto const c = gemm::row_major(static_cast<typename Element::output*>(p.c), p.m, p.n);
  auto const run = [&](auto const& a_view) {
    return p.transposed_b ? gemm::run<Policy>(a_view, gemm::col_major(b, p.k, p.n), c, {.stream = p.stream})
                          : gemm::run<Policy>(a_view, gemm::row_major(b, p.k, p.n), c, {.stream = p.stream});
  };
  return p.transposed_a ? run(gemm::col_major(a, p.m, p.k)) : run(gemm::row_major(a, p.m, p.k));
}

template <class Policy>
void add_contenders(std::vector<contender>& result) {
  auto const add = [&]<class Element>(Element const& e) {
    result.push_back(
        {.name = std::string(gemm::name<Policy>()), .dtype = std::string(e.name), .run = &run_policy<Policy, Element>});
  };
  std::apply([&](auto const&... e) { (add(e), ...); }, elements);
}

template <class... Policies>
std::vector<contender> list_contenders(policy_list<Policies...>) {
  std::vector<contender> result;
  (add_contenders<Policies>(result), ...);
  return result;
}

template <class List>
std::vector<contender> contenders_of() {
  return list_contenders(List{});
}

}  // namespace bench
