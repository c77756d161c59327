// SPDX-License-Identifier: BSL-1.0
//! @file
//! An epilogue that notes which thread stores an element, and on the CPU device when.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#if !defined(__CUDACC__)
#include "../../tests/cpu_device/cpu_device/recording.hpp"
#endif

namespace explain {

/// Epilogues run in the thread that stores.
struct note_owner {
  int* owner;
  std::int64_t columns;

  template <class V>
  __host__ __device__ V operator()(V value, [[maybe_unused]] std::int64_t row,
                                   [[maybe_unused]] std::int64_t column) const {
#if defined(__CUDA_ARCH__) || !defined(__CUDACC__)  // nvcc's host pass has no threadIdx
    owner[row * columns + column] = static_cast<int>(threadIdx.x);
#endif
#if !defined(__CUDACC__)
    cpu_device::note(row * columns + column);
#endif
    return value;
  }
};

}  // namespace explain
