// SPDX-License-Identifier: BSL-1.0
//! @file
//! From a bench::product back to gemm::run: what of the benchmarks is compiled for each policy.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "policies.hpp"

namespace bench {

/// The view of an operand that has p.batch matrices.
template <class Matrix>
Matrix whole_batch(product const& p, Matrix const& m) {
  return p.batch > 1 ? gemm::batched(m, p.batch) : m;
}

/// The storages, element types and policies of a part; for a compilation that only checks the sources, one of each.
#ifdef GEMM_BENCH_BRIEF
template <class Part>
inline constexpr storages compiled = storages::nn;
template <template <class...> class List, class First, class... Others>
List<First> first_of(List<First, Others...>);
template <class List>
using compiled_of = decltype(first_of(List{}));
#else
template <class Part>
inline constexpr storages compiled = Part::compiled;
template <class List>
using compiled_of = List;
#endif

template <class Policy, class Element, storages Compiled>
gemm::status run_policy(product const& p) {
  auto const* const a = static_cast<typename Element::input const*>(p.a);
  auto const* const b = static_cast<typename Element::input const*>(p.b);
  auto const run = [&](auto const& a_view, auto const& b_view) {
    return gemm::run<Policy>(whole_batch(p, a_view), whole_batch(p, b_view),
                             whole_batch(p, gemm::row_major(static_cast<typename Element::output*>(p.c), p.m, p.n)),
                             {.stream = p.stream, .workspace = p.workspace, .constant_b = p.constant_b});
  };
  auto const with_b = [&](auto const& a_view) -> gemm::status {
    if (!p.transposed_b) {
      return run(a_view, gemm::row_major(b, p.k, p.n));
    }
    if constexpr (Compiled != storages::nn) {
      return run(a_view, gemm::col_major(b, p.k, p.n));
    }
    return {gemm::status_code::unsupported_device, cudaSuccess, "not compiled for this type and storage"};
  };
  if (!p.transposed_a) {
    return with_b(gemm::row_major(a, p.m, p.k));
  }
  if constexpr (Compiled == storages::all) {
    return with_b(gemm::col_major(a, p.m, p.k));
  }
  return {gemm::status_code::unsupported_device, cudaSuccess, "not compiled for this type and storage"};
}

/// Where only what the library chooses is to be measured, no other policy is compiled.
#ifdef GEMM_BENCH_CHOICE
template <class Policy>
inline constexpr bool is_compiled = gemm::detail::is_choice<Policy>;
#else
template <class>
inline constexpr bool is_compiled = true;
#endif

template <class Policy, class Element, storages Compiled>
void add_contender(std::vector<contender>& result) {
  if constexpr (is_compiled<Policy>) {
    result.push_back({.name = std::string(gemm::name<Policy>()),
                      .dtype = std::string(std::get<Element>(elements).name),
                      .run = &run_policy<Policy, Element, Compiled>});
  }
}
template <class Element, storages Compiled, class... Policies>
void add_contenders(std::vector<contender>& result, policy_list<Policies...>) {
  (add_contender<Policies, Element, Compiled>(result), ...);
}

template <storages Compiled, class Policies, class... Elements>
std::vector<contender> list_contenders(element_list<Elements...>) {
  std::vector<contender> result;
  (add_contenders<Elements, Compiled>(result, Policies{}), ...);
  return result;
}

template <class Part>
std::vector<contender> contenders_of() {
  return list_contenders<compiled<Part>, compiled_of<typename Part::policies>>(compiled_of<typename Part::elements>{});
}

}  // namespace bench
