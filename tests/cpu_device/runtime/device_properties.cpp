// SPDX-License-Identifier: BSL-1.0
//! @file
//! The devices that there are, as the runtime describes them.

#include <algorithm>
#include <cstdio>
#include <utility>

#include "cpu_device/options.hpp"
#include "error.hpp"
#include "kernel_attributes.hpp"

namespace cpu_device {
namespace {

constexpr int max_block_dimensions[3] = {1024, 1024, 64};
constexpr int max_grid_dimensions[3] = {2147483647, 65535, 65535};

cudaError_t attribute(int* value, cudaDeviceAttr attribute, device_model const& device) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = max_threads_per_block;
      break;
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
    case cudaDevAttrMaxBlockDimZ:
      *value = max_block_dimensions[attribute - cudaDevAttrMaxBlockDimX];
      break;
    case cudaDevAttrMaxGridDimX:
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      *value = max_grid_dimensions[attribute - cudaDevAttrMaxGridDimX];
      break;
    case cudaDevAttrWarpSize:
      *value = warpSize;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = device.compute_capability_major;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = device.compute_capability_minor;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = device.multiprocessors;
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      *value = device.blocks_per_multiprocessor;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = device.threads_per_multiprocessor;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      *value = device.registers_per_multiprocessor;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = int(device.shared_memory_per_block);
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = int(device.shared_memory_per_block_optin);
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = int(device.shared_memory_per_multiprocessor);
      break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      *value = int(device.shared_memory_reserved_per_block);
      break;
    case cudaDevAttrL2CacheSize:
      *value = device.l2_cache_bytes;
      break;
    case cudaDevAttrClockRate:
      *value = device.clock_khz;
      break;
    case cudaDevAttrMemoryClockRate:
      *value = device.memory_clock_khz;
      break;
    case cudaDevAttrGlobalMemoryBusWidth:
      *value = device.memory_bus_bits;
      break;
    case cudaDevAttrMemoryPoolsSupported:
      *value = device.pools != memory_pools::missing;
      break;
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrConcurrentKernels:
      *value = 1;
      break;
    case cudaDevAttrClusterLaunch:
      *value = device.compute_capability_major >= 9 ? 1 : 0;
      break;
    case cudaDevAttrCooperativeLaunch:
      *value = 0;
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

void describe(cudaDeviceProp& properties, device_model const& device) {
  properties = {};
  std::snprintf(properties.name, sizeof(properties.name), "CPU device");
  properties.totalGlobalMem = device.global_memory;
  properties.sharedMemPerBlock = device.shared_memory_per_block;
  properties.sharedMemPerBlockOptin = device.shared_memory_per_block_optin;
  properties.sharedMemPerMultiprocessor = device.shared_memory_per_multiprocessor;
  properties.reservedSharedMemPerBlock = device.shared_memory_reserved_per_block;
  properties.regsPerBlock = device.registers_per_multiprocessor;
  properties.regsPerMultiprocessor = device.registers_per_multiprocessor;
  properties.warpSize = warpSize;
  properties.maxThreadsPerBlock = max_threads_per_block;
  properties.maxThreadsPerMultiProcessor = device.threads_per_multiprocessor;
  properties.maxBlocksPerMultiProcessor = device.blocks_per_multiprocessor;
  for (int i = 0; i < 3; ++i) {
    properties.maxThreadsDim[i] = max_block_dimensions[i];
    properties.maxGridSize[i] = max_grid_dimensions[i];
  }
  properties.major = device.compute_capability_major;
  properties.minor = device.compute_capability_minor;
  properties.multiProcessorCount = device.multiprocessors;
  properties.l2CacheSize = device.l2_cache_bytes;
  properties.concurrentKernels = 1;
  properties.unifiedAddressing = 1;
  properties.memoryPoolsSupported = device.pools != memory_pools::missing;
}

// Null where there is none of this number.
device_model* find_device(int number) {
  options& all = current_options();
  if (number == all.device.number) {
    return &all.device;
  }
  auto const found = std::find_if(all.others.begin(), all.others.end(),
                                  [&](device_model const& device) { return device.number == number; });
  return found != all.others.end() ? &*found : nullptr;
}

cudaError_t make_current(int number) {
  device_model* const found = find_device(number);
  if (found == nullptr) {
    return cudaErrorInvalidDevice;
  }
  if (found != &current_options().device) {
    std::swap(*found, current_options().device);
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace cpu_device

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1 + int(cpu_device::current_options().others.size());
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = cpu_device::current_options().device.number;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) { return cpu_device::remember(cpu_device::make_current(device)); }

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  cpu_device::device_model const* const found = cpu_device::find_device(device);
  return cpu_device::remember(found != nullptr ? cpu_device::attribute(value, attribute, *found)
                                               : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  cpu_device::device_model const* const found = cpu_device::find_device(device);
  if (found == nullptr) {
    return cpu_device::remember(cudaErrorInvalidDevice);
  }
  cpu_device::describe(*properties, *found);
  return cudaSuccess;
}
