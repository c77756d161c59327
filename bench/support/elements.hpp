// SPDX-License-Identifier: BSL-1.0
//! @file
//! The element types that are measured: one line for each.
#pragma once

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <string_view>
#include <tuple>

#include <gemm/element.hpp>

namespace bench {

/// What to call a product of Input, how to ask cuBLAS for it, and what the hardware could do at best.
template <class Input, class Output, class Scale>
struct element {
  using input = Input;    ///< of A and B
  using output = Output;  ///< of C
  using scale = Scale;    ///< of alpha and beta, and of the sums

  std::string_view name;  ///< in lists of shapes
  cudaDataType_t input_type, output_type, scale_type;
  cublasComputeType_t compute;
  double peak;  ///< TFLOP/s of an H200's units outside the tensor cores; --peak overrides it
};

using f32 = element<float, float, float>;
using tf32 = element<gemm::tf32, float, float>;
using f64 = element<double, double, double>;
using f16 = element<__half, __half, float>;
using f16f32 = element<__half, float, float>;
using bf16 = element<__nv_bfloat16, __nv_bfloat16, float>;
using bf16f32 = element<__nv_bfloat16, float, float>;
using i8 = element<std::int8_t, std::int32_t, std::int32_t>;
using e4m3 = element<__nv_fp8_e4m3, __nv_bfloat16, float>;
using e4m3f32 = element<__nv_fp8_e4m3, float, float>;
using e4m3e4m3 = element<__nv_fp8_e4m3, __nv_fp8_e4m3, float>;

/// A new type is a new line, as soon as gemm::run and gemm::error_bound know it. CUBLAS_COMPUTE_32F is plain float for
/// float, and what rounds it to TF32, as we do, is CUBLAS_COMPUTE_32F_FAST_TF32. For 16 and 8 bits cuBLAS uses the
/// tensor cores, whose sums are float or int32 as ours. The peaks of f32 and f64 are measured; half, bfloat16 and fp8
/// are multiplied as float, int8 as int32, at half of float's rate.
///
/// e5m2 has no line: cublasLt does not multiply it by itself.
inline constexpr std::tuple elements{
    f32{"f32", CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 65.2},
    tf32{"tf32", CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 65.2},
    f64{"f64", CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, 32.6},
    f16{"f16", CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 65.2},
    f16f32{"f16f32", CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 65.2},
    bf16{"bf16", CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, 65.2},
    bf16f32{"bf16f32", CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 65.2},
    i8{"i8", CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 32.6},
    e4m3{"e4m3", CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, 65.2},
    e4m3f32{"e4m3f32", CUDA_R_8F_E4M3, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 65.2},
    e4m3e4m3{"e4m3e4m3", CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_32F, CUBLAS_COMPUTE_32F, 65.2},
};

/// Calls action(element) for the type of this name; false where there is none.
template <class Action>
bool with_element(std::string_view name, Action action) {
  return std::apply([&](auto const&... e) { return ((e.name == name && (action(e), true)) || ...); }, elements);
}

}  // namespace bench
