// SPDX-License-Identifier: BSL-1.0
//! @file
//! Appends what a running thread does to the events that the options ask for.

#include "cpu_device/recording.hpp"

#include "scheduler.hpp"

namespace cpu_device {

void scheduler::append_event(event one) {
  sanitizer::unobserved const own_memory;
  one.cluster = cluster_number_;
  one.block = thread_->home.rank;
  one.thread = thread_->index;
  options_.record->events.push_back(one);
}

void scheduler::record(event_kind what, mbarrier const& barrier, unsigned phase, std::int64_t value) {
  if (options_.record == nullptr) {
    return;
  }
  std::int64_t const offset = barrier.word != nullptr
                                  ? reinterpret_cast<unsigned char*>(barrier.word) - block_->shared.data()
                                  : -1 - (&barrier - block_->named_barriers.data());
  append_event(
      {.what = what, .of_block = block_->rank, .barrier = offset, .phase = static_cast<int>(phase), .value = value});
}

}  // namespace cpu_device
