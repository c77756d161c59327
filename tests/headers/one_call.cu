// SPDX-License-Identifier: BSL-1.0
//! @file
//! Every kind of call once, and kernels of clusters in the types that they multiply: for the forms in which users name
//! their GPUs, and with and without NDEBUG.

#include <cstdint>

#include <gemm/gemm.cuh>

gemm::status one_call(float const* a, float const* b, float* c) {
  auto const x = gemm::row_major(a, 8, 8);
  auto const y = gemm::col_major(b, 8, 8);
  auto const z = gemm::col_major(c, 8, 8);
  using policy = gemm::coalesced_32x32;
  gemm::options<float> const opts{.alpha = 2, .workspace = {.bytes = gemm::workspace_size<policy>(x, y, z)}};
  if (gemm::can_run<policy>(x, y, z, opts) && !gemm::chosen(x, y, z).policy.empty()) {
    return gemm::run<policy>(x, y, z, opts, gemm::bias(b) | gemm::relu{});
  }
  return {};
}

template <class Policy, class T, class Result>
gemm::status in_clusters(T const* a, T const* b, Result* c) {
  return gemm::run<Policy>(gemm::row_major(a, 8, 8), gemm::col_major(b, 8, 8), gemm::row_major(c, 8, 8));
}
template gemm::status in_clusters<gemm::sm90_wgmma_128x256x64_2x1>(__nv_bfloat16 const*, __nv_bfloat16 const*,
                                                                   __nv_bfloat16*);
template gemm::status in_clusters<gemm::sm90_wgmma_s8_128x256x128_2x1>(std::int8_t const*, std::int8_t const*,
                                                                       std::int32_t*);
template gemm::status in_clusters<gemm::sm90_wgmma_fp8_128x192x128_2x1>(__nv_fp8_e4m3 const*, __nv_fp8_e4m3 const*,
                                                                        __nv_bfloat16*);
