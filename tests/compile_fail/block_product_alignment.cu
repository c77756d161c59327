// SPDX-License-Identifier: BSL-1.0
// expect: the alignment of a block_product must be 1 or 16.
#include <gemm/block_product.cuh>

using namespace gemm;

#ifdef FAIL
using known = alignment<8>;
#else
using known = alignment<16>;
#endif
using view = matrix<__half const, order::row>;

static_assert(block_product<sm80_mma_64x64x64, view, view, known>::block_k == 64);
