// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tunes a product by the candidates of run(). CMakeLists.txt makes a source for each element type and storage.
#pragma once

#include <type_traits>

#include <gemm/gemm.cuh>
#include <gemm/tune.cuh>

#include "../unread_product.cuh"
#include "terms_policies.cuh"
#include "tuned_products.hpp"

namespace tools {

template <class Element, class Storage>
tuned tune_product(shape const& s, gemm::tune_options const& options) {
  unread_product<Element, Storage> const product{s.m, s.n, s.k, s.batch};
  auto const a = product.a();
  auto const b = product.b();
  auto const c = product.c();
  tuned result{.before = gemm::chosen(a, b, c), .found = {}};
#if defined(__CUDACC__)
  if constexpr (std::is_same_v<Element, fp16x3>) {
    result.found = [&]<class... Policies>(policies<Policies...>) {
      return gemm::tune<Policies...>(a, b, c, options);
    }(terms_policies{});
  } else {
    result.found = gemm::tune(a, b, c, options);
  }
#else  // the CPU device, where time says nothing: one that run() can choose for float alone
  result.found = gemm::tune<gemm::pipelined_32x64x32>(a, b, c, options);
#endif
  return result;
}

}  // namespace tools
