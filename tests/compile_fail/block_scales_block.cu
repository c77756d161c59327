// SPDX-License-Identifier: BSL-1.0
// expect: gemm: blocks with a scale are 1 x 128 or 128 x 128 of A, 128 x 1 or 128 x 128 of B.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
constexpr int columns = 64;
#else
constexpr int columns = 128;
#endif

auto scales_of(float const* scales) { return per_block<1, columns>(row_major(scales, 8, 1)); }
