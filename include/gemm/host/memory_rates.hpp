// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the model of host/model.hpp knows of how fast a policy's blocks load and store.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <gemm/block/problem.cuh>
#include <gemm/host/compiled_kernel.hpp>

namespace gemm::detail {

/// The least seconds for so many bytes of float C, which blocks that stay store while few others load (H200, by
/// persistent_128x64x32: 3000x3000x8 in 23.5 us, as long as 3000x3000x24; 2000x3000x12 in 17.1).
inline double seconds_of_storing(compiled_kernel const& of, double bytes) {
  return of.is_persistent() && !of.on_tensor_cores() ? 3.8e-6 + bytes / 2.2e12 : 0;
}

/// What part longer memory takes for matrix-vector products of float in so many blocks. Those of 512 threads have a
/// part of the bandwidth of two neighbouring multiprocessors: as many as there are such pairs have one each, more than
/// that wait for the last pair's two. Each begins and ends by itself, which is much of a short k, and lines that begin
/// anywhere are read by element (an H200, medians of 3400 such products: 1.7 with 60 blocks, 2.1 with 70, 1.3 with 125,
/// 1.2 with 300, 1.65 there where k is 1200; by element 2.1 and, where k is long, 1.3).
template <class Problem>
double slower_by_vectors(compiled_kernel const& of, Problem const& p, double blocks, bool wide, int multiprocessors) {
  bool const along_k = of.skinny_m ? Problem::storage::b == major::k : Problem::storage::a == major::k;
  double const each = blocks / multiprocessors;
  if (of.threads < 512) {
    return (!along_k ? 1.1 : wide ? 1.15 : 1.3) * (each > 1 ? 1 : 1.5);
  }
  double const least_k = !along_k ? 300 : each <= 1 ? (wide ? 350 : 480) : wide ? 500 : 800;
  double const of_k = 1 + least_k / static_cast<double>(std::max<std::int64_t>(p.k, 1));
  if (each <= 0.5) {
    double const by_element = along_k ? 1.4 : 1.1;
    return 0.57 / each * of_k * (wide ? 1 : by_element);
  }
  if (each <= 1) {
    return (0.25 + 0.8 / each) * of_k;
  }
  double const by_element = along_k ? 1.2 : 1.32;
  return (std::max)(each <= 2 ? 1.8 / each : 1.05, wide ? 1 : by_element) * of_k;
}

/// What part longer memory takes for a policy's threads. Skinny ones have what is on its way in registers, and many of
/// them their multiprocessor's part of the bandwidth; those of 4 x 128 what their efficiency says; those of eight rows
/// or columns fall short more where the last of `rounds` is not full (an H200, tt 10132x2x7699 in 636 blocks 100 us, in
/// 477, of 528 places, 82). Tiles of few rows fall short, too.
template <class Problem>
double slower_by_threads(compiled_kernel const& of, Problem const& p, double blocks, double rounds, bool wide,
                         int multiprocessors) {
  if (of.is_skinny()) {
    if (std::is_same_v<typename Problem::input, float> && of.few <= 1) {
      return slower_by_vectors(of, p, blocks, wide, multiprocessors);
    }
    double const uneven = std::ceil(blocks / multiprocessors) * multiprocessors / blocks;
    bool const counts = of.threads >= 512 && blocks > multiprocessors && uneven > 1.1;
    double const more = of.few <= 1 ? 1 : of.few > 4 ? 1.13 : of.many > 64 ? 0.67 : 1.04;
    double const unfilled = of.few > 4 && rounds > 1 ? std::sqrt(std::ceil(rounds) / rounds) : 1;
    return more * unfilled * (counts ? uneven : (std::max)(1.0, 30720 / (blocks * of.threads)));
  }
  return of.uses_tma() && !of.on_tensor_cores() && of.block_m <= 16 ? 1.08 : 1;
}

}  // namespace gemm::detail
