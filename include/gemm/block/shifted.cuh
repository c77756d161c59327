// SPDX-License-Identifier: BSL-1.0
//! @file
//! Copies between rows that are not aligned alike, still 16 bytes at a time (funnel shift).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/block/vector.cuh>

namespace gemm::detail {

using piece_of_16 = vector<std::uint32_t, 4>;

/// The 16 bytes that begin so many bytes, fewer than 16, into 32.
__device__ inline piece_of_16 piece_from(piece_of_16 const& low, piece_of_16 const& high, unsigned begin) {
  std::uint32_t word[8] = {low.element[0],  low.element[1],  low.element[2],  low.element[3],
                           high.element[0], high.element[1], high.element[2], high.element[3]};
#pragma unroll
  for (int i = 0; i < 6; ++i) {
    word[i] = (begin & 8) != 0 ? word[i + 2] : word[i];
  }
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    word[i] = (begin & 4) != 0 ? word[i + 1] : word[i];
  }
  piece_of_16 result;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    std::uint64_t const both = std::uint64_t{word[i + 1]} << 32 | word[i];
    result.element[i] = static_cast<std::uint32_t>(both >> (begin % 4 * 8));
  }
  return result;
}

/// Stores so many elements, which lie from a multiple of 16 bytes on in shared memory, with 16 more bytes behind them.
/// By a whole warp: aligned parts of `to` in pieces, the elements before and after by themselves.
template <class T>
__device__ void store_line(T* to, T const* shared, int count) {
  constexpr int width = widest<T>;
  int const lane = static_cast<int>(threadIdx.x) % 32;
  int const beyond = static_cast<int>(reinterpret_cast<std::uintptr_t>(to) % 16 / sizeof(T));
  int const head = beyond == 0 ? 0 : width - beyond < count ? width - beyond : count;
  int const pieces = (count - head) / width, tail = head + pieces * width;
  auto const* const from = reinterpret_cast<piece_of_16 const*>(shared);
  for (int i = lane; i < pieces; i += 32) {
    *reinterpret_cast<piece_of_16*>(to + head + i * width) =
        piece_from(from[i], from[i + 1], static_cast<unsigned>(head * static_cast<int>(sizeof(T))));
  }
  int const element = lane < width ? lane : tail + lane - width;
  if (lane < width ? element < head : element < count && lane < 2 * width) {
    to[element] = shared[element];
  }
}

}  // namespace gemm::detail
