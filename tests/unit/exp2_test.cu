// SPDX-License-Identifier: BSL-1.0
//! @file
//! The device's own functions for epilogues: powers of two against the C++ library's, and the larger of two.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include <gemm/arch/exp2.cuh>
#include <gemm/arch/maximum.cuh>
#include <gemm/launch/launch.cuh>

#include "../support/device.hpp"

namespace {

struct task {
  float const* from;
  float* to;
  int count;
};

__global__ void __launch_bounds__(32) raise(task const __grid_constant__ what) {
  for (int i = static_cast<int>(threadIdx.x); i < what.count; i += 32) {
    what.to[i] = gemm::arch::exp2(what.from[i]);
  }
}

/// The larger of neighbours.
__global__ void __launch_bounds__(32) compare(task const __grid_constant__ what) {
  for (int i = static_cast<int>(threadIdx.x); i < what.count; i += 32) {
    what.to[i] = gemm::arch::maximum(what.from[2 * i], what.from[2 * i + 1]);
  }
}

}  // namespace

TEST_CASE("maximum is the larger of two, or NaN") {
  float const nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
  test::device_array<float> const from(std::vector<float>{1, 2, 2, 1, -infinite, -3, infinite, 0, nan, 1, 1, nan}),
      to(6);
  test::require_success(gemm::detail::launch(compare, dim3(1), 32, 0, nullptr, task{from.data(), to.data(), 6}),
                        "compare");
  std::vector<float> const got = to.download();
  CHECK(std::vector<float>(got.begin(), got.begin() + 4) == std::vector<float>{2, 2, -3, infinite});
  CHECK(std::isnan(got[4]));
  CHECK(std::isnan(got[5]));
}

TEST_CASE("exp2 is a power of two, or 0 where that is less than a normal number") {
  std::vector<float> exponents{-std::numeric_limits<float>::infinity(), -1e30F, -150, -127};
  std::size_t const zeros = exponents.size();
  for (int i = -126 * 8; i < 128 * 8; ++i) {
    exponents.push_back(static_cast<float>(i) / 8);
  }
  test::device_array<float> const from(exponents), to(exponents.size());
  test::require_success(gemm::detail::launch(raise, dim3(1), 32, 0, nullptr,
                                             task{from.data(), to.data(), static_cast<int>(exponents.size())}),
                        "raise");
  std::vector<float> const powers = to.download();
  int wrong = 0;
  for (std::size_t i = 0; i < powers.size(); ++i) {
    double const want = i < zeros ? 0 : std::exp2(static_cast<double>(exponents[i]));
    wrong += !(std::abs(static_cast<double>(powers[i]) - want) <= std::ldexp(want, -22));
  }
  CHECK(wrong == 0);
}
