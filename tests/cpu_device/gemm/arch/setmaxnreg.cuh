// SPDX-License-Identifier: BSL-1.0
//! @file
//! setmaxnreg: the CPU device's bodies of include/gemm/arch/setmaxnreg.cuh, which only see to it that warps agree.
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

/// As documented there.
template <int Registers>
__device__ inline void setmaxnreg_inc(cpu_device::call_site where = cpu_device::call_site::current()) {
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0,
                "gemm: setmaxnreg takes 24 to 256 registers, a multiple of 8.");
  cpu_device::warp_collective("setmaxnreg_inc", 0xffffffffu, nullptr, nullptr, where);
}

/// As documented there.
template <int Registers>
__device__ inline void setmaxnreg_dec(cpu_device::call_site where = cpu_device::call_site::current()) {
  static_assert(Registers >= 24 && Registers <= 256 && Registers % 8 == 0,
                "gemm: setmaxnreg takes 24 to 256 registers, a multiple of 8.");
  cpu_device::warp_collective("setmaxnreg_dec", 0xffffffffu, nullptr, nullptr, where);
}

}  // namespace gemm::arch
