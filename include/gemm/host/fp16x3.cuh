// SPDX-License-Identifier: BSL-1.0
//! @file
//! The launches of a product of floats on tensor cores, and the workspace for the parts of A and B.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <gemm/block/fp16_parts.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/host/launch.cuh>
#include <gemm/host/persistent_launch.cuh>
#include <gemm/host/tensor_map.hpp>
#include <gemm/host/tma_operands.cuh>
#include <gemm/kernel/fp16x3.cuh>
#include <gemm/kernel/fp16x3_split.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Whether a policy takes floats apart before its kernel runs.
template <class Policy>
inline constexpr bool splits_floats = requires {
  requires Policy::splits_floats;
};

/// Where an operand's parts go: offsets in the workspace, of bytes.
struct parts_plan {
  std::int64_t matrices = 0, lines = 0;
  bool by_k = false;
  std::size_t parts = 0, exponents = 0, facts = 0, maxima = 0;
  std::int64_t blocks = 0, second_blocks = 0;  // of the passes
};

/// What is made of a problem before it is multiplied, nothing where k is 0.
struct fp16x3_plan {
  parts_plan a, b;
  std::int64_t slab = 0;  // k of those whose greatest elements are looked for together
  int slabs = 0;
  bool long_lines = false;  // more than a warp keeps in registers
  std::size_t refused = 0;  // where it is said whether the product is for another kernel
  std::size_t bytes = 0;    // the greatest number where there are too many
};

/// Adds room for so many bytes, at a multiple of 128, and says where.
inline std::size_t add_room(std::size_t& total, double bytes) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  std::size_t const begin = total;
  total = total == most || bytes > 1e18 ? most : begin + (static_cast<std::size_t>(bytes) + 127) / 128 * 128;
  return begin;
}

template <class Problem>
fp16x3_plan plan_fp16x3(Problem const& p) {
  using storage = typename Problem::storage;
  fp16x3_plan plan;
  if (p.k == 0) {
    return plan;
  }
  constexpr std::int64_t most_slabs = 16, least_slab = 256;
  std::int64_t const slabs = tiles(p.k, least_slab);
  plan.slab = tiles(p.k, slabs < most_slabs ? slabs : most_slabs);
  plan.slabs = static_cast<int>(tiles(p.k, plan.slab));
  plan.long_lines = p.k > std::int64_t{32} * split_held;
  std::int64_t const padded = padded_depth(p.k), lines_of_block = plan.long_lines ? 1 : split_warps;
  auto const plan_operand = [&](std::int64_t stride, std::int64_t lines, bool by_k) {
    parts_plan o{.matrices = stride == 0 ? 1 : p.batch_count, .lines = lines, .by_k = by_k};
    double const all = static_cast<double>(o.matrices) * static_cast<double>(lines);
    o.parts = add_room(plan.bytes, all * static_cast<double>(padded) * 4);
    o.exponents = add_room(plan.bytes, all * sizeof(int));
    o.facts = add_room(plan.bytes, all * sizeof(std::uint32_t));
    o.maxima = add_room(plan.bytes, by_k ? 0 : all * plan.slabs * sizeof(std::uint32_t));
    if (plan.bytes != std::numeric_limits<std::size_t>::max()) {
      o.blocks = by_k ? tiles(o.matrices * lines, lines_of_block) : o.matrices * tiles(lines, split_group) * plan.slabs;
      o.second_blocks = by_k ? 0 : o.matrices * tiles(lines, split_tile) * (padded / split_tile);
    }
    return o;
  };
  plan.a = plan_operand(p.batch_stride_a, p.m, storage::a == major::k);
  plan.b = plan_operand(p.batch_stride_b, p.n, storage::b == major::k);
  plan.refused = add_room(plan.bytes, sizeof(int));
  return plan;
}

