// SPDX-License-Identifier: BSL-1.0
//! @file
//! The launch that packs operands for TMA, and the workspace for the copies.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include <gemm/block/problem.cuh>
#include <gemm/host/launch.cuh>
#include <gemm/host/tensor_map.hpp>
#include <gemm/host/tma_operands.cuh>
#include <gemm/kernel/realign.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// The copy of an operand: `matrices` of them, none where the operand stays where it is.
struct packed_copy {
  std::int64_t matrices = 0, lines = 0, length = 0, ld = 0;
  std::size_t bytes = 0;                       // a multiple of 128
  std::int64_t tiles_along = 0, tiles_of = 0;  // that blocks copy: of a line, of a matrix

  std::int64_t blocks() const { return matrices * tiles_of; }
};

/// What of a problem is packed: into the workspace, A before B.
struct repack_plan {
  packed_copy a, b;
  std::size_t bytes = 0;
};

/// The sum of sizes, or the largest that there is.
inline std::size_t saturated_sum(std::size_t x, std::size_t y) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();  // which no device has
  return x < most - y ? x + y : most;
}

/// Whether a policy's copies are made by realign_kernel, which turns nothing.
template <class Policy, class Problem>
inline constexpr bool realigns = takes_any_storage<Policy> && !turns_any<Policy, Problem>;

template <class Policy, class Problem>
packed_copy plan_copy(std::int64_t matrices, std::int64_t lines, std::int64_t length) {
  using T = typename Problem::input;
  constexpr auto element = static_cast<std::int64_t>(sizeof(T));
  std::int64_t const unit = length * element < 1024 ? 16 : 128, ld = tiles(length * element, unit) * (unit / element);
  std::int64_t const along = tiles(length, repack_tile);
  double const bytes =
      static_cast<double>(matrices) * static_cast<double>(lines) * static_cast<double>(ld) * double{sizeof(T)};
  return {.matrices = matrices,
          .lines = lines,
          .length = length,
          .ld = ld,
          .bytes = bytes < 1e18 ? static_cast<std::size_t>(tiles(matrices * lines * ld * element, 128) * 128)
                                : std::numeric_limits<std::size_t>::max(),
          .tiles_along = along,
          .tiles_of = realigns<Policy, Problem> ? tiles(lines * tiles(length, widest<T>), realign_pieces)
                                                : tiles(lines, repack_tile) * along};
}

/// What TMA needs packed of a problem, nothing where k is 0: then it loads nothing.
template <class Policy, class Problem>
repack_plan plan_repack(Problem const& p) {
  using copied = packed_storage<Policy, Problem>;
  repack_plan plan;
  if (p.k > 0 && (turns_a<Policy, Problem> || !tma_can_load(matrices_of_a<Policy>(p)))) {
    std::int64_t const matrices = p.batch_stride_a == 0 ? 1 : p.batch_count;
    plan.a = copied::a == major::k ? plan_copy<Policy, Problem>(matrices, p.m, p.k)
                                   : plan_copy<Policy, Problem>(matrices, p.k, p.m);
  }
  if (p.k > 0 && (turns_b<Policy, Problem> || !tma_can_load(matrices_of_b<Policy>(p)))) {
    std::int64_t const matrices = p.batch_stride_b == 0 ? 1 : p.batch_count;
    plan.b = copied::b == major::mn ? plan_copy<Policy, Problem>(matrices, p.k, p.n)
                                    : plan_copy<Policy, Problem>(matrices, p.n, p.k);
  }
  plan.bytes = saturated_sum(plan.a.bytes, plan.b.bytes);
  return plan;
}

