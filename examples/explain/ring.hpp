// SPDX-License-Identifier: BSL-1.0
//! @file
//! All that explain knows of a policy whose tiles one thread has brought by TMA into a ring of stages, without its
//! types: rungs 9 to 12.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "study.hpp"

namespace explain {

/// A part of a block's shared memory, `each` bytes for `count` times.
struct room {
  std::string name;
  std::int64_t begin = 0, each = 0;
  int count = 1;

  std::int64_t end() const { return begin + each * count; }
};

/// 16-byte pieces of eight lines of 128 bytes as TMA puts them: [line][place] is which piece of the line lies there.
using swizzle_map = std::array<std::array<int, 8>, 8>;

/// One instruction of a warpgroup on the tensor cores: of 64 of its rows, and from which k on; of elements in terms the
/// numbers of the terms, from the largest on.
struct wgmma_step {
  int first_row = 0, k = 0, part_a = 0, part_b = 0;
};

struct ring_study {
  /// Who owns what, of the threads that multiply alone, numbered from 0; how they read, where they do it themselves.
  study tile;
  int threads = 0;  ///< of a block: `producer_threads` and those of `tile`
  int producer_threads = 0;
  int first_consumer = 0;                              ///< thread of the block
  int registers = 0;                                   ///< of a thread at launch, the most that the launch bound leaves
  int producer_registers = 0, consumer_registers = 0;  ///< then, by setmaxnreg
  int resident = 0;                                    ///< blocks that the launch bound asks room for
  room a, b, full, empty;                              ///< of each stage
  std::vector<room> others;
  int full_arrivals = 0, empty_arrivals = 0;
  int cluster_m = 1, cluster_n = 1;
  bool persistent = false, in_turns = false;  ///< blocks stay; warpgroups have tiles of their own
  int wgmma_n = 0, wgmma_k = 0;               ///< of m64, 0 where threads multiply
  std::vector<wgmma_step> wgmmas;             ///< what a warpgroup starts for `group_k` of k, in order
  int group_k = 0;
  int terms = 1;  ///< of an element in shared memory
  swizzle_map swizzled_a{};

  std::int64_t stage_bytes() const { return a.each + b.each; }
  int blocks_of_cluster() const { return cluster_m * cluster_n; }
};

/// Lines as they are in global memory.
inline swizzle_map unswizzled() {
  swizzle_map map{};
  for (auto& line : map) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      line[i] = static_cast<int>(i);
    }
  }
  return map;
}

/// Of eight lines the piece that is the same for all, as 8 lanes ask for one core matrix of 8 x 16 bytes.
inline warp_access core_matrix(swizzle_map const& map, int piece) {
  warp_access access;
  for (int line = 0; line < 8; ++line) {
    for (int place = 0; place < 8; ++place) {
      if (map[static_cast<std::size_t>(line)][static_cast<std::size_t>(place)] == piece) {
        access.push_back({line, line * 128 + place * 16, 16});
      }
    }
  }
  return access;
}

inline occupancy occupancy_of(ring_study const& s, device_limits const& device) {
  return occupancy_of(device, {.threads = s.threads, .registers = s.registers, .shared_bytes = s.tile.shared_bytes});
}

/// The names of those policies in the order of the ladder, none on a GPU that cannot run them, and the study of one.
/// Runs kernels.
std::vector<std::string> ring_policies();
ring_study study_ring(std::string const& policy, problem_size const& size);

/// The thread that stores each element of the tile of the first block, row by row, as the policy's kernel notes it.
std::vector<int> owners_by_ring(std::string const& policy);

/// One policy in full; tables with a row for each; a picture.
std::string report_of(ring_study const& s, device_limits const& device);
std::string summary_of(std::vector<ring_study> const& studies, device_limits const& device);
std::string picture_of(ring_study const& s);

}  // namespace explain
