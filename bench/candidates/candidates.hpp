// SPDX-License-Identifier: BSL-1.0
//! @file
//! What gemm_candidates calls for an element type and storage.
#pragma once

#include <gemm/tune/result.hpp>

#include "../support/elements.hpp"
#include "../support/problem.hpp"

namespace bench {

/// Times all candidates of run() for a problem of this type and storage.
template <class Element, bool TransposedA, bool TransposedB>
gemm::tune_result measure_candidates(problem const& p, gemm::tune_options const& options);

}  // namespace bench
