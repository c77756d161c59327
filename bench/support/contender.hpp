// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is timed, without its types: a policy or a way to call cuBLAS, all measured by the same code.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gemm/options.hpp>
#include <gemm/status.hpp>

namespace bench {

/// What epilogues read and write besides C, all of C's type. Null in problems without such memory.
struct side_operands {
  void const* vector = nullptr;    ///< max(m, n) values
  void const* residual = nullptr;  ///< m x n
  void* stored = nullptr;          ///< m x n
};

/// One call: C (m x n) = A B on a stream, or a batch of such products, each behind the one before it. Row-major without
/// gaps; a transposed operand is stored as its transpose.
struct product {
  void const* a;
  void const* b;
  void* c;
  bool transposed_a, transposed_b;
  std::int64_t m, n, k, batch;
  cudaStream_t stream;
  gemm::workspace workspace;
  side_operands sides = {};
};

/// Of the workspace, cuBLAS's and the policies' alike; but fp16x3 needs more for the parts of two large operands.
inline constexpr std::size_t workspace_bytes = std::size_t{512} << 20, policy_workspace_bytes = std::size_t{1} << 30;

/// One element of C before its epilogue, and what an epilogue may read there.
struct epilogue_operands {
  double value;        ///< sum(a b)
  double column, row;  ///< vector[j], vector[i]
  double residual;     ///< residual(i, j)
  std::int64_t i, j;
};

struct contender {
  std::string name;
  std::string dtype;                                ///< name of the bench::element that it multiplies
  std::function<gemm::status(product const&)> run;  ///< enqueues
  /// What its epilogue makes of an element; null without one. Nowhere steeper than 1.2 in the value.
  double (*epilogue)(epilogue_operands const&) = nullptr;
  int side_matrices = 0;  ///< of C's size, that the epilogue reads or writes
  bool stores = false;    ///< its epilogue writes the value before it to product.sides.stored
};

/// The policies that are measured, in the order of the ladder (policies/policies.hpp).
std::vector<contender> contenders();

/// The epilogues that are measured, those of a type all in one policy, its first without any (policies/epilogues.cu).
std::vector<contender> epilogues();

}  // namespace bench
