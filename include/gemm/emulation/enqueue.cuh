// SPDX-License-Identifier: BSL-1.0
//! @file
//! The launches of a product of floats on tensor cores.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/emulation/enqueue_equilibrated.cuh>
#include <gemm/emulation/enqueue_split.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/split_operand.cuh>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/emulation/terms_parts.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/make_problem.hpp>
#include <gemm/launch/split_plan.cuh>
#include <gemm/launch/tensor_map.hpp>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/schedule/work.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Enqueues the passes that split A and B, as far as they are not prepacked. They say that the product is undecided,
/// where there are any, and then `undecided` becomes true.
template <class Policy, class Problem>
static status enqueue_fp16x3_split(Problem const& p, fp16x3_plan const& plan, unsigned char* memory,
                                   cudaStream_t stream, bool& undecided) {
  split_operands params{.operand = {split_operand_of(plan.a, plan.a.memory(memory), p.a),
                                    split_operand_of(plan.b, plan.b.memory(memory), p.b)},
                        .depth = static_cast<int>(p.k)};
  undecided = Policy::info.with_fallback && plan.a.blocks + plan.b.blocks > 0;
  if (undecided) {
    params.refused = reinterpret_cast<int*>(memory + plan.refused);
  }
  return enqueue_passes<typename Policy::terms>(params, plan.lanes, splits_wide(p, plan), stream);
}

/// The map of an operand's terms, of which a block loads so many rows at a time.
template <class Terms>
status encode_terms_map(CUtensorMap& map, terms_plan const& o, std::int64_t k, unsigned char const* memory,
                        int box_lines) {
  using element = typename Terms::element;
  std::int64_t const ld = line_of_terms<Terms>(k);
  return encode_tensor_map(map, tma_matrices<element>{.data = reinterpret_cast<element const*>(memory + o.terms),
                                                      .inner = ld,
                                                      .outer = o.lines,
                                                      .batches = o.matrices,
                                                      .ld = ld,
                                                      .batch_stride = o.lines * ld,
                                                      .box_inner = piece_elements,
                                                      .box_outer = box_lines,
                                                      .swizzle = tma_swizzle::bytes_128});
}

inline facts_of_lines facts_of_operand(terms_plan const& o, unsigned char const* memory) {
  return {.data = reinterpret_cast<std::uint32_t const*>(memory + o.facts), .count = o.matrices * o.lines};
}

inline split_source source_of(terms_plan const& o, strided<float const> const& from, unsigned char const* memory) {
  return {.exponents = reinterpret_cast<int const*>(memory + o.exponents),
          .data = from.data,
          .outer_stride = o.by_k ? from.ld : 1,
          .k_stride = o.by_k ? 1 : from.ld};
}

/// The parameter of a kernel that multiplies terms in `memory`; its maps are encoded by encode_terms_maps().
template <class Problem>
scheduled<terms_problem<Problem>> parameter_of_terms(Problem const& p, fp16x3_plan const& plan, schedule const& order,
                                                     unsigned char* memory) {
  unsigned char *const of_a = plan.a.memory(memory), *const of_b = plan.b.memory(memory);
  return {.io = {.loads = {.a = {}, .b = {}, .problem = p},
                 .a = source_of(plan.a, p.a, of_a),
                 .b = source_of(plan.b, p.b, of_b),
                 .facts_a = facts_of_operand(plan.a, of_a),
                 .facts_b = facts_of_operand(plan.b, of_b),
                 .refused = reinterpret_cast<int*>(memory + plan.refused),
                 .terms_a = of_a + plan.a.terms,
                 .terms_b = of_b + plan.b.terms},
          .order = order};
}

/// The maps of the terms of A and of B.
template <class Policy, class Problem>
status encode_terms_maps(tma_problem<Problem>& loads, fp16x3_plan const& plan, unsigned char* memory) {
  using terms = typename Policy::terms;
  std::int64_t const k = loads.problem.k;
  status const result =
      encode_terms_map<terms>(loads.a, plan.a, k, plan.a.memory(memory), Policy::block_m / Policy::cluster_n);
  return result
             ? encode_terms_map<terms>(loads.b, plan.b, k, plan.b.memory(memory), Policy::block_n / Policy::cluster_m)
             : result;
}

/// Enqueues the fallback of a refused product.
template <class Policy, class Problem>
static status enqueue_refused(refused_problem<Problem> const& p, split_plan const& plan, cudaStream_t stream) {
  return plan.slices == 1 ? enqueue<typename Policy::otherwise>(p, stream)
                          : enqueue<typename Policy::otherwise_small>(p, stream, plan);
}

/// Enqueues all kernels of a problem that check_fp16x3() and check_launch() have passed; `workspace` has the plan's
/// bytes. `fallback`: of a product that is refused.
template <class Policy, class Problem>
static status enqueue_fp16x3(Problem const& given, fp16x3_plan const& terms, launch_plan const& plan,
                             split_plan const& fallback, void* workspace, cudaStream_t stream) {
  auto* const memory = static_cast<unsigned char*>(workspace);
  Problem p = given;
  p.tiles_m = plan.order.tiles_m;
  p.tiles_n = plan.order.tiles_n;
  p.vector_c = allows_vectors<widest<typename Problem::output>>(p.c);
  auto params = parameter_of_terms(problem_like<nt>(p, p.c.data, p.epilogue), terms, plan.order, memory);
  using problem_type = decltype(params.io.loads.problem);
  status result;
  bool undecided = false;
  if (p.k > 0) {
    if constexpr (Policy::info.uses_tma()) {
      result = encode_terms_maps<Policy>(params.io.loads, terms, memory);
    }
    if (result) {
      if constexpr (is_equilibrated<Policy>) {
        result = enqueue_equilibrated_split<Policy>(p, terms, memory, stream);
      } else {
        result = enqueue_fp16x3_split<Policy>(p, terms, memory, stream, undecided);
      }
    }
  }
  if (result) {
    result = status_of_launch(name<Policy>(), launch(Policy::template kernel<Policy, problem_type, true>(), plan.grid,
                                                     Policy::threads, plan.shared_bytes, stream, params, plan.kind));
  }
  if constexpr (Policy::info.with_fallback) {
    if (result && p.k > 0) {
      return enqueue_refused<Policy>(refused_problem<Problem>{given, params.io.refused, undecided}, fallback, stream);
    }
  }
  return result;
}

}  // namespace gemm::detail
