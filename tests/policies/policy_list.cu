// SPDX-License-Identifier: BSL-1.0
//! @file
//! From the list of policies to what the properties see of it.

#include "policies.hpp"

namespace test {

namespace {

template <class Policy>
constexpr int stages_of() {
  if constexpr (requires { Policy::stages; }) {
    return Policy::stages;
  } else {
    return 1;
  }
}

template <class T, class... Policies>
std::vector<subject<T>> list(policy_pack<Policies...>) {
  return {subject<T>{.name = std::string(gemm::name<Policies>()),
                     .block_m = Policies::block_m,
                     .block_n = Policies::block_n,
                     .block_k = Policies::block_k,
                     .threads = Policies::threads,
                     .stages = stages_of<Policies>(),
                     .run = &run_policy<Policies, T>}...};
}

}  // namespace

template <>
std::vector<subject<float>> const& subjects() {
  static std::vector<subject<float>> const all = list<float>(all_policies{});
  return all;
}

template <>
std::vector<subject<double>> const& subjects() {
  static std::vector<subject<double>> const all = list<double>(all_policies{});
  return all;
}

}  // namespace test
