// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tests of what is recorded of a launch: copies, barriers and waits in the order in which they happen.

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <vector>

#include "../cpu_device/recording.hpp"
#include "launch.hpp"

using cpu_device::event;
using cpu_device::event_kind;
using selftest::launch;

namespace {

constexpr unsigned threads = 64;

struct storage {
  alignas(16) float values[threads][4];
  gemm::arch::mbarrier all;
};

__global__ void copy_and_wait(float const* from) {
  storage& shared = gemm::arch::dynamic_shared_memory<storage>();
  if (threadIdx.x == 0) {
    mbarrier_init(shared.all, threads);
  }
  __syncthreads();
  gemm::arch::mbarrier_wait_parity(shared.all, 1);  // of the phase before the first
  gemm::arch::cp_async<16>(shared.values[threadIdx.x], from + 4 * threadIdx.x);
  gemm::arch::cp_async_commit_group();
  gemm::arch::cp_async_wait_group<0>();
  gemm::arch::mbarrier_arrive(shared.all);
  gemm::arch::mbarrier_wait_parity(shared.all, 0);
  gemm::arch::named_barrier_sync(3, threads);
  cpu_device::note(static_cast<std::int64_t>(threadIdx.x) + 100);
}

}  // namespace

TEST_CASE("what a thread copies and waits for is recorded in the order in which it happens") {
  cpu_device::recording recording;
  std::vector<event> const& events = recording.events;
  selftest::device_array<float> const from(4 * threads);
  REQUIRE(launch({2, threads, sizeof(storage)}, copy_and_wait, static_cast<float const*>(from.data())) == cudaSuccess);
  CHECK(events.empty());
  {
    cpu_device::scoped_options with;
    with->record = &recording;
    REQUIRE(launch({2, threads, sizeof(storage)}, copy_and_wait, static_cast<float const*>(from.data())) ==
            cudaSuccess);
  }
  std::size_t const recorded = events.size();
  REQUIRE(launch({2, threads, sizeof(storage)}, copy_and_wait, static_cast<float const*>(from.data())) == cudaSuccess);
  CHECK(events.size() == recorded);

  REQUIRE(events.front().what == event_kind::launch);
  CHECK(events.front().value == 2);
  using kind = event_kind;
  std::vector<kind> const expected{kind::arrival,          kind::phase_over,    kind::phase_over, kind::copy,
                                   kind::copies_committed, kind::copies_landed, kind::arrival,    kind::phase_over,
                                   kind::arrival,          kind::phase_over,    kind::note};
  std::int64_t const offset = offsetof(storage, all);
  std::vector<std::int64_t> const barriers{-1, -1, offset, 0, 0, 0, offset, offset, -4, -4, 0};
  for (std::uint64_t cluster : {0U, 1U}) {
    for (unsigned thread : {0U, 1U, threads - 1}) {
      std::vector<kind> found;
      std::vector<std::int64_t> at_barriers;
      for (event const& e : events) {
        if (e.what != kind::launch && e.cluster == cluster && e.thread == thread) {
          found.push_back(e.what);
          at_barriers.push_back(e.barrier);
        }
      }
      CHECK(found == expected);
      CHECK(at_barriers == barriers);
    }
  }
  // Nobody passes the mbarrier before all have arrived.
  unsigned arrived = 0;
  for (event const& e : events) {
    if (e.cluster == 0 && e.barrier == offset && e.what == kind::arrival) {
      CHECK(e.phase == 0);
      ++arrived;
    } else if (e.cluster == 0 && e.barrier == offset && e.what == kind::phase_over) {
      CHECK((e.phase == -1 || (e.phase == 0 && arrived == threads)));
    } else if (e.what == kind::copy) {
      CHECK(e.value == 16);
    } else if (e.what == kind::note) {
      CHECK(e.value == e.thread + 100);
    }
  }
}
