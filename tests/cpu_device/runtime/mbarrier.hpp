// SPDX-License-Identifier: BSL-1.0
//! @file
//! The mbarriers of one running block.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "cpu_device/call_site.hpp"
#include "sanitizers.hpp"
#include "thread_set.hpp"

namespace cpu_device {

struct device_thread;

/// An arrival from another block of the cluster.
struct remote_arrival {
  device_thread const* thread = nullptr;  // whose it was; none: there was none
  unsigned phase = 0;                     // that it counts in
  unsigned before = ~0U;                  // of the cluster's barrier: how many phases are complete when it is known
  call_site where{};
};

struct mbarrier {
  std::uint64_t* word = nullptr;  // in shared memory
  std::uint32_t arrivals = 0;     // of a phase
  std::uint32_t missing = 0;      // of them in the current one
  std::int64_t bytes = 0;         // that the current phase expects; below 0 where they landed first
  unsigned phase = 0;             // how many are complete
  unsigned owner = 0;             // the thread that has initialised it
  bool fenced = false;            // copies know of it
  unsigned waited_for = 0;        // phases that some thread has waited for
  remote_arrival last_arrival;
  thread_set waiting;
  // By the phase's parity. Who waits for a phase acquires what was released in it and in those two, four, ... before.
  std::array<sanitizer::clock, 2> clocks;
};

/// Where a thread waits for one.
struct mbarrier_wait {
  mbarrier const* barrier;
  unsigned parity;
  call_site where;

  friend bool operator==(mbarrier_wait const&, mbarrier_wait const&) = default;
};

/// The barriers, known by the number that stands in their word.
class mbarrier_table {
 public:
  mbarrier& add(std::uint64_t* word);

  /// Null if nothing has been initialised there, or the word has been overwritten.
  mbarrier* find(std::uint64_t const* word);

  /// Forgets the barriers of the block before.
  void clear() { used_ = 0; }

  std::deque<mbarrier>::iterator begin() { return barriers_.begin(); }
  std::deque<mbarrier>::iterator end() { return barriers_.begin() + std::ptrdiff_t(used_); }

 private:
  std::deque<mbarrier> barriers_;  // their addresses last
  std::size_t used_ = 0;
};

}  // namespace cpu_device
