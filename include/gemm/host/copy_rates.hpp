// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the model of host/model.hpp knows of kernels that copy operands element by element.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <gemm/block/deferred_store.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/turned_squares.cuh>
#include <gemm/host/access_width.hpp>
#include <gemm/host/launch_rules.hpp>
#include <gemm/host/policy_facts.hpp>
#include <gemm/host/tma_operands.cuh>
#include <gemm/kernel/outer_product.cuh>
#include <gemm/kernel/persistent.cuh>
#include <gemm/kernel/pipelined.cuh>
#include <gemm/kernel/skinny.cuh>
#include <gemm/kernel/warp_per_product.cuh>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// Those of the pipelined candidates for float, by their tiles: where A and B are both k-major, and where they are not
/// but begin anywhere: to take the one for the other had 600^3 nt choose what takes 30.3 instead of 22.2 us (H200).
template <class Policy>
inline constexpr copy_rates copy_rates_k_major = [] {
  constexpr int elements = Policy::block_m * Policy::block_n;
  return elements <= 1024                    ? copy_rates{0.715, 0.626, 0, 0.628}
         : elements <= 2048                  ? copy_rates{0.948, 0.637, 0.0389, 0.822}
         : Policy::block_m > Policy::block_n ? (elements <= 4096   ? copy_rates{0.943, 0.733, 0.0714, 1.02}
                                                : elements <= 6144 ? copy_rates{0.979, 0.735, 0.0724, 1.03}
                                                                   : copy_rates{0.942, 0.685, 0.0693, 0.99})
         : Policy::block_n > 2 * Policy::block_m && elements <= 4096 ? copy_rates{0.805, 0.629, 0.0757, 0.932}
         : elements <= 4096                                          ? copy_rates{0.921, 0.661, 0.103, 0.917}
                                                                     : copy_rates{1.15, 0.784, 0.0631, 1.14};
}();
template <class Policy>
inline constexpr copy_rates copy_rates_misaligned = [] {
  constexpr int elements = Policy::block_m * Policy::block_n;
  return elements <= 1024                    ? copy_rates{0.79, 0.655, 0, 0.655}
         : elements <= 2048                  ? copy_rates{0.945, 0.565, 0.106, 0.886}
         : Policy::block_m > Policy::block_n ? (elements <= 4096   ? copy_rates{0.996, 1.02, 0, 0.99}
                                                : elements <= 6144 ? copy_rates{0.905, 0.932, 0, 0.934}
                                                                   : copy_rates{0.894, 0.583, 0.1, 0.916})
         : elements <= 4096 ? (Policy::block_n > 2 * Policy::block_m ? copy_rates{0.866, 0.645, 0.0991, 0.976}
                                                                     : copy_rates{0.99, 0.712, 0.0856, 1})
                            : copy_rates{1.01, 0.78, 0.0496, 1};
}();

/// Those of wide copies, in small tiles and in low ones of which three blocks share a multiprocessor: all others reach
/// their efficiency with fewer.
inline constexpr copy_rates copy_rates_small{0.944, 0.616, 0.0515, 0.928}, copy_rates_low{1, 0.684, 0.0897, 1.04},
    copy_rates_2048{1.04, 0.943, 0, 0.943};

/// What the model takes a policy's efficiency and overhead for, `wide`: in wide accesses what it can copy so.
///
/// What was not fitted is slower by element, more where it copies more for each sum, and takes longer to begin and to
/// end; and with a k-major B, which it turns on its way, none of its copies is wide. So are consumers that multiply out
/// of k-major tiles of B.
template <class Policy, class Problem>
struct copy_model {
  using own = typename Problem::storage;
  static constexpr int elements = Policy::block_m * Policy::block_n * batch_per_block<Policy>;
  static constexpr bool k_major = own::a == major::k && own::b == major::k;
  static constexpr bool fitted = std::is_same_v<typename Problem::input, float> && !uses_tma<Policy> &&
                                 batch_per_block<Policy> == 1 && !is_skinny<Policy>;
  static constexpr double turning = [] {
    using input = typename Problem::input;
    if constexpr (reads_k_major_b<Policy, Problem>) {
      return 0.901;  // H200, nt beside nn, 16 x 128 tiles: 117 and 105 us for 128x4096x4096, 61.4 and 54.5 for 1024^3
    } else if constexpr (own::b == major::mn || uses_tma<Policy> || elements > Policy::block_m * Policy::block_n) {
      return 1.0;
    } else {
      return sizeof(input) >= 4 && Policy::template access_width<input, major::k> == 1 ? 0.85 : 1.0;
    }
  }();

