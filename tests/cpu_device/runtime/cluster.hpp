// SPDX-License-Identifier: BSL-1.0
//! @file
//! The state of one running cluster: its blocks, all alive at once, and the barrier between them.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "block.hpp"
#include "cpu_device/language.hpp"
#include "sanitizers.hpp"

namespace cpu_device {

/// What a launch's configuration says of its size.
struct launch_shape {
  dim3 grid;
  dim3 cluster;
  dim3 block;
  std::size_t shared_bytes;
};

/// What a cluster needs while it runs; used by one after the other. A launch without clusters has some of one block.
struct cluster {
  std::vector<std::unique_ptr<block>> blocks;  // by rank; as many as the largest cluster so far
  unsigned size = 0;                           // how many of them this cluster has
  unsigned running = 0;                        // how many of those have not ended
  dim3 dimensions;

  // The barrier
  unsigned phase = 0;    // how many are complete
  unsigned arrived = 0;  // how many threads in the current one, without those that have returned since
  // Alternating, as a meeting's: a thread may arrive in a phase before others have left the one before.
  std::array<sanitizer::clock, 2> barrier_clocks;

  // Order the launch before its clusters, and a cluster before the next one that uses these stacks and this memory. Two
  // in turns, or a thread that has returned would come before one of the same cluster that has not begun.
  std::array<sanitizer::clock, 2> clocks;
  unsigned generation = 0;  // how many clusters have run here

  /// What came before the cluster that is running or about to.
  sanitizer::clock& before() { return clocks[generation % 2]; }
  /// What comes after it.
  sanitizer::clock& after() { return clocks[(generation + 1) % 2]; }

  /// Makes the threads of a launch's clusters; `entry` is where new ones begin.
  void resize(launch_shape const& shape, void (*entry)());

  /// Gets ready for the next cluster of the launch, whose first block is at these coordinates.
  void restart(uint3 first);

  /// How many threads have not returned.
  unsigned running_threads() const;
};

}  // namespace cpu_device
