// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which product a tile belongs to, of products whose numbers of tiles lie in device memory.
#pragma once

#include <cuda_runtime.h>

namespace gemm::detail {

/// The sum of the numbers of the lanes up to this one. By whole warps.
__device__ inline unsigned sum_up_to_lane(unsigned own) {
  unsigned const lane = threadIdx.x % 32;
  unsigned until = own;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    unsigned const lower = __shfl_up_sync(0xffffffffU, until, distance);
    until += lane >= distance ? lower : 0;
  }
  return until;
}

/// Calls use(product, before) for the product that has the index-th tile, or row or column of tiles, if one has: so
/// many lie before its own. By whole warps, whose lanes look at 32 products at a time, from `first` on. Count:
/// (product) to its tiles.
template <class Count, class Use>
__device__ bool find_product(int products, unsigned index, Count const& count, int first, unsigned before,
                             Use const& use) {
  constexpr unsigned all = 0xffffffffU;
  unsigned const lane = threadIdx.x % 32;
  for (; first < products; first += 32) {
    int const product = first + static_cast<int>(lane);
    unsigned const own = product < products ? count(product) : 0;
    unsigned const until = sum_up_to_lane(own);
    unsigned const found = __ballot_sync(all, index < before + until);
    if (found != 0) {
      int const leader = __ffs(static_cast<int>(found)) - 1;
      use(first + leader, before + __shfl_sync(all, until, leader) - __shfl_sync(all, own, leader));
      return true;
    }
    before += __shfl_sync(all, until, 31);
  }
  return false;
}

}  // namespace gemm::detail