  /// What copies leave of its efficiency, where that is known for them, all started at once.
  static constexpr copy_rates at_once = [] {
    if constexpr (fitted) {
      return k_major ? copy_rates_k_major<Policy> : copy_rates_misaligned<Policy>;
    } else {
      return copy_rates{};
    }
  }();

  static constexpr bool tall = Policy::block_m > Policy::block_n;

  /// How much faster it is where they are spread (H200, the mean of 14 ragged products and batches, nn and nt; of 128 x
  /// 128, and of 6144 elements, such that of 986 products in all storages what is chosen takes least).
  static constexpr double of_6144 = k_major ? (tall ? 1.07 : 1.1) : tall && own::b == major::k ? 1.29 : 1.03;
  static constexpr double spreading = elements == 6144 ? of_6144 : elements > 6144 ? 1.14 : 1.03;
  static constexpr copy_rates narrow =
      at_once.times(fitted && spreads_copies<Policy, typename Problem::input, false> ? spreading : 1);
  static constexpr copy_rates wide = !fitted                                                ? copy_rates{}
                                     : k_major                                              ? at_once
                                     : elements <= 1024                                     ? copy_rates_small
                                     : elements <= 2048                                     ? copy_rates_2048
                                     : elements > 4096 && Policy::block_m < Policy::block_n ? copy_rates_low
                                                                                            : copy_rates{};

  /// The part of its overhead that a block spares which follows others: it begins and ends while others multiply (H200,
  /// 48x128 tiles: 3000x3000x8 in 19.8 us, 4096x4096x16 in 33.8, where 23.5 and 41.6 would be without). Blocks that
  /// stay have the next operands brought meanwhile (10000 products of 64^3 in persistent_64x64x32: 155 us, not 220).
  static constexpr double hidden = [] {
    if constexpr (is_skinny<Policy>) {
      return Policy::few > 1 ? 0.37 : 0;
    } else if constexpr (is_persistent<Policy> && !takes_any_storage<Policy>) {
      return Policy::resident > 2 ? 0.7 : 0.3;
    } else if constexpr (defers_stores<Policy, Problem>) {
      return 0.45;  // its tile is stored while the next is multiplied
    } else if constexpr (requires { requires Policy::resident == 1; }) {
      return 0;  // there are no others
    } else {
      return !fitted ? 0 : elements <= 4096 && Policy::block_n > 2 * Policy::block_m ? 0.15 : 0.37;
    }
  }();
};

/// The part of a multiprocessor's peak that so many of its blocks reach.
inline double efficiency_of(policy_facts const& of, double blocks, bool wide) {
  copy_rates const& rates = wide ? of.wide : of.narrow;
  if (rates.most > 0) {
    return (std::min)(blocks * of.efficiency_alone * rates.alone, of.efficiency * rates.of(blocks));
  }
  double const narrow = of.elements() > 1024 ? 0.976 : 0.654;
  return (std::min)(blocks * of.efficiency_alone, of.efficiency) * (wide ? 1 : narrow) * of.turning;
}

/// Seconds of a block's own.
inline double overhead_of(policy_facts const& of, bool wide) { return of.overhead * (wide || of.fitted ? 1 : 1.35); }

/// How long a block waits besides for its first pieces: slender tiles of short k, one after the other, longer than they
/// multiply (an H200: 100001x8x100 in 30 us, not 20); and eight groups of warps, that have a multiprocessor to
/// themselves, for as long as nothing is on its way (160^3 sixteen times in 32x64 tiles: 12.3 us, not 8.1).
inline double waits_for_pieces(policy_facts const& of, double k, double blocks_each) {
  if (of.tma && !of.tensor && of.groups == 8) {
    return blocks_each > 1 ? 1.5e-6 * std::clamp((1024 - k) / 512, 0.0, 1.0) : 0;
  }
  return of.slender() && blocks_each > 2 ? 0.5e-6 * std::clamp((256 - k) / 56, 0.0, 1.0) : 0;
}

