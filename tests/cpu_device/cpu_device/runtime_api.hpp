// SPDX-License-Identifier: BSL-1.0
//! @file
//! The typed overloads that the toolkit's <cuda_runtime.h> adds to the C interface of the runtime.
#pragma once

#include "language.hpp"

template <class T>
cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return ::cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}

template <class T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}

inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

template <class T>
cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), attribute, value);
}

template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return ::cudaFuncGetAttributes(attributes, reinterpret_cast<void const*>(kernel));
}

template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* kernel, int block_size,
                                                          size_t dynamic_shared_memory) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<void const*>(kernel), block_size,
                                                         dynamic_shared_memory);
}
