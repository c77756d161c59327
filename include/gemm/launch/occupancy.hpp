// SPDX-License-Identifier: BSL-1.0
//! @file
//! Grids whose blocks are all resident at a time, and how they are spread over the device.
#pragma once

#include <cstddef>

#include <gemm/block/resident_blocks.hpp>
#include <gemm/block/scale_stage.cuh>
#include <gemm/extremes.hpp>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/policy.hpp>
#include <gemm/tables/architecture.hpp>

namespace gemm::detail {

inline constexpr int shared_of_multiprocessor = 228 * 1024, shared_reserved = 1024;  // bytes, of a block: sm_90

/// Blocks of a policy that a multiprocessor of an H200 holds.
template <class Policy, class Problem>
inline constexpr int resident = [] {
  constexpr int by_memory =
      shared_of_multiprocessor / (static_cast<int>(shared_bytes_of<Policy, Problem>()) + shared_reserved);
  constexpr int stated = Policy::info.min_blocks;
  constexpr int by_registers = stated > 0 ? stated : resident_blocks<Policy, Problem>;
  return by_registers < by_memory ? by_registers : by_memory;
}();

/// How many blocks of a grid, in clusters of so many, a multiprocessor has at most where all are resident: 0 where it
/// holds fewer, or more than spread_bytes() can keep apart.
[[gnu::noinline]] inline int blocks_each(double blocks, int cluster, int held, int multiprocessors) {
  constexpr int most = 14;
  for (int each = 1; each <= lesser(held, most); ++each) {
    if (blocks <= tables::cluster_slots(cluster, each, multiprocessors)) {
      return each;
    }
  }
  return 0;
}

/// As much shared memory as keeps a multiprocessor from taking more blocks than its share. Blocks start while the
/// kernel before ends, and would gather on the multiprocessors that are free first (docs/tuning-notes.md, Launches).
inline std::size_t spread_bytes(int each) {
  return each > 0 ? static_cast<std::size_t>(shared_of_multiprocessor / (each + 1)) : 0;
}

}  // namespace gemm::detail
