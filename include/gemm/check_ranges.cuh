// SPDX-License-Identifier: BSL-1.0
//! @file
//! For debugging: whether the numbers of ragged and masked products are what the calls take them for.
//!
//!     status const before = gemm::range_status(report);                    of the calls before
//!     status const checked = gemm::check_ranges(a, report, stream);        a = ragged_rows(..., ends, groups)
//!     status const result = gemm::run(a, b, c, {.stream = stream});
//!
//! Not part of <gemm/gemm.cuh>. No call looks at these numbers otherwise: where they are wrong, the results are.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/kernel/check_ranges.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_kernel.cuh>
#include <gemm/matrix.hpp>
#include <gemm/ragged.hpp>
#include <gemm/range_report.hpp>
#include <gemm/status.hpp>

namespace gemm {

namespace detail {

inline status report_is_null() {
  return {status_code::invalid_argument, cudaSuccess, "report is null, needs a range_report in device memory"};
}

static inline status enqueue_check(line_ranges const& ranges, std::int64_t groups, std::int64_t extent,
                                   range_report* report, cudaStream_t stream) {
  if (report == nullptr) {
    return report_is_null();
  }
  if (ranges.data == nullptr && groups > 0) {
    return broken_rule("%s is null, needs %lld numbers", ranges.counted ? "counts" : "ends",
                       static_cast<long long>(groups));
  }
  checked_ranges const params{ranges, groups, extent, report};
  return status_of_launch("the check of ranges", launch(&check_ranges_kernel<checked_ranges>, dim3(1),
                                                        check_ranges_threads, 0, stream, params));
}

}  // namespace detail

/// Enqueues a check of a view's ends, which may not fall, nor lie below 0 or above its rows or columns; or of its
/// counts. Nothing is written but the report, and nothing waits: range_status() says what was found.
///
/// @param view  made by ragged_rows(), ragged_columns() or masked()
/// @param report  in device memory, zeroed before its first check; the first report is kept
template <class View>
[[nodiscard]] static status check_ranges(ragged<View> const& view, range_report* report,
                                         cudaStream_t stream = nullptr) {
  return detail::enqueue_check(view.ranges, view.groups, detail::view_of(view).rows, report, stream);
}
template <class View>
[[nodiscard]] static status check_ranges(ragged_by_column<View> const& view, range_report* report,
                                         cudaStream_t stream = nullptr) {
  return detail::enqueue_check(view.ranges, view.groups, detail::view_of(view).columns, report, stream);
}

/// What the checks with this report have found first: an invalid_argument that names product, number and rule. Waits
/// for the default stream; for checks on others, wait first.
[[nodiscard]] inline status range_status(range_report const* report) {
  if (report == nullptr) {
    return detail::report_is_null();
  }
  range_report found{};
  cudaError_t const error = cudaMemcpy(&found, report, sizeof(found), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // reported here
    return {status_code::cuda_failure, error, "the report of ranges cannot be read: %s", cudaGetErrorString(error)};
  }
  if (found.wrong == 0) {
    return {};
  }
  return detail::broken_rule("the %s of product %lld is %lld, needs %lld to %lld", found.wrong == 2 ? "count" : "end",
                             static_cast<long long>(found.product), static_cast<long long>(found.value),
                             static_cast<long long>(found.least), static_cast<long long>(found.most));
}

}  // namespace gemm
