// SPDX-License-Identifier: BSL-1.0
//! @file
//! What policies of tensor cores multiply.
#pragma once

#include <cstdint>
#include <type_traits>

#include <gemm/arch/wgmma_atom.hpp>
#include <gemm/element.hpp>
#include <gemm/input_types.hpp>
#include <gemm/policy.hpp>

namespace gemm {

/// The input of tensor-core policies for e4m3 and e5m2. Tensor cores accumulate them with 13 bits of fraction, so the
/// default is promote<128>.
struct fp8 {};
/// The same without that: tensor cores accumulate all of k.
struct fp8_fast_accumulation {};

/// The input of tensor-core policies by default: __half or __nv_bfloat16.
struct half_or_bf16 {};

/// Promotion, a parameter of sm90_wgmma: tensor cores accumulate K of k at a time, which float registers then add. 0:
/// tensor cores accumulate all of k.
///
/// Parts: a warpgroup multiplies its columns in so many parts, one after the other, by wgmma of a smaller n. They share
/// registers, so that a tile may be larger. For fp8 promoted every block_k.
template <int K, int Parts = 1>
struct promote {
  static constexpr int k = K;          ///< a multiple of block_k
  static constexpr int parts = Parts;  ///< each of a multiple of 32 columns
};

namespace detail {

/// An input's promotion by default.
template <class Input>
using promotion_of_input = promote<std::is_same_v<Input, fp8> ? 128 : 0>;

/// Whether a policy multiplies tf32.
template <class Policy>
inline constexpr bool multiplies_tf32 = info_of<Policy>.tf32;

/// Bytes of an element that such a policy multiplies, and whether A and B may be of T.
template <class Input>
inline constexpr int bytes_of_input = 2;
template <>
inline constexpr int bytes_of_input<tf32> = 4;
template <>
inline constexpr int bytes_of_input<std::int8_t> = 1;
template <>
inline constexpr int bytes_of_input<fp8> = 1;
template <>
inline constexpr int bytes_of_input<fp8_fast_accumulation> = 1;
template <class Input, class T>
inline constexpr bool is_input = arch::wgmma_element<T> && sizeof(T) == bytes_of_input<Input>;
template <class T>
inline constexpr bool is_input<tf32, T> = std::is_same_v<T, tf32> || std::is_same_v<T, float>;
template <class T>
inline constexpr bool is_input<std::int8_t, T> = std::is_same_v<T, std::int8_t>;
template <class T>
inline constexpr bool is_input<fp8, T> = is_fp8<T>;
template <class T>
inline constexpr bool is_input<fp8_fast_accumulation, T> = is_fp8<T>;

/// In which tiles of ping-pong an extent may be: none, those whose operands are swapped, or all.
enum class ping_pong_tiles : unsigned char { none, swapped, all };

/// What a tile of wgmma may have of its second operand: what one instruction multiplies, or of 208 half; with elements
/// of so many bytes. `shared`: in tiles that all warpgroups share.
struct wgmma_extent {
  int n;
  ping_pong_tiles ping_pong = ping_pong_tiles::none;
  bool shared = true;
  int least_bytes = 1, most_bytes = 4;
};

/// All of them. tests/source/lists.cmake compares messages, pages of policies and instructions with it.
inline constexpr wgmma_extent wgmma_extents[] = {{16},
                                                 {32},
                                                 {64, ping_pong_tiles::all},
                                                 {80, ping_pong_tiles::none, true, 1, 2},
                                                 {96, ping_pong_tiles::swapped},
                                                 {112, ping_pong_tiles::none, true, 1, 2},
                                                 {128, ping_pong_tiles::all},
                                                 {144, ping_pong_tiles::all},
                                                 {160, ping_pong_tiles::all},
                                                 {168, ping_pong_tiles::all, false, 2},
                                                 {176, ping_pong_tiles::all},
                                                 {192, ping_pong_tiles::all},
                                                 {208, ping_pong_tiles::none, true, 2, 2},
                                                 {224},
                                                 {240},
                                                 {256, ping_pong_tiles::all}};

/// The extent of a tile whose elements have so many bytes; of n = 0: there is none.
constexpr wgmma_extent wgmma_extent_of(int n, int bytes) {
  for (wgmma_extent const& extent : wgmma_extents) {
    if (extent.n == n && bytes >= extent.least_bytes && bytes <= extent.most_bytes) {
      return extent;
    }
  }
  return {0, ping_pong_tiles::none, false};
}

}  // namespace detail

}  // namespace gemm