/// Whether TMA can load a problem's parts, and one launch each can make them.
template <class Problem>
status check_fp16x3(Problem const& p, fp16x3_plan const& plan) {
  using wide = long long;
  constexpr std::int64_t most = 0x7fffffff, most_k = (std::int64_t{1} << 30) - chunk_depth;
  if (p.m > most || p.n > most || p.k > most_k || p.batch_count > most) {
    return {status_code::invalid_argument,
            cudaSuccess,
            "m = %lld, n = %lld, k = %lld, batch %lld: TMA needs each to be 2^31 - 1 or less, and k 2^30 - 64",
            wide{p.m},
            wide{p.n},
            wide{p.k},
            wide{p.batch_count}};
  }
  if (plan.bytes == std::numeric_limits<std::size_t>::max() || plan.a.blocks + plan.b.blocks > most ||
      plan.a.second_blocks + plan.b.second_blocks > most) {
    return {status_code::invalid_argument, cudaSuccess,
            "to take A and B apart takes %.3g blocks, more than the 2^31 - 1 of a grid",
            static_cast<double>(plan.a.blocks + plan.a.second_blocks) +
                static_cast<double>(plan.b.blocks + plan.b.second_blocks)};
  }
  return {};
}

/// Enqueues the passes that take A and B apart.
template <class Policy, class Problem>
status enqueue_fp16x3_split(Problem const& p, fp16x3_plan const& plan, unsigned char* memory, cudaStream_t stream) {
  auto const operand_of = [&](parts_plan const& o, float const* from, std::int64_t ld, std::int64_t stride) {
    return split_operand{.from = from,
                         .parts = reinterpret_cast<__half*>(memory + o.parts),
                         .exponents = reinterpret_cast<int*>(memory + o.exponents),
                         .facts = reinterpret_cast<std::uint32_t*>(memory + o.facts),
                         .maxima = reinterpret_cast<std::uint32_t*>(memory + o.maxima),
                         .ld = ld,
                         .stride = stride,
                         .lines = o.lines,
                         .all_lines = o.matrices * o.lines,
                         .blocks = o.blocks,
                         .second_blocks = o.second_blocks,
                         .by_k = o.by_k};
  };
  split_operands const x{
      .of = {operand_of(plan.a, p.a, p.lda, p.batch_stride_a), operand_of(plan.b, p.b, p.ldb, p.batch_stride_b)},
      .depth = static_cast<int>(p.k),
      .slab = static_cast<int>(plan.slab),
      .slabs = plan.slabs,
      .low_scale = static_cast<float>(1 << Policy::low_exponent)};
  bool const wide = allows_vectors<widest<float>>(p.a, p.lda, p.batch_stride_a) &&
                    allows_vectors<widest<float>>(p.b, p.ldb, p.batch_stride_b);
  auto const launched = [&](auto kernel, std::int64_t blocks) {
    return launch(kernel, dim3(static_cast<unsigned>(blocks)), split_threads, sizeof(split_storage), stream, x,
                  {.dependent = launches_dependents()});
  };
  auto const first = plan.long_lines
                         ? wide ? &fp16x3_split_kernel<true, split_threads> : &fp16x3_split_kernel<false, split_threads>
                     : wide ? &fp16x3_split_kernel<true, 32>
                            : &fp16x3_split_kernel<false, 32>;
  cudaError_t error = launched(first, plan.a.blocks + plan.b.blocks);
  if (error == cudaSuccess && plan.a.second_blocks + plan.b.second_blocks > 0) {
    error = launched(wide ? &fp16x3_turn_kernel<true> : &fp16x3_turn_kernel<false>,
                     plan.a.second_blocks + plan.b.second_blocks);
  }
  return error == cudaSuccess ? status{} : not_launched("what takes A and B apart", error);
}

/// The map of an operand's parts, of which a block loads so many lines at a time.
inline status encode_parts_map(CUtensorMap& map, parts_plan const& o, std::int64_t k, unsigned char const* memory,
                               int box_lines) {
  std::int64_t const ld = 2 * padded_depth(k);
  return encode_tensor_map(map, tma_matrices<__half>{.data = reinterpret_cast<__half const*>(memory + o.parts),
                                                     .inner = ld,
                                                     .outer = o.lines,
                                                     .batches = o.matrices,
                                                     .ld = ld,
                                                     .batch_stride = o.lines * ld,
                                                     .box_inner = 2 * parts_depth,
                                                     .box_outer = box_lines,
                                                     .swizzle = tma_swizzle::bytes_128});
}

