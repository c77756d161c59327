// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stream capture, and which calls end it as on a GPU (each error was checked against an H200).

#include <algorithm>
#include <mutex>
#include <utility>

#include "error.hpp"
#include "graph.hpp"
#include "sanitizers.hpp"
#include "stream.hpp"

namespace cpu_device {
namespace {

// All captures under way in the process: one stream's can forbid what another thread does.
struct capture_list {
  std::mutex mutex;
  std::vector<capture_sequence*> active;
  std::uint64_t next_id = 1;
};

capture_list& captures() {
  static capture_list list;
  return list;
}

// Invalidates every capture of which `concerned` says so, and tells whether there was any.
template <class Predicate>
bool invalidate_if(Predicate concerned) {
  sanitizer::unobserved const bookkeeping;
  std::lock_guard const lock(captures().mutex);
  bool any = false;
  for (capture_sequence* const sequence : captures().active) {
    if (concerned(*sequence)) {
      sequence->invalidated = true;
      any = true;
    }
  }
  return any;
}

bool is_invalidated(capture_sequence const& sequence) {
  std::lock_guard const lock(captures().mutex);
  return sequence.invalidated;
}

// Takes the stream's capture from it.
std::unique_ptr<capture_sequence> end_capture(CUstream_st& stream) {
  std::lock_guard const lock(captures().mutex);
  std::erase(captures().active, stream.capture.get());
  return std::move(stream.capture);
}

// What the calling thread may do while streams are captured.
thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

cudaError_t begin_capture(CUstream_st* stream, cudaStreamCaptureMode mode) {
  if (stream == nullptr) {
    return cudaErrorStreamCaptureUnsupported;
  }
  if (stream->capture != nullptr) {
    return cudaErrorIllegalState;
  }
  std::lock_guard const lock(captures().mutex);
  stream->capture.reset(
      new capture_sequence{captures().next_id++, mode, std::this_thread::get_id(), stream->blocking, false, {}, {}});
  captures().active.push_back(stream->capture.get());
  return cudaSuccess;
}

cudaError_t finish_capture(CUstream_st* stream, cudaGraph_t* graph) {
  *graph = nullptr;
  if (stream == nullptr || stream->capture == nullptr) {
    return cudaErrorIllegalState;
  }
  std::unique_ptr<capture_sequence> const sequence = end_capture(*stream);
  if (sequence->mode != cudaStreamCaptureModeRelaxed && sequence->owner != std::this_thread::get_id()) {
    return cudaErrorStreamCaptureWrongThread;
  }
  if (sequence->invalidated) {
    return cudaErrorStreamCaptureInvalidated;
  }
  *graph = new CUgraph_st{std::move(sequence->operations)};
  return cudaSuccess;
}

}  // namespace

cudaError_t admit(cudaStream_t handle, capture_sequence** recording) {
  *recording = nullptr;
  CUstream_st* const stream = stream_of(handle);
  if (stream == nullptr) {
    bool const clash = invalidate_if([](capture_sequence const& s) { return s.of_blocking_stream; });
    return clash ? cudaErrorStreamCaptureImplicit : cudaSuccess;
  }
  if (stream->capture != nullptr) {
    if (is_invalidated(*stream->capture)) {
      return cudaErrorStreamCaptureInvalidated;
    }
    *recording = stream->capture.get();
  }
  return cudaSuccess;
}

void invalidate_capture(cudaStream_t handle) {
  if (CUstream_st const* const stream = stream_of(handle); stream != nullptr) {
    invalidate_if([stream](capture_sequence const& s) { return &s == stream->capture.get(); });
  }
}

cudaError_t forbid_during_capture() {
  bool const forbidden = invalidate_if([](capture_sequence const& s) {
    bool const own = s.owner == std::this_thread::get_id() && s.mode != cudaStreamCaptureModeRelaxed;
    return thread_mode != cudaStreamCaptureModeRelaxed &&
           (own || (s.mode == cudaStreamCaptureModeGlobal && thread_mode == cudaStreamCaptureModeGlobal));
  });
  return forbidden ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

}  // namespace cpu_device

CUstream_st::~CUstream_st() {
  if (capture != nullptr) {
    cpu_device::end_capture(*this);
  }
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return cpu_device::remember(cpu_device::begin_capture(cpu_device::stream_of(stream), mode));
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return cpu_device::remember(cpu_device::finish_capture(cpu_device::stream_of(stream), graph));
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  CUstream_st const* const state = cpu_device::stream_of(stream);
  if (state == nullptr || state->capture == nullptr) {
    *status = cudaStreamCaptureStatusNone;
  } else {
    *status = cpu_device::is_invalidated(*state->capture) ? cudaStreamCaptureStatusInvalidated
                                                          : cudaStreamCaptureStatusActive;
  }
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, cpu_device::thread_mode);
  return cpu_device::remember(cudaSuccess);
}
