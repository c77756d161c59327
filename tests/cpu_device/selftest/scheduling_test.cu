// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tests of the scheduler: coordinates, orders of threads and blocks, barriers, launches from several host threads.

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <numeric>
#include <thread>
#include <vector>

#include "launch.hpp"

using cpu_device::run_order;
using selftest::device_array;
using selftest::launch;

namespace {

__global__ void note_coordinates(uint3* threads, uint3* blocks) {
  unsigned const block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned const thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned const index = block * blockDim.x * blockDim.y * blockDim.z + thread;
  threads[index] = threadIdx;
  blocks[index] = blockIdx;
}

// When each thread had its first and its second turn. The counter is atomic: the threads are in no order.
__global__ void note_turns(std::atomic<int>* turns, int* first, int* second) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  first[thread] = turns->fetch_add(1, std::memory_order_relaxed);
  __syncthreads();
  second[thread] = turns->fetch_add(1, std::memory_order_relaxed);
}

struct turns {
  std::vector<int> first;
  std::vector<int> second;
};

turns run_turns(unsigned blocks, unsigned threads) {
  std::atomic<int> counter = 0;
  device_array<int> first(blocks * threads);
  device_array<int> second(blocks * threads);
  REQUIRE(launch({blocks, threads}, note_turns, &counter, first.data(), second.data()) == cudaSuccess);
  return {first.host(), second.host()};
}

std::vector<int> sequence(int from, int count, int step) {
  std::vector<int> values(std::size_t(count), from);
  for (int i = 0; i < count; ++i) {
    values[std::size_t(i)] += i * step;
  }
  return values;
}

// Each round every thread reads what its neighbour wrote in the round before.
__global__ void pass_round(int rounds, int* values) {
  unsigned const neighbour = (threadIdx.x + 1) % blockDim.x;
  for (int round = 0; round < rounds; ++round) {
    int const received = values[neighbour];
    __syncthreads();
    values[threadIdx.x] = received;
    __syncthreads();
  }
}

}  // namespace

TEST_CASE("threads and blocks know their coordinates") {
  dim3 const grid(2, 3, 2);
  dim3 const block(3, 2, 4);
  device_array<uint3> threads(12 * 24);
  device_array<uint3> blocks(12 * 24);
  REQUIRE(launch({grid, block}, note_coordinates, threads.data(), blocks.data()) == cudaSuccess);
  std::vector<uint3> const thread = threads.host();
  std::vector<uint3> const in_block = blocks.host();
  for (unsigned i = 0; i < 12 * 24; ++i) {
    unsigned const t = i % 24;
    unsigned const b = i / 24;
    CHECK((thread[i].x == t % 3 && thread[i].y == t / 3 % 2 && thread[i].z == t / 6));
    CHECK((in_block[i].x == b % 2 && in_block[i].y == b / 2 % 3 && in_block[i].z == b / 6));
  }
}

TEST_CASE("threads take turns in the order asked for") {
  cpu_device::scoped_options with;
  SECTION("forward") {
    with->order = run_order::forward;
    turns const t = run_turns(1, 100);
    CHECK(t.first == sequence(0, 100, 1));
    CHECK(t.second == sequence(100, 100, 1));
  }
  SECTION("reverse") {
    with->order = run_order::reverse;
    turns const t = run_turns(1, 100);
    CHECK(t.first == sequence(99, 100, -1));
    CHECK(t.second == sequence(199, 100, -1));
  }
  SECTION("random") {
    with->order = run_order::random;
    with->seed = 1;
    turns t = run_turns(1, 100);
    CHECK(run_turns(1, 100).first == t.first);
    CHECK(t.first != t.second);
    with->seed = 2;
    CHECK(run_turns(1, 100).first != t.first);
    std::sort(t.first.begin(), t.first.end());
    CHECK(t.first == sequence(0, 100, 1));
    CHECK(*std::min_element(t.second.begin(), t.second.end()) == 100);
  }
}

TEST_CASE("blocks run in the order asked for") {
  cpu_device::scoped_options with;
  SECTION("forward") {
    with->order = run_order::forward;
    CHECK(run_turns(50, 1).first == sequence(0, 50, 2));
  }
  SECTION("reverse") {
    with->order = run_order::reverse;
    CHECK(run_turns(50, 1).first == sequence(98, 50, -2));
  }
  SECTION("random") {
    with->order = run_order::random;
    std::vector<int> first = run_turns(50, 1).first;
    CHECK(first != sequence(0, 50, 2));
    std::sort(first.begin(), first.end());
    CHECK(first == sequence(0, 50, 2));
  }
}

TEST_CASE("a barrier separates what is before it from what is behind") {
  cpu_device::scoped_options with;
  with->order = GENERATE(run_order::forward, run_order::reverse, run_order::random);
  // 1 thread, a broken warp, whole warps, and words of the scheduler's set filled in part
  int const threads = GENERATE(1, 31, 64, 100, 257);
  std::vector<int> values(static_cast<std::size_t>(threads));
  std::iota(values.begin(), values.end(), 0);
  device_array<int> memory(values);
  int const rounds = 5;
  REQUIRE(launch({1, unsigned(threads)}, pass_round, rounds, memory.data()) == cudaSuccess);
  std::rotate(values.begin(), values.begin() + rounds % threads, values.end());
  CHECK(memory.host() == values);
}

TEST_CASE("a launch may have fewer or more threads than the one before") {
  for (unsigned const threads : {64u, 3u, 1024u, 40u}) {
    device_array<int> memory(std::vector<int>(threads, 7));
    REQUIRE(launch({1, threads}, pass_round, 1, memory.data()) == cudaSuccess);
    CHECK(memory.host() == std::vector<int>(threads, 7));
  }
}

TEST_CASE("several host threads launch at once") {
  constexpr unsigned threads = 48;
  std::vector<std::thread> hosts;
  std::atomic<int> right = 0;
  for (int host = 0; host < 4; ++host) {
    hosts.emplace_back([host, &right] {
      device_array<int> memory(std::vector<int>(threads, host));
      for (int repeat = 0; repeat < 20; ++repeat) {
        if (launch({1, threads}, pass_round, 3, memory.data()) != cudaSuccess) {
          return;
        }
      }
      right += memory.host() == std::vector<int>(threads, host);
    });
  }
  for (std::thread& host : hosts) {
    host.join();
  }
  CHECK(right == 4);
}
