// SPDX-License-Identifier: BSL-1.0
//! @file
//! The one place from which kernels are launched.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/launch/device.hpp>

namespace gemm::detail {

/// The attributes of a launch: the blocks of a cluster along the grid's z, and whether the kernel is a dependent one.
/// Such a kernel starts before the one before it in the stream has ended, and waits for it itself.
struct launch_kind {
  int cluster = 1;
  bool dependent = false;
};

/// Does something to a kernel on the current device, once in a process, which remembers the last kernels for which it
/// went well (docs/tuning-notes.md, Launches); a cudaDeviceReset() makes that wrong. `action` is given the
/// device. Threads that are first at the same time all do it.
template <std::size_t Remembered, class Action>
[[gnu::noinline]] static cudaError_t once_for_kernel(void const* kernel, Action const& action) {
  static std::uint64_t all[Remembered];  // kernels and devices, 0 for none, read and written atomically
  static std::size_t next = 0;
  int device = 0;
  cudaError_t error = current_device(device);
  constexpr int address_bits = 57;
  std::uint64_t const own = reinterpret_cast<std::uintptr_t>(kernel) | static_cast<std::uint64_t>(device)
                                                                           << address_bits;
  for (std::uint64_t const& known : all) {
    if (__atomic_load_n(&known, __ATOMIC_ACQUIRE) == own) {
      return error;
    }
  }
  error = error == cudaSuccess ? action(device) : error;
  if (error == cudaSuccess) {
    std::size_t const slot = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % Remembered;
    __atomic_store_n(&all[slot], own, __ATOMIC_RELEASE);
  }
  return error;
}

/// Grants a kernel that is launched with so much dynamic shared memory as much as the device has for a block: the same
/// for all launches, because other threads may launch it with another size.
static inline cudaError_t grant_shared_memory(void const* kernel, std::size_t shared_bytes) {
  constexpr std::size_t always_granted = 48 * 1024;
  if (shared_bytes <= always_granted) {
    return cudaSuccess;
  }
  return once_for_kernel<32>(kernel, [&](int device) {
    int available = 0;
    cudaError_t const error = cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    return error == cudaSuccess ? cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, available)
                                : error;
  });
}

/// A launch without its kernel and the types of that, so that it is compiled once.
struct launch_order {
  cudaLaunchConfig_t config{};
  cudaLaunchAttribute attributes[3]{};

  [[gnu::noinline]] launch_order(dim3 grid, int threads, std::size_t shared_bytes, cudaStream_t stream,
                                 launch_kind const& kind) {
    config.gridDim = grid;
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = attributes;
    if (kind.dependent) {
      cudaLaunchAttribute& attribute = attributes[config.numAttrs++];
      attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
      attribute.val.programmaticStreamSerializationAllowed = 1;
    }
    if (kind.cluster > 1) {
      cudaLaunchAttribute& size = attributes[config.numAttrs++];
      size.id = cudaLaunchAttributeClusterDimension;
      size.val.clusterDim.x = size.val.clusterDim.y = 1;
      size.val.clusterDim.z = static_cast<unsigned>(kind.cluster);
      // Else whole clusters share a few multiprocessors while others idle (docs/tuning-notes.md, Launches).
      cudaLaunchAttribute& policy = attributes[config.numAttrs++];
      policy.id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
      policy.val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyLoadBalancing;
    }
  }
  launch_order(launch_order const&) = delete;
  launch_order& operator=(launch_order const&) = delete;
};

/// Enqueues a kernel with one parameter, by the runtime. The driver's cuLaunchKernelEx needs a look-up of the function
/// and is no faster (docs/tuning-notes.md, Launches).
template <class Parameter>
static cudaError_t launch(void (*kernel)(Parameter), dim3 grid, int threads, std::size_t shared_bytes,
                          cudaStream_t stream, Parameter const& parameter, launch_kind const& kind = {}) {
  if (cudaError_t const error = grant_shared_memory(reinterpret_cast<void const*>(kernel), shared_bytes);
      error != cudaSuccess) {
    return error;
  }
  launch_order const order(grid, threads, shared_bytes, stream, kind);
  return cudaLaunchKernelEx(&order.config, kernel, parameter);
}

}  // namespace gemm::detail
