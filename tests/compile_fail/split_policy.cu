// SPDX-License-Identifier: BSL-1.0
// expect: gemm: split_k needs a policy whose kernel adds slices of k: pipelined, skinny, sm90_simt_tma or
#include <gemm/gemm.cuh>

#ifdef FAIL
using whole = gemm::warp_tile_128x128x16;
#else
using whole = gemm::pipelined_128x128x16;
#endif

gemm::status use(float const* a, float const* b, float* c) {
  return gemm::run<gemm::split_k<whole, 4>>(gemm::row_major(a, 8, 8), gemm::row_major(b, 8, 8),
                                            gemm::row_major(c, 8, 8));
}
