// SPDX-License-Identifier: BSL-1.0
//! @file
//! The one list of policies that are measured: every named one, in the order of the ladder.
#pragma once

#include <vector>

#include <gemm/gemm.cuh>

#include "../support/contender.hpp"

namespace bench {

template <class... Policies>
struct policy_list {};

// In several lists, each compiled by the source of its name, so that sources compile side by side.
using element_rungs =
    policy_list<gemm::naive_32x4, gemm::coalesced_32x32, gemm::shared_tile_32x32x32, gemm::block_tile_1d_64x64x16>;
using tile_rungs = policy_list<gemm::block_tile_2d_128x128x8, gemm::vectorized_128x128x8, gemm::warp_tile_128x128x16>;
// With the library's choice, which is one of these: its kernels are compiled once.
using pipelined_rungs = policy_list<gemm::pipelined_128x128x16, gemm::pipelined_64x128x16, gemm::pipelined_64x64x16,
                                    gemm::pipelined_32x64x32, gemm::pipelined_16x64x32, gemm::automatic>;

/// The policies of one list for all element types. Defined by compile_policies.cuh.
template <class List>
std::vector<contender> contenders_of();

}  // namespace bench
