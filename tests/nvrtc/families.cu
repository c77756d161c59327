// SPDX-License-Identifier: BSL-1.0
//! @file
//! A policy of each kernel family, and the problems that their kernels are compiled for, by NVRTC: small tiles, which
//! take it the least time.

#include <gemm/block_scales.hpp>
#include <gemm/emulation/equilibrated.cuh>
#include <gemm/emulation/split_k_major.cuh>
#include <gemm/emulation/split_mn_major.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/kernel/gather_rows.cuh>
#include <gemm/kernel/zero_rest.cuh>
#include <gemm/policies.cuh>
#include <gemm/schedule/ragged.cuh>

namespace test {

using gemm::block;
using gemm::stages;
using gemm::thread;
using gemm::warp;
using gemm::warps;

struct naive : gemm::naive<block<8, 16>> {};
struct coalesced : gemm::coalesced<block<4, 24>> {};
struct shared_tile : gemm::shared_tile<block<16, 16, 4>> {};
struct block_tile_1d : gemm::block_tile_1d<block<16, 32, 4>, thread<4>> {};
struct block_tile_2d : gemm::block_tile_2d<block<32, 32, 4>, thread<4, 4>> {};
struct vectorized : gemm::vectorized<block<32, 32, 8>, thread<4, 4>> {};
struct warp_tile : gemm::warp_tile<block<32, 32, 4>, warp<32, 32>, thread<4, 4>> {};
struct pipelined : gemm::pipelined<block<32, 32, 8>, warp<16, 32>, thread<4, 4>, stages<2>> {};
struct split_k : gemm::split_k<pipelined, 2> {};
struct skinny : gemm::skinny<block<4, 32, 32>, warps<1>> {};
struct outer_product : gemm::outer_product<block<12, 32, 8>, warps<3>> {};
struct warp_per_product : gemm::warp_per_product<block<16, 16, 16>, warps<2>> {};
struct block_scaled : gemm::block_scaled<block<32, 32, 128>> {};
struct warp_mma : gemm::warp_mma<block<32, 16, 16>, warp<16, 16>> {};
struct sm80_mma : gemm::sm80_mma<block<64, 64, 32>, warp<32, 32>, stages<2>> {};
struct sm80_mma_tf32 : gemm::sm80_mma<block<32, 32, 16>, warp<32, 32>, stages<2>, gemm::tf32> {};
struct sm80_mma_s8 : gemm::sm80_mma<block<32, 32, 64>, warp<32, 32>, stages<2>, std::int8_t> {};
struct sm80_mma_fp8 : gemm::sm80_mma<block<64, 64, 64>, warp<32, 32>, stages<2>, gemm::fp8> {};
struct sm80_mma_f64 : gemm::sm80_mma<block<32, 64, 16>, warp<32, 64>, stages<2>, double> {};
struct bf16x6_mma : gemm::bf16x6_mma<block<64, 64, 64>, stages<2>> {};
struct sm90_simt_tma : gemm::sm90_simt_tma<block<64, 64, 32>, stages<4>, gemm::k_groups<4>> {};
struct persistent
    : gemm::persistent<gemm::sm90_simt_tma<block<64, 64, 32>, stages<4>, gemm::k_groups<1>, warp<32, 32>>> {};
struct sm90_wgmma : gemm::sm90_wgmma<block<64, 64, 64>, stages<2>> {};
struct sm90_wgmma_ping_pong : gemm::sm90_wgmma_ping_pong<block<64, 64, 64>, stages<2>> {};
struct sm90_wgmma_16_rows : gemm::sm90_wgmma<block<16, 64, 64>, stages<2>> {};
struct sm90_wgmma_tf32 : gemm::sm90_wgmma<block<64, 64, 32>, stages<2>, gemm::cluster<1>, gemm::tf32> {};
struct sm90_wgmma_s8 : gemm::sm90_wgmma<block<64, 64, 128>, stages<2>, gemm::cluster<1>, std::int8_t> {};
struct sm90_wgmma_fp8 : gemm::sm90_wgmma<block<64, 64, 128>, stages<2>, gemm::cluster<1>, gemm::fp8> {};
struct fp16x3 : gemm::fp16x3<block<64, 64, 64>, stages<2>> {};

/// An epilogue that the library does not know.
struct distance {
  float factor;

  float operator()(float value, long row, long column) const {
    return value * factor + static_cast<float>(row - column);
  }
};

using of_floats = gemm::detail::plain_problem<float, float, gemm::nn, gemm::identity>;
using of_functor = gemm::detail::plain_problem<float, float, gemm::nt, distance>;
using fused = decltype(gemm::bias(static_cast<float*>(nullptr), 0) | gemm::gelu{} | gemm::amax(nullptr));
using of_bf16 = gemm::detail::plain_problem<__nv_bfloat16, float, gemm::nt, fused>;
using of_ragged_rows = gemm::detail::ragged_problem<of_bf16, false>;
using gate = gemm::detail::gated_pair<gemm::identity, gemm::silu, gemm::identity>;
using of_gated_bf16 = gemm::detail::plain_problem<__nv_bfloat16, __nv_bfloat16, gemm::nt, gate>;
using of_experts = gemm::detail::ragged_problem<gemm::detail::indexed_problem<of_gated_bf16, true, true>, false>;
using of_half = gemm::detail::plain_problem<__half, __half, gemm::nn, gemm::identity>;
using of_tf32 = gemm::detail::plain_problem<gemm::tf32, float, gemm::nt, gemm::identity>;
using of_int8 = gemm::detail::plain_problem<std::int8_t, std::int32_t, gemm::nt, gemm::identity>;
using of_fp8 = gemm::detail::plain_problem<__nv_fp8_e5m2, __nv_fp8_e4m3, gemm::nt, gemm::identity>;
using of_doubles = gemm::detail::plain_problem<double, double, gemm::nt, gemm::identity>;
using of_scaled_fp8 = gemm::problem<gemm::operand<__nv_fp8_e4m3, gemm::major::k, gemm::scale_per_block<1, 128>>,
                                    gemm::operand<__nv_fp8_e4m3, gemm::major::k, gemm::scale_per_block<128, 128>>,
                                    __nv_bfloat16, gemm::identity>;
using terms = gemm::half_terms<0>;

}  // namespace test
