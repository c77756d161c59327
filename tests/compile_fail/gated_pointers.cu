// SPDX-License-Identifier: BSL-1.0
// expect: gemm: gathered, scattered and gated are not for pointers, prepacked operands, grouped views or ragged
#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* const* a, float const* b, float* c) {
  auto const batch = pointers(row_major(static_cast<float const*>(nullptr), 8, 8), a, 2);
#ifdef FAIL
  return run<pipelined_32x64x32>(batch, row_major(b, 8, 8), batched(row_major(c, 8, 4), 2), {}, gated<silu>{});
#else
  return run<pipelined_32x64x32>(batch, row_major(b, 8, 8), batched(row_major(c, 8, 8), 2), {}, silu{});
#endif
}
