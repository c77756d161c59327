// SPDX-License-Identifier: BSL-1.0
//! @file
//! Named barriers: mbarriers that lie in no memory, and learn from who arrives how many they wait for.

#include "cpu_device/named_barrier.hpp"

#include "scheduler.hpp"

namespace cpu_device {

mbarrier& scheduler::named_barrier_at(int index, int threads, char const* instruction, call_site where) {
  if (index < 1 || index >= int(block_->named_barriers.size()) || threads < 32 || threads % 32 != 0 ||
      unsigned(threads) > block_->size) {
    fail("%s (%s:%d): barrier %d of %d threads, must be 1 to 15, of whole warps of the block", instruction, where.file,
         where.line, index, threads);
  }
  mbarrier& barrier = block_->named_barriers[std::size_t(index)];
  if (barrier.missing != barrier.arrivals && barrier.arrivals != unsigned(threads)) {
    fail("%s (%s:%d): barrier %d is of %d threads, but who came first says %u", instruction, where.file, where.line,
         index, threads, barrier.arrivals);
  }
  if (barrier.missing == barrier.arrivals) {
    barrier.arrivals = barrier.missing = unsigned(threads);
  }
  return barrier;
}

void scheduler::arrive_at_named_barrier(int index, int threads, call_site where) {
  constexpr char const* instruction = "named_barrier_arrive";
  if (count_arrival(named_barrier_at(index, threads, instruction, where), 0, instruction, where)) {
    give_way_at_random();
  }
}

void scheduler::sync_named_barrier(int index, int threads, call_site where) {
  constexpr char const* instruction = "named_barrier_sync";
  mbarrier& barrier = named_barrier_at(index, threads, instruction, where);
  unsigned const phase = barrier.phase;
  mbarrier_wait const wait{&barrier, phase % 2, where};
  count_arrival(barrier, 0, instruction, where);
  while (barrier.phase == phase) {
    thread_->waits_for = &wait;
    barrier.waiting.insert(thread_->index);
    suspend();
  }
  thread_->waits_for = nullptr;
  barrier.clocks[phase % 2].acquire();
  record(event_kind::phase_over, barrier, phase);
}

}  // namespace cpu_device
