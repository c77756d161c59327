// SPDX-License-Identifier: BSL-1.0
//! @file
//! cudaMemcpy and cudaMemset: plain ones, since host and device share their memory.
//!
//! The sanitizers intercept memcpy and memset even here, so that a copy past an allocation's end is found.

#include <cstring>

#include "error.hpp"
#include "stream.hpp"

namespace cpu_device {
namespace {

struct copy_shape {
  std::size_t to_pitch;
  std::size_t from_pitch;
  std::size_t width;
  std::size_t height;
};

cudaError_t copy(void* to, void const* from, copy_shape shape, cudaMemcpyKind kind, cudaStream_t stream) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  if (shape.width == 0 || shape.height == 0) {
    return cudaSuccess;
  }
  if (to == nullptr || from == nullptr) {
    return cudaErrorInvalidValue;
  }
  if (shape.width > shape.to_pitch || shape.width > shape.from_pitch) {
    return cudaErrorInvalidPitchValue;
  }
  return enqueue(stream, [=] {
    for (std::size_t row = 0; row < shape.height; ++row) {
      std::memcpy(static_cast<char*>(to) + row * shape.to_pitch,
                  static_cast<char const*>(from) + row * shape.from_pitch, shape.width);
    }
  });
}

cudaError_t copy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy(to, from, {bytes, bytes, bytes, 1}, kind, stream);
}

cudaError_t set(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) {
    return cudaSuccess;
  }
  if (memory == nullptr) {
    return cudaErrorInvalidValue;
  }
  return enqueue(stream, [=] { std::memset(memory, value, bytes); });
}

}  // namespace
}  // namespace cpu_device

cudaError_t cudaMemcpy(void* to, void const* from, size_t bytes, cudaMemcpyKind kind) {
  return cpu_device::remember(cpu_device::copy(to, from, bytes, kind, cudaStreamLegacy));
}

cudaError_t cudaMemcpyAsync(void* to, void const* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return cpu_device::remember(cpu_device::copy(to, from, bytes, kind, stream));
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, void const* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return cpu_device::remember(
      cpu_device::copy(to, from, {to_pitch, from_pitch, width, height}, kind, cudaStreamLegacy));
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, void const* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return cpu_device::remember(cpu_device::copy(to, from, {to_pitch, from_pitch, width, height}, kind, stream));
}

cudaError_t cudaMemset(void* memory, int value, size_t bytes) {
  return cpu_device::remember(cpu_device::set(memory, value, bytes, cudaStreamLegacy));
}

cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes, cudaStream_t stream) {
  return cpu_device::remember(cpu_device::set(memory, value, bytes, stream));
}
