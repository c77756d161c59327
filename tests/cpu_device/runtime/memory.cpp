// SPDX-License-Identifier: BSL-1.0
//! @file
//! Allocating and releasing global memory, at once and in stream order.

#include "memory.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "cpu_device/options.hpp"
#include "error.hpp"
#include "sanitizers.hpp"
#include "stream.hpp"

namespace cpu_device {
namespace {

constexpr std::size_t alignment = 256;

// Above this fresh memory is left as the host gives it: huge sparse operands would otherwise cost all their pages.
constexpr std::size_t largest_filled = std::size_t(256) << 20;

struct allocation_table {
  std::mutex mutex;
  std::unordered_map<void*, std::size_t> bytes_of;
  std::size_t total = 0;
};

// Not destroyed, because static objects of the program may release memory when it ends.
allocation_table& allocations() {
  static auto* const table = new allocation_table;
  return *table;
}

}  // namespace

void forget(void* pointer, std::size_t bytes) {
  if (bytes <= largest_filled) {
    std::memset(pointer, 0xff, bytes);
  }
}

cudaError_t allocate(void** pointer, std::size_t bytes) {
  if (pointer == nullptr) {
    return cudaErrorInvalidValue;
  }
  *pointer = nullptr;
  if (bytes == 0) {
    return cudaSuccess;
  }
  {
    sanitizer::unobserved const bookkeeping;
    std::lock_guard const lock(allocations().mutex);
    std::size_t const available = current_options().device.global_memory;
    if (bytes > available || allocations().total > available - bytes ||
        posix_memalign(pointer, alignment, bytes) != 0) {
      return cudaErrorMemoryAllocation;
    }
    allocations().bytes_of.emplace(*pointer, bytes);
    allocations().total += bytes;
  }
  forget(*pointer, bytes);
  return cudaSuccess;
}

std::size_t allocated_bytes() {
  sanitizer::unobserved const bookkeeping;
  std::lock_guard const lock(allocations().mutex);
  return allocations().total;
}

cudaError_t release(void* pointer) {
  if (pointer == nullptr) {
    return cudaSuccess;
  }
  {
    sanitizer::unobserved const bookkeeping;
    std::lock_guard const lock(allocations().mutex);
    auto const found = allocations().bytes_of.find(pointer);
    if (found == allocations().bytes_of.end()) {
      return cudaErrorInvalidValue;
    }
    allocations().total -= found->second;
    allocations().bytes_of.erase(found);
  }
  std::free(pointer);
  return cudaSuccess;
}

namespace {

cudaError_t allocate_now(void** pointer, std::size_t bytes) {
  cudaError_t const error = forbid_during_capture();
  return error != cudaSuccess ? error : allocate(pointer, bytes);
}

cudaError_t release_now(void* pointer) {
  if (pointer == nullptr) {
    return cudaSuccess;
  }
  cudaError_t const error = forbid_during_capture();
  return error != cudaSuccess ? error : release(pointer);
}

// A graph's memory has one address for all its launches: it is taken during the capture and belongs to the operation.
cudaError_t record_allocation(capture_sequence& sequence, void** pointer, std::size_t bytes) {
  if (cudaError_t const error = allocate(pointer, bytes); error != cudaSuccess || *pointer == nullptr) {
    return error;
  }
  std::shared_ptr<void> const owner(*pointer, [](void* memory) { release(memory); });
  sequence.allocations.emplace(*pointer, owner);
  sequence.operations.push_back([owner, bytes] { forget(owner.get(), bytes); });
  return cudaSuccess;
}

cudaError_t allocate_in_order(void** pointer, std::size_t bytes, cudaStream_t stream) {
  if (current_options().device.pools != memory_pools::supported) {
    return cudaErrorNotSupported;
  }
  capture_sequence* recording = nullptr;
  if (cudaError_t const error = admit(stream, &recording); error != cudaSuccess) {
    return error;
  }
  return recording != nullptr ? record_allocation(*recording, pointer, bytes) : allocate_now(pointer, bytes);
}

cudaError_t release_in_order(void* pointer, cudaStream_t stream) {
  capture_sequence* recording = nullptr;
  if (cudaError_t const error = admit(stream, &recording); error != cudaSuccess) {
    return error;
  }
  if (recording != nullptr) {
    return recording->allocations.erase(pointer) != 0 ? cudaSuccess : cudaErrorInvalidValue;
  }
  return release_now(pointer);
}

}  // namespace
}  // namespace cpu_device

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return cpu_device::remember(cpu_device::allocate_now(pointer, bytes));
}

cudaError_t cudaFree(void* pointer) { return cpu_device::remember(cpu_device::release_now(pointer)); }

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return cpu_device::remember(cpu_device::allocate_in_order(pointer, bytes, stream));
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return cpu_device::remember(cpu_device::release_in_order(pointer, stream));
}
