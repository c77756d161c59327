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
#include "meeting.hpp"
#include "sanitizers.hpp"
#include "shared_arena.hpp"
#include "tensor_engine.hpp"
#include "thread_set.hpp"
#include "warpgroup.hpp"

namespace cpu_device {

/// The lanes of a warp can be at several instructions at once, in disjoint groups that name different masks.
struct warp {
  std::deque<meeting> meetings;  // one for every mask seen so far; their addresses last
  unsigned present = 0;          // the lanes that exist in this block
  unsigned returned = 0;

  meeting& with_mask(unsigned mask);
};

struct block;

/// One CUDA thread.
struct device_thread {
  device_thread(block& home, unsigned index, void (*entry)()) : stack(entry), index(index), home(home) {}

  fiber stack;
  unsigned index;                                // linear within the block
  uint3 coordinates{};                           // what it sees as threadIdx
  meeting const* waits_at = nullptr;             // where it waits
  mbarrier_wait const* waits_for = nullptr;      // or here
  call_site const* waits_for_cluster = nullptr;  // or in this call of cluster_wait
  copy_queue<async_copy> copies;
  copy_queue<box_store> stores;
  sanitizer::clock issued;  // what came before its loads and stores of boxes
  sanitizer::clock stored;  // what its stores have read and written
  block& home;
};

/// A read of a block's shared memory by another block of the cluster.
struct remote_read {
  unsigned before_phase = 0;  // of the cluster's barrier: how many are complete when it is known to be over
  uint3 reader{};             // the block
  call_site where{};
};

/// What a block needs while it runs; used by one block after the other, since fibers are slow to make.
struct block {
  uint3 coordinates{};                                  // what its threads see as blockIdx
  unsigned rank = 0;                                    // in its cluster
  std::vector<std::unique_ptr<device_thread>> threads;  // as many as the largest block so far
  unsigned size = 0;                                    // how many of them this block has
  unsigned running = 0;                                 // how many of those have not returned
  // Those that can run. Read and written at every step: across one more cache line, a barrier is slower.
  alignas(64) thread_set ready;
  thread_set returned;
  meeting barrier;
  std::array<warp, thread_set::capacity / 32> warps;
  std::array<warpgroup, thread_set::capacity / warpgroup_threads> warpgroups;
  shared_arena shared;
  mbarrier_table mbarriers;
  std::array<mbarrier, 16> named_barriers;  // 0 is __syncthreads()
  tensor_engine engine;

  // At the cluster's barrier
  thread_set arrived;   // in the current phase
  thread_set may_pass;  // have arrived in the phase before and not waited for it yet
  thread_set waiting;
  unsigned passed = 0;  // how many phases some thread of the block knows to be complete
  remote_read last_read;

  /// Makes the threads of a launch's blocks; `entry` is where new ones begin.
  void resize(dim3 dimensions, std::size_t shared_bytes, void (*entry)());

  /// Gets ready for the next block of the launch, with all threads ready to run.
  void restart(uint3 index);
};

}  // namespace cpu_device
