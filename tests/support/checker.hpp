// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compares a result with the reference, element by element, so that no NaN can pass.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gemm/reference.hpp>

#include "host_matrix.hpp"
#include "subject.hpp"

namespace test {

/// What a comparison found.
struct verdict {
  std::int64_t wrong = 0;     ///< elements outside the bound
  std::int64_t unlikely = 0;  ///< elements outside the statistical bound: reported, allowed
  double worst = 0;           ///< largest error over the bound
  std::string report;         ///< the first wrong elements; empty if there are none

  bool passed() const { return wrong == 0 && report.empty(); }
};

/// alpha A B + beta C for a call whose pointers are of host memory. Compiled without sanitizers.
template <class T>
std::vector<gemm::expected<T>> reference_of(call<T> const& host);

/// `got` against the expected elements (row-major, batch after batch). Where T overflows, or the expected element is
/// not finite, the same NaN or infinity is asked for; elsewhere an error within gemm::error_bound.
///
/// `exact` asks for equality: for data whose sums are integers that T holds.
template <class T>
verdict compare(host_matrix<T> const& got, std::vector<gemm::expected<T>> const& want, std::int64_t k, bool exact);

/// The expected elements after the chain bias | relu | weigh, in the caller's coordinates.
template <class T>
void apply_chain(std::vector<gemm::expected<T>>& want, std::int64_t rows, std::int64_t columns, T const* bias);

}  // namespace test
