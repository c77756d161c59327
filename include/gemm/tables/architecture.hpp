// SPDX-License-Identifier: BSL-1.0
//! @file
//! Facts of all GPUs of a compute capability: arithmetic throughput, and how many clusters are resident. Sources: CUDA
//! C++ Programming Guide, arithmetic instructions; NVIDIA's architecture white papers.
#pragma once

namespace gemm::tables {

/// Multiply-adds of a multiprocessor in a clock by an instruction of tensor cores, dense; 0: there is none.
struct tensor_rates {
  double of_16_bits = 0, tf32 = 0, int8 = 0, fp8 = 0, f64 = 0;
};

/// Multiply-adds of a multiprocessor in a clock, on FMA units (int8: IMAD) and by mma.sync and wgmma.
struct arithmetic {
  int major = 0, minor = 0;
  double f32 = 0, f64 = 0, i8 = 0;
  tensor_rates mma{}, wgmma{};
};

/// What sm_90 has: mma.sync in a loop of registers alone reaches 0.6 of wgmma's rate. It multiplies fp8 as half.
inline constexpr double mma_of_wgmma = 0.6;
inline constexpr tensor_rates sm90_wgmma{2048, 1024, 4096, 4096};
inline constexpr tensor_rates sm90_mma{mma_of_wgmma * sm90_wgmma.of_16_bits, mma_of_wgmma* sm90_wgmma.tf32,
                                       mma_of_wgmma* sm90_wgmma.int8, mma_of_wgmma* sm90_wgmma.of_16_bits, 128};

inline constexpr arithmetic arithmetics[] = {
    {8, 0, 64, 32, 64, {1024, 512, 2048, 0, 64}}, {8, 6, 128, 2, 64, {512, 256, 1024}},
    {8, 7, 128, 2, 64, {512, 256, 1024}},         {8, 9, 128, 2, 64, {512, 256, 1024, 1024}},
    {9, 0, 128, 64, 64, sm90_mma, sm90_wgmma},    {10, 0, 128, 64, 64, {4096, 2048, 8192, 8192, 64}},
    {12, 0, 128, 2, 64, {512, 256, 1024, 1024}},
};

/// Those of a compute capability, or of the last one before it.
constexpr arithmetic const& arithmetic_of(int major, int minor) {
  arithmetic const* found = arithmetics;
  for (arithmetic const& a : arithmetics) {
    found = a.major * 10 + a.minor <= major * 10 + minor ? &a : found;
  }
  return *found;
}

/// Blocks that clusters of up to 8 can have at a time on the 132 multiprocessors of an H200, one to three on each:
/// clusters stay within a GPC, and GPCs are not multiples of all sizes (cudaOccupancyMaxActiveClusters(), and runs).
inline constexpr double slots_of_clusters[3][9] = {{132, 132, 132, 117, 120, 110, 102, 105, 120},
                                                   {264, 264, 264, 246, 264, 235, 234, 224, 240},
                                                   {396, 396, 396, 378, 384, 367, 366, 329, 360}};

/// Blocks that clusters of `size` can have at a time, `resident` on each multiprocessor; clusters of 2 fill all.
constexpr double cluster_slots(int size, int resident, int multiprocessors) {
  constexpr int measured = 132;
  int const row = resident <= 2 ? resident - 1 : resident == 3 ? 2 : 1;
  double const left_out = size < 0 || size > 8 ? 0 : 1 - slots_of_clusters[row][size] / (measured * (row + 1));
  return (1 - left_out * (row + 1) / resident) * resident * multiprocessors;
}

}  // namespace gemm::tables
