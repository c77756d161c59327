// SPDX-License-Identifier: BSL-1.0
// expect: gemm: A may be a prepacked_a, and B a prepacked_b. Make the operand's view of the other one.
#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, workspace parts) {
#ifdef FAIL
  auto const operand = prepacked_a(row_major(b, 8, 8), parts);
#else
  auto const operand = prepacked_b(row_major(b, 8, 8), parts);
#endif
  return run<fp16x3_128x128x64_2x1>(row_major(a, 8, 8), operand, row_major(c, 8, 8));
}
