// SPDX-License-Identifier: BSL-1.0
// expect: gemm: C is written, its elements have no scales. Use the epilogues gemm::row_scale, gemm::column_scale and
// gemm::scale.
#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, float const* scales) {
  auto const result = row_major(c, 8, 8);
#ifdef FAIL
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), scaled(result, per_row(scales)));
#else
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), result, row_scale(scales));
#endif
}
