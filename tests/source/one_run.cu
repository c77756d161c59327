// SPDX-License-Identifier: BSL-1.0
//! @file
//! One call of run<GEMM_POLICY>(), without a policy where there is none, of GEMM_TYPE in the orders GEMM_A and GEMM_B.
//! C has elements of GEMM_RESULT, by default of GEMM_TYPE.

#include <gemm/gemm.cuh>

#if !defined(GEMM_POLICY)
#define GEMM_POLICY automatic
#endif
#if !defined(GEMM_RESULT)
#define GEMM_RESULT GEMM_TYPE
#endif

gemm::status one_run(GEMM_TYPE const* a, GEMM_TYPE const* b, GEMM_RESULT* c) {
  return gemm::run<gemm::GEMM_POLICY>(gemm::GEMM_A(a, 8, 8), gemm::GEMM_B(b, 8, 8), gemm::row_major(c, 8, 8));
}
