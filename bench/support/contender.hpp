// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is timed, without its types: a policy or a way to call cuBLAS, all measured by the same code.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
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

/// Which scales of A and B are read from device memory; docs/scales.md has their layouts.
enum class scaling {
  none,
  per_tensor,           ///< one number each
  per_row,              ///< one a row of A, one a column of B
  block_1x128_128x128,  ///< one for 128 of k of a row of A, one for 128 x 128 of B
  block_1x128,          ///< one for 128 of k of a row of A, one for 128 of k of a column of B
};

/// Memory for scales of each kind, and for amax. Null in problems without it.
struct scale_operands {
  float const* a = nullptr;
  float const* b = nullptr;
  float* amax = nullptr;

  /// One for 128 of m, n or k.
  __host__ __device__ static constexpr std::int64_t blocks(std::int64_t extent) { return (extent + 127) / 128; }
  /// From a block of 128 columns of B to the next in block_1x128_128x128: cublasLt's, a multiple of 4.
  __host__ __device__ static constexpr std::int64_t block_stride(std::int64_t k) { return (blocks(k) + 3) / 4 * 4; }
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
  scale_operands scales = {};
  bool constant_b = false;  ///< whether policies are promised that B is
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
  scaling scaled = scaling::none;
  bool reads_only = false;  ///< it computes nothing, and is not verified
  bool has_amax = false;    ///< writes the greatest magnitude of C to product.scales.amax
};

/// The policies that are measured, in the order of the ladder (policies/policies.hpp).
std::vector<contender> contenders();

/// The epilogues that are measured, those of a type all in one policy, its first without any (policies/epilogues.cu).
std::vector<contender> epilogues();

/// Scaled products by the library's choice, those of a type after its per_tensor (policies/scales.cu).
std::vector<contender> scaled_products();

/// The library's choice for each type, and the same with a constant B (support/rows.cpp).
std::vector<contender> few_rows_products();

/// cuBLAS's name for what is the contender's own.
inline std::string of_cublaslt(std::string const& name) { return "cublaslt_" + name; }

/// The names of scaled products, and their scales. cuBLAS's have of_cublaslt() of these.
inline constexpr std::pair<char const*, scaling> scaled_names[] = {
    {"per_tensor", scaling::per_tensor},
    {"per_row", scaling::per_row},
    {"block_1x128_128x128", scaling::block_1x128_128x128},
    {"block_1x128", scaling::block_1x128},
    {"amax", scaling::per_tensor},
};

}  // namespace bench
