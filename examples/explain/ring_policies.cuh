// SPDX-License-Identifier: BSL-1.0
//! @file
//! The policies with rings that explain knows, one or two of a rung, and what no constant of theirs says.
#pragma once

#include <cuda_bf16.h>

#include <type_traits>

#include <gemm/gemm.cuh>

#include "rungs.cuh"

namespace explain {

using all_ring_policies =
    policy_pack<gemm::sm90_simt_tma_128x128x32, gemm::persistent_128x64x32, gemm::sm90_wgmma_128x256x64_2x1,
                gemm::sm90_wgmma_ping_pong_128x128x64, gemm::fp16x3_128x192x64_2x1>;

/// The rung of a policy, by the template that the policy derives from, with the elements and the storage of its
/// picture: those in which it was measured.
template <class Policy>
concept multiplies_terms = Policy::info.split_terms;
template <class Policy>
concept in_turns = Policy::info.schedule == gemm::tile_schedule::ping_pong;
template <class Policy>
concept on_tensor_cores = Policy::info.op == gemm::math_op::wgmma;

template <class Policy>
using element_of = std::conditional_t<on_tensor_cores<Policy> && !multiplies_terms<Policy>, __nv_bfloat16, float>;
/// What lies in shared memory.
template <class Policy>
struct stored {
  using type = element_of<Policy>;
};
template <multiplies_terms Policy>
struct stored<Policy> {
  using type = typename Policy::terms::element;
};
template <class Policy>
using stored_of = typename stored<Policy>::type;

template <class Policy>
constexpr rung ring_rung() {
  if constexpr (multiplies_terms<Policy>) {
    return {12, "float by split terms on tensor cores",
            "A float is two halves, high and low: three products of halves, each exact, make one product of floats.",
            feed::tensor_cores};
  } else if constexpr (in_turns<Policy>) {
    return {11, "tensor cores, ping-pong",
            "Two warpgroups have a tile of C each: while one stores its own, the tensor cores multiply for the other.",
            feed::tensor_cores};
  } else if constexpr (on_tensor_cores<Policy>) {
    return {11, "tensor cores",
            "A warpgroup has its tile multiplied by one instruction, which reads A and B from shared memory itself.",
            feed::tensor_cores};
  } else if constexpr (Policy::info.is_persistent()) {
    return {10, "persistent",
            "Persistent blocks take one tile after the other: while one is stored, those of the next are loaded.",
            feed::tma};
  } else {
    return {9, "warp-specialised",
            "One warpgroup loads tiles by TMA, one instruction for each; the others do little but multiply.",
            feed::tma};
  }
}

}  // namespace explain
