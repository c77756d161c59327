// SPDX-License-Identifier: BSL-1.0
//! @file
//! The one place from which kernels are launched.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include <gemm/host/compiled_code.cuh>

namespace gemm::detail {

/// What is particular to a launch: how many blocks along the grid's z are a cluster, and whether the kernel may start
/// before the one before it in the stream has ended, for which it waits itself.
struct launch_kind {
  int cluster = 1;
  bool dependent = false;
};

/// Enqueues a kernel with one parameter.
template <class Parameter>
cudaError_t launch(void (*kernel)(Parameter), dim3 grid, int threads, std::size_t shared_bytes, cudaStream_t stream,
                   Parameter const& parameter, launch_kind const& kind = {}) {
  if (shared_bytes > 48 * 1024) {  // more than that is granted only on demand
    cudaError_t const error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
    if (error != cudaSuccess) {
      return error;
    }
  }
  cudaLaunchConfig_t config{};
  config.gridDim = grid;
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  cudaLaunchAttribute attributes[3]{};
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
    // Else whole clusters share a few multiprocessors while others idle (sm_90, 1024^3 in clusters of 4: 78, not 51
    // us).
    cudaLaunchAttribute& policy = attributes[config.numAttrs++];
    policy.id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
    policy.val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyLoadBalancing;
  }
  return cudaLaunchKernelEx(&config, kernel, parameter);
}

/// Whether kernels are launched as dependent ones: the code must have the instruction by which they wait.
inline bool launches_dependents() { return has_sm90a_code(); }

}  // namespace gemm::detail
