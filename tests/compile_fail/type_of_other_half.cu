// SPDX-License-Identifier: BSL-1.0
// expect: reinterpret_cast<__half*>(pointer) for c10::Half or at::Half, and so c10::BFloat16 as __nv_bfloat16.

#include <gemm/gemm.cuh>

using namespace gemm;

namespace c10 {
struct Half {
  unsigned short bits;
};
}  // namespace c10

#ifdef FAIL
using element = c10::Half;
#else
using element = __half;
#endif

status call(c10::Half* a, c10::Half* b, c10::Half* c) {
  return run<naive_32x4>(row_major(reinterpret_cast<element*>(a), 8, 8), row_major(reinterpret_cast<element*>(b), 8, 8),
                         row_major(reinterpret_cast<element*>(c), 8, 8));
}
