// SPDX-License-Identifier: BSL-1.0
//! @file
//! The works of a block whose kernel computes one after the other.
#pragma once

#include <cuda_runtime.h>

#include <gemm/schedule/work.cuh>

namespace gemm::detail {

/// One work, which the kernel finds in its grid. Parameters whose blocks find more have a specialisation: it finds the
/// first when it is made, and each next() by all threads, which then share no memory with the work before.
template <class Policy, class Parameter>
class block_works {
 public:
  __device__ explicit block_works(scheduled<Parameter> const&) {}
  __device__ static constexpr bool next() { return false; }
};

}  // namespace gemm::detail
