// SPDX-License-Identifier: BSL-1.0
//! @file
//! Searches for the fastest policy of a product. CMakeLists.txt makes a source for each element type and storage.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/tune.cuh>

#include "../support/unread_product.cuh"
#include "search.hpp"

namespace example {

using gemm::block;
using gemm::stages;
using gemm::thread;
using gemm::warp;

// example-begin family
template <int M, int N, int K, int Stages>
using specialized = gemm::warp_specialized<block<M, N, K>, stages<Stages>>;
template <int M, int N, int K, int WarpM, int WarpN, int Stages>
using pipelined = gemm::pipelined<block<M, N, K>, warp<WarpM, WarpN>, thread<4, 4>, stages<Stages>>;
// example-end

template <class A, class B, class C>
gemm::tune_result tune_candidates(A const& a, B const& b, C const& c, gemm::tune_options const& options) {
#if defined(__CUDACC__)
  return gemm::tune(a, b, c, options);
#else  // the CPU device, where time says nothing: one that run() can choose for float alone
  return gemm::tune<gemm::pipelined_32x64x32>(a, b, c, options);
#endif
}

template <class A, class B, class C>
gemm::tune_result tune_family(A const& a, B const& b, C const& c, gemm::tune_options const& options) {
  return gemm::tune<
#if defined(__CUDACC__)
      specialized<128, 256, 32, 3>, gemm::pipelined_64x128x16, gemm::pipelined_64x64x16, gemm::pipelined_16x64x32,
      pipelined<128, 64, 16, 64, 32, 3>, pipelined<32, 128, 16, 32, 32, 3>, pipelined<64, 64, 32, 32, 32, 2>,
      pipelined<64, 32, 32, 32, 16, 3>, gemm::skinny_32x1x512
#else
      pipelined<32, 32, 8, 16, 32, 2>
#endif
      >(a, b, c, options);
}

/// Adds measurements to a result, the fastest first.
inline void add_measured(gemm::tune_result& result, std::vector<gemm::measurement> const& more) {
  std::vector<gemm::measurement>& all = result.measured;
  std::string const followed = result.followed < 0 ? "" : all[static_cast<std::size_t>(result.followed)].policy;
  double const seconds = result.followed < 0 ? 0 : all[static_cast<std::size_t>(result.followed)].seconds;
  all.insert(all.end(), more.begin(), more.end());
  std::stable_sort(all.begin(), all.end(), [](gemm::measurement const& x, gemm::measurement const& y) {
    bool const right_x{x.outcome}, right_y{y.outcome};
    return right_x != right_y ? right_x : right_x && x.seconds < y.seconds;
  });
  for (std::size_t i = 0; i < all.size() && result.followed >= 0; ++i) {
    if (all[i].policy == followed && all[i].seconds == seconds) {
      result.followed = static_cast<int>(i);
    }
  }
}

/// Tunes by the candidates of run(), of which the fastest is kept. For float it then measures policies of other tiles,
/// depths and stages, for callers who name them.
template <class Element, class Storage>
searched search(tools::shape const& s, gemm::tune_options const& options) {
  tools::unread_product<Element, Storage> const product{s.m, s.n, s.k, s.batch};
  auto const a = product.a();
  auto const b = product.b();
  auto const c = product.c();
  constexpr int parts = std::is_same_v<Element, tools::f32> ? 2 : 1;
  auto const part = [&](int number) {
    gemm::tune_options result = options;
    result.progress = [&options, number](int step, int total) {
      options.progress(number * total + step, parts * total);
    };
    return result;
  };
  searched result{.before = gemm::chosen(a, b, c), .found = {}};
  result.found = tune_candidates(a, b, c, part(0));
  if constexpr (parts == 2) {
    if (!result.found.measured.empty()) {
      add_measured(result.found, tune_family(a, b, c, part(1)).measured);
    }
  }
  return result;
}

}  // namespace example
