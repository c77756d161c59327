// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a kernel is told whose operands TMA brings.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

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

/// Whether lines of a slim tile's operand are so many that those which are read at the same time keep memory from
/// reading on in each (see reads_on() and bring_slice()).
__host__ __device__ constexpr bool are_many_lines(std::int64_t lines) { return lines >= 16384; }

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
