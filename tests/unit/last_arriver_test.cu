// SPDX-License-Identifier: BSL-1.0
//! @file
//! Blocks that come to the same tile: the last one knows, whatever was in memory, and sees what the others have done.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gemm/arch/shared_memory.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/schedule/last_arriver.cuh>

#include "../support/device.hpp"

namespace {

constexpr int tiles = 7, slices = 5, threads = 64;

struct meeting {
  int* values;  // [slice][tile][thread]
  unsigned long long* arrivals;
  int* sums;  // [tile][thread], of the last to come
  int* last;  // [tile], how many were
};

__global__ void meet(meeting const __grid_constant__ what) {
  auto& room = gemm::arch::dynamic_shared_memory<int>();
  int const block = static_cast<int>(blockIdx.x), thread = static_cast<int>(threadIdx.x), tile = block % tiles;
  what.values[block * threads + thread] = block + thread;
  __syncthreads();
  if (thread == 0) {
    room = gemm::detail::arrive_as_last(what.arrivals[tile], slices) ? 1 : 0;
  }
  __syncthreads();
  if (room == 0) {
    return;
  }
  int sum = 0;
  for (int slice = 0; slice < slices; ++slice) {
    sum += what.values[(slice * tiles + tile) * threads + (thread + 1) % threads];  // another thread's
  }
  what.sums[tile * threads + thread] = sum;
  if (thread == 0) {
    ++what.last[tile];
  }
}

}  // namespace

TEST_CASE("the last of a tile's blocks knows that it is, and sees what the others have done", "[stream_k][sanitizer]") {
  auto const before = GENERATE(0ULL, 4ULL, ~0ULL, 0x7fff'ffff'7fff'ffffULL, 0x3f80'0000'0000'0004ULL);
  test::device_array<int> const values(std::size_t{slices * tiles * threads}), sums(std::size_t{tiles * threads}),
      last(std::vector<int>(tiles, 0));
  test::device_array<unsigned long long> const arrivals(std::vector<unsigned long long>(tiles, before));
  meeting const what{.values = values.data(), .arrivals = arrivals.data(), .sums = sums.data(), .last = last.data()};
  constexpr int launches = 2;  // the second finds what the first has left
  for (int i = 0; i < launches; ++i) {
    test::require_success(gemm::detail::launch(&meet, dim3(tiles * slices), threads, sizeof(int), nullptr, what),
                          "launch");
  }
  CHECK(last.download() == std::vector<int>(tiles, launches));
  CHECK(arrivals.download() == std::vector<unsigned long long>(tiles, 0));
  std::vector<int> expected;
  for (int tile = 0; tile < tiles; ++tile) {
    for (int thread = 0; thread < threads; ++thread) {
      int sum = 0;
      for (int slice = 0; slice < slices; ++slice) {
        sum += slice * tiles + tile + (thread + 1) % threads;
      }
      expected.push_back(sum);
    }
  }
  CHECK(sums.download() == expected);
}
