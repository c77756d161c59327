// SPDX-License-Identifier: BSL-1.0
//! @file
//! Counters in global memory: work that warps share out, and one thread of each block that waits for all of it.

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

#include <gemm/arch/global_counter.cuh>
#include <gemm/host/launch.cuh>

#include "../support/device.hpp"

namespace {

constexpr int pieces = 40, blocks = 3, warps = 3;

struct sharing {
  std::uint32_t* counters;  // pieces that are taken, and those that are done
  int* values;              // of the pieces, 32 each
  int* sums;                // of the blocks
};

__global__ void share_out(sharing const __grid_constant__ what) {
  if (threadIdx.x == 0) {
    gemm::arch::wait_for_count(what.counters + 1, pieces);
    for (int i = 0; i < 32 * pieces; ++i) {
      what.sums[blockIdx.x] += what.values[i];
    }
  }
  if (threadIdx.x < 32) {
    return;
  }
  int const lane = static_cast<int>(threadIdx.x) % 32;
  for (;;) {
    int piece = 0;
    if (lane == 0) {
      piece = static_cast<int>(gemm::arch::take_ticket(what.counters));
    }
    piece = __shfl_sync(0xffffffffU, piece, 0);
    if (piece >= pieces) {
      return;
    }
    what.values[32 * piece + lane] = 32 * piece + lane;
    __syncwarp();
    if (lane == 0) {
      gemm::arch::count_up(what.counters + 1);
    }
  }
}

}  // namespace

TEST_CASE("blocks share out work and wait for all of it", "[sanitizer]") {
  test::device_array<std::uint32_t> const counters(std::vector<std::uint32_t>(2, 0));
  test::device_array<int> const values(32 * pieces), sums(std::vector<int>(blocks, 0));
  test::require_success(
      gemm::detail::launch(&share_out, dim3(blocks), 32 * (warps + 1), 0, nullptr,
                           sharing{.counters = counters.data(), .values = values.data(), .sums = sums.data()}),
      "launch");
  constexpr int n = 32 * pieces;
  CHECK(sums.download() == std::vector<int>(blocks, n * (n - 1) / 2));
  CHECK(counters.download() == std::vector<std::uint32_t>{pieces + blocks * warps, pieces});
}
