// SPDX-License-Identifier: BSL-1.0
//! @file
//! Rung 10, persistent blocks: as many as the device holds, each of which computes one tile of C after the other.
//!
//!     producer   goes through the k of a block's first tile, of its second, ..., never further ahead than the ring has
//!                stages: while the consumers store a tile, those of the next are already in flight
//!     consumers  multiply, store, multiply, store, ...; two blocks share a multiprocessor, and while one stores the
//!                other multiplies
//!
//! For products with a short k and many tiles. There a block for each tile would wait for its first operands about as
//! long as it multiplies.
#pragma once

#include <gemm/kernel/repack.cuh>
#include <gemm/kernel/sm90_simt_tma.cuh>
#include <gemm/kernel/split_k.cuh>
#include <gemm/policy.hpp>

namespace gemm {

/// A sm90_simt_tma policy with persistent blocks: the grid is no larger than the device holds, and each block has
/// several tiles. Where TMA cannot load the operands it is Policy itself, unless it is `repacked`, which goes outside.
///
/// Results are bitwise those of Policy. k is not split. Rows of C that are not aligned to 16 bytes are stored in pieces
/// of 4.
template <class Policy>
struct persistent : Policy {
  static constexpr kernel_info info =
      Policy::info.with(&kernel_info::schedule, tile_schedule::persistent).with(&kernel_info::reductions, {});

  template <class T>
  static constexpr bool check() {
    constexpr kernel_info const& inner = Policy::info;
    constexpr bool legal =
        inner.uses_tma() && inner.k_groups == 1 && !inner.repacks && !inner.is_split() && !inner.is_persistent();
    static_assert(legal,
                  "gemm: persistent needs a sm90_simt_tma policy with one k_groups, inside repacked. Change the "
                  "policy.");
    if constexpr (legal) {
      return Policy::template check<T>();
    }
    return false;
  }
};

}  // namespace gemm
