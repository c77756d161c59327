// SPDX-License-Identifier: BSL-1.0
//! @file
//! Streams: work on them runs at once, unless they are being captured into a graph.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

#include "cpu_device/language.hpp"

namespace cpu_device {

using operation = std::function<void()>;

/// What a stream records between cudaStreamBeginCapture and cudaStreamEndCapture.
struct capture_sequence {
  std::uint64_t id;  // unlike its address, never used again
  cudaStreamCaptureMode mode;
  std::thread::id owner;
  bool of_blocking_stream;
  bool invalidated = false;
  std::vector<operation> operations;
  // Memory that cudaMallocAsync gave within the capture. The recorded operations own it: it lasts as long as a graph.
  std::unordered_map<void*, std::shared_ptr<void>> allocations;
};

/// Answers whether work may be put on the stream now. In `recording` comes null if the work is to be run at once, or
/// the sequence to add it to.
cudaError_t admit(cudaStream_t stream, capture_sequence** recording);

/// Runs or records the work.
cudaError_t enqueue(cudaStream_t stream, operation work);

/// The capture of this stream, if there is one, can no longer become a graph.
void invalidate_capture(cudaStream_t stream);

/// For calls that CUDA calls unsafe: an error, and the end of the captures concerned, if some stream is being captured
/// in a mode that forbids them to this thread.
cudaError_t forbid_during_capture();

}  // namespace cpu_device

struct CUstream_st {
  bool blocking = true;  // synchronises with the legacy stream
  int device = 0;        // that was the current one
  std::unique_ptr<cpu_device::capture_sequence> capture;

  ~CUstream_st();
};

namespace cpu_device {

/// The object behind a handle; null for the legacy stream, which has no state.
CUstream_st* stream_of(cudaStream_t handle);

/// The device whose work is put on the stream: the current one for those that every device has.
int device_of(cudaStream_t handle);

}  // namespace cpu_device
