// SPDX-License-Identifier: BSL-1.0
//! @file
//! Events: moments of the wall clock, since all work is done when it has been submitted.

#include <chrono>
#include <cstdint>

#include "error.hpp"
#include "stream.hpp"

struct CUevent_st {
  bool timed = true;
  bool recorded = false;
  std::uint64_t capture = 0;  // the capture in which it was last recorded, 0 for none
  std::chrono::steady_clock::time_point when;
};

namespace cpu_device {
namespace {

cudaError_t create_event(cudaEvent_t* event, unsigned flags) {
  if (event == nullptr) {
    return cudaErrorInvalidValue;
  }
  *event = new CUevent_st;
  (*event)->timed = (flags & cudaEventDisableTiming) == 0;
  return cudaSuccess;
}

cudaError_t record_event(cudaEvent_t event, cudaStream_t stream) {
  if (event == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  capture_sequence* recording = nullptr;
  if (cudaError_t const error = admit(stream, &recording); error != cudaSuccess) {
    return error;
  }
  // Within a capture an event is a dependency and no moment: the sequence has it by its order.
  event->capture = recording != nullptr ? recording->id : 0;
  event->recorded = true;
  event->when = std::chrono::steady_clock::now();
  return cudaSuccess;
}

cudaError_t wait_for_event(cudaStream_t stream, cudaEvent_t event) {
  if (event == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  capture_sequence* recording = nullptr;
  if (cudaError_t const error = admit(stream, &recording); error != cudaSuccess) {
    return error;
  }
  std::uint64_t const here = recording != nullptr ? recording->id : 0;
  if (!event->recorded || event->capture == here) {
    return cudaSuccess;
  }
  // A capture that spreads to a second stream is not modelled; one that waits for work outside it is an error.
  return recording == nullptr ? cudaErrorNotSupported : cudaErrorStreamCaptureIsolation;
}

cudaError_t check_moment(cudaEvent_t event) {
  if (event == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  return event->capture != 0 ? cudaErrorCapturedEvent : cudaSuccess;
}

cudaError_t elapsed(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  for (cudaEvent_t const event : {start, end}) {
    if (cudaError_t const error = check_moment(event); error != cudaSuccess) {
      return error;
    }
    if (!event->timed || !event->recorded) {
      return cudaErrorInvalidResourceHandle;
    }
  }
  *milliseconds = std::chrono::duration<float, std::milli>(end->when - start->when).count();
  return cudaSuccess;
}

}  // namespace
}  // namespace cpu_device

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cpu_device::remember(cpu_device::create_event(event, cudaEventDefault));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return cpu_device::remember(cpu_device::create_event(event, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) {
    return cpu_device::remember(cudaErrorInvalidResourceHandle);
  }
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cpu_device::remember(cpu_device::record_event(event, stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return cpu_device::remember(cpu_device::wait_for_event(stream, event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) { return cpu_device::remember(cpu_device::check_moment(event)); }

cudaError_t cudaEventQuery(cudaEvent_t event) { return cpu_device::remember(cpu_device::check_moment(event)); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cpu_device::remember(cpu_device::elapsed(milliseconds, start, end));
}
