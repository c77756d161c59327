// SPDX-License-Identifier: BSL-1.0
//! @file
//! Counters in global memory, and the threads that wait for them.

#include "cpu_device/global_counter.hpp"

#include "scheduler.hpp"

namespace cpu_device {

void scheduler::count_up(std::uint32_t* counter) {
  sanitizer::release(counter);
  ++*counter;
  for (unsigned rank = 0; rank < cluster_->size; ++rank) {
    block& each = *cluster_->blocks[rank];
    each.ready.insert(each.waiting_for_counts);  // they look again, whichever counter it is
    each.waiting_for_counts = {};
  }
  choose_next();
  give_way_at_random();
}

void scheduler::wait_for_count(std::uint32_t const* counter, std::uint32_t least, call_site where) {
  while (*counter < least) {
    thread_->waits_for_count = &where;
    block_->waiting_for_counts.insert(thread_->index);
    suspend();
  }
  thread_->waits_for_count = nullptr;
  sanitizer::acquire(counter);
}

std::uint32_t take_ticket(std::uint32_t* counter) { return (*counter)++; }

void count_up(std::uint32_t* counter) { scheduler::running->count_up(counter); }

void wait_for_count(std::uint32_t const* counter, std::uint32_t least, call_site where) {
  scheduler::running->wait_for_count(counter, least, where);
}

}  // namespace cpu_device
