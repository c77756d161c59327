// SPDX-License-Identifier: BSL-1.0
//! @file
//! Named policies for one element type (GEMM_TYPE): what ptxas says of them is checked. In two storages, between which
//! A and B are each k-major and not. mma_policies.cu has the policies of mma.sync.

#include <cstdint>
#include <type_traits>

#include <gemm/gemm.cuh>

template <class Policy>
gemm::status two_storages(GEMM_TYPE const* a, GEMM_TYPE const* b, GEMM_TYPE* c, int storage) {
  using gemm::col_major;
  using gemm::row_major;
  auto const result = row_major(c, 8, 8);
  if (storage == 0) {
    return gemm::run<Policy>(row_major(a, 8, 8), row_major(b, 8, 8), result);
  }
  return gemm::run<Policy>(col_major(a, 8, 8), col_major(b, 8, 8), result);
}

/// Those that are for float alone.
template <class T>
gemm::status float_policies(T const* a, T const* b, T* c, int storage) {
  if constexpr (std::is_same_v<T, float>) {
    using gemm::row_major;
    // Each copies, too; run() without a policy packs instead. That has the kernels of clusters that it may choose.
    gemm::status result = two_storages<gemm::sm90_simt_tma_128x128x32>(a, b, c, storage);
    result = result ? two_storages<gemm::sm90_simt_tma_64x64x32>(a, b, c, storage) : result;
    // Of tf32 the tightest.
    result = result ? two_storages<gemm::sm90_wgmma_ping_pong_tf32_128x128x32>(a, b, c, storage) : result;
    result = result ? two_storages<gemm::sm90_wgmma_tf32_128x256x32>(a, b, c, storage) : result;
    result = result ? two_storages<gemm::sm90_simt_tma_64x64x32>(a, b, c, storage) : result;
    // Those with the fewest registers to spare, and what with_fallback and equilibrated have besides; one storage of
    // bf16's parts, and of equilibrated ones.
    if (result && storage == 0) {
      result = gemm::run<gemm::bf16x6_128x128x64_2x1>(row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8));
      result = result ? gemm::run<gemm::equilibrated<gemm::fp16x3_128x128x64_2x1>>(
                            row_major(a, 8, 8), row_major(b, 8, 8), row_major(c, 8, 8))
                      : result;
    }
    if (result && storage == 1) {
      result = gemm::run<gemm::with_fallback<gemm::fp16x3_sliced_128x128x64>>(row_major(a, 8, 8), row_major(b, 8, 8),
                                                                              row_major(c, 8, 8));
    }
    result = result ? two_storages<gemm::fp16x3_wide_128x192x64_2x1>(a, b, c, storage) : result;
    return result ? two_storages<gemm::with_fallback<gemm::fp16x3_compensated_128x192x64_2x1>>(a, b, c, storage)
                  : result;
  }
  return {};
}

/// What run() chooses from, nn of float and half beside float's and bf16's tt of tests/source/CMakeLists.txt; and the
/// pipelined one with the fewest registers to spare. bf16 and int8 have half's kernels with other conversions and sums:
/// for them the one with the fewest alone.
template <class T>
gemm::status candidates(T const* a, T const* b, T* c, int storage) {
  if constexpr (std::is_same_v<T, __half> || std::is_same_v<T, float>) {
    using gemm::row_major;
    auto const into = row_major(c, 8, 8);
    gemm::status result;
    if (storage == 0) {
      result = gemm::run(row_major(a, 8, 8), row_major(b, 8, 8), into);
    }
    return result ? two_storages<gemm::pipelined_64x128x16>(a, b, c, storage) : result;
  } else {
    using tightest = std::conditional_t<std::is_same_v<T, __nv_bfloat16>, gemm::sm90_wgmma_128x256x64_2x1,
                                        gemm::pipelined_64x128x16>;
    constexpr bool brief = std::is_same_v<T, __nv_bfloat16> || std::is_integral_v<T>;
    return two_storages<std::conditional_t<brief, tightest, gemm::automatic>>(a, b, c, storage);
  }
}

template gemm::status candidates(GEMM_TYPE const*, GEMM_TYPE const*, GEMM_TYPE*, int);
template gemm::status float_policies(GEMM_TYPE const*, GEMM_TYPE const*, GEMM_TYPE*, int);
template gemm::status two_storages<gemm::naive_32x4>(GEMM_TYPE const*, GEMM_TYPE const*, GEMM_TYPE*, int);
template gemm::status two_storages<gemm::coalesced_32x32>(GEMM_TYPE const*, GEMM_TYPE const*, GEMM_TYPE*, int);
template gemm::status two_storages<gemm::shared_tile_32x32x32>(GEMM_TYPE const*, GEMM_TYPE const*, GEMM_TYPE*, int);
template gemm::status two_storages<gemm::block_tile_1d_64x64x16>(GEMM_TYPE const*, GEMM_TYPE const*, GEMM_TYPE*, int);
template gemm::status two_storages<gemm::block_tile_2d_128x128x8>(GEMM_TYPE const*, GEMM_TYPE const*, GEMM_TYPE*, int);
template gemm::status two_storages<gemm::vectorized_128x128x8>(GEMM_TYPE const*, GEMM_TYPE const*, GEMM_TYPE*, int);
template gemm::status two_storages<gemm::warp_tile_128x128x16>(GEMM_TYPE const*, GEMM_TYPE const*, GEMM_TYPE*, int);
template gemm::status two_storages<gemm::pipelined_128x128x16>(GEMM_TYPE const*, GEMM_TYPE const*, GEMM_TYPE*, int);
template gemm::status two_storages<gemm::skinny_1x32x512>(GEMM_TYPE const*, GEMM_TYPE const*, GEMM_TYPE*, int);
template gemm::status two_storages<gemm::skinny_32x1x512>(GEMM_TYPE const*, GEMM_TYPE const*, GEMM_TYPE*, int);
