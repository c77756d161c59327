// SPDX-License-Identifier: BSL-1.0
//! @file
//! stmatrix: the CPU device's body of include/gemm/arch/stmatrix.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

namespace gemm::arch {

/// As documented there.
__device__ inline void stmatrix(void* row, std::uint32_t const (&pairs)[4],
                                cpu_device::call_site where = cpu_device::call_site::current()) {
  if (reinterpret_cast<std::uintptr_t>(row) % 16 != 0) {
    cpu_device::fail("stmatrix (%s:%d): to %p, which must be a multiple of 16 bytes", where.file, where.line, row);
  }
  struct part {
    unsigned char* row;
    std::uint32_t pairs[4];
  } mine{static_cast<unsigned char*>(row), {pairs[0], pairs[1], pairs[2], pairs[3]}};
  cpu_device::warp_collective(
      "stmatrix", 0xffffffffu, &mine,
      [](void* const* lanes, unsigned) {
        for (int lane = 0; lane < 32; ++lane) {
          for (int matrix = 0; matrix < 4; ++matrix) {
            part const& of_row = *static_cast<part const*>(lanes[matrix * 8 + lane / 4]);
            std::memcpy(of_row.row + lane % 4 * 4, &static_cast<part const*>(lanes[lane])->pairs[matrix], 4);
          }
        }
      },
      where);
}

}  // namespace gemm::arch
