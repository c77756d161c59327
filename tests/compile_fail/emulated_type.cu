// SPDX-License-Identifier: BSL-1.0
// expect: gemm: fp32_emulated takes floats. Use gemm::automatic for other types.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using element = double;
#else
using element = float;
#endif

choice call(element const* a, element const* b, element* c) {
  return chosen<fp32_emulated>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
}
