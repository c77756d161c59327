// SPDX-License-Identifier: BSL-1.0
//! @file
//! Element types and storages by the names that the tools take.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>

#include <gemm/tf32.hpp>

namespace gemm {  // block/problem.cuh, which wants nvcc
struct nn;
struct nt;
struct tn;
struct tt;
}  // namespace gemm

namespace tools {

/// The element types of A and B, and of C.
template <class Input, class Output>
struct element {
  using input = Input;
  using output = Output;
};
using f32 = element<float, float>;
struct fp16x3 : f32 {};  // by policies of split terms
using tf32 = element<gemm::tf32, float>;
using f64 = element<double, double>;
using f16 = element<__half, __half>;
using bf16 = element<__nv_bfloat16, __nv_bfloat16>;
using i8 = element<std::int8_t, std::int32_t>;
using e4m3 = element<__nv_fp8_e4m3, __nv_bfloat16>;

}  // namespace tools
