// SPDX-License-Identifier: BSL-1.0
//! @file
//! The wait for a word that another rank, or a copy, writes: at most for a given time, after which it says for whom.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/global_atomics.cuh>
#include <gemm/arch/system_flags.cuh>
#include <gemm/peers.hpp>

namespace gemm::detail {

/// What a wait was for: a rank, and the tile that its shard is needed for, or none.
struct awaited {
  static constexpr int no_tile = 0xffffff;
  int rank, tile_m, tile_n;

  /// As peer_signals::missing; never 0.
  __host__ __device__ unsigned long long packed() const {
    constexpr unsigned long long mask = 0xffffff;
    return 1ULL << 63U | static_cast<unsigned long long>(rank) << 48U |
           (static_cast<unsigned long long>(tile_m) & mask) << 24U | (static_cast<unsigned long long>(tile_n) & mask);
  }
  __host__ __device__ static awaited of(unsigned long long missing) {
    return {static_cast<int>(missing >> 48U & 0x7fff), static_cast<int>(missing >> 24U & 0xffffff),
            static_cast<int>(missing & 0xffffff)};
  }
};

/// Waits until the word has counted to `wanted`. After `time_out` nanoseconds, if that is not 0, it notes in `own` for
/// whom and goes on: what follows computes with what is there. Then no later wait waits, either.
__device__ inline void wait_for_peer(peer_signals& own, std::uint32_t const* word, std::uint32_t wanted,
                                     std::uint64_t time_out, awaited const& what) {
  if (static_cast<std::int32_t>(arch::load_acquire_system(word) - wanted) >= 0) {
    return;
  }
  std::uint64_t const begin = arch::nanoseconds();
  while (static_cast<std::int32_t>(arch::load_acquire_system(word) - wanted) < 0) {
    if (time_out != 0) {
      bool const late = arch::nanoseconds() - begin > time_out;
      if (arch::compare_and_swap(own.missing, 0, late ? what.packed() : 0) != 0 || late) {
        return;
      }
    }
    arch::pause();
  }
}

}  // namespace gemm::detail
