// SPDX-License-Identifier: BSL-1.0
//! @file
//! The state of one running block: its threads, their meeting points, its shared memory.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "copy_queue.hpp"
#include "cpu_device/call_site.hpp"
#include "cpu_device/device.hpp"
#include "cpu_device/language.hpp"
#include "fiber.hpp"
#include "mbarrier.hpp"
#include "sanitizers.hpp"
#include "shared_arena.hpp"
#include "tensor_engine.hpp"
#include "thread_set.hpp"

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
  // Alternating: with a single clock, a thread that is early at the next meeting would add what it did in between to
  // what a late waker of this one acquires, and hide a race.
  std::array<sanitizer::clock, 2> clocks;
  std::array<void*, 32> operands{};  // by lane, null again once combined

  sanitizer::clock& clock() { return clocks[generation % 2]; }

  /// All have arrived and done what they met for: the next thread to come opens the next meeting.
  void close() {
    arrived = 0;
    ++generation;
  }
};

/// The lanes of a warp can be at several instructions at once, in disjoint groups that name different masks.
struct warp {
  std::deque<meeting> meetings;  // one for every mask seen so far; their addresses last
  unsigned present = 0;          // the lanes that exist in this block
  unsigned returned = 0;

  meeting& with_mask(unsigned mask);
};

/// One CUDA thread.
struct device_thread {
  device_thread(unsigned index, void (*entry)()) : stack(entry), index(index) {}

  fiber stack;
  unsigned index;                            // linear within the block
  uint3 coordinates{};                       // what it sees as threadIdx
  meeting const* at = nullptr;               // where it waits
  mbarrier_wait const* waits_for = nullptr;  // or here
  copy_queue copies;
  sanitizer::clock issued;  // what came before its loads of boxes
};

/// What a block needs while it runs; used by one block after the other, since fibers are slow to make.
struct block {
  std::vector<std::unique_ptr<device_thread>> threads;  // as many as the largest block so far
  unsigned size = 0;                                    // how many of them this block has
  unsigned running = 0;                                 // how many of those have not returned
  thread_set returned;
  meeting barrier;
  std::array<warp, thread_set::capacity / 32> warps;
  shared_arena shared;
  mbarrier_table mbarriers;
  tensor_engine engine;
  // Order the launch before its blocks, and a block before the next one that uses these stacks and this memory. Two in
  // turns, or a thread that has returned would come before one of the same block that has not begun.
  std::array<sanitizer::clock, 2> clocks;
  unsigned generation = 0;  // how many blocks have run here

  /// What came before the block that is running or about to.
  sanitizer::clock& before() { return clocks[generation % 2]; }
  /// What comes after it.
  sanitizer::clock& after() { return clocks[(generation + 1) % 2]; }

  /// Makes the threads of a launch's blocks; `entry` is where new ones begin.
  void resize(dim3 dimensions, std::size_t shared_bytes, void (*entry)());

  /// Gets ready for the next block of the launch.
  void restart();
};

}  // namespace cpu_device
