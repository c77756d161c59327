// SPDX-License-Identifier: BSL-1.0
//! @file
//! The library in one include, but for gemm/block_product.cuh, gemm/tune.cuh, gemm/random.hpp and
//! gemm/reference.hpp.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <gemm/block_scales.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/grouped.hpp>
#include <gemm/indexed.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/pointers.hpp>
#include <gemm/policies.cuh>
#include <gemm/policy.hpp>
#include <gemm/prepack.cuh>
#include <gemm/prepacked.hpp>
#include <gemm/ragged.hpp>
#include <gemm/run.cuh>
#include <gemm/scales.hpp>
#include <gemm/status.hpp>
#include <gemm/version.hpp>

/// @namespace gemm
/// Matrix multiplication kernels for CUDA. Names in gemm::detail are internal.
