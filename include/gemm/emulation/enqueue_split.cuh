// SPDX-License-Identifier: BSL-1.0
//! @file
//! The launches of the kernels that split operands of fp16x3.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/split_k_major.cuh>
#include <gemm/emulation/split_mn_major.cuh>
#include <gemm/emulation/split_operand.cuh>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/extremes.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// What the passes receive of an operand whose terms go to `memory`.
inline split_operand split_operand_of(terms_plan const& o, unsigned char* memory, strided<float const> const& from) {
  return {.from = from.data,
          .terms = memory + o.terms,
          .exponents = reinterpret_cast<int*>(memory + o.exponents),
          .facts = reinterpret_cast<std::uint32_t*>(memory + o.facts),
          .maxima = reinterpret_cast<std::uint32_t*>(memory + o.maxima),
          .ld = from.ld,
          .stride = from.batch_stride,
          .lines = o.lines,
          .all_lines = o.matrices * o.lines,
          .blocks = o.blocks,
          .second_blocks = o.second_blocks,
          .cleared = reinterpret_cast<std::uint32_t*>(memory + o.facts),
          .cleared_bytes = static_cast<std::int64_t>(o.cleared_bytes),
          .slab = o.slab,
          .by_k = o.by_k};
}

/// Enqueues the passes over operands that are to be split, if there are any.
template <class Terms>
static status enqueue_passes(split_operands const& params, int lanes, bool wide, cudaStream_t stream) {
  auto const launched = [&](auto kernel, std::int64_t blocks, std::size_t shared_bytes) {
    return launch(kernel, dim3(static_cast<unsigned>(blocks)), split_threads, shared_bytes, stream, params,
                  launch_kind{.dependent = current_code().dependent_launch});
  };
  std::int64_t const blocks = params.operand[0].blocks + params.operand[1].blocks,
                     second_blocks = params.operand[0].second_blocks + params.operand[1].second_blocks;
  auto const of_lanes = [&]<bool Wide>() {
    return lanes == 8     ? &split_k_major_kernel<Terms, Wide, 8>
           : lanes == 32  ? &split_k_major_kernel<Terms, Wide, 32>
           : lanes == 64  ? &split_k_major_kernel<Terms, Wide, 64>
           : lanes == 128 ? &split_k_major_kernel<Terms, Wide, 128>
                          : &split_k_major_kernel<Terms, Wide, split_threads>;
  };
  auto const first = wide ? of_lanes.template operator()<true>() : of_lanes.template operator()<false>();
  cudaError_t error = blocks > 0 ? launched(first, blocks, sizeof(split_storage)) : cudaSuccess;
  if (error == cudaSuccess && second_blocks > 0) {
    error = launched(wide ? &split_mn_major_kernel<Terms, true> : &split_mn_major_kernel<Terms, false>, second_blocks,
                     mn_major_shared_bytes(greater(params.operand[0].slab, params.operand[1].slab)));
  }
  return status_of_launch("what splits A and B into terms", error);
}

}  // namespace gemm::detail
