// SPDX-License-Identifier: BSL-1.0
//! @file
//! Where threads of a block meet.
#pragma once

#include <array>

#include "cpu_device/call_site.hpp"
#include "cpu_device/device.hpp"
#include "sanitizers.hpp"

namespace cpu_device {

/// A point that a known set of threads must all reach before any of them goes on: a barrier or a warp instruction.
struct meeting {
  unsigned mask = 0;  // the lanes named by a warp instruction
  // What those who have arrived are at
  char const* instruction = nullptr;
  combine_function combine = nullptr;
  call_site where{};
  unsigned arrived = 0;
  unsigned generation = 0;  // how many times it has taken place
  // Alternating. With a single clock, a thread that is early at the next meeting would add what it did in between to
  // what a late waker of this one acquires. That would hide a race.
  std::array<sanitizer::clock, 2> clocks;
  std::array<void*, 32> operands{};  // by lane, null again once combined

  sanitizer::clock& clock() { return clocks[generation % 2]; }

  /// All have arrived and done what they met for: the next thread to come opens the next meeting.
  void close() {
    arrived = 0;
    ++generation;
  }
};

}  // namespace cpu_device
