// SPDX-License-Identifier: BSL-1.0
//! @file
//! The one place from which kernels are launched.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include <gemm/launch/device.hpp>

namespace gemm::detail {

/// The attributes of a launch: the blocks of a cluster along the grid's z, and whether the kernel is a dependent one.
/// Such a kernel starts before the one before it in the stream has ended, and waits for it itself.
struct launch_kind {
  int cluster = 1;
  bool dependent = false;
};

/// Does something to a kernel on the current device, once in each thread, which remembers the last kernels for which it
/// went well (docs/tuning-notes.md, Launches); not across a cudaDeviceReset(). `action` is given the device.
template <std::size_t Remembered, class Action>
[[gnu::noinline]] static cudaError_t once_for_kernel(void const* kernel, Action const& action) {
  struct known_kernel {
    void const* kernel = nullptr;
    int device = 0;
  };
  static thread_local known_kernel all[Remembered];
  static thread_local std::size_t next = 0;
  int device = 0;
  cudaError_t error = current_device(device);
  for (known_kernel const& known : all) {
    if (known.kernel == kernel && known.device == device) {
      return error;
    }
  }
  error = error == cudaSuccess ? action(device) : error;
  if (error == cudaSuccess) {
    all[next] = {kernel, device};
    next = (next + 1) % Remembered;
  }
  return error;
}

/// Grants a kernel as much dynamic shared memory as the device has for a block: the same for all launches, because
/// other threads may launch it with another size.
static inline cudaError_t grant_shared_memory(void const* kernel) {
  return once_for_kernel<16>(kernel, [&](int device) {
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
  constexpr std::size_t always_granted = 48 * 1024;
  if (shared_bytes > always_granted) {
    if (cudaError_t const error = grant_shared_memory(reinterpret_cast<void const*>(kernel)); error != cudaSuccess) {
      return error;
    }
  }
  launch_order const order(grid, threads, shared_bytes, stream, kind);
  return cudaLaunchKernelEx(&order.config, kernel, parameter);
}

}  // namespace gemm::detail
