// SPDX-License-Identifier: BSL-1.0
// expect: gemm: gathered and scattered rows and gemm::gated need automatic, sm80_mma, pipelined or sm90_wgmma
#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c) {
#ifdef FAIL
  using policy = naive_32x4;
#else
  using policy = pipelined_32x64x32;
#endif
  return run<policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 4), {}, gated<silu>{});
}
