// SPDX-License-Identifier: BSL-1.0
//! @file
//! Ends the compilation with one sentence where the compiler knows no CUDA, or one too old, and warns of code that runs
//! nowhere.
#pragma once

#include <gemm/cxx20.hpp>

#if !defined(__CUDACC__)
// No such file: after #error compilers would go on, into errors by the hundred.
#include <gemm is compiled by nvcc (or another CUDA compiler): include it in .cu files>
#endif

// CUDA 12.4: PTX ISA 8.4 has mma.sync of fp8.
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1204
#include <gemm needs CUDA 12.4 or newer: install a newer toolkit>
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#warning \
    "gemm: GPUs before sm_80 are not supported, but nvcc compiles for one, by default sm_75. Name yours: \
-gencode arch=compute_90a,code=sm_90a, or in CMake CMAKE_CUDA_ARCHITECTURES=90a-real."
#endif
