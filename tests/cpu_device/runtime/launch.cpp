// SPDX-License-Identifier: BSL-1.0
//! @file
//! Checks a launch's configuration as CUDA does, then runs or records it.

#include "cpu_device/launch.hpp"

#include <memory>

#include "cpu_device/options.hpp"
#include "error.hpp"
#include "kernel_attributes.hpp"
#include "scheduler.hpp"
#include "stream.hpp"

namespace cpu_device {
namespace {

bool within(dim3 size, dim3 limit) {
  return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= limit.x && size.y <= limit.y && size.z <= limit.z;
}

// More needs cudaFuncAttributeNonPortableClusterSizeAllowed.
constexpr unsigned max_blocks_per_cluster = 8;

// The other attributes (programmatic launch, priorities) loosen or tune what launches in sequence fulfil anyway.
dim3 cluster_of(cudaLaunchConfig_t const& config) {
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (config.attrs[i].id == cudaLaunchAttributeClusterDimension) {
      auto const& cluster = config.attrs[i].val.clusterDim;
      return {cluster.x, cluster.y, cluster.z};
    }
  }
  return 1;
}

cudaError_t check_cluster(dim3 cluster, dim3 grid) {
  constexpr unsigned limit = max_blocks_per_cluster;
  if (!within(cluster, {limit, limit, limit}) || cluster.x * cluster.y * cluster.z > limit || grid.x % cluster.x != 0 ||
      grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
    return cudaErrorInvalidClusterSize;
  }
  if (cluster.x * cluster.y * cluster.z > 1 && current_options().device.compute_capability_major < 9) {
    return cudaErrorNotSupported;
  }
  return cudaSuccess;
}

// cudaLaunchKernelEx answers cudaErrorInvalidValue to all of these but a wrong cluster, unlike the <<<>>> syntax.
cudaError_t check(cudaLaunchConfig_t const& config, void const* kernel) {
  dim3 const grid = config.gridDim;
  dim3 const block = config.blockDim;
  if (!within(grid, {2147483647, 65535, 65535}) || !within(block, {1024, 1024, 64}) ||
      block.x * block.y * block.z > max_threads_per_block ||
      config.dynamicSmemBytes > attributes_of(kernel).max_dynamic_shared_memory) {
    return cudaErrorInvalidValue;
  }
  return check_cluster(cluster_of(config), grid);
}

cudaError_t run_or_record(cudaLaunchConfig_t const& config, kernel_call const& call) {
  // CUDA launches on the stream's device what was asked of and set for the current one, right or wrong.
  if (device_of(config.stream) != current_options().device.number) {
    return cudaErrorInvalidResourceHandle;
  }
  capture_sequence* recording = nullptr;
  if (cudaError_t const error = admit(config.stream, &recording); error != cudaSuccess) {
    return error;
  }
  launch_shape const shape{config.gridDim, cluster_of(config), config.blockDim, config.dynamicSmemBytes};
  if (recording == nullptr) {
    scheduler::of_this_thread().run_grid(shape, call);
  } else {
    recording->operations.push_back([shape, copy = std::shared_ptr<kernel_call const>(call.clone())] {
      scheduler::of_this_thread().run_grid(shape, *copy);
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
