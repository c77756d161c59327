// SPDX-License-Identifier: BSL-1.0
//! @file
//! Error codes: the last one, their names and texts.

#include "error.hpp"

#include <algorithm>
#include <iterator>

namespace cpu_device {
namespace {

thread_local constinit cudaError_t last_error = cudaSuccess;

struct error_text {
  cudaError_t code;
  char const* name;
  char const* text;
};

// Those that the CPU device returns, and those that a test may want to print.
constexpr error_text error_texts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalState, "cudaErrorIllegalState", "the operation cannot be performed in the present state"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorInvalidClusterSize, "cudaErrorInvalidClusterSize", "cluster misconfiguration"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {cudaErrorCapturedEvent, "cudaErrorCapturedEvent",
     "operation not permitted on an event last recorded in a capturing stream"},
    {cudaErrorStreamCaptureWrongThread, "cudaErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
};

constexpr error_text unknown = {cudaErrorUnknown, "unrecognized error code", "unrecognized error code"};

error_text const& text_of(cudaError_t error) {
  auto const found = std::find_if(std::begin(error_texts), std::end(error_texts),
                                  [error](error_text const& candidate) { return candidate.code == error; });
  return found != std::end(error_texts) ? *found : unknown;
}

}  // namespace

cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) {
    last_error = error;
  }
  return error;
}

}  // namespace cpu_device

cudaError_t cudaGetLastError() {
  cudaError_t const error = cpu_device::last_error;
  cpu_device::last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return cpu_device::last_error; }

char const* cudaGetErrorName(cudaError_t error) { return cpu_device::text_of(error).name; }

char const* cudaGetErrorString(cudaError_t error) { return cpu_device::text_of(error).text; }
