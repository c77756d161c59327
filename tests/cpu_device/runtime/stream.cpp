// SPDX-License-Identifier: BSL-1.0
//! @file
//! The life of streams.

#include "stream.hpp"

#include "cpu_device/options.hpp"

#include "error.hpp"

namespace cpu_device {

CUstream_st* stream_of(cudaStream_t handle) {
  static thread_local CUstream_st per_thread;
  if (handle == cudaStreamPerThread) {
    return &per_thread;
  }
  return handle == cudaStreamLegacy ? nullptr : handle;
}

int device_of(cudaStream_t handle) {
  bool const of_all = handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
  return of_all ? current_options().device.number : handle->device;
}

cudaError_t enqueue(cudaStream_t stream, operation work) {
  capture_sequence* recording = nullptr;
  if (cudaError_t const error = admit(stream, &recording); error != cudaSuccess) {
    return error;
  }
  if (recording != nullptr) {
    recording->operations.push_back(std::move(work));
  } else {
    work();
  }
  return cudaSuccess;
}

namespace {

cudaError_t create_stream(cudaStream_t* stream, unsigned flags) {
  if (stream == nullptr || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking)) {
    return cudaErrorInvalidValue;
  }
  *stream = new CUstream_st{flags == cudaStreamDefault, current_options().device.number, nullptr};
  return cudaSuccess;
}

cudaError_t wait_for(cudaStream_t stream) {
  if (CUstream_st const* const state = stream_of(stream); state != nullptr && state->capture != nullptr) {
    invalidate_capture(stream);
    return cudaErrorStreamCaptureUnsupported;
  }
  return forbid_during_capture();
}

}  // namespace
}  // namespace cpu_device

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cpu_device::remember(cpu_device::create_stream(stream, cudaStreamDefault));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cpu_device::remember(cpu_device::create_stream(stream, flags));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) {
    return cpu_device::remember(cudaErrorInvalidResourceHandle);
  }
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return cpu_device::remember(cpu_device::wait_for(stream)); }

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cpu_device::remember(cpu_device::wait_for(stream)); }

cudaError_t cudaDeviceSynchronize() { return cpu_device::remember(cpu_device::forbid_during_capture()); }