/// Whether TMA can load a problem that is packed by this plan, and one launch can pack it.
template <class Problem>
status check_repack(Problem const& p, repack_plan const& plan) {
  using wide = long long;
  constexpr std::int64_t most = 0x7fffffff;
  if (p.m > most || p.n > most || p.k > most || p.batch_count > most) {
    return {status_code::invalid_argument,
            cudaSuccess,
            "m = %lld, n = %lld, k = %lld, batch %lld: TMA needs each to be 2^31 - 1 or less",
            wide{p.m},
            wide{p.n},
            wide{p.k},
            wide{p.batch_count}};
  }
  if (plan.bytes == std::numeric_limits<std::size_t>::max() || plan.a.blocks() + plan.b.blocks() > most) {
    return {status_code::invalid_argument, cudaSuccess,
            "to pack A and B takes %.3g blocks, more than the 2^31 - 1 of a grid",
            static_cast<double>(plan.a.blocks()) + static_cast<double>(plan.b.blocks())};
  }
  return {};
}

/// The problem with its packed operands at the begin of `memory`, stored as the policy's kernel has them.
template <class Policy, class In, class Out, class Storage, class Epilogue>
auto problem_of_packed(problem<In, Out, Storage, Epilogue> const& p, repack_plan const& plan, void* memory) {
  bool const a = plan.a.matrices > 0, b = plan.b.matrices > 0;
  auto const stride_of = [](packed_copy const& copy, std::int64_t before) {
    return before == 0 ? 0 : copy.lines * copy.ld;
  };
  auto* const copies = static_cast<In*>(memory);
  return problem<In, Out, packed_storage<Policy, problem<In, Out, Storage, Epilogue>>, Epilogue>{
      .m = p.m,
      .n = p.n,
      .k = p.k,
      .a = a ? copies : p.a,
      .b = b ? copies + plan.a.bytes / sizeof(In) : p.b,
      .c = p.c,
      .lda = a ? plan.a.ld : p.lda,
      .ldb = b ? plan.b.ld : p.ldb,
      .ldc = p.ldc,
      .batch_stride_a = a ? stride_of(plan.a, p.batch_stride_a) : p.batch_stride_a,
      .batch_stride_b = b ? stride_of(plan.b, p.batch_stride_b) : p.batch_stride_b,
      .batch_stride_c = p.batch_stride_c,
      .batch_count = p.batch_count,
      .alpha = p.alpha,
      .beta = p.beta,
      .tiles_m = 0,
      .tiles_n = 0,
      .vector_c = false,
      .turned = p.turned,
      .epilogue = p.epilogue};
}

/// Enqueues the copies, if any, of a problem that check_repack() has passed.
template <class Policy, class Problem>
status enqueue_repack(Problem const& p, repack_plan const& plan, void* memory, cudaStream_t stream) {
  using input = typename Problem::input;
  std::int64_t const blocks = plan.a.blocks() + plan.b.blocks();
  if (blocks == 0) {
    return {};
  }
  auto const operand_of = [](packed_copy const& copy, input const* from, std::int64_t ld, std::int64_t stride,
                             input* to) {
    return repacked_operand<input>{.from = from,
                                   .to = to,
                                   .ld_from = ld,
                                   .ld_to = copy.ld,
                                   .stride_from = stride,
                                   .stride_to = copy.lines * copy.ld,
                                   .lines = copy.lines,
                                   .length = copy.length,
                                   .tiles_along = static_cast<int>(copy.tiles_along),
                                   .tiles_of = static_cast<int>(copy.tiles_of)};
  };
  auto* const copies = static_cast<input*>(memory);
  repacked_operands<input> const x{
      .of = {operand_of(plan.a, p.a, p.lda, p.batch_stride_a, copies),
             operand_of(plan.b, p.b, p.ldb, p.batch_stride_b, copies + plan.a.bytes / sizeof(input))},
      .blocks_a = static_cast<int>(plan.a.blocks())};
  dim3 const grid(static_cast<unsigned>(blocks));
  launch_kind const kind{.dependent = launches_dependents()};
  cudaError_t const error = [&] {
    if constexpr (realigns<Policy, Problem>) {
      return launch(&realign_kernel<input>, grid, realign_threads, 0, stream, x, kind);
    } else {
      return launch(&repack_kernel<input, turns_a<Policy, Problem>, turns_b<Policy, Problem>>, grid, repack_threads,
                    sizeof(repack_storage<input>), stream, x, kind);
    }
  }();
  return error == cudaSuccess ? status{} : not_launched("the packing of A and B", error);
}

}  // namespace gemm::detail
