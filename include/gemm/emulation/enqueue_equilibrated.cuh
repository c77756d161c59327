// SPDX-License-Identifier: BSL-1.0
//! @file
//! The launches that make equilibrated terms.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include <gemm/emulation/equilibrated.cuh>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Words of keys: of each row two, and of each k one for A and one for B.
struct equilibration_keys {
  std::int64_t of_a, of_b, of_depths;

  explicit equilibration_keys(fp16x3_plan const& plan, std::int64_t k)
      : of_a(plan.a.matrices * plan.a.lines),
        of_b(plan.b.matrices * plan.b.lines),
        of_depths(plan.a.matrices == plan.b.matrices ? plan.a.matrices * padded_depth(k) : padded_depth(k)) {}

  std::int64_t all() const { return 2 * (of_a + of_b + of_depths); }
};

/// Makes of a plan one of equilibrated terms.
inline void plan_equilibration(fp16x3_plan& plan, std::int64_t k) {
  if (k == 0 || plan.bytes == (std::numeric_limits<std::size_t>::max)()) {  // nothing, or more than can be
    return;
  }
  for (terms_plan* const o : {&plan.a, &plan.b}) {
    o->blocks = o->matrices * tiles(o->lines, split_tile) * (padded_depth(k) / split_tile);
    o->second_blocks = 0;
  }
  plan.keys = add_memory(plan.bytes, static_cast<double>(equilibration_keys(plan, k).all()) * sizeof(std::uint32_t));
}

/// Enqueues what makes equilibrated terms of A and B.
template <class Policy, class Problem>
static status enqueue_equilibrated_split(Problem const& p, fp16x3_plan const& plan, unsigned char* memory,
                                         cudaStream_t stream) {
  using terms = typename Policy::terms;
  equilibration_keys const keys(plan, p.k);
  auto* const words = reinterpret_cast<std::uint32_t*>(memory + plan.keys);
  auto const operand_of = [&](terms_plan const& o, strided<float const> const& from, std::uint32_t* lines,
                              std::uint32_t* depths) {
    return equilibrated_operand{.from = from.data,
                                .terms = memory + o.terms,
                                .exponents = reinterpret_cast<int*>(memory + o.exponents),
                                .lines = lines,
                                .equilibrated = lines + o.matrices * o.lines,
                                .depths = depths,
                                .ld = from.ld,
                                .stride = from.batch_stride,
                                .count = o.lines,
                                .matrices = o.matrices,
                                .blocks = o.blocks,
                                .by_k = o.by_k};
  };
  std::uint32_t* const depths = words + 2 * (keys.of_a + keys.of_b);
  equilibrated_operands const params{
      .operand = {operand_of(plan.a, p.a, words, depths),
                  operand_of(plan.b, p.b, words + 2 * keys.of_a, depths + keys.of_depths)},
      .depth = static_cast<int>(p.k),
      .as_one = plan.a.matrices != plan.b.matrices};
  cudaError_t error = cudaMemsetAsync(words, 0, static_cast<std::size_t>(keys.all()) * sizeof(std::uint32_t), stream);
  for (auto const kernel : {&fp16x3_equilibrate_kernel<terms, equilibration_step::lines>,
                            &fp16x3_equilibrate_kernel<terms, equilibration_step::depths>,
                            &fp16x3_equilibrate_kernel<terms, equilibration_step::equilibrated>,
                            &fp16x3_equilibrate_kernel<terms, equilibration_step::split>}) {
    dim3 const grid(static_cast<unsigned>(params.operand[0].blocks + params.operand[1].blocks));
    error = error == cudaSuccess ? launch(kernel, grid, split_threads, sizeof(equilibration_storage), stream, params)
                                 : error;
  }
  return status_of_launch("what splits A and B into terms", error);
}

}  // namespace gemm::detail
