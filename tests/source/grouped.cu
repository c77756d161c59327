// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products that differ, loaded by TMA: what ptxas says of the largest tiles is checked.

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <cstdint>

#include <gemm/gemm.cuh>

using gemm::order;
using bf16 = __nv_bfloat16;
using e4m3 = __nv_fp8_e4m3;

/// The kernel before, the policy's, and that of the products that TMA cannot load.
template <class Policy, class T, class Out, order A, order B>
gemm::status multiply(gemm::matrix<T const, A> const* a, gemm::matrix<T const, B> const* b,
                      gemm::matrix<Out, order::row> const* c) {
  return gemm::run<Policy>(gemm::grouped(gemm::matrix<T const, A>{nullptr, 8, 8, 8}, a, 2),
                           gemm::grouped(gemm::matrix<T const, B>{nullptr, 8, 8, 8}, b, 2),
                           gemm::grouped(gemm::matrix<Out, order::row>{nullptr, 8, 8, 8}, c, 2));
}

template <order Order, class T>
using views = gemm::matrix<T, Order> const*;
constexpr order row = order::row, column = order::column;
template gemm::status multiply<gemm::automatic>(views<row, bf16 const>, views<column, bf16 const>, views<row, bf16>);
template gemm::status multiply<gemm::automatic>(views<column, bf16 const>, views<row, bf16 const>, views<row, bf16>);
template gemm::status multiply<gemm::automatic>(views<row, bf16 const>, views<row, bf16 const>, views<row, float>);
template gemm::status multiply<gemm::automatic>(views<row, e4m3 const>, views<column, e4m3 const>, views<row, bf16>);
template gemm::status multiply<gemm::automatic>(views<row, std::int8_t const>, views<column, std::int8_t const>,
                                                views<row, std::int32_t>);
template gemm::status multiply<gemm::sm90_wgmma_tf32_128x256x32>(views<row, float const>, views<column, float const>,
                                                                 views<row, float>);
template gemm::status multiply<gemm::sm90_wgmma_tf32_128x256x32>(views<row, float const>, views<row, float const>,
                                                                 views<row, float>);
