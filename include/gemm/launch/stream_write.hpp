// SPDX-License-Identifier: BSL-1.0
//! @file
//! A word that a stream writes when it comes to it, by no kernel: multiprocessors may all be taken.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/launch/driver.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

using stream_write_function = CUresult(CUstream, CUdeviceptr, cuuint32_t, unsigned);

/// cuStreamWriteValue32() as it is since CUDA 11.7, which a capture records; null where the driver lacks it.
inline stream_write_function* stream_write() {
  static stream_write_function* const found = driver_function<stream_write_function>("cuStreamWriteValue32", 11070);
  return found;
}

/// Writes `value` behind all that the stream has to do, which is then visible to who reads the word.
inline status enqueue_write(cudaStream_t stream, std::uint32_t* to, std::uint32_t value) {
  auto const address = static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(to));
  if (CUresult const result = stream_write()(stream, address, value, 0); result != CUDA_SUCCESS) {
    return {status_code::cuda_failure, cudaErrorUnknown, "the word of a shard was not written: CUDA driver error %d",
            static_cast<int>(result)};
  }
  return {};
}

}  // namespace gemm::detail
