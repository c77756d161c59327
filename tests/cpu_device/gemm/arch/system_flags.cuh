// SPDX-License-Identifier: BSL-1.0
//! @file
//! Words of all devices, and time: the CPU device's bodies of include/gemm/arch/system_flags.cuh.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstdint>
#include <thread>

namespace gemm::arch {

/// As documented there. Other host threads may run the kernels of other devices.
__device__ inline void store_release_system(std::uint32_t* to, std::uint32_t value) {
  __atomic_store_n(to, value, __ATOMIC_RELEASE);
}

/// As documented there.
__device__ inline std::uint32_t load_acquire_system(std::uint32_t const* from) {
  return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

/// As documented there. The order between proxies is not modelled.
__device__ inline void fence_proxy_async_global() {}

/// As documented there.
__device__ inline std::uint64_t nanoseconds() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

/// As documented there: the host's other threads run meanwhile, not the kernel's.
__device__ inline void pause() { std::this_thread::yield(); }

}  // namespace gemm::arch
