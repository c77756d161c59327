// SPDX-License-Identifier: BSL-1.0
//! @file
//! Split-K: where C has too few tiles to fill the device, several blocks share a tile, a slice of k each.
//!
//!                k
//!     A  | slice 0 | slice 1 | 2 |      The policy's own kernel sums every slice by itself, into the workspace: m x n
//!                                       sums for each. A second kernel adds them, always in the same order, and does
//!     B  the same, downwards            with the result what a policy without slices does with its sums.
//!
//! Or the blocks that share a tile are a cluster, and add their accumulators through each other's shared memory. That
//! takes one kernel and no workspace, but allows 8 slices at most (block/cluster_accum.cuh).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/wgmma_atom.hpp>
#include <gemm/block/problem.cuh>
#include <gemm/block/shared_accum.cuh>
#include <gemm/block/slice_fragments.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>
#include <gemm/policy.hpp>

namespace gemm {

/// The second kernel's parameter: the accumulators of the slices of each product, [slice][batch][row][ld], or in
/// `tiles`, of which `rows` and `ld` are multiples. Not for users; not in detail, for short symbols.
template <class Problem>
struct slice_accum {
  Problem whole;
  typename Problem::accum const* data;
  std::int64_t rows, ld;  // a multiple of 16 bytes
  int count;              // of slices
  int groups;             // of warps that share the slices of a place, 1 or groups_for_many
  detail::fragment_tiles tiles;
};

namespace detail {

/// Slices from which several groups of warps add them, and how many groups: a block's.
inline constexpr int many_slices = 16, groups_for_many = 8, adding_threads = 256;
constexpr int groups_for(int slices) { return slices < many_slices ? 1 : groups_for_many; }

/// What groups give to the first.
template <class T>
struct adding_storage {
  vector<T, widest<T>> of_group[groups_for_many][adding_threads / groups_for_many];
};

/// The accumulators that a block adds: 16 bytes of a row for each thread of a group.
template <class Problem>
constexpr std::int64_t added_by_block(int slices) {
  return std::int64_t{adding_threads} / groups_for(slices) * widest<typename Problem::accum>;
}

/// Whether sums of slices may lie in tiles.
template <class Problem>
inline constexpr bool adds_fragments = arch::wgmma_element<typename Problem::element_a, typename Problem::element_b>;

/// C = epilogue(alpha * (slice 0 + slice 1 + ...) + beta * C).
///
/// Each group of warps adds neighbouring slices, then the first adds the groups' results: many threads read the many
/// slices of a small C at once. One group for few slices, where C has threads enough.
template <class Problem>
__global__ void __launch_bounds__(adding_threads) add_slices_kernel(__grid_constant__ slice_accum<Problem> const s) {
  using accum = typename Problem::accum;
  constexpr int width = widest<accum>;

  Problem const& p = s.whole;
  bool const shares = s.groups > 1;
  int const groups = shares ? groups_for_many : 1, pieces = shares ? adding_threads / groups_for_many : adding_threads;
  int const piece = static_cast<int>(threadIdx.x) & (pieces - 1),
            group = shares ? static_cast<int>(threadIdx.x) / (adding_threads / groups_for_many) : 0;
  std::int64_t const index = std::int64_t{blockIdx.x} * pieces + piece, in_row = s.ld / width;
  bool const in_tiles = adds_fragments<Problem> && s.tiles.rows > 0;
  fragment_position const position = in_tiles ? position_of_fragment(s.tiles, s.ld / s.tiles.columns, index)
                                              : fragment_position{index / in_row, index % in_row * width};
  std::int64_t const row = position.row, column = position.column;
  std::int64_t const batch = blockIdx.y, product = s.rows * s.ld, slice_elements = p.batch_count * product;
  bool const inside = index * width < product && row < p.m && column < p.n;

  auto const add = [](vector<accum, width>& accumulators, vector<accum, width> const& other) {
#pragma unroll
    for (int i = 0; i < width; ++i) {
      accumulators.element[i] = multiply_add(accum(1), other.element[i], accumulators.element[i]);
    }
  };
  // What pads a row nobody has written.
  int const valid = !in_tiles && p.n - column < width ? static_cast<int>(p.n - column) : width;
  auto const load = [&](accum const* from) {
    if (valid == width) {
      return load_vector<width>(from);
    }
    vector<accum, width> values{};
#pragma unroll
    for (int i = 0; i < width - 1; ++i) {
      values.element[i] = i < valid ? from[i] : accum{};
    }
    return values;
  };
  arch::wait_for_dependency();  // for all slices
  arch::launch_dependents();
  vector<accum, width> accumulators{};
  if (inside) {
    int const first = group * s.count / groups, end = (group + 1) * s.count / groups;
    accum const* from = s.data + first * slice_elements + batch * product + index * width;
    constexpr int at_once = 4;  // loads in flight, whatever the number of slices
    for (int slice = first; slice < end; slice += at_once) {
      vector<accum, width> part[at_once]{};
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        if (slice + i < end) {
          part[i] = load(from + i * slice_elements);
        }
      }
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        add(accumulators, part[i]);
      }
      from += at_once * slice_elements;
    }
  }
  if (shares) {
    auto& shared = arch::dynamic_shared_memory<adding_storage<accum>>();
    shared.of_group[group][piece] = accumulators;
    __syncthreads();
    if (group == 0) {
#pragma unroll
      for (int other = 1; other < groups_for_many; ++other) {
        add(accumulators, shared.of_group[other][piece]);
      }
    }
  }
  if (inside && group == 0) {
    if constexpr (adds_fragments<Problem>) {
      if (in_tiles && !s.tiles.transposed) {
        store_row<2>(p, accumulators.element, row, column, batch);
        store_row<2>(p, accumulators.element + 2, row + 8, column, batch);
        return;
      }
    }
    store_row<width>(p, accumulators.element, row, column, batch);
  }
}

