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
};

/// How a policy adds them that cuts k itself.
constexpr splits splits_of(slicing const& slices) {
  bool const cut = slices.most > 1, in_cluster = cut && slices.by == addition::cluster,
             streams = cut && !in_cluster && slices.tail;
  return {.in_workspace = cut && !in_cluster && !streams, .in_cluster = in_cluster, .streams = streams};
}

/// A policy that run() may choose, and how it may split k.
template <class Policy, splits Splits>
struct candidate {};

template <class... Candidates>
struct candidate_list {};

/// What run() chooses from, the largest tile first: for float operands, which TMA can bring if need be packed, and for
/// others. Slices that a second kernel adds cost no kernel more where that for slices sums whole products, too: those
/// of many tiles are for ragged products of few columns, of few rows or of a long k, and for vectors (an H200, of 14560
/// random products 3977 are given to others for them, and take 0.90 of the time: tt 6199x32x2862 63.2 -> 37.1 us, tn
/// 3839x48x5722 82.3 -> 58.8, tn 2160x1x10624 34.5 -> 25.1; in 32 x 64 they gained nothing, 0.99 of 314). Of 64 x 64
/// they are for an mn-major B, and of 128 x 64 for a k-major one, which is turned in them in less time (H200, nt
/// 256x256x65536 193 instead of 217 us). Slices of operands that would have to be packed are added either way: where
/// hundreds of blocks have places, few clusters of five have (H200, nn 599x599x2499 in five slices of 64 x 64, 93 us in
/// clusters, 61.1 so). Tiles of 64x64x12 come late, so that they must promise 2 % less (of 28 products that this
/// decides 14 are more than 3 % faster, two slower; nn 303x5001x701 59 us, 64). Few rows want tiles of B that are read
/// along its lines. Slices that the last block adds are of 128 x 128, and of 128 x 64 where that leaves fewer
/// multiprocessors idle, as with few tiles of a long k (H200, nn 1524x448x1836 in 59.7 instead of 72.4 us,
/// 1840x428x4792 168.5, not 207.5; see bench/results/h200/stream_slices.csv); to add those in clusters, too, would save
/// 0.02 % on average over 287 products, 3 % at most.
template <bool TurnsB>
using common_tma_candidates = candidate_list<
    candidate<repacked<warp_specialized_128x128x32>, splits{.streams = true}>,
    candidate<repacked<warp_specialized_128x64x32>, splits{.in_workspace = TurnsB, .streams = true}>,
    candidate<repacked<persistent_128x64x32>, splits{}>, candidate<repacked<persistent_64x128x32>, splits{}>,
    candidate<repacked<persistent_64x64x32>, splits{}>, candidate<repacked<persistent_36x128x32>, splits{}>,
    candidate<repacked<persistent_128x32x32>, splits{}>,
    candidate<repacked<warp_specialized_64x64x32>, splits{.in_workspace = !TurnsB, .in_cluster = true}>,
    candidate<repacked<warp_specialized_32x64x32>, splits{}>,
    candidate<repacked<warp_specialized_16x128x32>, splits{true, true}>,
    candidate<repacked<warp_specialized_128x32x32>, splits{true, true}>,
    candidate<repacked<warp_specialized_128x16x32>, splits{true, true}>,
    candidate<repacked<warp_specialized_16x64x32>, splits{true, true}>,

    candidate<pipelined_twisted_128x128x16, splits{.in_workspace = true}>,
    candidate<pipelined_128x64x16, splits{.in_workspace = true}>,
    candidate<pipelined_48x128x16, splits{.in_workspace = true}>,
    candidate<pipelined_128x48x16, splits{.in_workspace = true}>,
    candidate<pipelined_32x128x16, splits{.in_workspace = true}>, candidate<pipelined_128x32x16, splits{true, true}>,
    candidate<pipelined_twisted_64x64x32, splits{true, true}>, candidate<pipelined_64x64x12, splits{}>,
    candidate<pipelined_32x64x32, splits{true, true}>, candidate<pipelined_16x64x32, splits{.in_cluster = true}>,
    candidate<std::conditional_t<TurnsB, skinny_8x64x64, skinny_4x128x32>, splits{.in_workspace = true}>,
    candidate<skinny_64x8x64, splits{.in_workspace = true}>, candidate<outer_product_32x128x16, splits{}>,
    candidate<small_48x48x48, splits{}>, candidate<small_32x32x32, splits{}>, candidate<small_16x16x16, splits{}>,
    candidate<skinny_1x32x512, splits{}>, candidate<skinny_32x1x512, splits{}>,
    candidate<skinny_1x128x64, splits{.in_workspace = true}>, candidate<skinny_128x1x64, splits{.in_workspace = true}>>;

/// These, and what comes last, because it must promise less time than all others.
template <class... More, class... Candidates>
candidate_list<Candidates..., More...> with_more(candidate_list<Candidates...>);

