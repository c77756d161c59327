// SPDX-License-Identifier: BSL-1.0
// expect: gemm: the stream is one of the options. Write run(A, B, C, {.stream = stream}).

#include <gemm/gemm.cuh>

using namespace gemm;

/// As wrappers of streams are.
struct stream_guard {
  cudaStream_t stream;
  operator cudaStream_t() const { return stream; }
};

status call(float const* a, float const* b, float const* scales, float* c, stream_guard stream) {
  auto const x = scaled(row_major(a, 8, 8), per_row(scales));
#ifdef FAIL
  return run<naive_32x4>(x, row_major(b, 8, 8), row_major(c, 8, 8), {.alpha = 2}, stream);
#else
  return run<naive_32x4>(x, row_major(b, 8, 8), row_major(c, 8, 8), {.alpha = 2, .stream = stream});
#endif
}
