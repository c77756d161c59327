// SPDX-License-Identifier: BSL-1.0
// expect: gemm: only floats are prepacked. Pass the matrix itself.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using element = __half;
#else
using element = float;
#endif

status call(element const* b, workspace parts) { return prepack(prepacked_b(row_major(b, 8, 8), parts)); }
