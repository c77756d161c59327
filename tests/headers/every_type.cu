// SPDX-License-Identifier: BSL-1.0
//! @file
//! The library's choice for each floating-point type, and for float by tensor cores, for compilers that are told to
//! leave out CUDA's conversions and operators of __half and __nv_bfloat16, as PyTorch's extensions are.

#include <gemm/gemm.cuh>

template <class Policy = gemm::automatic, class T>
gemm::status layer(T const* in, T const* weights, T const* bias, T* out) {
  return gemm::run<Policy>(gemm::row_major(in, 8, 8), gemm::col_major(weights, 8, 8), gemm::row_major(out, 8, 8), {},
                           gemm::bias(bias, 8) | gemm::gelu{});
}

template gemm::status layer(float const*, float const*, float const*, float*);
template gemm::status layer<gemm::fp32_emulated>(float const*, float const*, float const*, float*);
template gemm::status layer(double const*, double const*, double const*, double*);
template gemm::status layer(__half const*, __half const*, __half const*, __half*);
template gemm::status layer(__nv_bfloat16 const*, __nv_bfloat16 const*, __nv_bfloat16 const*, __nv_bfloat16*);
