// SPDX-License-Identifier: BSL-1.0
// expect: gemm: repacked needs a policy that loads by TMA (sm90_simt_tma), or sm80_mma, inside split_k. Change the
#include <gemm/gemm.cuh>

#ifdef FAIL
using policy = gemm::repacked<gemm::split_k<gemm::sm90_simt_tma_128x128x32, 4>>;
#else
using policy = gemm::split_k<gemm::repacked<gemm::sm90_simt_tma_128x128x32>, 4>;
#endif

gemm::status use(float const* a, float const* b, float* c) {
  return gemm::run<policy>(gemm::row_major(a, 8, 8), gemm::row_major(b, 8, 8), gemm::row_major(c, 8, 8));
}