/// The problem, of the storage that stands for all of them.
template <class In, class Out, class Storage, class Epilogue>
problem<In, Out, nt, Epilogue> without_storage(problem<In, Out, Storage, Epilogue> const& p) {
  return {.m = p.m,
          .n = p.n,
          .k = p.k,
          .a = p.a,
          .b = p.b,
          .c = p.c,
          .lda = p.lda,
          .ldb = p.ldb,
          .ldc = p.ldc,
          .batch_stride_a = p.batch_stride_a,
          .batch_stride_b = p.batch_stride_b,
          .batch_stride_c = p.batch_stride_c,
          .batch_count = p.batch_count,
          .alpha = p.alpha,
          .beta = p.beta,
          .tiles_m = p.tiles_m,
          .tiles_n = p.tiles_n,
          .vector_c = p.vector_c,
          .turned = p.turned,
          .epilogue = p.epilogue};
}

inline facts_of_lines facts_of_operand(parts_plan const& o, unsigned char const* memory) {
  return {.data = reinterpret_cast<std::uint32_t const*>(memory + o.facts), .count = o.matrices * o.lines};
}

inline split_source source_of(parts_plan const& o, float const* data, std::int64_t ld, unsigned char const* memory) {
  return {.exponents = reinterpret_cast<int const*>(memory + o.exponents),
          .data = data,
          .outer_stride = o.by_k ? ld : 1,
          .k_stride = o.by_k ? 1 : ld};
}

/// Enqueues all kernels of a problem that check_fp16x3() and check_launch() have passed; `workspace` has the plan's
/// bytes.
template <class Policy, class Problem>
status enqueue_fp16x3(Problem const& given, fp16x3_plan const& plan, void* workspace, cudaStream_t stream) {
  Problem p = given;
  auto* const memory = static_cast<unsigned char*>(workspace);
  p.tiles_m = static_cast<int>(tiles(p.m, Policy::block_m * Policy::cluster_m));
  p.tiles_n = static_cast<int>(tiles(p.n, Policy::block_n * Policy::cluster_n));
  p.vector_c = allows_vectors<widest<typename Problem::output>>(p.c, p.ldc, p.batch_stride_c);
  auto const whole = without_storage(p);
  using problem_type = std::remove_const_t<decltype(whole)>;
  fp16x3_problem<problem_type> x{.loads = {.a = {}, .b = {}, .problem = whole},
                                 .a = {},
                                 .b = {},
                                 .facts_a = facts_of_operand(plan.a, memory),
                                 .facts_b = facts_of_operand(plan.b, memory),
                                 .refused = reinterpret_cast<int*>(memory + plan.refused)};
  status result;
  if (p.k > 0) {
    x.a = source_of(plan.a, p.a, p.lda, memory);
    x.b = source_of(plan.b, p.b, p.ldb, memory);
    result = encode_parts_map(x.loads.a, plan.a, p.k, memory, Policy::block_m / Policy::cluster_n);
    result = result ? encode_parts_map(x.loads.b, plan.b, p.k, memory, Policy::block_n / Policy::cluster_m) : result;
    result = result ? enqueue_fp16x3_split<Policy>(p, plan, memory, stream) : result;
  }
  dim3 grid;
  std::size_t shared_bytes = Policy::template shared_bytes<float>;
  result = result ? shape_persistent<Policy>(p, grid, shared_bytes) : result;
  if (!result) {
    return result;
  }
  cudaError_t const error =
      launch(Policy::template kernel<Policy, problem_type, true>(), grid, Policy::threads, shared_bytes, stream, x,
             {.cluster = Policy::cluster_m * Policy::cluster_n, .dependent = launches_dependents()});
  result = error == cudaSuccess ? status{} : not_launched(name<Policy>(), error);
  if constexpr (checks_bound<Policy>) {
    if (result && p.k > 0) {
      return enqueue<typename Policy::otherwise>(refused_problem<Problem>{given, x.refused}, stream);
    }
  }
  return result;
}

}  // namespace gemm::detail
