// SPDX-License-Identifier: BSL-1.0
// expect: gemm: an epilogue has one gate. Leave out the second gemm::gated.
#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c) {
#ifdef FAIL
  auto const epilogue = gated<silu>{} | gated<silu>{};
#else
  auto const epilogue = gated<silu>{} | relu{};
#endif
  return run<pipelined_32x64x32>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 4), {}, epilogue);
}