/// Tiles of 4 x 64 are for a B that is read along k: of longer lines than theirs pieces take longer.
template <bool TurnsB>
using tma_candidates_for =
    std::conditional_t<TurnsB,
                       decltype(with_more<candidate<skinny_4x64x64, splits{.in_workspace = true}>>(
                           common_tma_candidates<TurnsB>{})),
                       common_tma_candidates<TurnsB>>;
using tma_candidates = tma_candidates_for<false>;
using plain_candidates = candidate_list<candidate<pipelined_64x128x16, splits{.in_workspace = true}>,
                                        candidate<pipelined_64x64x16, splits{.in_workspace = true}>,
                                        candidate<pipelined_32x64x32, splits{.in_workspace = true}>,
                                        candidate<pipelined_16x64x32, splits{.in_workspace = true}>,
                                        candidate<skinny_1x32x512, splits{}>, candidate<skinny_32x1x512, splits{}>>;

/// For half and bf16, which the tensor cores multiply where there are those of sm_90: wide tiles, for nn such as begin
/// where lines of B do, and what all storages have. 192 x 128 and 128 x 192 took the same but where one fills a wave
/// and the other does not (512 rows). Pairs of 128 x 192 and 128 x 128 come late in the lists, and 80 x 128 last, so
/// that they are chosen only where they promise 2 % less time. Slices of 192 x 128 are for few wide tiles of long lines
/// that begin anywhere (an H200, 904x904x9000 in three: nt 34.9 us, in 64 x 160 in clusters of four 42.9; nn 35.3, in
/// 112 x 128 45.5).
template <class First, class Low, class... Wide>
using with_narrow = candidate_list<
    Wide..., candidate<tensor_core_128x224x64, splits{}>,
    candidate<tensor_core_128x128x64_2x2, splits{.in_workspace = true}>,
    candidate<tensor_core_128x128x64_2x1, splits{.in_workspace = true}>, First,
    candidate<tensor_core_64x128x64, splits{}>, Low, candidate<tensor_core_128x64x64, splits{true, true}>,
    candidate<tensor_core_64x64x64, splits{true, true}>, candidate<tensor_core_32x64x64, splits{.in_cluster = true}>,
    candidate<tensor_core_64x32x64, splits{.in_cluster = true}>,
    candidate<tensor_core_16x64x64, splits{.in_cluster = true}>,
    candidate<tensor_core_64x16x64, splits{.in_cluster = true}>, candidate<tensor_core_80x128x64_4x1, splits{}>,
    candidate<pipelined_64x128x16, splits{.in_workspace = true}>,
    candidate<pipelined_32x64x32, splits{.in_workspace = true}>,
    candidate<pipelined_16x64x32, splits{.in_workspace = true}>, candidate<skinny_1x32x512, splits{}>,
    candidate<skinny_32x1x512, splits{}>>;
using tensor_candidates = with_narrow<
    candidate<tensor_core_64x192x64_2x1, splits{}>, candidate<tensor_core_64x96x64_2x1, splits{}>,
    candidate<tensor_core_192x192x64_2x1, splits{}>, candidate<tensor_core_192x176x64_1x2, splits{}>,
    candidate<tensor_core_128x240x64_2x1, splits{}>, candidate<tensor_core_224x128x64_1x2, splits{}>,
    candidate<tensor_core_256x160x64_1x2, splits{}>, candidate<tensor_core_160x256x64_2x1, splits{}>,
    candidate<tensor_core_192x208x64_2x1, splits{}>,
    candidate<tensor_core_192x128x64_1x2, splits{.in_workspace = true}>, candidate<tensor_core_192x96x64_1x2, splits{}>,
    candidate<tensor_core_ping_pong_128x160x64, splits{}>, candidate<tensor_core_ping_pong_128x176x64, splits{}>,
    candidate<tensor_core_ping_pong_128x168x64, splits{}>, candidate<tensor_core_128x256x64, splits{}>,
    candidate<tensor_core_128x256x64_2x1, splits{}>, candidate<tensor_core_ping_pong_128x144x64, splits{}>,
    candidate<tensor_core_ping_pong_128x128x64, splits{}>, candidate<tensor_core_ping_pong_128x128x64_1x2, splits{}>,
    candidate<tensor_core_112x128x64_2x2, splits{}>, candidate<tensor_core_64x160x64_4x1, splits{}>,
    candidate<tensor_core_64x160x64_2x1, splits{}>,
    candidate<tensor_core_128x192x64_2x1, splits{.in_workspace = true}>>;
