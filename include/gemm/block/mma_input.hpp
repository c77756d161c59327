// SPDX-License-Identifier: BSL-1.0
//! @file
//! What policies of mma.sync multiply, by their last parameter: half_or_bf16, half_accum, tf32, std::int8_t, fp8,
//! fp8_fast_accumulation or double.
#pragma once

#include <cuda_fp16.h>

#include <type_traits>

#include <gemm/arch/mma_atom.hpp>
#include <gemm/block/wgmma_input.hpp>
#include <gemm/element.hpp>
#include <gemm/input_types.hpp>
#include <gemm/policy.hpp>

namespace gemm {

/// Half, with accumulators of half: twice the rate of float ones on GeForce cards.
struct half_accum {};

namespace detail {

/// Whether such a policy takes A and B of T: floats as tf32.
template <class Input, class T>
inline constexpr bool is_mma_input = std::is_same_v<Input, T>;
template <class T>
inline constexpr bool is_mma_input<half_or_bf16, T> = arch::mma_element<T> && sizeof(T) == 2;
template <class T>
inline constexpr bool is_mma_input<tf32, T> = std::is_same_v<T, tf32> || std::is_same_v<T, float>;
template <class T>
inline constexpr bool is_mma_input<fp8, T> = is_fp8<T>;
template <class T>
inline constexpr bool is_mma_input<fp8_fast_accumulation, T> = is_fp8<T>;

/// Bytes of an element, and what a form of mma.sync takes of k.
template <class Input>
inline constexpr int mma_element_bytes = static_cast<int>(sizeof(Input));
template <>
inline constexpr int mma_element_bytes<half_or_bf16> = 2;
template <>
inline constexpr int mma_element_bytes<half_accum> = 2;
template <>
inline constexpr int mma_element_bytes<fp8> = 1;
template <>
inline constexpr int mma_element_bytes<fp8_fast_accumulation> = 1;
template <class Input>
inline constexpr int mma_step = std::is_same_v<Input, double> ? 8 : 32 / mma_element_bytes<Input>;

/// The form of mma.sync for elements of A and of B.
template <class Input, class A, class B>
using mma_atom_for = std::conditional_t<std::is_same_v<Input, half_accum>, arch::mma_f16_f16, arch::mma_atom<A, B>>;

template <class Input, class T>
constexpr bool check_mma_operands() {
  constexpr bool type = is_mma_input<Input, T>;
  static_assert(
      type,
      "gemm: policies of mma.sync multiply __half and __nv_bfloat16, or what their last parameter names: tf32 "
      "(floats, too), std::int8_t, fp8 or double. Change the policy or the elements.");
  return type;
}

/// A block tile of warp tiles, each of 16 x 8 tiles, and steps of k.
template <class Block, class Warp, class Input>
constexpr bool legal_mma_tile() {
  constexpr bool whole = divides(Warp::m, Block::m) && divides(Warp::n, Block::n);
  static_assert(whole, "gemm: block_m must be a multiple of warp_m, and block_n of warp_n. Change block or warp.");
  constexpr bool tiles = divides(16, Warp::m) && divides(8, Warp::n) && divides(mma_step<Input>, Block::k);
  static_assert(
      !whole || tiles,
      "gemm: warp_m must be a multiple of 16, warp_n of 8, and block_k of 16, of tf32 and double 8, of int8 32 "
      "(what one mma.sync multiplies). Change block or warp.");
  constexpr bool threads = legal_threads(ratio(Block::m, Warp::m) * ratio(Block::n, Warp::n) * 32);
  static_assert(!whole || !tiles || threads,
                "gemm: a block has 1 to 32 warps, (block_m / warp_m) * (block_n / warp_n). Change block or warp.");
  return whole && tiles && threads;
}

/// Registers of a warp tile's accumulators, and of the fragments that are multiplied in a step.
template <class Warp, class Input>
inline constexpr int mma_accum_registers = std::is_same_v<Input, half_accum>
                                               ? Warp::m* Warp::n / 64
                                               : Warp::m* Warp::n / 32 * (std::is_same_v<Input, double> ? 2 : 1);
template <class Warp, class Input>
inline constexpr int mma_fragment_registers = (Warp::m + Warp::n) / 4 * (std::is_same_v<Input, double> ? 2 : 1);

/// A legal_mma_tile() in a ring of XOR-swizzled tiles.
template <class Block, class Warp, int Stages, class Input>
constexpr bool legal_mma_ring() {
  constexpr int element = mma_element_bytes<Input>, k_bytes = Block::k * element;
  constexpr auto whole_rows = [](int side) { return side * element % 128 == 0 || (element == 1 && side == 64); };
  constexpr bool few_rows = element < 8 && k_bytes == 128 && Block::m == Warp::m && (Block::m == 16 || Block::m == 32);
  constexpr int side = element == 8 ? 16 : 32;
  constexpr bool sides = (Warp::m % side == 0 || few_rows) && Warp::n % side == 0 &&
                         (whole_rows(Block::m) || few_rows) && whole_rows(Block::n) &&
                         (k_bytes == 128 || (k_bytes == 64 && element < 8));
  static_assert(
      sides,
      "gemm: warp_m and warp_n of sm80_mma must be multiples of 32 (of double 16), block_k 64 or 128 bytes (of double "
      "128), and block_m and block_n multiples of 128 bytes, or of int8 64 elements. But for double, block_m and "
      "warp_m may be both 16, or both 32, where block_k has 128 bytes. Change block or warp.");
  constexpr bool room = mma_accum_registers<Warp, Input> * (std::is_same_v<Input, fp8> ? 2 : 1) <= 192;
  static_assert(!sides || room,
                "gemm: the accumulators of a warp of sm80_mma must fit into 192 registers, 64 x 96, or promoted ones "
                "of fp8 twice, 64 x 32 (more spill). Make warp smaller.");
  constexpr bool depth = Stages >= 2 && Stages <= 5;
  static_assert(!sides || !room || depth, "gemm: stages of sm80_mma must be 2 to 5.");
  return sides && room && depth;
}

}  // namespace detail

}  // namespace gemm
