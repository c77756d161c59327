// SPDX-License-Identifier: BSL-1.0
//! @file
//! Checks a launch's configuration as CUDA does, then runs or records it.

#include "cpu_device/launch.hpp"

#include <memory>

#include "error.hpp"
#include "kernel_attributes.hpp"
#include "scheduler.hpp"
#include "stream.hpp"

namespace cpu_device {
namespace {

bool within(dim3 size, dim3 limit) {
  return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= limit.x && size.y <= limit.y && size.z <= limit.z;
}

// cudaLaunchKernelEx answers cudaErrorInvalidValue to all of these, unlike the <<<>>> syntax.
cudaError_t check(cudaLaunchConfig_t const& config, void const* kernel) {
  dim3 const grid = config.gridDim;
  dim3 const block = config.blockDim;
  if (!within(grid, {2147483647, 65535, 65535}) || !within(block, {1024, 1024, 64}) ||
      block.x * block.y * block.z > max_threads_per_block ||
      config.dynamicSmemBytes > attributes_of(kernel).max_dynamic_shared_memory) {
    return cudaErrorInvalidValue;
  }
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    cudaLaunchAttribute const& attribute = config.attrs[i];
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      auto const& cluster = attribute.val.clusterDim;
      if (cluster.x == 0 || cluster.y == 0 || cluster.z == 0 || grid.x % cluster.x != 0 || grid.y % cluster.y != 0 ||
          grid.z % cluster.z != 0) {
        return cudaErrorInvalidClusterSize;
      }
      if (cluster.x * cluster.y * cluster.z > 1) {
        return cudaErrorNotSupported;
      }
    }
    // The others (programmatic launch, priorities) loosen or tune what launches in sequence fulfil anyway.
  }
  return cudaSuccess;
}

cudaError_t run_or_record(cudaLaunchConfig_t const& config, kernel_call const& call) {
  capture_sequence* recording = nullptr;
  if (cudaError_t const error = admit(config.stream, &recording); error != cudaSuccess) {
    return error;
  }
  if (recording == nullptr) {
    scheduler::of_this_thread().run_grid(config.gridDim, config.blockDim, config.dynamicSmemBytes, call);
  } else {
    recording->operations.push_back([config, copy = std::shared_ptr<kernel_call const>(call.clone())] {
      scheduler::of_this_thread().run_grid(config.gridDim, config.blockDim, config.dynamicSmemBytes, *copy);
    });
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t launch(cudaLaunchConfig_t const& config, void const* kernel, kernel_call const& call) {
  if (cudaError_t const error = check(config, kernel); error != cudaSuccess) {
    invalidate_capture(config.stream);
    return remember(error);
  }
  return remember(run_or_record(config, call));
}

}  // namespace cpu_device
