// SPDX-License-Identifier: BSL-1.0
//! @file
//! Where TMA puts what it brings, and finds what it stores.
#pragma once

#include <cstddef>

#include <gemm/launch/tensor_map.hpp>

namespace test {

/// Where the bytes of a box lie, as NVIDIA's tables of the swizzle modes have it: of 128 bytes, say, line l of eight
/// has its 16-byte pieces p at p ^ l.
inline std::size_t swizzled(std::size_t offset, std::size_t line_bytes, gemm::detail::tma_swizzle swizzle) {
  if (swizzle == gemm::detail::tma_swizzle::none) {
    return offset;
  }
  std::size_t const line = offset / line_bytes, piece = offset % line_bytes / 16;
  std::size_t const lines_per_128 = 128 / line_bytes, pieces = line_bytes / 16;
  return line * line_bytes + (piece ^ (line / lines_per_128 % pieces)) * 16 + offset % 16;
}

}  // namespace test
