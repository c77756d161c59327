// SPDX-License-Identifier: BSL-1.0
//! @file
//! Looks for numbers in device memory that are no ranges of products.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/ragged.hpp>
#include <gemm/range_report.hpp>

namespace gemm::detail {

inline constexpr int check_ranges_threads = 32;

/// The ranges of so many products of a view with so many rows, or columns.
struct checked_ranges {
  line_ranges ranges;
  std::int64_t groups, extent;
  range_report* report;
};

/// By one warp, whose lanes look at 32 numbers at a time. The first report is kept.
template <class Params>
__global__ void __launch_bounds__(check_ranges_threads) check_ranges_kernel(__grid_constant__ Params const params) {
  arch::wait_for_dependency();  // for who writes the ranges
  auto const lane = static_cast<std::int64_t>(threadIdx.x);
  for (std::int64_t first = 0; first < params.groups && params.report->wrong == 0; first += check_ranges_threads) {
    std::int64_t const product = first + lane;
    std::int64_t value = 0, least = 0;
    bool wrong = false;
    if (product < params.groups) {
      value = params.ranges.read(static_cast<int>(product));
      least = params.ranges.counted || product == 0 ? 0 : params.ranges.read(static_cast<int>(product) - 1);
      wrong = value < least || value > params.extent;
    }
    unsigned const found = __ballot_sync(0xffffffffU, wrong);
    if (found != 0 && lane + 1 == __ffs(static_cast<int>(found))) {
      params.report->product = product;
      params.report->value = value;
      params.report->least = least;
      params.report->most = params.extent;
      params.report->wrong = params.ranges.counted ? 2 : 1;
    }
    __syncwarp();  // the report is there
  }
}

}  // namespace gemm::detail
