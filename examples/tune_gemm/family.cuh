// SPDX-License-Identifier: BSL-1.0
//! @file
//! Measures a family of policies. CMakeLists.txt makes a source for each storage.
#pragma once

#include <gemm/gemm.cuh>
#include <gemm/tune.cuh>

#include "../support/unread_product.cuh"
#include "family.hpp"

namespace example {

using gemm::block;
using gemm::stages;
using gemm::thread;
using gemm::warp;

// example-begin family
template <int M, int N, int K, int Stages>
using specialized = gemm::sm90_simt_tma<block<M, N, K>, stages<Stages>>;
template <int M, int N, int K, int WarpM, int WarpN, int Stages>
using pipelined = gemm::pipelined<block<M, N, K>, warp<WarpM, WarpN>, thread<4, 4>, stages<Stages>>;
// example-end

template <class Storage>
gemm::tune_result measure_family(tools::shape const& s, gemm::tune_options const& options) {
  tools::unread_product<tools::f32, Storage> const product{s.m, s.n, s.k, s.batch};
  return gemm::tune<
#if defined(__CUDACC__)
      specialized<128, 256, 32, 3>, gemm::pipelined_64x128x16, gemm::pipelined_64x64x16, gemm::pipelined_16x64x32,
      pipelined<128, 64, 16, 64, 32, 3>, pipelined<32, 128, 16, 32, 32, 3>, pipelined<64, 64, 32, 32, 32, 2>,
      pipelined<64, 32, 32, 32, 16, 3>, gemm::skinny_32x1x512
#else  // the CPU device, where time says nothing
      pipelined<32, 32, 8, 16, 32, 2>
#endif
      >(product.a(), product.b(), product.c(), options);
}

}  // namespace example
