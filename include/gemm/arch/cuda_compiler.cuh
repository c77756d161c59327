// SPDX-License-Identifier: BSL-1.0
//! @file
//! Ends the compilation with one sentence where the compiler knows no CUDA.
#pragma once

#include <gemm/cxx20.hpp>

#if !defined(__CUDACC__)
// No such file: after #error compilers would go on, into errors by the hundred.
#include <gemm is compiled by nvcc (or another CUDA compiler): include it in .cu files>
#endif
