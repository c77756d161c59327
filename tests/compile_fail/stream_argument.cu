// SPDX-License-Identifier: BSL-1.0
// expect: gemm: the stream is one of the options. Write run(A, B, C, {.stream = stream}).

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, cudaStream_t stream) {
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), stream);
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8), {.stream = stream});
#endif
}
