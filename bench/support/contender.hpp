// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is timed, without its types: a policy or a way to call cuBLAS, all measured by the same code.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gemm/status.hpp>

namespace bench {

/// One call: C (m x n) = A B on a stream. Row-major without gaps; a transposed operand is stored as its transpose.
struct product {
  void const* a;
  void const* b;
  void* c;
  bool transposed_a, transposed_b;
  std::int64_t m, n, k;
  cudaStream_t stream;
};

struct contender {
  std::string name;
  std::string dtype;                                ///< name of the bench::element that it multiplies
  std::function<gemm::status(product const&)> run;  ///< enqueues
};

/// The policies that are measured, in the order of the ladder (policies/policies.hpp).
std::vector<contender> contenders();

}  // namespace bench
