// SPDX-License-Identifier: BSL-1.0
//! @file
//! What lies between PyTorch, which binding.cpp knows, and gemm::run(), which products.cuh calls.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>

#include <gemm/epilogue/elementwise.hpp>
#include <gemm/matrix.hpp>
#include <gemm/status.hpp>

namespace gemm_torch {

/// A matrix or a batch of them; element type and storage are template arguments of what takes it.
struct operand {
  void* data;
  std::int64_t rows, columns, ld, batch_count, batch_stride;
};

/// The arguments of gemm::run().
struct call {
  operand a, b;
  operand c{};  ///< row-major
  double alpha = 1, beta = 0;
  bool constant_b = false;     ///< as gemm::options has it
  void const* bias = nullptr;  ///< of linear(): one value for each column of C, or null
  cudaStream_t stream = nullptr;
  std::function<void*(std::size_t)> allocate{};  ///< returns the workspace
};

/// C = alpha A B + beta C.
template <class T, gemm::order A, gemm::order B>
gemm::status product(call const& arguments);

/// C = activation(A B + bias), A row-major and B column-major.
template <class T, class Activation>
gemm::status linear(call const& arguments);

}  // namespace gemm_torch
