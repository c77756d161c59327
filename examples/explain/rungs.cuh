// SPDX-License-Identifier: BSL-1.0
//! @file
//! The policies that explain knows, and what it has to be told of their rungs because no constant of theirs says it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>

#include "study.hpp"

namespace explain {

template <class... Policies>
struct policy_pack {};

template <class... Policies>
std::vector<std::string> names_of(policy_pack<Policies...>) {
  return {std::string(gemm::name<Policies>())...};
}

/// What action.operator()<Policy>() returns for the policy of this name; a Result of nothing where there is none.
template <class Result, class... Policies, class Action>
Result of_policy(policy_pack<Policies...>, std::string const& name, Action action) {
  Result result;
  static_cast<void>(
      ((gemm::name<Policies>() == name ? (result = action.template operator()<Policies>(), true) : false) || ...));
  return result;
}

/// The named policies of policies.cuh up to rung 8; the first of a rung stands for it on the ladder.
using all_policies =
    policy_pack<gemm::naive_32x4, gemm::coalesced_32x32, gemm::shared_tile_32x32x32, gemm::block_tile_1d_64x64x16,
                gemm::block_tile_2d_128x128x8, gemm::vectorized_128x128x8, gemm::warp_tile_128x128x16,
                gemm::pipelined_128x128x16, gemm::pipelined_64x128x16, gemm::pipelined_64x64x16,
                gemm::pipelined_128x64x16, gemm::pipelined_48x128x16, gemm::pipelined_32x128x16,
                gemm::pipelined_128x32x16, gemm::pipelined_32x64x32, gemm::pipelined_16x64x32>;

/// The rung of a policy, by the template that the policy derives from.
template <class... Numbers>
constexpr rung rung_of(gemm::naive<Numbers...> const*) {
  return {
      1, "naive",
      "One thread computes one element of C. The threads of a warp go down a column, so their rows of A lie far apart.",
      feed::global, register_bound::none};
}
template <class... Numbers>
constexpr rung rung_of(gemm::coalesced<Numbers...> const*) {
  return {
      2, "coalesced",
      "The same work with the threads transposed: a warp goes along a row, so its elements of B and C are neighbours.",
      feed::global, register_bound::one_block};
}
template <class... Numbers>
constexpr rung rung_of(gemm::shared_tile<Numbers...> const*) {
  return {
      3, "shared tile",
      "The threads of a block fetch a tile of A and a tile of B together, and share them in fast memory on the chip.",
      feed::registers, register_bound::resident_blocks};
}
template <class... Numbers>
constexpr rung rung_of(gemm::block_tile_1d<Numbers...> const*) {
  return {4, "1-D block tile",
          "Each thread computes several elements of a column: one element of B in a register serves all of them.",
          feed::registers, register_bound::resident_blocks};
}
template <class... Numbers>
constexpr rung rung_of(gemm::block_tile_2d<Numbers...> const*) {
  return {5, "2-D block tile",
          "Each thread computes a square of elements, so that what it reads from shared memory is used many times.",
          feed::registers, register_bound::resident_blocks};
}
template <class... Numbers>
constexpr rung rung_of(gemm::vectorized<Numbers...> const*) {
  return {6, "vectorized",
          "Threads move 16 bytes at a time, and A is transposed on its way into shared memory so that this works for "
          "it, too.",
          feed::registers, register_bound::resident_blocks};
}
template <class... Numbers>
constexpr rung rung_of(gemm::warp_tile<Numbers...> const*) {
  return {7, "warp tile",
          "A warp owns a compact part of the tile, and its threads lie in it so that they never wait for a bank.",
          feed::registers, register_bound::resident_blocks};
}
template <class... Numbers>
constexpr rung rung_of(gemm::pipelined<Numbers...> const*) {
  return {8, "pipelined", "The warp tile, with the next tiles copied into shared memory while this one is multiplied.",
          feed::async, register_bound::resident_blocks};
}

template <class Policy>
inline constexpr rung rung_of_policy = rung_of(static_cast<Policy const*>(nullptr));

/// The same with A and B of T: narrow elements are widened, which cp.async cannot, and come in accesses of fewer bytes.
template <class Policy, class T>
constexpr rung rung_for() {
  rung result = rung_of_policy<Policy>;
  if (result.from == feed::async && !gemm::detail::copies_bytes<T>) {
    result.from = feed::widening;
    result.idea =
        "The warp tile, with the next tile fetched into registers while this one is multiplied, and widened on "
        "arrival.";
  }
  if (!gemm::detail::copies_bytes<T> && result.number == 6) {
    result.idea =
        "Threads move several elements at a time; A is transposed on its way into shared memory so that this works "
        "for "
        "it, too.";
  } else if (!gemm::detail::copies_bytes<T> && result.number == 7) {
    result.idea =
        "A warp owns a compact part of the tile, and its threads lie in it so that they read without bank conflicts.";
  }
  return result;
}
inline constexpr char unaligned_idea[] =
    "The warp tile. Lines of A or B are not aligned to the loads, so that elements are copied one by one, none ahead.";

/// A tile of A or B in shared memory, whichever way round a rung keeps it; of several stages, the first.
template <class T, std::size_t Lines, std::size_t Pitch>
struct shared_tile_view {
  T const (&tile)[Lines][Pitch];
  bool k_lines;  ///< tile[k][outer], else tile[outer][k]

  T const* at(int outer, int k) const {
    return k_lines ? &tile[static_cast<std::size_t>(k)][outer] : &tile[static_cast<std::size_t>(outer)][k];
  }
};

template <class T, std::size_t Lines, std::size_t Pitch>
shared_tile_view<T, Lines, Pitch> view_of(T const (&tile)[Lines][Pitch], bool k_lines) {
  return {tile, k_lines};
}
template <class T, std::size_t Stages, std::size_t Lines, std::size_t Pitch>
shared_tile_view<T, Lines, Pitch> view_of(T const (&tile)[Stages][Lines][Pitch], bool k_lines) {
  return {tile[0], k_lines};
}

/// How a rung keeps A in shared memory: transposed, [k][m], from the vectorized rung on. B is always [k][n].
template <class Policy>
inline constexpr gemm::major shared_major_a = rung_of_policy<Policy>.number < 6 ? gemm::major::k : gemm::major::mn;

}  // namespace explain
