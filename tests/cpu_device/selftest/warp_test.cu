// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tests of the warp-collective instructions.

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>
#include <vector>

#include "launch.hpp"

using cpu_device::run_order;
using selftest::device_array;
using selftest::launch;

namespace {

constexpr unsigned full = 0xffffffffu;

struct shuffled {
  int indexed, up, down, exchanged;
};

__global__ void shuffle_all(int width, shuffled* results) {
  int const lane = int(threadIdx.x);
  results[lane] = {__shfl_sync(full, lane, 5, width), __shfl_up_sync(full, lane, 3, width),
                   __shfl_down_sync(full, lane, 3, width), __shfl_xor_sync(full, lane, 9, width)};
}

__global__ void vote(unsigned* ballots, int* any, int* all) {
  unsigned const lane = threadIdx.x % 32;
  ballots[threadIdx.x] = __ballot_sync(full, lane % 3 == 0);
  any[threadIdx.x] = __any_sync(full, lane == 7);
  all[threadIdx.x] = __all_sync(full, lane < 20);
}

// The halves of a warp work on their own, the lower one more often, and meet in the end.
__global__ void work_in_halves(int* sums) {
  unsigned const lane = threadIdx.x;
  unsigned const half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  int sum = int(lane);
  for (int repeat = 0; repeat < (lane < 16 ? 2 : 1); ++repeat) {
    for (int distance = 8; distance > 0; distance /= 2) {
      sum += __shfl_xor_sync(half, sum, distance);
    }
  }
  __syncwarp();
  sums[lane] = __shfl_sync(full, sum, 0) + __shfl_sync(full, sum, 16);
}

__global__ void exchange_through_memory(int* values) {
  unsigned const neighbour = threadIdx.x ^ 1;
  int const received = values[neighbour];
  __syncwarp();
  values[threadIdx.x] = received;
}

template <class T>
__global__ void rotate(T* values) {
  unsigned const lane = threadIdx.x;
  values[lane] = __shfl_sync(full, values[lane], int(lane) + 1);
}

}  // namespace

TEST_CASE("shuffles read the lane that CUDA says") {
  cpu_device::scoped_options with;
  with->order = GENERATE(run_order::forward, run_order::reverse, run_order::random);
  int const width = GENERATE(1, 4, 16, 32);
  device_array<shuffled> results(32);
  REQUIRE(launch({1, 32}, shuffle_all, width, results.data()) == cudaSuccess);
  std::vector<shuffled> const got = results.host();
  for (int lane = 0; lane < 32; ++lane) {
    int const begin = lane / width * width;
    int const end = begin + width;
    shuffled const& r = got[std::size_t(lane)];
    CHECK(r.indexed == begin + 5 % width);
    CHECK(r.up == (lane - 3 >= begin ? lane - 3 : lane));
    CHECK(r.down == (lane + 3 < end ? lane + 3 : lane));
    CHECK(r.exchanged == ((lane ^ 9) < end ? lane ^ 9 : lane));
  }
}

TEMPLATE_TEST_CASE("a shuffle moves numbers of one register or two", "", int, unsigned, long long, float, double) {
  std::vector<TestType> values(32);
  for (int lane = 0; lane < 32; ++lane) {
    values[std::size_t(lane)] = TestType(lane) / 2 + TestType(1e9);
  }
  device_array<TestType> memory(values);
  REQUIRE(launch({1, 32}, rotate<TestType>, memory.data()) == cudaSuccess);
  std::rotate(values.begin(), values.begin() + 1, values.end());
  CHECK(memory.host() == values);
}

TEST_CASE("votes count the lanes that exist") {
  unsigned const threads = GENERATE(32u, 45u);  // 45: the second warp has 13 lanes
  device_array<unsigned> ballots(threads);
  device_array<int> any(threads);
  device_array<int> all(threads);
  REQUIRE(launch({1, threads}, vote, ballots.data(), any.data(), all.data()) == cudaSuccess);
  for (unsigned thread = 0; thread < threads; ++thread) {
    bool const broken = thread >= 32;
    CHECK(ballots.host()[thread] == (0x49249249u & (broken ? (1u << 13) - 1 : full)));
    CHECK(any.host()[thread] == 1);
    CHECK(all.host()[thread] == broken);
  }
}

TEST_CASE("parts of a warp meet on their own") {
  cpu_device::scoped_options with;
  with->order = GENERATE(run_order::forward, run_order::reverse, run_order::random);
  device_array<int> sums(32);
  REQUIRE(launch({1, 32}, work_in_halves, sums.data()) == cudaSuccess);
  CHECK(sums.host() == std::vector<int>(32, 120 * 16 + 376));
}

TEST_CASE("__syncwarp separates what is before it from what is behind") {
  cpu_device::scoped_options with;
  with->order = GENERATE(run_order::forward, run_order::reverse, run_order::random);
  std::vector<int> values;
  std::vector<int> swapped;
  for (int i = 0; i < 64; ++i) {
    values.push_back(i);
    swapped.push_back(i ^ 1);
  }
  device_array<int> memory(values);
  REQUIRE(launch({1, 64}, exchange_through_memory, memory.data()) == cudaSuccess);
  CHECK(memory.host() == swapped);
}
