// SPDX-License-Identifier: BSL-1.0
//! @file
//! One call of run() without a policy, of GEMM_TYPE in the orders GEMM_A and GEMM_B.

#include <gemm/gemm.cuh>

gemm::status one_run(GEMM_TYPE const* a, GEMM_TYPE const* b, GEMM_TYPE* c) {
  return gemm::run(gemm::GEMM_A(a, 8, 8), gemm::GEMM_B(b, 8, 8), gemm::row_major(c, 8, 8));
}
