// SPDX-License-Identifier: BSL-1.0
// expect: block_product takes policies of pipelined and sm80_mma, but none that splits k and not half_accum.
#include <gemm/block_product.cuh>

using namespace gemm;

#ifdef FAIL
using chosen_policy = vectorized_128x128x8;
#else
using chosen_policy = pipelined_128x128x16;
#endif
using view = matrix<float const, order::row>;

static_assert(block_product<chosen_policy, view, view>::threads == 256);
