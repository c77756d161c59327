// SPDX-License-Identifier: BSL-1.0
// expect: gemm: scales of blocks are floats.
#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
using number = double;
#else
using number = float;
#endif

auto scales_of(number const* scales) { return per_block<1, 128>(row_major(scales, 8, 1)); }
