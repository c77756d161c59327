// SPDX-License-Identifier: BSL-1.0
// expect: gemm: split_k takes 2 to 4096 slices of k. Change their number.
#include <gemm/gemm.cuh>

#ifdef FAIL
constexpr int slices = 1;
#else
constexpr int slices = 2;
#endif

gemm::status use(float const* a, float const* b, float* c) {
  return gemm::run<gemm::split_k<gemm::pipelined_128x128x16, slices>>(
      gemm::row_major(a, 8, 8), gemm::row_major(b, 8, 8), gemm::row_major(c, 8, 8));
}
