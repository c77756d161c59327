// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tests of mbarriers: phases, parities, what they order.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <vector>

#include "launch.hpp"

using cpu_device::run_order;
using selftest::device_array;
using selftest::launch;

namespace {

constexpr unsigned threads = 96;

struct storage {
  gemm::arch::mbarrier all;
  int values[threads];
};

// Every thread looks at the barrier itself; the answers do not depend on the order of the threads.
__global__ void observe_phases(int* answers) {
  storage& shared = gemm::arch::dynamic_shared_memory<storage>();
  int* const own = answers + 3 * threadIdx.x;
  if (threadIdx.x == 0) {
    mbarrier_init(shared.all, threads);
  }
  __syncthreads();
  own[0] = mbarrier_try_wait_parity(shared.all, 1) && !mbarrier_try_wait_parity(shared.all, 0);
  mbarrier_wait_parity(shared.all, 1);  // before the first phase
  __syncthreads();
  mbarrier_arrive(shared.all);
  mbarrier_wait_parity(shared.all, 0);
  own[1] = mbarrier_try_wait_parity(shared.all, 0) && !mbarrier_try_wait_parity(shared.all, 1);
  __syncthreads();
  mbarrier_arrive(shared.all);
  mbarrier_wait_parity(shared.all, 1);
  own[2] = mbarrier_try_wait_parity(shared.all, 1) && !mbarrier_try_wait_parity(shared.all, 0);
}

// A barrier of the whole block, which the sanitizers must take for one.
__global__ void rotate(int rounds, int* out) {
  storage& shared = gemm::arch::dynamic_shared_memory<storage>();
  if (threadIdx.x == 0) {
    mbarrier_init(shared.all, threads);
  }
  __syncthreads();
  int value = int(threadIdx.x);
  unsigned parity = 0;
  for (int round = 0; round < rounds; ++round) {
    shared.values[threadIdx.x] = value;
    mbarrier_arrive(shared.all);
    mbarrier_wait_parity(shared.all, parity);
    value = shared.values[(threadIdx.x + 1) % threads];
    mbarrier_arrive(shared.all);
    mbarrier_wait_parity(shared.all, parity ^ 1);
  }
  out[blockIdx.x * threads + threadIdx.x] = value;
}

// All but one warp arrive and return; their arrivals count.
__global__ void arrive_and_return(int* out) {
  storage& shared = gemm::arch::dynamic_shared_memory<storage>();
  if (threadIdx.x == 0) {
    mbarrier_init(shared.all, threads - 32);
  }
  __syncthreads();
  shared.values[threadIdx.x] = int(threadIdx.x);
  if (threadIdx.x >= 32) {
    mbarrier_arrive(shared.all);
    return;
  }
  mbarrier_wait_parity(shared.all, 0);
  out[threadIdx.x] = shared.values[threadIdx.x + 32] + shared.values[threadIdx.x + 64];
}

}  // namespace

TEST_CASE("a parity is complete while the barrier is in a phase of the other") {
  cpu_device::scoped_options with;
  with->order = GENERATE(run_order::forward, run_order::reverse, run_order::random);
  device_array<int> answers(3 * threads);
  REQUIRE(launch({1, threads, sizeof(storage)}, observe_phases, answers.data()) == cudaSuccess);
  CHECK(answers.host() == std::vector<int>(3 * threads, 1));
}

TEST_CASE("an mbarrier orders what is before it and what is behind") {
  cpu_device::scoped_options with;
  with->order = GENERATE(run_order::forward, run_order::reverse, run_order::random);
  int const rounds = GENERATE(1, 2, 5);
  device_array<int> out(2 * threads);
  REQUIRE(launch({2, threads, sizeof(storage)}, rotate, rounds, out.data()) == cudaSuccess);
  std::vector<int> const got = out.host();
  for (unsigned i = 0; i < 2 * threads; ++i) {
    CHECK(got[i] == int((i + unsigned(rounds)) % threads));
  }
}

TEST_CASE("threads may return after their arrival") {
  cpu_device::scoped_options with;
  with->order = GENERATE(run_order::forward, run_order::reverse, run_order::random);
  device_array<int> out(32);
  REQUIRE(launch({1, threads, sizeof(storage)}, arrive_and_return, out.data()) == cudaSuccess);
  std::vector<int> const got = out.host();
  for (int lane = 0; lane < 32; ++lane) {
    CHECK(got[std::size_t(lane)] == 2 * lane + 96);
  }
}
