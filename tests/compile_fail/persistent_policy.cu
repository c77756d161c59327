// SPDX-License-Identifier: BSL-1.0
// expect: gemm: persistent needs a sm90_simt_tma policy with one k_groups, inside repacked. Change the policy.
#include <gemm/gemm.cuh>

#ifdef FAIL
using policy = gemm::persistent<gemm::sm90_simt_tma_64x64x32>;
#else
using policy = gemm::persistent<gemm::sm90_simt_tma_128x128x32>;
#endif

gemm::status use(float const* a, float const* b, float* c) {
  return gemm::run<policy>(gemm::row_major(a, 8, 8), gemm::row_major(b, 8, 8), gemm::row_major(c, 8, 8));
}
