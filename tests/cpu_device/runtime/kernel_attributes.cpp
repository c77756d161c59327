// SPDX-License-Identifier: BSL-1.0
//! @file
//! cudaFuncSetAttribute, cudaFuncGetAttributes and the occupancy that follows from them.

#include "kernel_attributes.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "cpu_device/options.hpp"
#include "error.hpp"
#include "sanitizers.hpp"

namespace cpu_device {
namespace {

struct attribute_table {
  std::mutex mutex;
  std::unordered_map<void const*, kernel_attributes> by_kernel;
};

attribute_table& table() {
  static attribute_table shared;
  return shared;
}

}  // namespace

kernel_attributes attributes_of(void const* kernel) {
  sanitizer::unobserved const bookkeeping;
  std::lock_guard const lock(table().mutex);
  auto const found = table().by_kernel.find(kernel);
  return found != table().by_kernel.end() ? found->second
                                          : kernel_attributes{current_options().device.shared_memory_per_block};
}

namespace {

cudaError_t set_attribute(void const* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
    return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;  // a hint
  }
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
      std::size_t(value) > current_options().device.shared_memory_per_block_optin) {
    return cudaErrorInvalidValue;
  }
  sanitizer::unobserved const bookkeeping;
  std::lock_guard const lock(table().mutex);
  table().by_kernel[kernel] = {std::size_t(value)};
  return cudaSuccess;
}

// How many blocks a multiprocessor holds, by its threads and its shared memory; registers are not modelled.
int resident_blocks(void const* kernel, unsigned block_size, std::size_t dynamic_shared_memory) {
  device_model const& device = current_options().device;
  if (block_size > max_threads_per_block || dynamic_shared_memory > attributes_of(kernel).max_dynamic_shared_memory) {
    return 0;
  }
  constexpr std::size_t granularity = 128;
  std::size_t const shared_memory =
      (dynamic_shared_memory + granularity - 1) / granularity * granularity + device.shared_memory_reserved_per_block;
  unsigned const threads = (block_size + 31) / 32 * 32;
  return int(
      std::min({std::size_t(device.blocks_per_multiprocessor), std::size_t(device.threads_per_multiprocessor) / threads,
                device.shared_memory_per_multiprocessor / shared_memory}));
}

}  // namespace
}  // namespace cpu_device

cudaError_t cudaFuncSetAttribute(void const* kernel, cudaFuncAttribute attribute, int value) {
  return cpu_device::remember(cpu_device::set_attribute(kernel, attribute, value));
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void const* kernel) {
  cpu_device::device_model const& device = cpu_device::current_options().device;
  *attributes = {};
  attributes->maxThreadsPerBlock = device.kernel_threads;
  attributes->binaryVersion = device.compute_capability_major * 10 + device.compute_capability_minor;
  attributes->ptxVersion = attributes->binaryVersion;
  attributes->maxDynamicSharedSizeBytes = int(cpu_device::attributes_of(kernel).max_dynamic_shared_memory);
  attributes->preferredShmemCarveout = -1;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const* kernel, int block_size,
                                                          size_t dynamic_shared_memory) {
  if (blocks == nullptr || block_size <= 0) {
    return cpu_device::remember(cudaErrorInvalidValue);
  }
  *blocks = cpu_device::resident_blocks(kernel, unsigned(block_size), dynamic_shared_memory);
  return cudaSuccess;
}
