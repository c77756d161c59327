// SPDX-License-Identifier: BSL-1.0
//! @file
//! Memory pools: names for the one heap, from which they take and to which they give back at once.

#include <cstddef>
#include <cstdint>

#include "cpu_device/options.hpp"
#include "error.hpp"
#include "memory.hpp"
#include "stream.hpp"

struct CUmemPoolHandle_st {
  int device;
};

namespace {

bool has_pools() { return cpu_device::current_options().device.pools == cpu_device::memory_pools::supported; }

}  // namespace

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, cudaMemPoolProps const* properties) {
  if (!has_pools()) {
    return cpu_device::remember(cudaErrorNotSupported);
  }
  bool const legal = pool != nullptr && properties != nullptr && properties->allocType == cudaMemAllocationTypePinned &&
                     properties->location.type == cudaMemLocationTypeDevice &&
                     properties->location.id == cpu_device::current_options().device.number;
  if (legal) {
    *pool = new CUmemPoolHandle_st{properties->location.id};
  }
  return cpu_device::remember(legal ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  delete pool;
  return cpu_device::remember(cudaSuccess);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void* value) {
  return cpu_device::remember(pool != nullptr && value != nullptr ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  bool const legal = pool != nullptr && value != nullptr && attribute == cudaMemPoolAttrUsedMemCurrent;
  if (legal) {
    *static_cast<std::uint64_t*>(value) = cpu_device::allocated_bytes();  // of all pools, and beside them
  }
  return cpu_device::remember(legal ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  // CUDA gives memory of the pool's device, which the stream's may be unable to access.
  bool const legal = pool != nullptr && pool->device == cpu_device::device_of(stream);
  return legal ? cudaMallocAsync(pointer, bytes, stream) : cpu_device::remember(cudaErrorInvalidValue);
}

cudaError_t cudaMemGetInfo(size_t* available, size_t* total) {
  *total = cpu_device::current_options().device.global_memory;
  *available = *total - cpu_device::allocated_bytes();
  return cpu_device::remember(cudaSuccess);
}
