// SPDX-License-Identifier: BSL-1.0
//! @file
//! When a block copies, multiplies and stores: its kernel's own order, as the CPU device recorded it, and lengths that
//! are assumed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../tests/cpu_device/cpu_device/recording.hpp"

namespace explain {

enum class bar_kind { copy, multiply, store };

/// One tile of k that is copied or multiplied, or one tile of C that is stored.
struct time_bar {
  bar_kind what = bar_kind::copy;
  int lane = 0;
  int tile = 0;    ///< of C, counted by the block
  int number = 0;  ///< of its tiles of k; 0 where it is stored
  double begin = 0, end = 0;
};

struct time_line {
  std::vector<std::string> lanes;
  std::vector<time_bar> bars;  ///< of each lane in order
};

/// Lengths, of no unit: TMA and cp.async copy one stage after the other, and one stage is multiplied in `multiply`.
struct assumed_lengths {
  double copy = 64, multiply = 92, store = 70;
  double ask = 1;  ///< of asking TMA for one box
};

/// What the events of a kernel mean.
struct timed_kernel {
  int threads = 0, producer_threads = 0, first_consumer = 0;
  int k_tiles = 0;                            ///< of a tile of C
  std::int64_t block_m = 0, block_n = 0;      ///< a tile of C
  std::int64_t columns = 0;                   ///< of C: notes are row * columns + column, by who stores
  std::vector<std::int64_t> full{}, empty{};  ///< the barriers of the stages, by their bytes; none: cp.async by all
  std::int64_t stage_bytes = 0;               ///< of one stage
  int multiplications = 0;                    ///< of a warp for a stage, by wgmma; 0: threads multiply
  int warpgroups_of_tile = 1;                 ///< that have a tile in common
};

/// The block of rank 0 in the first cluster of the last launch that copies anything. Each warp does what it did in its
/// order, waits for whom it waited for, and is given the assumed lengths. Throws std::logic_error where the events are
/// not those of such a kernel.
time_line time_line_of(std::vector<cpu_device::event> const& events, timed_kernel const& kernel,
                       assumed_lengths const& lengths = {});

/// The time line of a policy of rung 8, and of one with a ring; empty where there is no CPU device.
time_line recorded_copies(std::string const& policy);
struct ring_study;
time_line recorded_ring(ring_study const& s);

}  // namespace explain
