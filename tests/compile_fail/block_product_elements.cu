// SPDX-License-Identifier: BSL-1.0
// expect: A and B of a block_product must have the same elements, or both fp8.
#include <gemm/block_product.cuh>

using namespace gemm;

#ifdef FAIL
using element_b = __nv_bfloat16;
#else
using element_b = __half;
#endif

static_assert(
    block_product<sm80_mma_64x64x64, matrix<__half const, order::row>, matrix<element_b const, order::row>>::threads ==
    128);
