// SPDX-License-Identifier: BSL-1.0
//! @file
//! Problems of which device memory says where the products are, and those whose products have problems of their own.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::detail {

/// A problem around that of what its products have in common. Of such a problem p, p.around(q) says the same of q, and
/// Problem::kind names what it says.
template <class Problem>
concept layered = requires {
  typename Problem::common;
};

/// Whether part_of(parameter, product) makes another type of problem. Blocks of one work each ask for it: of such
/// kernels nothing else is to be known.
template <class Problem>
inline constexpr bool has_own_problems = false;

/// Gives a product its k, which may be 0. Kernels then add no term, but multiply accumulators of 0 by alpha, which
/// may be NaN or Inf: as on the host (launch/make_problem.hpp, alpha_of_nothing).
template <class Problem>
__host__ __device__ void set_k(Problem& p, std::int64_t k) {
  using accum = typename Problem::accum;
  p.k = k;
  if (k == 0) {
    p.alpha = p.beta == accum(0) ? accum(1) : accum(-1);
  }
}

}  // namespace gemm::detail
