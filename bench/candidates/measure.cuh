// SPDX-License-Identifier: BSL-1.0
//! @file
//! Times all candidates of run() for a problem. One instantiation for each element type and storage, in a source of its
//! own (bench/CMakeLists.txt), since each compiles for a minute.
#pragma once

#include <gemm/gemm.cuh>
#include <gemm/tune.cuh>

#include "../../examples/support/unread_product.cuh"
#include "candidates.hpp"

namespace bench {

template <class Element, class Storage>
gemm::tune_result measure_candidates(problem const& p, gemm::tune_options const& options) {
  tools::unread_product<Element, Storage> const product{p.m, p.n, p.k, p.batch};
  return gemm::tune(product.a(), product.b(), product.c(), options);
}

}  // namespace bench
