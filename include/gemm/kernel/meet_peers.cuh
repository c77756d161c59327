// SPDX-License-Identifier: BSL-1.0
//! @file
//! A meeting: the ranks' streams go on when all of them have come to it. One warp, which fits beside other kernels.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/system_flags.cuh>
#include <gemm/block/peer_wait.cuh>
#include <gemm/peers.hpp>

namespace gemm::detail {

/// Who meets, and where this rank's results go in the others' memory.
struct peer_meeting {
  int rank, ranks;
  std::uint64_t time_out;
  peer_signals* flags[most_peers];
  void* results[most_peers];
};

/// A lane for each rank. What was done before the meeting, by whichever rank, is visible after it.
template <class Meeting>
__global__ void __launch_bounds__(most_peers) meet_peers_kernel(__grid_constant__ Meeting const m) {
  int const rank = static_cast<int>(threadIdx.x);
  peer_signals& own = *m.flags[m.rank];
  std::uint32_t const number = own.meetings + 1;
  __syncwarp();  // all lanes have read it
  if (rank == 0) {
    own.meetings = number;
  }
  if (rank < m.ranks) {
    own.here[rank] = 0;
    own.results[rank] = m.results[rank];
    arch::store_release_system(&m.flags[rank]->met[m.rank], number);
    wait_for_peer(own, &own.met[rank], number, m.time_out, {rank, awaited::no_tile, awaited::no_tile});
  }
}

}  // namespace gemm::detail
