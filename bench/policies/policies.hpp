// SPDX-License-Identifier: BSL-1.0
//! @file
//! The policies that are measured: every row of the table, the ladder first.
#pragma once

#include <type_traits>
#include <vector>

#include <gemm/choose/kernel_table.hpp>
#include <gemm/gemm.cuh>

#include "../support/contender.hpp"
#include "../support/elements.hpp"

namespace bench {

template <class... Policies>
struct policy_list {};

using element_rungs =
    policy_list<gemm::naive_32x4, gemm::coalesced_32x32, gemm::shared_tile_32x32x32, gemm::block_tile_1d_64x64x16>;
using tile_rungs = policy_list<gemm::block_tile_2d_128x128x8, gemm::vectorized_128x128x8, gemm::warp_tile_128x128x16>;
using pipelined_rungs =
    policy_list<gemm::pipelined_128x128x16, gemm::pipelined_64x128x16, gemm::pipelined_64x64x16,
                gemm::pipelined_32x64x32, gemm::pipelined_16x64x32, gemm::skinny_1x32x512, gemm::skinny_32x1x512>;
// For float with what else may be chosen, and the library's choice: its kernels are compiled once.
using pipelined_float_rungs =
    policy_list<gemm::pipelined_128x128x16, gemm::pipelined_64x128x16, gemm::pipelined_64x64x16,
                gemm::pipelined_32x64x32, gemm::pipelined_16x64x32, gemm::skinny_1x32x512, gemm::skinny_32x1x512,
                gemm::outer_product_32x128x16, gemm::small_16x16x16, gemm::small_32x32x32, gemm::small_48x48x48,
                gemm::automatic, gemm::batch_invariant, gemm::fp32_emulated>;
template <class Policy, class... Policies>
constexpr bool lists(policy_list<Policies...>) {
  return (std::is_same_v<Policy, Policies> || ...);
}
template <class... First, class... Second>
policy_list<First..., Second...> joined(policy_list<First...>, policy_list<Second...>);
/// The policies whose rows of the table a filter accepts.
template <class Filter>
using named_policies = decltype(gemm::detail::policies_in<policy_list>(gemm::detail::rows_of<Filter>{}));

// The others that are for float alone.
struct specialized_rows {
  template <class Row>
  static constexpr bool accepts = gemm::detail::rows_for<gemm::detail::of_float>::accepts<Row> &&
                                  !lists<typename Row::policy>(pipelined_float_rungs{});
};
using specialized_rungs = named_policies<specialized_rows>;
// Float, too, by products of halves.
using fp16x3_rungs = named_policies<gemm::detail::rows_for<gemm::detail::of_float, true>>;
// Those of the tensor cores, for half and bf16; and for tf32 and 8 bits, with the library's choice.
template <class Policies>
using with_choice = decltype(joined(Policies{}, policy_list<gemm::automatic, gemm::batch_invariant>{}));
template <class Inputs>
struct rows_of_all_units {
  template <class Row>
  static constexpr bool accepts = std::is_same_v<typename Row::inputs, Inputs>;
};
using tensor_rungs = named_policies<gemm::detail::rows_for<gemm::detail::of_half>>;
using tf32_rungs = with_choice<named_policies<gemm::detail::rows_for<gemm::detail::of_tf32>>>;
using int8_rungs = with_choice<named_policies<rows_of_all_units<gemm::detail::of_int8>>>;
using fp8_rungs = with_choice<named_policies<rows_of_all_units<gemm::detail::of_fp8>>>;
// Those of mma.sync.
template <class Inputs>
using mma_rungs = named_policies<gemm::detail::mma_rows_for<Inputs>>;
using first_pipelined_rung = policy_list<gemm::pipelined_128x128x16>;

/// Which storages of A and B are compiled. Each costs every policy and type up to a second of compile time.
enum class storages {
  all,
  nn,
  nn_and_nt,
};

template <class... Elements>
struct element_list {};

// What is compiled, in parts, by the sources of their names, so that sources compile side by side.
struct element_rungs_float {
  using policies = element_rungs;
  using elements = element_list<f32>;
  static constexpr storages compiled = storages::all;
};
struct element_rungs_double {
  using policies = element_rungs;
  using elements = element_list<f64>;
  static constexpr storages compiled = storages::nn_and_nt;
};
struct element_rungs_narrow {
  using policies = element_rungs;
  using elements = element_list<f16, bf16, i8>;
  static constexpr storages compiled = storages::nn;
};
struct tile_rungs_float {
  using policies = tile_rungs;
  using elements = element_list<f32>;
  static constexpr storages compiled = storages::all;
};
struct tile_rungs_double {
  using policies = tile_rungs;
  using elements = element_list<f64>;
  static constexpr storages compiled = storages::nn_and_nt;
};
struct tile_rungs_narrow {
  using policies = tile_rungs;
  using elements = element_list<f16, bf16, i8>;
  static constexpr storages compiled = storages::nn;
};
struct pipelined_rungs_float {
  using policies = pipelined_float_rungs;
  using elements = element_list<f32>;
  static constexpr storages compiled = storages::all;
};
struct pipelined_rungs_double {
  using policies = with_choice<pipelined_rungs>;
  using elements = element_list<f64>;
  static constexpr storages compiled = storages::nn_and_nt;
};
struct specialized_rungs_float {
  using policies = specialized_rungs;
  using elements = element_list<f32>;
  static constexpr storages compiled = storages::all;
};
struct fp16x3_rungs_float {
  using policies = fp16x3_rungs;
  using elements = element_list<f32>;
  static constexpr storages compiled = storages::nn_and_nt;
};
struct pipelined_rungs_narrow {
  using policies = with_choice<pipelined_rungs>;
  using elements = element_list<f16, bf16>;
  static constexpr storages compiled = storages::nn_and_nt;
};
struct pipelined_rungs_int8 {
  using policies = pipelined_rungs;
  using elements = element_list<i8>;
  static constexpr storages compiled = storages::nn_and_nt;
};
struct pipelined_rungs_mixed {
  using policies = first_pipelined_rung;
  using elements = element_list<f16f32, bf16f32>;
  static constexpr storages compiled = storages::nn;
};

struct tensor_rungs_narrow {
  using policies = tensor_rungs;
  using elements = element_list<f16, bf16>;
  static constexpr storages compiled = storages::nn_and_nt;
};

struct tensor_rungs_tf32 {
  using policies = tf32_rungs;
  using elements = element_list<tf32>;
  static constexpr storages compiled = storages::nn_and_nt;
};

struct mma_rungs_narrow {
  using policies = mma_rungs<gemm::detail::of_half>;
  using elements = element_list<f16, bf16>;
  static constexpr storages compiled = storages::all;
};
/// Large tiles of mma.sync with rings of other lengths and depths, beside the named ones: for
/// bench/shapes/mma_tiles.txt. Stages of 64 of k are for GPUs with 163 KiB of shared memory for a block, four of them
/// for 227 KiB.
struct sm80_mma_128x256x32_3 : gemm::sm80_mma<gemm::block<128, 256, 32>, gemm::warp<64, 64>, gemm::stages<3>> {};
struct sm80_mma_256x128x32_3 : gemm::sm80_mma<gemm::block<256, 128, 32>, gemm::warp<64, 64>, gemm::stages<3>> {};
struct sm80_mma_128x256x64_3 : gemm::sm80_mma<gemm::block<128, 256, 64>, gemm::warp<64, 64>, gemm::stages<3>> {};
struct sm80_mma_256x128x64_3 : gemm::sm80_mma<gemm::block<256, 128, 64>, gemm::warp<64, 64>, gemm::stages<3>> {};
struct sm80_mma_128x256x64_4 : gemm::sm80_mma<gemm::block<128, 256, 64>, gemm::warp<64, 64>, gemm::stages<4>> {};
struct mma_tiles_narrow {
  using policies = policy_list<sm80_mma_128x256x32_3, sm80_mma_256x128x32_3, sm80_mma_128x256x64_3,
                               sm80_mma_256x128x64_3, sm80_mma_128x256x64_4>;
  using elements = element_list<bf16>;
  static constexpr storages compiled = storages::nn_and_nt;
};
struct mma_rungs_tf32 {
  using policies = mma_rungs<gemm::detail::of_tf32>;
  using elements = element_list<tf32>;
  static constexpr storages compiled = storages::all;
};
struct mma_rungs_double {
  using policies = mma_rungs<gemm::detail::of_double>;
  using elements = element_list<f64>;
  static constexpr storages compiled = storages::all;
};

struct tensor_rungs_int8 {
  using policies = int8_rungs;
  using elements = element_list<i8>;
  static constexpr storages compiled = storages::all;
};
struct tensor_rungs_fp8 {
  using policies = fp8_rungs;
  using elements = element_list<e4m3>;
  static constexpr storages compiled = storages::all;
};
struct tensor_rungs_fp8_to_float {
  using policies = policy_list<gemm::automatic>;
  using elements = element_list<e4m3f32>;
  static constexpr storages compiled = storages::nn_and_nt;
};

/// The contenders of one part. Defined by compile_policies.cuh.
template <class Part>
std::vector<contender> contenders_of();

/// fp32_emulated with operands that were taken apart beforehand (policies/prepacked.cuh).
std::vector<contender> prepacked_contenders();

}  // namespace bench
