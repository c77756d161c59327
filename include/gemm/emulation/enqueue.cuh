// SPDX-License-Identifier: BSL-1.0
//! @file
//! The launches of a product of floats on tensor cores.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <gemm/block/problem.cuh>
#include <gemm/emulation/enqueue_equilibrated.cuh>
#include <gemm/emulation/enqueue_fallback.cuh>
#include <gemm/emulation/enqueue_split.cuh>
#include <gemm/emulation/kernel.cuh>
#include <gemm/emulation/narrow_tail.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/split_operand.cuh>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/emulation/tile_plan.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/make_problem.hpp>
#include <gemm/launch/tensor_map.hpp>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Enqueues the passes that split A and B, as far as they are not prepacked. `overlapped`: only so many of B's first
/// columns (see overlapped_columns()), or all but them. Those say that the product is undecided, where there are any,
/// and then `undecided` becomes true.
template <class Policy, class Problem>
static status enqueue_fp16x3_split(Problem const& p, fp16x3_plan const& plan, unsigned char* memory,
                                   cudaStream_t stream, std::int64_t overlapped_columns, bool overlapped,
                                   bool& undecided) {
  using terms = typename Policy::terms;
  split_operands params{.operand = {split_operand_of(plan.a, plan.a.memory(memory), p.a),
                                    split_operand_of(plan.b, plan.b.memory(memory), p.b)},
                        .depth = static_cast<int>(p.k),
                        .cluster = plan.cluster,
                        .overlapped = overlapped};
  if (overlapped) {
    params.operand[0] = lines_of<terms>(params.operand[1], 0, overlapped_columns, params.depth, plan.lanes);
    params.operand[0].blocks = params.operand[0].by_k ? params.operand[0].blocks : 0;  // all rows are cleared
    params.operand[1] = {};
  } else if (overlapped_columns > 0) {
    params.operand[1] =
        lines_of<terms>(params.operand[1], overlapped_columns, p.n - overlapped_columns, params.depth, plan.lanes);
  }
  if (checks_bound<Policy> && !overlapped &&
      params.operand[0].blocks + params.operand[1].blocks + params.operand[0].second_blocks +
              params.operand[1].second_blocks >
          0) {
    params.refused = reinterpret_cast<int*>(memory + plan.refused);
    undecided = true;
  }
  return enqueue_passes<terms>(params, plan.lanes, splits_wide(p, plan), stream);
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

/// Enqueues all kernels of a problem that check_fp16x3() and check_launch() have passed; `workspace` has the plan's
/// bytes.
template <class Policy, class Problem>
static status enqueue_fp16x3(Problem const& given, fp16x3_plan plan, emulated_launch const& layout, void* workspace,
                             cudaStream_t stream) {
  using terms = typename Policy::terms;
  Problem p = given;
  status result;
  if (layout.transposed) {
    p = with_sides_swapped(p);
    std::swap(plan.a, plan.b);
  }
  auto* const memory = static_cast<unsigned char*>(workspace);
  unsigned char* const of_a = plan.a.memory(memory);
  unsigned char* const of_b = plan.b.memory(memory);
  tile_plan const& tiling = layout.tiling;
  p.tiles_m = tiling.tiles_m;
  p.tiles_n = tiling.tiles_n;
  p.vector_c = allows_vectors<widest<typename Problem::output>>(p.c);
  auto const whole = problem_like<nt>(p, p.c.data, p.epilogue);  // which stands for all storages
  using problem_type = std::remove_const_t<decltype(whole)>;
  fp16x3_problem<problem_type> params{.loads = {.a = {}, .b = {}, .problem = whole},
                                      .narrow_b = {},
                                      .order = schedule_of_tiles<Policy>(p, tiling),
                                      .tail = tiling.tail,
                                      .a = {},
                                      .b = {},
                                      .facts_a = facts_of_operand(plan.a, of_a),
                                      .facts_b = facts_of_operand(plan.b, of_b),
                                      .refused = reinterpret_cast<int*>(memory + plan.refused),
                                      .transposed = layout.transposed,
                                      .terms_a = of_a + plan.a.terms,
                                      .terms_b = of_b + plan.b.terms};
  if (result && p.k > 0) {
    params.a = source_of(plan.a, p.a, of_a);
    params.b = source_of(plan.b, p.b, of_b);
    if constexpr (Policy::info.uses_tma()) {
      result = encode_terms_map<terms>(params.loads.a, plan.a, p.k, of_a, Policy::block_m / Policy::cluster_n);
      result = result ? encode_terms_map<terms>(params.loads.b, plan.b, p.k, of_b, Policy::block_n / Policy::cluster_m)
                      : result;
      result = result
                   ? encode_terms_map<terms>(params.narrow_b, plan.b, p.k, of_b, Policy::narrow_n / Policy::cluster_m)
                   : result;
    }
  }
  auto const launched = [&](narrow_tail const& tail) {
    int const clustered = Policy::cluster_m * Policy::cluster_n * tiling.slices;
    tile_plan tiles = tiling;
    tiles.tail = params.tail = tail;
    auto const clusters = static_cast<unsigned>(cuts_k<Policy> ? tail.whole : tiles.clusters());
    cudaError_t const error = launch(Policy::template kernel<Policy, problem_type, true>(),
                                     dim3(clusters, 1, static_cast<unsigned>(clustered)), Policy::threads,
                                     Policy::template shared_bytes<float>, stream, params,
                                     launch_kind{.cluster = clustered, .dependent = current_code().dependent_launch});
    return status_of_launch(name<Policy>(), error);
  };
  narrow_tail last = tiling.tail;
  std::int64_t const columns = layout.overlapped_columns;
  bool undecided = false;
  if (result && p.k > 0) {
    if constexpr (is_equilibrated<Policy>) {
      result = enqueue_equilibrated_split<Policy>(p, plan, memory, stream);
    } else {
      result = enqueue_fp16x3_split<Policy>(p, plan, memory, stream, columns, false, undecided);
    }
  }
  if (result && columns > 0) {
    narrow_tail first = last;
    first.whole = 0;
    first.only_narrow = true;
    last.narrow = 0;
    result = launched(first);
    result = result ? enqueue_fp16x3_split<Policy>(p, plan, memory, stream, columns, true, undecided) : result;
  }
  result = result ? launched(last) : result;
  if constexpr (checks_bound<Policy>) {
    if (result && p.k > 0) {
      return enqueue_refused<Policy>(refused_problem<Problem>{given, params.refused, undecided}, layout.fallback,
                                     stream);
    }
  }
  return result;
}

}  // namespace gemm::detail
