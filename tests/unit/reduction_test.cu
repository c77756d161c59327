// SPDX-License-Identifier: BSL-1.0
//! @file
//! Reductions: what the threads of several blocks add to the same words.

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

#include <gemm/arch/reduction.cuh>
#include <gemm/host/launch.cuh>

#include "../support/device.hpp"

namespace {

constexpr int threads = 96;

struct words {
  std::uint32_t *sum, *bits, *most;
};

__global__ void reduce(words const __grid_constant__ to) {
  gemm::arch::reduce_add(to.sum, 0xfffffff0U + threadIdx.x);
  gemm::arch::reduce_max(to.most, 7 + (threadIdx.x * 37 + blockIdx.x) % 101);
  gemm::arch::reduce_or(to.bits, 1U << (threadIdx.x % 4 + 8 * blockIdx.x));
}

}  // namespace

TEST_CASE("blocks add to a word, modulo 2^32, set bits of it, and raise it", "[sanitizer]") {
  test::device_array<std::uint32_t> const sum(std::vector<std::uint32_t>{5}),
      bits(std::vector<std::uint32_t>{1U << 31}), most(std::vector<std::uint32_t>{3, 1000});
  for (int i = 0; i < 2; ++i) {
    words const to{.sum = sum.data(), .bits = bits.data(), .most = most.data() + i};
    test::require_success(gemm::detail::launch(&reduce, dim3(3), threads, 0, nullptr, to), "launch");
  }
  CHECK(sum.download()[0] == 5 + 2 * (3 * (threads * (threads - 1) / 2) - 3U * threads * 16));
  CHECK(bits.download()[0] == (1U << 31 | 0xf0f0fU));
  CHECK(most.download() == std::vector<std::uint32_t>{107, 1000});
}
