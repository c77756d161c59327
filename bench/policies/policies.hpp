// SPDX-License-Identifier: BSL-1.0
//! @file
//! The one list of policies that are measured: every named one, in the order of the ladder.
#pragma once

#include <vector>

#include <gemm/gemm.cuh>

#include "../support/contender.hpp"
#include "../support/elements.hpp"

namespace bench {

template <class... Policies>
struct policy_list {};

using element_rungs =
    policy_list<gemm::naive_32x4, gemm::coalesced_32x32, gemm::shared_tile_32x32x32, gemm::block_tile_1d_64x64x16>;
using tile_rungs = policy_list<gemm::block_tile_2d_128x128x8, gemm::vectorized_128x128x8, gemm::warp_tile_128x128x16>;
// With the library's choice, which is one of these: its kernels are compiled once.
using pipelined_rungs = policy_list<gemm::pipelined_128x128x16, gemm::pipelined_64x128x16, gemm::pipelined_64x64x16,
                                    gemm::pipelined_32x64x32, gemm::pipelined_16x64x32, gemm::skinny_1x32x512,
                                    gemm::skinny_32x1x512, gemm::automatic>;
// And for float what may be chosen instead.
using pipelined_float_rungs =
    policy_list<gemm::pipelined_128x128x16, gemm::pipelined_64x128x16, gemm::pipelined_64x64x16,
                gemm::pipelined_32x64x32, gemm::pipelined_16x64x32, gemm::skinny_1x32x512, gemm::skinny_32x1x512,
                gemm::outer_product_32x128x16, gemm::small_16x16x16, gemm::small_32x32x32, gemm::small_48x48x48,
                gemm::automatic, gemm::fp32_emulated>;
// Those that are candidates for float alone.
using specialized_rungs =
    policy_list<gemm::warp_specialized_128x128x32, gemm::warp_specialized_64x64x32, gemm::warp_specialized_128x16x32,
                gemm::warp_specialized_16x64x32, gemm::persistent_128x64x32, gemm::persistent_64x64x32,
                gemm::persistent_36x128x32, gemm::pipelined_128x64x16, gemm::pipelined_48x128x16,
                gemm::pipelined_128x32x16, gemm::skinny_1x128x64, gemm::skinny_128x1x64, gemm::skinny_4x128x32,
                gemm::skinny_8x64x64, gemm::skinny_64x8x64>;
// Float, too, by products of halves.
using fp16x3_rungs =
    policy_list<gemm::fp16x3_128x192x64_2x1, gemm::fp16x3_128x128x64_2x1, gemm::fp16x3_wide_128x192x64_2x1,
                gemm::fp16x3_wide_128x128x64_2x1, gemm::fp16x3_compensated_128x192x64_2x1,
                gemm::fp16x3_compensated_128x128x64_2x1, gemm::fp16x3_sliced_128x128x64, gemm::bf16x6_128x128x64_2x1>;
// Those of the tensor cores, for half and bf16.
using tensor_rungs =
    policy_list<gemm::tensor_core_ping_pong_128x128x64, gemm::tensor_core_ping_pong_128x176x64,
                gemm::tensor_core_ping_pong_128x128x64_1x2, gemm::tensor_core_128x256x64_2x1,
                gemm::tensor_core_128x224x64, gemm::tensor_core_128x192x64_2x1, gemm::tensor_core_128x128x64_2x2,
                gemm::tensor_core_64x128x64, gemm::tensor_core_64x160x64_4x1, gemm::tensor_core_128x64x64,
                gemm::tensor_core_64x64x64, gemm::tensor_core_32x64x64, gemm::tensor_core_64x32x64,
                gemm::tensor_core_16x64x64, gemm::tensor_core_64x16x64, gemm::tensor_core_64x192x64_2x1,
                gemm::tensor_core_64x96x64_2x1, gemm::tensor_core_80x128x64_4x1>;
// And those for tf32, with the library's choice.
using tf32_rungs =
    policy_list<gemm::tensor_core_ping_pong_tf32_128x128x32, gemm::tensor_core_tf32_128x256x32,
                gemm::tensor_core_tf32_128x192x32, gemm::tensor_core_tf32_128x96x32, gemm::tensor_core_tf32_64x128x32,
                gemm::tensor_core_tf32_128x64x32, gemm::tensor_core_tf32_64x64x32, gemm::tensor_core_tf32_16x64x32,
                gemm::tensor_core_tf32_64x16x32, gemm::automatic>;
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
  using policies = pipelined_rungs;
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
  using policies = pipelined_rungs;
  using elements = element_list<f16, bf16, i8>;
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

/// The contenders of one part. Defined by compile_policies.cuh.
template <class Part>
std::vector<contender> contenders_of();

/// fp32_emulated with operands that were taken apart beforehand (policies/prepacked.cuh).
std::vector<contender> prepacked_contenders();

}  // namespace bench
