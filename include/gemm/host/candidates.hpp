// SPDX-License-Identifier: BSL-1.0
//! @file
//! The policies that run() chooses from.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include <gemm/kernel/split_k.cuh>
#include <gemm/options.hpp>
#include <gemm/policies.cuh>

namespace gemm::detail {

/// How the slices of a policy may be added: for each a kernel is compiled.
struct splits {
  bool in_workspace = false, in_cluster = false, streams = false;

  constexpr bool has(addition by) const {
    return by == addition::second_kernel ? in_workspace : by == addition::cluster ? in_cluster : streams;
  }
};

/// How a policy adds them that cuts k itself.
constexpr splits splits_of(slicing const& slices) {
  bool const cut = slices.most > 1;
  return {.in_workspace = cut && slices.by == addition::second_kernel,
          .in_cluster = cut && slices.by == addition::cluster,
          .streams = cut && slices.by == addition::last_block};
}

/// A policy that run() may choose, and how it may split k.
template <class Policy, splits Splits>
struct candidate {};

template <class... Candidates>
struct candidate_list {};

/// What run() chooses from: for float, for half and bf16, for tf32, for all others. Chosen by greedy cover over
/// measurements of all candidates there were (bench/results/h200/candidates_*.csv): each loses more than it costs in
/// kernels. The largest tile comes first, since what follows must promise 2 % less time.
///
/// KMajorB: of B's 8 rows or 4 rows and 128 columns, skinny tiles read k-major lines, and mn-major ones.
template <bool KMajorB>
using float_candidates = candidate_list<
    candidate<repacked<warp_specialized_128x128x32>, splits{.streams = true}>,
    candidate<repacked<persistent_128x64x32>, splits{}>, candidate<repacked<persistent_64x64x32>, splits{}>,
    candidate<repacked<persistent_36x128x32>, splits{}>,
    candidate<repacked<warp_specialized_64x64x32>, splits{.in_cluster = true}>,
    candidate<repacked<warp_specialized_128x16x32>, splits{.in_workspace = true}>,
    candidate<repacked<warp_specialized_16x64x32>, splits{.in_workspace = true, .in_cluster = true}>,
    candidate<pipelined_128x64x16, splits{.in_workspace = true}>,
    candidate<pipelined_48x128x16, splits{.in_workspace = true}>,
    candidate<pipelined_128x32x16, splits{.in_workspace = true}>,
    candidate<pipelined_32x64x32, splits{.in_workspace = true}>,
    candidate<std::conditional_t<KMajorB, skinny_8x64x64, skinny_4x128x32>, splits{.in_workspace = true}>,
    candidate<skinny_64x8x64, splits{.in_workspace = true}>, candidate<outer_product_32x128x16, splits{}>,
    candidate<small_48x48x48, splits{}>, candidate<small_32x32x32, splits{}>, candidate<small_16x16x16, splits{}>,
    candidate<skinny_1x32x512, splits{}>, candidate<skinny_1x128x64, splits{.in_workspace = true}>,
    candidate<skinny_128x1x64, splits{.in_workspace = true}>>;

using half_candidates = candidate_list<
    candidate<tensor_core_64x192x64_2x1, splits{}>, candidate<tensor_core_64x96x64_2x1, splits{}>,
    candidate<tensor_core_ping_pong_128x176x64, splits{}>, candidate<tensor_core_128x256x64_2x1, splits{}>,
    candidate<tensor_core_ping_pong_128x128x64, splits{}>, candidate<tensor_core_ping_pong_128x128x64_1x2, splits{}>,
    candidate<tensor_core_64x160x64_4x1, splits{}>, candidate<tensor_core_128x192x64_2x1, splits{}>,
    candidate<tensor_core_128x224x64, splits{}>, candidate<tensor_core_128x128x64_2x2, splits{.in_workspace = true}>,
    candidate<tensor_core_64x128x64, splits{}>, candidate<tensor_core_128x64x64, splits{.in_cluster = true}>,
    candidate<tensor_core_64x64x64, splits{.in_workspace = true, .in_cluster = true}>,
    candidate<tensor_core_32x64x64, splits{}>, candidate<tensor_core_64x32x64, splits{}>,
    candidate<tensor_core_16x64x64, splits{.in_cluster = true}>,
    candidate<tensor_core_64x16x64, splits{.in_cluster = true}>, candidate<tensor_core_80x128x64_4x1, splits{}>,
    candidate<pipelined_64x128x16, splits{}>, candidate<pipelined_32x64x32, splits{.in_workspace = true}>,
    candidate<skinny_1x32x512, splits{}>, candidate<skinny_32x1x512, splits{}>>;

using tf32_candidates = candidate_list<
    candidate<tensor_core_tf32_128x256x32, splits{.in_workspace = true}>,
    candidate<tensor_core_tf32_128x192x32, splits{}>, candidate<tensor_core_ping_pong_tf32_128x128x32, splits{}>,
    candidate<tensor_core_tf32_128x96x32, splits{.in_cluster = true}>,
    candidate<tensor_core_tf32_64x128x32, splits{.in_workspace = true}>,
    candidate<tensor_core_tf32_128x64x32, splits{.in_cluster = true}>,
    candidate<tensor_core_tf32_64x64x32, splits{.in_workspace = true, .in_cluster = true}>,
    candidate<tensor_core_tf32_16x64x32, splits{}>, candidate<tensor_core_tf32_64x16x32, splits{.in_cluster = true}>,
    candidate<pipelined_64x128x16, splits{}>, candidate<pipelined_32x64x32, splits{.in_workspace = true}>,
    candidate<skinny_1x32x512, splits{}>, candidate<skinny_32x1x512, splits{}>>;

using plain_candidates = candidate_list<candidate<pipelined_64x128x16, splits{.in_workspace = true}>,
                                        candidate<pipelined_64x64x16, splits{.in_workspace = true}>,
                                        candidate<pipelined_32x64x32, splits{.in_workspace = true}>,
                                        candidate<pipelined_16x64x32, splits{.in_workspace = true}>,
                                        candidate<skinny_1x32x512, splits{}>, candidate<skinny_32x1x512, splits{}>>;

/// For floats that tensor cores may multiply in parts: those of float come first, so that the others must promise more.
template <class... More, class... Candidates>
candidate_list<Candidates..., More...> with_more(candidate_list<Candidates...>);
template <bool KMajorB>
using emulated_candidates =
    decltype(with_more<candidate<checked<fp16x3_128x192x64_2x1>, splits{}>,
                       candidate<checked<fp16x3_128x128x64_2x1>, splits{}>,
                       candidate<checked<fp16x3_compensated_128x192x64_2x1>, splits{}>,
                       candidate<checked<fp16x3_sliced_128x128x64>, splits{}>>(float_candidates<KMajorB>{}));

/// What a call of a policy that is_choice chooses from.
template <class Policy, class Problem>
constexpr auto candidates_for() {
  using input = typename Problem::input;
  constexpr bool k_major_b = Problem::storage::b == major::k;
  if constexpr (std::is_same_v<Policy, fp32_emulated>) {
    return emulated_candidates<k_major_b>{};
  } else if constexpr (std::is_same_v<input, float>) {
    return float_candidates<k_major_b>{};
  } else if constexpr (std::is_same_v<input, __half> || std::is_same_v<input, __nv_bfloat16>) {
    return half_candidates{};
  } else if constexpr (std::is_same_v<input, tf32>) {
    return tf32_candidates{};
  } else {
    return plain_candidates{};
  }
}
template <class Policy, class Problem>
using candidates = decltype(candidates_for<Policy, Problem>());

}  // namespace gemm::detail
