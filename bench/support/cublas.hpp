// SPDX-License-Identifier: BSL-1.0
//! @file
//! cuBLAS as contenders: its default algorithm, and the best that cublasLt's heuristics offer.
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <string>

#include "contender.hpp"
#include "cuda.hpp"
#include "stopwatch.hpp"
#include "workload.hpp"

namespace bench {

/// The library's handles, with their workspace.
class cublas {
 public:
  explicit cublas(cudaStream_t stream);

  /// cublasGemmEx, or cublasGemmStridedBatchedEx, with the algorithm that cuBLAS picks. Lives no longer than this
  /// object.
  contender default_algorithm(problem const& p) const;

  /// What cublasLt fuses into a product: nothing, vector[j] added, that and a relu, or amax of a C of fp8.
  enum class fused { nothing, bias, bias_relu, amax };

  /// The fastest of up to 16 algorithms that cublasLt proposes, each timed on the workload. Of 8 bits also of those for
  /// transposed and padded copies, with the time of copying (lt_copies.hpp), but not of scaled ones. Throws
  /// `unsupported` where it has none.
  contender best_algorithm(std::string name, fused epilogue, scaling scaled, workload& w, stopwatch const& watch) const;

 private:
  device_memory workspace_, one_;  // one_: a float of 1, fp8's scale
  owned<cublasHandle_t, cublasDestroy> handle_;
  owned<cublasLtHandle_t, cublasLtDestroy> lt_handle_;
};

}  // namespace bench
