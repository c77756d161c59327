// SPDX-License-Identifier: BSL-1.0
// expect: gemm: elements of 2 bytes are __half or __nv_bfloat16

#include <gemm/gemm.cuh>

using namespace gemm;

namespace c10 {
struct BFloat16 {
  unsigned short bits;
};
}  // namespace c10

#ifdef FAIL
using element = c10::BFloat16;
#else
using element = __nv_bfloat16;
#endif

status call(float const* a, float const* b, c10::BFloat16* c) {
  return run<naive_32x4>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(reinterpret_cast<element*>(c), 8, 8));
}
