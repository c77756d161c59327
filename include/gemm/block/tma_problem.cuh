// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a kernel is told whose operands TMA brings.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

namespace gemm {

/// A problem and the maps by which TMA finds its operands; without TMA they are not read. Not for users; it is not in
/// detail for the kernels' symbols.
template <class Problem>
struct tma_problem {
  CUtensorMap a, b;
  Problem problem;
};

}  // namespace gemm
