// SPDX-License-Identifier: BSL-1.0
// expect: gemm: stream_k of tensor_core cuts a tile once. Make the number of slices 2.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = stream_k<tensor_core_128x128x64, 3>;
#else
using chosen_policy = stream_k<tensor_core_128x128x64, 2>;
#endif

status call(__half const* a, __half const* b, __half* c) {
  return run<chosen_policy>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
