// SPDX-License-Identifier: BSL-1.0
//! @file
//! Where the elements of an operand's tile lie, as observed.
#pragma once

#include <cstdint>
#include <vector>

namespace explain {

/// How the elements of A and B reach the thread that multiplies them.
enum class feed {
  global,       ///< each thread reads its own from global memory
  registers,    ///< the block's threads fetch tiles into shared memory through their registers
  async,        ///< likewise, by copies that go on by themselves
  widening,     ///< through registers, where narrow elements wait for their turn and are widened
  tma,          ///< one thread loads tiles, the others read them
  tensor_cores  ///< likewise, and the tensor cores read them
};

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
  std::int64_t stage_begin = 0, stage_bytes = 0;  ///< of shared memory, the first stage
};

}  // namespace explain
