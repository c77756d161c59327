// SPDX-License-Identifier: BSL-1.0
//! @file
//! Named barriers: warps that take turns.

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/launch/launch.cuh>

#include "../support/device.hpp"

namespace {

constexpr int group = 64, rounds = 5;

struct turns_storage {
  int value[group];
};

struct turns {
  int* result;
};

/// Two groups of two warps change the same memory in turns; the first one's first comes at once. A third goes its way.
__global__ void take_turns(turns const __grid_constant__ what) {
  auto& shared = gemm::arch::dynamic_shared_memory<turns_storage>();
  int const mine = static_cast<int>(threadIdx.x) / group, other = 1 - mine;
  int const place = static_cast<int>(threadIdx.x) % group;
  if (mine > 1) {
    return;
  }
  if (mine == 0) {
    shared.value[place] = 1;
  } else {
    gemm::arch::named_barrier_arrive(1, 2 * group);
  }
  for (int i = 0; i < rounds; ++i) {
    gemm::arch::named_barrier_sync(1 + mine, 2 * group);
    int& value = shared.value[(place + i) % group];  // another thread's in the last turn
    value = mine == 0 ? 2 * value : value + 1;
    gemm::arch::named_barrier_arrive(1 + other, 2 * group);
  }
  if (mine == 0) {
    gemm::arch::named_barrier_sync(1, 2 * group);
    what.result[place] = shared.value[place];
  }
}

}  // namespace

// Not for compute-sanitizer: its racecheck takes what is ordered by an arrival for a race (seen on an H200).
TEST_CASE("warps take turns by named barriers") {
  test::device_array<int> const result(group);
  test::require_success(gemm::detail::launch(&take_turns, dim3(1), 3 * group, sizeof(turns_storage), nullptr,
                                             turns{.result = result.data()}),
                        "launch");
  int want = 1;
  for (int i = 0; i < rounds; ++i) {
    want = 2 * want + 1;
  }
  CHECK(result.download() == std::vector<int>(group, want));
}
