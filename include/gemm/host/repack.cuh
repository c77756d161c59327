// SPDX-License-Identifier: BSL-1.0
//! @file
//! The launch that packs operands for TMA, or the first of them and the policy's kernel the rest.
//!
//! A launch of its own, although it costs the host 3 us: where all warps of the policy's kernel packed before they
//! multiplied, and told one another by flags, 511^3 took 16.9 instead of 15.5 us and 1024^3 nt 53.4 instead of 50.9,
//! and what has to be packed nowhere 512^3 10.6 instead of 9.9 (H200).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block/panel_packing.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/host/device.hpp>
#include <gemm/host/front.hpp>
#include <gemm/host/launch.cuh>
#include <gemm/host/repack_plan.cuh>
#include <gemm/host/tma_operands.cuh>
#include <gemm/kernel/realign.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// The problem with its packed operands at the begin of `memory`, stored as the policy's kernel has them. Turned: it
/// has B k-major, and the copy is not.
template <class Copied, bool Turned, class In, class Out, class Storage, class Epilogue>
[[gnu::noinline]] auto problem_of_copies(problem<In, Out, Storage, Epilogue> const& p, repack_plan const& plan,
                                         void* memory) {
  bool const a = plan.a.matrices > 0, b = plan.b.matrices > 0;
  auto const stride_of = [](packed_copy const& copy, std::int64_t before) { return before == 0 ? 0 : copy.stride; };
  auto* const copies = static_cast<In*>(memory);
  auto q = problem_like<Copied>(p, p.c, p.epilogue);
  if (a) {
    q.a = copies;
    q.lda = plan.a.ld;
    q.batch_stride_a = stride_of(plan.a, p.batch_stride_a);
  }
  if (b) {
    q.b = copies + plan.a.bytes / sizeof(In);
    q.ldb = plan.b.ld;
    q.batch_stride_b = stride_of(plan.b, p.batch_stride_b);
  }
  q.row_classes = plan.row_classes;
  q.squares_of_b = b && Turned;
  return q;
}
template <class Policy, class Problem>
auto problem_of_packed(Problem const& p, repack_plan const& plan, void* memory) {
  constexpr bool turned = turns_squares<Policy, Problem>;
  using copied = std::conditional_t<turned, typename Problem::storage, packed_storage<Policy, Problem>>;
  return problem_of_copies<copied, turned>(p, plan, memory);
}

/// Where a plan's counters are.
inline std::uint32_t* counters_of(repack_plan const& plan, void* memory) {
  return reinterpret_cast<std::uint32_t*>(static_cast<unsigned char*>(memory) + plan.copied_bytes());
}

/// What the policy's kernel is to pack of a problem.
template <bool TurnsA, bool TurnsB, class Problem>
[[gnu::noinline]] auto panels_of(Problem const& p, repack_plan const& plan, void* memory) {
  using input = typename Problem::input;
  using own = typename Problem::storage;
  auto const operand_of = [](packed_copy const& copy, major along, bool turned, std::int64_t extent, input const* from,
                             std::int64_t ld, input* to) {
    bool const k_along = along == major::k;
    return panel_operand<input>{.from = from,
                                .to = to,
                                .ld_from = ld,
                                .ld_to = copy.ld,
                                .gap = copy.gap,
                                .lines = static_cast<int>(turned ? copy.length : copy.lines),
                                .length = static_cast<int>(turned ? copy.lines : copy.length),
                                .strips = copy.matrices > 0 ? static_cast<int>(strips_of_panel(extent, k_along)) : 0,
                                .k_along = k_along,
                                .turned = turned};
  };
  auto* const copies = static_cast<input*>(memory);
  panel_packing<input> x{
      .of = {operand_of(plan.a, own::a, TurnsA, p.m, p.a, p.lda, copies),
             operand_of(plan.b, own::b, TurnsB, p.n, p.b, p.ldb, copies + plan.a.bytes / sizeof(input))},
      .counters = counters_of(plan, memory),
      .first_k = static_cast<int>(plan.first_k)};
  x.strips = static_cast<int>(plan.counters - 1) * (x.of[0].strips + x.of[1].strips);
  return x;
}
template <class Policy, class Problem>
auto panels_of(Problem const& p, repack_plan const& plan, void* memory) {
  return panels_of<turns_a<Policy, Problem>, turns_b<Policy, Problem>>(p, plan, memory);
}

