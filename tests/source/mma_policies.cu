// SPDX-License-Identifier: BSL-1.0
//! @file
//! mma.sync's kernels of each type: what is in their machine code is checked. Each with the policy and the storage that
//! leave it the fewest registers.

#include <cstdint>

#include <gemm/gemm.cuh>

gemm::status bf16(__nv_bfloat16 const* a, __nv_bfloat16 const* b, __nv_bfloat16* c) {
  return gemm::run<gemm::sm80_mma_128x256x32>(gemm::row_major(a, 8, 8), gemm::col_major(b, 8, 8),
                                              gemm::row_major(c, 8, 8));
}

template <class Policy, class T, class C>
gemm::status mn_major(T const* a, T const* b, C* c) {
  return gemm::run<Policy>(gemm::col_major(a, 8, 8), gemm::row_major(b, 8, 8), gemm::row_major(c, 8, 8));
}
template gemm::status mn_major<gemm::sm80_mma_tf32_128x128x16>(float const*, float const*, float*);
template gemm::status mn_major<gemm::sm80_mma_tf32_16x64x32>(float const*, float const*, float*);
template gemm::status mn_major<gemm::sm80_mma_s8_128x128x64>(std::int8_t const*, std::int8_t const*, std::int32_t*);
template gemm::status mn_major<gemm::sm80_mma_s8_64x128x64>(std::int8_t const*, std::int8_t const*, std::int32_t*);
template gemm::status mn_major<gemm::sm80_mma_s8_32x64x128>(std::int8_t const*, std::int8_t const*, std::int32_t*);
template gemm::status mn_major<gemm::sm80_mma_f64_128x128x16>(double const*, double const*, double*);

/// Of split terms the product alone.
auto* terms() {
  using problem = gemm::detail::plain_problem<float, float, gemm::nt, gemm::identity>;
  using policy = gemm::with_fallback<gemm::bf16x6_mma_128x128x64>;
  return policy::kernel<policy, problem, true>();
}
