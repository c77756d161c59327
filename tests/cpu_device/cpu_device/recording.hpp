// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the threads of a launch copied, multiplied and waited for, in the order in which it happened here.
#pragma once

#include <cstdint>
#include <vector>

namespace cpu_device {

enum class event_kind {
  launch,                ///< a grid begins; `value` is its number of blocks
  copy,                  ///< one cp.async of `value` bytes is issued
  copies_committed,      ///< the thread's cp.async since the last commit are a group
  copies_landed,         ///< a wait is over that leaves at most `value` groups pending
  arrival,               ///< at a barrier, counted in a phase
  phase_over,            ///< a wait for a phase of a barrier is over; phase -1 is the one before the first
  box,                   ///< TMA is asked for `value` bytes, which a phase of a barrier counts
  prefetch,              ///< the L2 is asked for `value` bytes
  multiplication,        ///< one wgmma is issued
  multiplications,       ///< the warpgroup's wgmma since the last commit are a group
  multiplications_done,  ///< a wait is over that leaves at most `value` groups pending
  note                   ///< note() was called with `value`
};

/// One thing that a thread did or waited for. A barrier is known by its byte in shared memory, or below 0 by minus its
/// number less 1: -1 is __syncthreads().
struct event {
  event_kind what = event_kind::launch;
  std::uint64_t cluster = 0;  ///< the number of the thread's cluster in its grid
  unsigned block = 0;         ///< the rank of the thread's block in the cluster
  unsigned thread = 0;        ///< linear in the block
  unsigned of_block = 0;      ///< the rank of the block whose barrier it is
  std::int64_t barrier = 0;
  int phase = 0;
  std::int64_t value = 0;
};

/// What options::record points to.
struct recording {
  std::vector<event> events;
};

/// Records an event of the kernel's own, if events are recorded.
void note(std::int64_t value);

}  // namespace cpu_device