/// Whether a policy's kernel can compute slices, and whether it can add them in clusters.
template <class Policy>
inline constexpr bool splits_k = Policy::info.reductions.workspace;
template <class Policy>
inline constexpr bool adds_in_cluster = Policy::info.reductions.cluster;

/// Whether the last tiles of a policy alone can be split, in one launch with the others.
template <class Policy>
inline constexpr bool streams_k = uses_tma<Policy>&& splits_k<Policy> && !Policy::info.on_tensor_cores();

/// The info of a policy with k cut so.
constexpr kernel_info with_slices(kernel_info const& info, slicing const& slices) {
  return info.with(&kernel_info::slices, slices).with(&kernel_info::reductions, {});
}

}  // namespace detail

/// A policy with split-K into Slices equal parts. Each is a whole number of block_k; the last may be shorter. There are
/// fewer parts where k has fewer block_k, and no split where it has one.
///
/// Needs a workspace: m * n * Slices elements of the accumulator's type for each product of the batch, with rows
/// rounded up to 16 bytes. Persistent sm90_wgmma policies need it for whole tiles.
///
/// Slices are accumulated and then added: results are bitwise the same from run to run, and differ in the last bits
/// from those of Policy alone.
template <class Policy, int Slices>
struct split_k : Policy {
  static constexpr kernel_info info = detail::with_slices(Policy::info, {Slices, detail::reduction::workspace});

  template <class T>
  static constexpr bool check() {
    static_assert(Slices >= 2 && Slices <= 4096, "gemm: split_k takes 2 to 4096 slices of k. Change their number.");
    static_assert(detail::splits_k<Policy>,
                  "gemm: split_k needs a policy whose kernel adds slices of k: pipelined, skinny, sm90_simt_tma or "
                  "sm90_wgmma. Change the policy.");
    if constexpr (Slices >= 2 && Slices <= 4096 && detail::splits_k<Policy>) {
      return Policy::template check<T>();
    }
    return false;
  }
};

/// A policy with split-K into Slices parts as by split_k, but in one kernel and without a workspace. The blocks that
/// share a tile are a cluster, and add their accumulators through each other's shared memory. For C of a few dozen
/// tiles.
///
/// Needs a device of compute capability 9.0, and code compiled for sm_90a. Batches of more than 65535 are not split,
/// nor is a k of more than 2^30 for each slice.
template <class Policy, int Slices>
struct cluster_split_k : Policy {
  static constexpr kernel_info info = detail::with_slices(Policy::info, {Slices, detail::reduction::cluster});

  template <class T>
  static constexpr bool check() {
    constexpr bool count = Slices >= 2 && Slices <= 8;
    static_assert(count,
                  "gemm: cluster_split_k takes 2 to 8 slices of k (the blocks of a cluster). Change their number.");
    static_assert(!count || detail::adds_in_cluster<Policy>,
                  "gemm: cluster_split_k needs a policy whose blocks add slices: sm90_simt_tma, sm90_wgmma or sm80_mma "
                  "of double. Change the policy.");
    if constexpr (count && detail::adds_in_cluster<Policy>) {
      constexpr bool room = detail::shared_tile_bytes<Policy, T> <= Policy::template accum_memory<T>;
      static_assert(room,
                    "gemm: cluster_split_k needs shared memory for a tile of accumulators where the tiles of A and B "
                    "were. Make stages "
                    "or the depth of block larger.");
      return room && Policy::template check<T>();
    }
    return false;
  }
};

/// Stream-K with whole slices: k is cut into Slices parts only for the last columns of tiles, which would not fill the
/// device. The first part of each is the longest, so that all multiprocessors end at about the same time. It is one
/// launch: the last of a tile's blocks to end adds its slices, in their order (schedule/last_arriver.cuh). Source:
/// Osama et al., PPoPP 2023.
///
/// For sm90_simt_tma policies. Nothing is split where the tiles fill the device a whole number of times, or where k
/// has too few block_k. Needs a workspace, which need not be cleared: Slices elements of the accumulator's type for
/// each element of the tiles that are split, and 8 bytes for each of them. Which tiles are split depends on m, n and
/// the device, and with them the last bits of their sums.
template <class Policy, int Slices>
struct stream_k : split_k<Policy, Slices> {
  static constexpr kernel_info info = detail::with_slices(Policy::info, {Slices, detail::reduction::last_arriver});

  template <class T>
  static constexpr bool check() {
    static_assert(detail::streams_k<Policy>, "gemm: stream_k needs a sm90_simt_tma policy. Change the policy.");
    if constexpr (detail::streams_k<Policy>) {
      return split_k<Policy, Slices>::template check<T>();
    }
    return false;
  }
};

namespace detail {

template <class Policy>
Policy without_split(void const*);
template <class Policy, class Whole, int Slices>
Whole without_split(split_k<Whole, Slices> const*);
template <class Policy, class Whole, int Slices>
Whole without_split(cluster_split_k<Whole, Slices> const*);

/// The policy whose kernel sums the slices.
template <class Policy>
using whole_of = decltype(without_split<Policy>(static_cast<Policy const*>(nullptr)));

}  // namespace detail

}  // namespace gemm
