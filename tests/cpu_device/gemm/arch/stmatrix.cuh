// SPDX-License-Identifier: BSL-1.0
//! @file
//! stmatrix: the CPU device's body of include/gemm/arch/stmatrix.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

namespace gemm::arch {

namespace stmatrix_detail {

template <bool Transposed>
void store(char const* what, void* row, std::uint32_t const (&pairs)[4], cpu_device::call_site where) {
  if (reinterpret_cast<std::uintptr_t>(row) % 16 != 0) {
    cpu_device::fail("%s (%s:%d): to %p, which must be a multiple of 16 bytes", what, where.file, where.line, row);
  }
  struct part {
    unsigned char* row;
    std::uint32_t pairs[4];
  } mine{static_cast<unsigned char*>(row), {pairs[0], pairs[1], pairs[2], pairs[3]}};
  cpu_device::warp_collective(
      what, 0xffffffffu, &mine,
      [](void* const* lanes, unsigned) {
        auto const element = [&](int matrix, int r, int c) {
          return static_cast<unsigned char const*>(
                     static_cast<void const*>(&static_cast<part const*>(lanes[r * 4 + c / 2])->pairs[matrix])) +
                 c % 2 * 2;
        };
        for (int matrix = 0; matrix < 4; ++matrix) {
          for (int r = 0; r < 8; ++r) {
            part const& of_row = *static_cast<part const*>(lanes[matrix * 8 + r]);
            for (int c = 0; c < 8; ++c) {
              std::memcpy(of_row.row + c * 2, Transposed ? element(matrix, c, r) : element(matrix, r, c), 2);
            }
          }
        }
      },
      where);
}

}  // namespace stmatrix_detail

/// As documented there.
__device__ inline void stmatrix(void* row, std::uint32_t const (&pairs)[4],
                                cpu_device::call_site where = cpu_device::call_site::current()) {
  stmatrix_detail::store<false>("stmatrix", row, pairs, where);
}

/// As documented there.
__device__ inline void stmatrix_transposed(void* row, std::uint32_t const (&pairs)[4],
                                           cpu_device::call_site where = cpu_device::call_site::current()) {
  stmatrix_detail::store<true>("stmatrix.trans", row, pairs, where);
}

}  // namespace gemm::arch
