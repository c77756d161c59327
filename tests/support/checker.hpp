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
  double worst = 0;           ///< largest error over the bound, where that is not 0
  std::string report;         ///< the first wrong elements; empty if there are none

  bool passed() const { return wrong == 0 && report.empty(); }
};

/// alpha A B + beta C for a call whose pointers are of host memory. Compiled without sanitizers.
template <class Types>
std::vector<gemm::expected<typename Types::input>> reference_of(call<Types> const& host);

/// `got` against the expected elements (row-major, batch after batch). Where the output's type overflows, or the
/// expected element is not finite, the same NaN or infinity is asked for; elsewhere an error within gemm::error_bound.
///
/// `exact` asks for the expected element rounded once: for data whose sums the accumulator holds.
template <class In, class Out>
verdict compare(host_matrix<Out> const& got, std::vector<gemm::expected<In>> const& want, std::int64_t k, bool exact);

/// Makes the bounds of gemm::error_bound those of fp16x3, by the magnitudes that they are derived from.
template <class Types>
void allow_for_parts(std::vector<gemm::expected<typename Types::input>>& want, call<Types> const& host);

/// The expected elements after the first part of the chain, bias, and after the second, relu | weigh, in the caller's
/// coordinates.
template <class In>
void add_bias(std::vector<gemm::expected<In>>& want, std::int64_t columns, In const* bias);
template <class In>
void finish_chain(std::vector<gemm::expected<In>>& want, std::int64_t rows, std::int64_t columns);

}  // namespace test
