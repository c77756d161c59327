// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a kernel is told whose operands TMA brings.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <gemm/arch/tma.cuh>

namespace gemm {

/// A problem and the maps by which TMA finds its operands; without TMA they are not read. Not for users; it is not in
/// detail for the kernels' symbols.
template <class Problem>
struct tma_problem {
  CUtensorMap a, b;
  Problem problem;
};

namespace detail {

/// Has TMA fetch the maps before it needs them, if there are any: without k there is nothing to load.
template <class Problem>
__device__ void prefetch_maps(tma_problem<Problem> const& x) {
  if (x.problem.k > 0) {
    arch::prefetch_tensormap(x.a);
    arch::prefetch_tensormap(x.b);
  }
}

}  // namespace detail

}  // namespace gemm
