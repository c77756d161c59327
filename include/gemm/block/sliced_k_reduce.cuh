// SPDX-License-Identifier: BSL-1.0
//! @file
//! The sums of groups of warps that share a block's tile of C, each with its own tiles of k: added through shared
//! memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>

namespace gemm::detail {

/// Where the rows lie that a group adds and stores: of the rows of every thread, an equal part.
template <class Layout, int Groups>
struct group_layout {
  static constexpr int block_m = Layout::block_m, block_n = Layout::block_n;
  static constexpr int rows = Layout::rows / Groups, columns = Layout::columns;

  __device__ static int row(int i) { return Layout::row(Layout::group() * rows + i); }
  __device__ static int column(int j) { return Layout::column(j); }
};

/// What the groups tell each other: for every thread of a group, all of its accumulators but those it keeps.
template <int Accumulators, int Threads, int Groups, class Accum>
inline constexpr std::size_t sliced_k_reduce_bytes = std::size_t{Groups - 1} * Accumulators* Threads * sizeof(Accum);

/// A group gives the others its accumulators of their rows. Threads: of a group.
template <class Layout, int Groups, int Threads, class Accum>
__device__ void share_with_groups(Accum const (&accum)[Layout::rows][Layout::columns], Accum* shared) {
  constexpr int width = widest<Accum>, rows = Layout::rows / Groups, pieces = rows * Layout::columns / width;
  int const mine = Layout::group();
#pragma unroll
  for (int to = 0; to < Groups; ++to) {
    if (to != mine) {
      int const from = mine < to ? mine : mine - 1;
      Accum* const there = shared + ((to * (Groups - 1) + from) * pieces * Threads + Layout::thread_of_group()) * width;
#pragma unroll
      for (int i = 0; i < pieces; ++i) {
        vector<Accum, width> piece;
#pragma unroll
        for (int e = 0; e < width; ++e) {
          piece.element[e] = accum[to * rows + i * width / Layout::columns][i * width % Layout::columns + e];
        }
        store_vector(there + i * Threads * width, piece);
      }
    }
  }
}

/// Adds what share_with_groups() of all groups has left for this one, in the order of the groups; a group_layout says
/// where it belongs. No array is indexed by the group, that the accumulators may stay in registers.
template <class Layout, int Groups, int Threads, class Accum>
__device__ void add_groups(Accum const (&accum)[Layout::rows][Layout::columns], Accum const* shared,
                           Accum (&total)[Layout::rows / Groups][Layout::columns]) {
  constexpr int width = widest<Accum>, rows = Layout::rows / Groups, pieces = rows * Layout::columns / width;
#pragma unroll
  for (int mine = 0; mine < Groups; ++mine) {
    if (mine == Layout::group()) {
#pragma unroll
      for (int i = 0; i < pieces; ++i) {
        int const row = i * width / Layout::columns, column = i * width % Layout::columns;
#pragma unroll
        for (int group = 0; group < Groups; ++group) {
          vector<Accum, width> part;
          if (group == mine) {
#pragma unroll
            for (int e = 0; e < width; ++e) {
              part.element[e] = accum[mine * rows + row][column + e];
            }
          } else {
            int const from = group < mine ? group : group - 1;
            part = load_vector<width>(
                shared + ((mine * (Groups - 1) + from) * pieces * Threads + Layout::thread_of_group()) * width +
                i * Threads * width);
          }
#pragma unroll
          for (int e = 0; e < width; ++e) {
            Accum& element = total[row][column + e];
            element = group == 0 ? part.element[e] : multiply_add(Accum(1), part.element[e], element);
          }
        }
      }
    }
  }
}

}  // namespace gemm::detail
