// SPDX-License-Identifier: BSL-1.0
//! @file
//! The element types that are measured: one line for each.
#pragma once

#include <cublas_v2.h>

#include <string_view>
#include <tuple>

namespace bench {

/// What to call a product of Input, how to ask cuBLAS for it, and what the hardware could do at best.
template <class Input, class Output, class Scale>
struct element {
  using input = Input;    ///< of A and B
  using output = Output;  ///< of C
  using scale = Scale;    ///< of alpha and beta

  std::string_view name;  ///< in lists of shapes
  cudaDataType_t input_type, output_type, scale_type;
  cublasComputeType_t compute;
  double peak;  ///< TFLOP/s of an H200's units, measured; --peak overrides it
};

/// A new type is a new line, as soon as gemm::run and gemm::error_bound know it. CUBLAS_COMPUTE_32F is plain float:
/// TF32 would be CUBLAS_COMPUTE_32F_FAST_TF32.
inline constexpr std::tuple elements{
    element<float, float, float>{"f32", CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 65.2},
    element<double, double, double>{"f64", CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, 32.6},
};

/// Calls action(element) for the type of this name; false where there is none.
template <class Action>
bool with_element(std::string_view name, Action action) {
  return std::apply([&](auto const&... e) { return ((e.name == name && (action(e), true)) || ...); }, elements);
}

}  // namespace bench
