// SPDX-License-Identifier: BSL-1.0
// expect: gemm: run<Policy> needs a policy, such as gemm::pipelined_128x128x16 or gemm::automatic.

#include <gemm/gemm.cuh>

using namespace gemm;

status call(float const* a, float const* b, float* c, double const* wide, int const* integers) {
  static_cast<void>(wide), static_cast<void>(integers);
#ifdef FAIL
  return run<block<64, 64, 8>>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
#else
  return run<automatic>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
#endif
}
