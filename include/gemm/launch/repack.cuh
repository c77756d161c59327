// SPDX-License-Identifier: BSL-1.0
//! @file
//! The launch that packs operands.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block/own_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/launch/compiled_kernel_of.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/make_problem.hpp>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// The problem with its packed operands at the begin of `memory`, stored as the policy's kernel has them. InSquares: it
/// has B k-major, and the copy is not.
template <class Copied, bool InSquares, class Problem>
[[gnu::noinline]] auto problem_of_copies(Problem const& p, repack_plan const& plan, void* memory) {
  bool const a = plan.a.matrices > 0, b = plan.b.matrices > 0;
  auto const stride_of = [](packed_copy const& copy, std::int64_t before) { return before == 0 ? 0 : copy.stride; };
  auto* const copies = static_cast<unsigned char*>(memory);
  auto q = problem_like<Copied>(p, p.c.data, p.epilogue);
  if (a) {
    q.a.data = reinterpret_cast<typename Problem::element_a const*>(copies);
    q.a.ld = plan.a.ld;
    q.a.batch_stride = stride_of(plan.a, p.a.batch_stride);
  }
  if (b) {
    q.b.data = reinterpret_cast<typename Problem::element_b const*>(copies + plan.a.bytes);
    q.b.ld = plan.b.ld;
    q.b.batch_stride = stride_of(plan.b, p.b.batch_stride);
  }
  q.squares_of_b = b && InSquares;
  q.constant = {.a = p.constant.a && !a, .b = p.constant.b && !b};  // the copies are what the kernel before writes
  return q;
}
template <class Policy, class Problem>
auto problem_of_packed(Problem const& p, repack_plan const& plan, void* memory) {
  constexpr bool in_squares = smem_transposes<Policy, Problem>;
  using copied = std::conditional_t<in_squares, typename Problem::storage, packed_storage<Policy, Problem>>;
  return problem_of_copies<copied, in_squares>(p, plan, memory);
}
template <class Policy, layered Problem>
auto problem_of_packed(Problem const& p, repack_plan const& plan, void* memory) {
  return p.around(problem_of_packed<Policy>(static_cast<typename Problem::common const&>(p), plan, memory));
}

/// Enqueues the copies, if any, of a problem that check_repack() has passed.
template <class Copied, class Problem>
[[gnu::noinline]] static status enqueue_copies(Problem const& p, repack_plan const& plan, void* memory,
                                               cudaStream_t stream) {
  using word = copied_word<sizeof(typename Problem::element_a)>;
  static_assert(sizeof(word) == sizeof(typename Problem::element_b),
                "gemm: A and B are packed as elements of one size.");
  using own = typename Problem::storage;
  std::int64_t const blocks = plan.a.blocks() + plan.b.blocks();
  if (blocks == 0) {
    return {};
  }
  auto* const copies = static_cast<unsigned char*>(memory);
  auto const copied = [](packed_copy const& copy, auto const& from, unsigned char* to) {
    return repacked_operand<word>{.from = reinterpret_cast<word const*>(from.data),
                                  .to = reinterpret_cast<word*>(to),
                                  .ld_from = from.ld,
                                  .ld_to = copy.ld,
                                  .stride_from = from.batch_stride,
                                  .stride_to = copy.stride,
                                  .gap = copy.gap,
                                  .lines = copy.lines,
                                  .length = copy.length,
                                  .tiles_along = static_cast<int>(copy.tiles_along),
                                  .tiles_of = static_cast<int>(copy.tiles_of)};
  };
  repacked_operands<word> const params{
      .operand = {copied(plan.a, p.a, copies), copied(plan.b, p.b, copies + plan.a.bytes)},
      .blocks_a = static_cast<int>(plan.a.blocks()),
      .early = plan.early};
  dim3 const grid(static_cast<unsigned>(blocks));
  launch_kind const kind{.dependent = current_code().dependent_launch};
  cudaError_t const error = launch(&repack_kernel<word, own::a != Copied::a, own::b != Copied::b>, grid, repack_threads,
                                   sizeof(repack_storage<word>), stream, params, kind);
  return status_of_launch("the packing of A and B", error);
}
template <class Policy, class Problem>
static status enqueue_repack(Problem const& p, repack_plan const& plan, void* memory, cudaStream_t stream) {
  return enqueue_copies<packed_storage<Policy, Problem>>(p, plan, memory, stream);
}

}  // namespace gemm::detail
