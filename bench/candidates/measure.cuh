// SPDX-License-Identifier: BSL-1.0
//! @file
//! Times all candidates of run() for a problem. One instantiation for each element type and storage, in a source of its
//! own (bench/CMakeLists.txt), since each compiles for a minute.
#pragma once

#include <type_traits>

#include <gemm/gemm.cuh>
#include <gemm/tune.cuh>

#include "../support/unread_matrix.cuh"
#include "candidates.hpp"

namespace bench {

template <class Element, class Storage>
gemm::tune_result measure_candidates(problem const& p, gemm::tune_options const& options) {
  using input = typename Element::input;
  constexpr bool is_tf32 = std::is_same_v<input, gemm::tf32>;
  using stored = std::conditional_t<is_tf32, float, input>;
  auto const a = matrix_at<Storage::a == gemm::major::mn, stored const>(1 << 12, p.m, p.k, p.batch);
  auto const b = matrix_at<Storage::b == gemm::major::k, stored const>(2 << 12, p.k, p.n, p.batch);
  auto const c = matrix_at<false, typename Element::output>(3 << 12, p.m, p.n, p.batch);
  if constexpr (is_tf32) {
    return gemm::tune(gemm::as_tf32(a), gemm::as_tf32(b), c, options);
  } else {
    return gemm::tune(a, b, c, options);
  }
}

}  // namespace bench
