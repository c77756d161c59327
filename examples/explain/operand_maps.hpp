// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a block's warps ask of memory to bring and read the tiles of one operand, from where the library's maps put it.
#pragma once

#include <cstdint>
#include <vector>

#include "study.hpp"

namespace explain {

/// An element of an operand's tile: its index along m or n, and along k.
struct element {
  int outer, k;
};

/// One operand's tile as observed, without its types.
struct tile_map {
  char name = 'A';
  bool k_major = true, k_major_shared = true;  ///< stored so in global memory, in shared memory
  int outer = 0, depth = 0, threads = 0;
  int element_bytes = 4, sum_bytes = 4;  ///< in global memory, in shared memory
  std::int64_t ld = 0;
  feed from = feed::global;
  int width = 1;                        ///< elements of a chunk, neighbours in global memory
  int load_width = 1, store_width = 1;  ///< elements of one access to global memory, to shared memory
  std::vector<element> chunks;          ///< [i * threads + thread] is where a chunk begins, -1 where there is none
  std::vector<std::int64_t> loads;      ///< its address in global memory, bytes from the operand's first
  std::vector<std::int64_t> shared;     ///< of [outer * depth + k], bytes from the first of shared memory
};

/// `lines` are the rows (columns) of the block's tile of C that each thread owns.
operand_study study_of(tile_map const& map, std::vector<std::vector<int>> const& lines);

}  // namespace explain
