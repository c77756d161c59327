// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stream-K's reduction: a block leaves the accumulators of a slice in the workspace and counts itself among those that
//! have come to the tile. The last to come adds all slices, in their order. No block ever waits for another.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/global_atomics.cuh>
#include <gemm/arch/named_barrier.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>
#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// Elements of the workspace for one slice of a tile.
template <class Policy>
inline constexpr std::int64_t elements_of_slice = std::int64_t{Policy::block_m} * Policy::block_n;

/// What arrivals are counted beside. What was there before the first came means nothing: neither sums nor zeros look
/// like it (a signalling NaN as no arithmetic makes it, twice).
inline constexpr unsigned long long arrival_tag = 0x7fa6'c3d1'7fb5'0000;

/// Counts the block among those that have come, of `all`, and says whether it is the last. The last leaves 0, so that
/// the workspace may be used again at once.
__device__ inline bool arrive_as_last(unsigned long long& arrivals, int all) {
  constexpr unsigned long long count_of = 0xffff;
  unsigned long long found = 0, expected = 0;
  do {
    expected = found;
    bool const counts = (expected & ~count_of) == arrival_tag;
    found = arch::compare_and_swap(arrivals, expected, counts ? expected + 1 : arrival_tag | 1);
  } while (found != expected);
  bool const last = static_cast<int>(found & count_of) + 1 == all && (found & ~count_of) == arrival_tag;
  if (last) {
    arrivals = 0;
  }
  return last;
}

/// Stores the consumers' accumulators of a slice, [slot][slice] in the order of the threads. Whether they are to store
/// the tile: all others had come, and they have added its slices. All consumers call it; `room` is shared memory that
/// nobody uses any more.
template <class Policy, class T, int Rows, int Columns>
__device__ bool add_as_last_arriver(T* workspace, unsigned long long* arrivals, work const& w, int& room,
                                    T (&accum)[Rows][Columns]) {
  constexpr int threads = Policy::consumer_threads, width = widest<T>, in_row = Columns / width;
  int const thread = static_cast<int>(threadIdx.x) - Policy::producer_threads, slices = w.slices;
  T* const first = workspace + std::int64_t{w.slot} * slices * elements_of_slice<Policy> + thread * width;
  T* const mine = first + w.slice * elements_of_slice<Policy>;
#pragma unroll
  for (int i = 0; i < Rows * in_row; ++i) {
    vector<T, width> piece;
#pragma unroll
    for (int e = 0; e < width; ++e) {
      piece.element[e] = accum[i / in_row][i % in_row * width + e];
    }
    store_vector(mine + i * threads * width, piece);
  }
  arch::named_barrier_sync(1, threads);  // for all of the slice to be there, and the ring to be read
  if (thread == 0) {
    room = arrive_as_last(arrivals[w.slot], slices) ? 1 : 0;
  }
  arch::named_barrier_sync(1, threads);  // for the answer
  if (room == 0) {
    return false;
  }
  // Some pieces at a time, for all of which there are registers and loads in flight.
  constexpr int pieces = Rows * in_row, at_once = pieces % 16 == 0 ? 16 : 1;
#pragma unroll
  for (int begin = 0; begin < pieces; begin += at_once) {
    T const* from = first + begin * threads * width;
    vector<T, width> total[at_once];
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      total[i] = load_vector<width>(from + i * threads * width);
    }
#pragma unroll 1
    for (int other = 1; other < slices; ++other) {
      from += elements_of_slice<Policy>;
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        auto const piece = load_vector<width>(from + i * threads * width);
#pragma unroll
        for (int e = 0; e < width; ++e) {
          total[i].element[e] = multiply_add(T(1), piece.element[e], total[i].element[e]);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
#pragma unroll
      for (int e = 0; e < width; ++e) {
        accum[(begin + i) / in_row][(begin + i) % in_row * width + e] = total[i].element[e];
      }
    }
  }
  return true;
}

}  // namespace gemm::detail