using tensor_candidates_nn = with_narrow<
    candidate<tensor_core_64x192x64_2x1, splits{}>, candidate<tensor_core_64x128x64_2x1, splits{}>,
    candidate<tensor_core_192x192x64_2x1, splits{}>, candidate<tensor_core_176x192x64_2x1, splits{}>,
    candidate<tensor_core_240x128x64_1x2, splits{}>, candidate<tensor_core_224x128x64_1x2, splits{}>,
    candidate<tensor_core_160x256x64_2x1, splits{}>, candidate<tensor_core_208x192x64_1x2, splits{}>,
    candidate<tensor_core_192x128x64_1x2, splits{.in_workspace = true}>, candidate<tensor_core_96x192x64_2x1, splits{}>,
    candidate<tensor_core_ping_pong_160x128x64, splits{}>, candidate<tensor_core_ping_pong_176x128x64, splits{}>,
    candidate<tensor_core_ping_pong_168x128x64, splits{}>, candidate<tensor_core_128x256x64, splits{}>,
    candidate<tensor_core_128x256x64_2x1, splits{}>, candidate<tensor_core_ping_pong_144x128x64, splits{}>,
    candidate<tensor_core_ping_pong_128x128x64, splits{}>, candidate<tensor_core_ping_pong_128x128x64_1x2, splits{}>,
    candidate<tensor_core_112x128x64_2x2, splits{}>, candidate<tensor_core_96x128x64_1x4, splits{}>,
    candidate<tensor_core_128x192x64_2x1, splits{.in_workspace = true}>>;

/// For floats that are multiplied as tf32, likewise. Slices of 128 x 256 are for a B that goes through registers (an
/// H200, nn 256x6144x4096 in two 54.1 us, in 64 x 128 74.8; 904x904x9000 in four 59.8, in 128 x 128 85.9).
using tf32_candidates = candidate_list<
    candidate<tensor_core_tf32_128x256x32, splits{.in_workspace = true}>,
    candidate<tensor_core_tf32_128x192x32, splits{}>, candidate<tensor_core_ping_pong_tf32_128x128x32, splits{}>,
    candidate<tensor_core_tf32_128x128x32, splits{.in_workspace = true}>,
    candidate<tensor_core_tf32_128x96x32, splits{.in_cluster = true}>,
    candidate<tensor_core_tf32_64x128x32, splits{.in_workspace = true}>,
    candidate<tensor_core_tf32_128x64x32, splits{true, true}>, candidate<tensor_core_tf32_64x64x32, splits{true, true}>,
    candidate<tensor_core_tf32_16x64x32, splits{.in_cluster = true}>,
    candidate<tensor_core_tf32_64x16x32, splits{.in_cluster = true}>,
    candidate<pipelined_64x128x16, splits{.in_workspace = true}>,
    candidate<pipelined_32x64x32, splits{.in_workspace = true}>, candidate<skinny_1x32x512, splits{}>,
    candidate<skinny_32x1x512, splits{}>>;

/// For floats that tensor cores may multiply in parts: those of float come first, so that the others must promise more.
template <bool TurnsB>
using emulated_candidates =
    decltype(with_more<candidate<checked<fp16x3_128x192x64_2x1>, splits{}>,
                       candidate<checked<fp16x3_128x128x64_2x1>, splits{}>,
                       candidate<checked<fp16x3_compensated_128x192x64_2x1>, splits{}>,
                       candidate<checked<fp16x3_sliced_128x128x64>, splits{}>>(tma_candidates_for<TurnsB>{}));

template <class In>
struct candidates_for {
  using type = plain_candidates;
};
template <>
struct candidates_for<float> {
  using type = tma_candidates;
};
template <>
struct candidates_for<tf32> {
  using type = tf32_candidates;
};
template <>
struct candidates_for<__half> {
  using type = tensor_candidates;
};
template <>
struct candidates_for<__nv_bfloat16> {
  using type = tensor_candidates;
};
template <class In>
using candidates_of = typename candidates_for<In>::type;

/// Whether wide tiles are for nn, whose C is stored as tensor_candidates_nn can.
template <class Problem>
inline constexpr bool is_nn_of_tensor_cores =
    std::is_same_v<candidates_of<typename Problem::input>, tensor_candidates>&&
        std::is_same_v<typename Problem::storage, nn> &&
    sizeof(typename Problem::output) == 2;

/// Whether B is k-major, and its tiles may be turned.
template <class Problem>
inline constexpr bool has_k_major_b = Problem::storage::b == major::k;

/// What a call of a policy that is_choice chooses from.
template <class Policy, class Problem>
using candidates =
    std::conditional_t<std::is_same_v<Policy, fp32_emulated>, emulated_candidates<has_k_major_b<Problem>>,
                       std::conditional_t<is_nn_of_tensor_cores<Problem>, tensor_candidates_nn,
                                          std::conditional_t<std::is_same_v<typename Problem::input, float>,
                                                             tma_candidates_for<has_k_major_b<Problem>>,
                                                             candidates_of<typename Problem::input>>>>;

}  // namespace gemm::detail
