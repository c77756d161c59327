// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tests of shared memory, asynchronous copies and fresh global memory.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <cstdint>
#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <vector>

#include "launch.hpp"

using cpu_device::copy_completion;
using cpu_device::run_order;
using selftest::device_array;
using selftest::launch;

namespace {

struct storage {
  alignas(128) float values[33];
};

__global__ void leave_a_trace(float* seen) {
  storage& shared = gemm::arch::dynamic_shared_memory<storage>();
  if (threadIdx.x == 0) {
    seen[blockIdx.x] = shared.values[32];
    shared.values[32] = 1;
  }
}

__global__ void note_address(std::uintptr_t* address) {
  *address = reinterpret_cast<std::uintptr_t>(&gemm::arch::dynamic_shared_memory<storage>());
}

struct ring {
  alignas(16) float stages[3][4];
};

// What a thread sees of three groups while it waits for one after the other.
struct progress {
  float after_issue[3], after_first[3], after_last[3];
};

__device__ void look(ring const& shared, float (&seen)[3]) {
  for (int stage = 0; stage < 3; ++stage) {
    seen[stage] = shared.stages[stage][3];
  }
}

__global__ void copy_in_three_groups(float const* global, progress* result) {
  ring& shared = gemm::arch::dynamic_shared_memory<ring>();
  for (int stage = 0; stage < 3; ++stage) {
    gemm::arch::cp_async<16>(shared.stages[stage], global + 4 * stage);
    gemm::arch::cp_async_commit_group();
  }
  look(shared, result->after_issue);
  gemm::arch::cp_async_wait_group<2>();
  look(shared, result->after_first);
  gemm::arch::cp_async_wait_group<0>();
  look(shared, result->after_last);
}

__global__ void copy_partly(float const* global, float* result) {
  ring& shared = gemm::arch::dynamic_shared_memory<ring>();
  gemm::arch::cp_async_zfill<16>(shared.stages[0], global, 12);
  gemm::arch::cp_async_zfill<8>(shared.stages[1], global, 4);
  gemm::arch::cp_async_zfill<4>(shared.stages[2], global + 1, 4);
  gemm::arch::cp_async_zfill<4>(shared.stages[2] + 1, nullptr, 0);
  gemm::arch::cp_async_commit_group();
  gemm::arch::cp_async_wait_group<0>();
  for (int i = 0; i < 12; ++i) {
    result[i] = shared.stages[i / 4][i % 4];
  }
}

__global__ void leave_copies_unfinished(float const* global) {
  ring& shared = gemm::arch::dynamic_shared_memory<ring>();
  gemm::arch::cp_async<16>(shared.stages[0], global);
  gemm::arch::cp_async_commit_group();
  gemm::arch::cp_async<16>(shared.stages[1], global);
}

progress run_three_groups() {
  device_array<float> const global(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3});
  device_array<progress> result(1);
  REQUIRE(launch({1, 1, sizeof(ring)}, copy_in_three_groups, global.data(), result.data()) == cudaSuccess);
  return result.host()[0];
}

}  // namespace

TEST_CASE("every block finds NaN in its shared memory") {
  device_array<float> seen(5);
  REQUIRE(launch({5, 2, sizeof(storage)}, leave_a_trace, seen.data()) == cudaSuccess);
  for (float const value : seen.host()) {
    CHECK(std::isnan(value));
  }
}

TEST_CASE("shared memory is aligned as promised and not better") {
  device_array<std::uintptr_t> address(1);
  REQUIRE(launch({1, 1, sizeof(storage)}, note_address, address.data()) == cudaSuccess);
  CHECK(address.host()[0] % 2048 == 1024);
}

TEST_CASE("lazy copies land when they are waited for") {
  cpu_device::scoped_options with;
  with->completion = copy_completion::lazy;
  progress const p = run_three_groups();
  for (int stage = 0; stage < 3; ++stage) {
    CHECK(std::isnan(p.after_issue[stage]));
    CHECK((stage == 0 ? p.after_first[stage] == 1 : std::isnan(p.after_first[stage])));
    CHECK(p.after_last[stage] == float(stage + 1));
  }
}

TEST_CASE("eager copies land when they are issued") {
  cpu_device::scoped_options with;
  with->completion = copy_completion::eager;
  progress const p = run_three_groups();
  for (int stage = 0; stage < 3; ++stage) {
    CHECK(p.after_issue[stage] == float(stage + 1));
  }
}

TEST_CASE("mixed copies land sooner or later") {
  cpu_device::scoped_options with;
  with->completion = copy_completion::mixed;
  bool early = false;
  bool late = false;
  for (with->seed = 0; with->seed < 20; ++with->seed) {
    progress const p = run_three_groups();
    early |= !std::isnan(p.after_issue[2]);
    late |= std::isnan(p.after_issue[2]);
    CHECK(p.after_first[0] == 1);
    CHECK(p.after_last[2] == 3);
  }
  CHECK(early);
  CHECK(late);
}

TEST_CASE("copies fill with zeros behind the valid bytes") {
  cpu_device::scoped_options with;
  with->completion = GENERATE(copy_completion::lazy, copy_completion::eager);
  device_array<float> const global(std::vector<float>{1, 2, 3});  // the fourth float does not exist
  device_array<float> result(12);
  REQUIRE(launch({1, 1, sizeof(ring)}, copy_partly, global.data(), result.data()) == cudaSuccess);
  std::vector<float> const got = result.host();
  CHECK(std::vector<float>(got.begin(), got.begin() + 6) == std::vector<float>{1, 2, 3, 0, 1, 0});
  CHECK(std::isnan(got[6]));
  CHECK(std::vector<float>(got.begin() + 8, got.begin() + 10) == std::vector<float>{2, 0});
}

TEST_CASE("a thread may return with copies unfinished, and the next one on its stack does not inherit them") {
  cpu_device::scoped_options with;
  with->completion = copy_completion::lazy;
  device_array<float> const global(std::vector<float>(4, 1));
  REQUIRE(launch({1, 1, sizeof(ring)}, leave_copies_unfinished, global.data()) == cudaSuccess);
  CHECK(run_three_groups().after_last[0] == 1);
}

TEST_CASE("fresh global memory is NaN and aligned to 256 bytes") {
  device_array<float> const memory(3);
  CHECK(reinterpret_cast<std::uintptr_t>(memory.data()) % 256 == 0);
  for (float const value : memory.host()) {
    CHECK(std::isnan(value));
  }
}
