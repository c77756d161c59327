// SPDX-License-Identifier: BSL-1.0
//! @file
//! Loads under a predicate: of every size, where it holds and where it does not, from no memory then.

#include <cuda_runtime.h>

#include <catch2/catch_template_test_macros.hpp>
#include <cstdint>
#include <vector>

#include <gemm/arch/predicated_load.cuh>
#include <gemm/launch/launch.cuh>

#include "../support/device.hpp"

namespace {

template <class T>
struct loads {
  T const* from;
  T* results;
};

/// Every other thread loads.
template <class T>
__global__ void load_some(loads<T> const __grid_constant__ what) {
  bool const loads_own = threadIdx.x % 2 == 0;
  what.results[threadIdx.x] = gemm::arch::load_if(loads_own, loads_own ? what.from + threadIdx.x : nullptr, T(77));
}

}  // namespace

TEMPLATE_TEST_CASE("loads under a predicate", "[arch]", std::uint8_t, std::uint16_t, std::uint32_t, float, double) {
  constexpr int threads = 64;
  std::vector<TestType> values, want;
  for (int i = 0; i < threads; ++i) {
    values.push_back(static_cast<TestType>(i + 100));
    want.push_back(i % 2 == 0 ? values.back() : TestType(77));
  }
  test::device_array<TestType> const from(values), results(std::vector<TestType>(threads, TestType(1)));
  loads<TestType> const what{from.data(), results.data()};
  test::require_success(gemm::detail::launch(&load_some<TestType>, dim3(1), threads, 0, nullptr, what), "launch");
  CHECK(results.download() == want);
}
