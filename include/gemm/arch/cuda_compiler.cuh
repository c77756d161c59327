// SPDX-License-Identifier: BSL-1.0
//! @file
//! Ends the compilation with one sentence where the compiler knows no CUDA, and warns of code that runs nowhere.
#pragma once

#include <gemm/cxx20.hpp>

#if !defined(__CUDACC__)
// No such file: after #error compilers would go on, into errors by the hundred.
#include <gemm is compiled by nvcc (or another CUDA compiler): include it in .cu files>
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#warning \
    "gemm: GPUs before sm_80 are not supported, but nvcc compiles for one, by default sm_75. Name yours: \
-gencode arch=compute_90a,code=sm_90a, or in CMake CMAKE_CUDA_ARCHITECTURES=90a-real."
#endif
