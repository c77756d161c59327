// SPDX-License-Identifier: BSL-1.0
//! @file
//! ldmatrix: the CPU device's bodies of include/gemm/arch/ldmatrix.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include <gemm/arch/shared_load.cuh>

namespace gemm::arch {

namespace ldmatrix_detail {

template <bool Transposed, int N>
void load(char const* what, std::uint32_t (&words)[N], shared_address row, cpu_device::call_site where) {
  static_assert(N == 1 || N == 2 || N == 4, "gemm: ldmatrix loads 1, 2 or 4 matrices.");
  if (cpu_device::lane_index() < 8 * N && row % 16 != 0) {
    cpu_device::fail("%s (%s:%d): from %#zx, which must be a multiple of 16 bytes", what, where.file, where.line,
                     static_cast<std::size_t>(row));
  }
  struct part {
    unsigned char const* row;
    std::uint16_t pairs[N][2];
  } mine{reinterpret_cast<unsigned char const*>(row), {}};
  cpu_device::warp_collective(
      what, 0xffffffffu, &mine,
      [](void* const* lanes, unsigned) {
        for (int lane = 0; lane < 32; ++lane) {
          for (int matrix = 0; matrix < N; ++matrix) {
            for (int e = 0; e < 2; ++e) {
              int const along = lane % 4 * 2 + e, across = lane / 4;
              int const r = Transposed ? along : across, c = Transposed ? across : along;
              std::memcpy(&static_cast<part*>(lanes[lane])->pairs[matrix][e],
                          static_cast<part const*>(lanes[matrix * 8 + r])->row + c * 2, 2);
            }
          }
        }
      },
      where);
  std::memcpy(words, mine.pairs, sizeof(words));
}

}  // namespace ldmatrix_detail

/// As documented there.
template <int N>
__device__ inline void ldmatrix(std::uint32_t (&words)[N], shared_address row,
                                cpu_device::call_site where = cpu_device::call_site::current()) {
  ldmatrix_detail::load<false>("ldmatrix", words, row, where);
}

/// As documented there.
template <int N>
__device__ inline void ldmatrix_transposed(std::uint32_t (&words)[N], shared_address row,
                                           cpu_device::call_site where = cpu_device::call_site::current()) {
  ldmatrix_detail::load<true>("ldmatrix_transposed", words, row, where);
}

/// As documented there.
template <unsigned Selector>
__device__ inline std::uint32_t permute_bytes(std::uint32_t a, std::uint32_t b) {
  std::uint64_t const bytes = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    result |= static_cast<std::uint32_t>(bytes >> (Selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  }
  return result;
}

}  // namespace gemm::arch
