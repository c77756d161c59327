// SPDX-License-Identifier: BSL-1.0
//! @file
//! The tiles that the interactive page offers: all policies of the rungs up to pipelined, and others of their families.
#pragma once

#include <gemm/gemm.cuh>

#include "rungs.cuh"

namespace explain {

template <class... First, class... Others>
constexpr policy_pack<First..., Others...> joined(policy_pack<First...>, policy_pack<Others...>) {
  return {};
}

using more_policies =
    policy_pack<gemm::naive<gemm::block<16, 16>>, gemm::naive<gemm::block<4, 32>>, gemm::coalesced<gemm::block<4, 32>>,
                gemm::coalesced<gemm::block<16, 16>>, gemm::shared_tile<gemm::block<16, 16, 16>>,
                gemm::shared_tile<gemm::block<32, 32, 16>>,
                gemm::block_tile_1d<gemm::block<64, 64, 8>, gemm::thread<8>>,
                gemm::block_tile_1d<gemm::block<64, 64, 16>, gemm::thread<4>>,
                gemm::block_tile_1d<gemm::block<128, 32, 16>, gemm::thread<16>>,
                gemm::block_tile_2d<gemm::block<64, 64, 8>, gemm::thread<8, 8>>,
                gemm::block_tile_2d<gemm::block<128, 128, 16>, gemm::thread<8, 8>>,
                gemm::block_tile_2d<gemm::block<64, 64, 16>, gemm::thread<4, 4>>,
                gemm::vectorized<gemm::block<64, 64, 8>, gemm::thread<8, 8>>,
                gemm::vectorized<gemm::block<128, 128, 16>, gemm::thread<8, 8>>,
                gemm::vectorized<gemm::block<64, 64, 16>, gemm::thread<4, 4>>,
                gemm::warp_tile<gemm::block<64, 64, 8>, gemm::warp<32, 32>, gemm::thread<4, 4>>,
                gemm::warp_tile<gemm::block<128, 64, 16>, gemm::warp<64, 32>, gemm::thread<4, 4>>,
                gemm::warp_tile<gemm::block<128, 128, 8>, gemm::warp<32, 64>, gemm::thread<4, 4>>>;

using page_policies = decltype(joined(all_policies{}, more_policies{}));

}  // namespace explain
