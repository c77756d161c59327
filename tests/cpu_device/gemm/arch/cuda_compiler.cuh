// SPDX-License-Identifier: BSL-1.0
//! @file
//! include/gemm/arch/cuda_compiler.cuh for the CPU device, which a C++ compiler compiles for.
#pragma once

#include <gemm/cxx20.hpp>
