// SPDX-License-Identifier: BSL-1.0
//! @file
//! An epilogue that knows of a layer.
#include <gemm/block/bad.cuh>