/// What part longer a block takes in slender tiles: where rows of a k-major A begin within 32 bytes, and for rows of
/// B of 32 bytes and less.
template <class Problem>
double slower_by_rows(policy_facts const& of, Problem const& p) {
  if (of.slender() && p.n * static_cast<int>(sizeof(typename Problem::input)) <= 32) {
    return 1.35;
  }
  return of.slender() && Problem::storage::a == major::k && p.lda % 8 == 4 ? 1.13 : 1;
}

/// How long a multiprocessor takes for so many blocks of a short k, after the first of which always some store: as long
/// as to multiply float's 30 k, whether or not all of the tile is in C (an H200: 4096x4096x1 in 19.8 us, 5000x3000x16
/// 28, 1000 of 100x100x10 26).
template <class Problem>
double seconds_of_outer_products(policy_facts const& of, Problem const& p, double blocks_each) {
  double const multiply_adds = 1.98e9 * 128 * 4 / sizeof(typename Problem::accum) * of.efficiency;
  double const k = static_cast<double>(p.k) + 30 * double{sizeof(typename Problem::output)} / 4;
  return of.overhead + (std::max)(blocks_each, 1.0) * of.block_m * of.block_n * k / multiply_adds;
}

/// How much of k it is as if blocks that stay multiplied, which do so by eights: a single tile counts whole, or as more
/// (H200, nt 71604x36x20 in 64 x 64 tiles 21.2 us, in pipelined_64x64x12 12.4); after that to store one takes as long
/// as some more k, most where it is small, ends outside C or has 36 rows (of 175 shapes 122 gain 3 % by it, 23 lose).
template <class Problem>
double multiplied_by_persistent(policy_facts const& of, Problem const& p) {
  constexpr std::int64_t steps = 8;
  std::int64_t const depth = of.block_k;
  double const inside_m = static_cast<double>(p.m / of.block_m) / static_cast<double>(tiles(p.m, of.block_m));
  double const inside_n = static_cast<double>(p.n / of.block_n) / static_cast<double>(tiles(p.n, of.block_n));
  if (p.k <= depth) {
    return static_cast<double>(depth) + 3 * (2 - inside_m - inside_n);
  }
  double const stored =
      2 + 16 * (1 - inside_m * inside_n) + (of.elements() <= 4096 ? 8 : 0) + (of.block_m % 8 == 0 ? 0 : 8);
  return (std::min)(static_cast<double>(tiles(p.k, depth) * depth),
                    static_cast<double>(tiles(p.k, steps) * steps) + stored);
}

/// How much of k a block multiplies: where k is short, and in the largest tiles, the zeros after its end count (H200,
/// of 8000 random products 40 are given to others than 128 x 128 tiles for it, and take 0.97 of the time; where groups
/// of warps share a tile, others multiply meanwhile: for them it would be 57, and 1.04). So does half of what groups of
/// warps wait for the others' last tiles (an H200, 999x2001x513 in 17 tiles by four groups: 62 us, not 57; 1281^3 129,
/// not 120).
template <class Problem>
double multiplied_k(policy_facts const& of, Problem const& p) {
  std::int64_t const depth = of.block_k;
  if (of.skinny) {
    return static_cast<double>(of.few > 1 ? (std::max)(p.k, depth / 2) : p.k);
  }
  if (of.tensor) {
    return static_cast<double>(p.k);
  }
  if (of.products > 1) {
    bool const ends = p.k <= depth && p.m >= of.block_m && p.n >= of.block_n;  // where k does, if whole
    return static_cast<double>(ends && Problem::storage::b == major::mn ? p.k : tiles(p.k, depth) * depth);
  }
  if (of.persistent) {
    return multiplied_by_persistent(of, p);
  }
  double const whole =
      static_cast<double>((of.tma && of.groups == 1) || p.k <= 6 * depth ? tiles(p.k, depth) * depth : p.k);
  if (of.tma && of.groups != 1) {
    std::int64_t const at_once = depth * of.groups;
    return (whole + static_cast<double>(tiles(p.k, at_once) * at_once)) / 2;
  }
  return whole;
}

}  // namespace gemm::detail