/// Whether the policy's blocks may come while those that pack leave: not if they would crowd on the multiprocessors
/// that these leave first, while others have none (H200, nt 768^3 in persistent_36x128x32 66 us, and 31 one after the
/// other).
template <class Problem>
bool may_come_early(policy_facts const& of, Problem const& p, split_plan const& split) {
  if (of.tensor || of.most_resident <= 1) {
    return true;
  }
  int multiprocessors = 0;
  double const tiles_of_c = static_cast<double>(tiles(p.m, of.block_m)) * static_cast<double>(tiles(p.n, of.block_n)) *
                            static_cast<double>(p.batch_count);
  static_cast<void>(device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount));  // 0 where there is none
  return tiles_of_c * (split.by == addition::last_block ? 1 : split.slices) >
         static_cast<double>(of.most_resident - 1) * multiprocessors;
}

/// How the copies go beside the policy's kernel: only of what of k comes before the panels that it packs itself, and
/// with its blocks coming while those that pack leave.
struct copy_terms {
  bool meanwhile, early;
};

/// Enqueues the copies, if any, of a problem that check_repack() has passed.
template <class Copied, bool Realigns, class Problem>
[[gnu::noinline]] status enqueue_copies(Problem const& p, repack_plan plan, copy_terms const& terms, void* memory,
                                        cudaStream_t stream) {
  using input = typename Problem::input;
  using own = typename Problem::storage;
  if (terms.meanwhile) {
    auto const keep_first = [&](packed_copy& copy, major along) {
      (along == major::k ? copy.length : copy.lines) = plan.first_k;
      copy.tiles_along = tiles(copy.length, repack_tile);
      copy.tiles_of = tiles(copy.lines, repack_tile) * copy.tiles_along;
    };
    keep_first(plan.a, Copied::a);
    keep_first(plan.b, Copied::b);
  }
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
                                   .stride_to = copy.stride,
                                   .gap = copy.gap,
                                   .lines = copy.lines,
                                   .length = copy.length,
                                   .tiles_along = static_cast<int>(copy.tiles_along),
                                   .tiles_of = static_cast<int>(copy.tiles_of)};
  };
  auto* const copies = static_cast<input*>(memory);
  repacked_operands<input> const x{
      .of = {operand_of(plan.a, p.a, p.lda, p.batch_stride_a, copies),
             operand_of(plan.b, p.b, p.ldb, p.batch_stride_b, copies + plan.a.bytes / sizeof(input))},
      .blocks_a = static_cast<int>(plan.a.blocks()),
      .counters_cleared = terms.meanwhile ? static_cast<int>(plan.counters) : 0,
      .counters = counters_of(plan, memory),
      .early = terms.early};
  dim3 const grid(static_cast<unsigned>(blocks));
  launch_kind const kind{.dependent = true};  // as code that can use TMA can be
  cudaError_t const error = [&] {
    if constexpr (Realigns) {
      return launch(&realign_kernel<input>, grid, realign_threads, 0, stream, x, kind);
    } else {
      return launch(&repack_kernel<input, own::a != Copied::a, own::b != Copied::b>, grid, repack_threads,
                    sizeof(repack_storage<input>), stream, x, kind);
    }
  }();
  return error == cudaSuccess ? status{} : not_launched("the packing of A and B", error);
}
template <class Policy, class Problem>
status enqueue_repack(Problem const& p, repack_plan const& plan, split_plan const& split, void* memory,
                      cudaStream_t stream) {
  return enqueue_copies<packed_storage<Policy, Problem>, realigns<Policy, Problem>>(
      p, plan,
      copy_terms{.meanwhile = packs_meanwhile(plan, split),
                 .early = may_come_early(policy_facts_of<Policy, Problem>, p, split)},
      memory, stream);
}

}  // namespace gemm::detail
