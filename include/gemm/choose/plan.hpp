// SPDX-License-Identifier: BSL-1.0
//! @file
//! The plan of a call: kernel, split, packing, workspace and launch. Made once, where the kernel is chosen or the
//! policy named, and launched as it is.
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>

#include <gemm/block/problem.cuh>
#include <gemm/block/ragged_problem.cuh>
#include <gemm/choose/choice.hpp>
#include <gemm/choose/price.hpp>
#include <gemm/emulation/enqueue_equilibrated.cuh>
#include <gemm/emulation/fp16x3.cuh>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/emulation/terms_launch.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/compiled_kernel_of.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/split_plan.cuh>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// No address of an operand is in it, so that it holds for all problems with the same plan_key. The workspace has the
/// copies or split terms of the operands, then the slices.
struct call_plan {
  compiled_kernel const* kernel = nullptr;
  int index = 0;  // of the kernel, in the list of those that the call may launch
  split_plan split{};
  repack_plan packing{};
  fp16x3_plan terms{};
  launch_plan launch{};
  split_plan fallback{};                                     // of a product of split terms that is refused
  std::size_t slices_begin = 0, bytes = 0;                   // of the workspace
  plan_price price{};                                        // where the model has priced it
  double seconds = std::numeric_limits<double>::infinity();  // predicted or measured
  double waves = 0;
  bool too_long = false;  // an accumulator: see adds_too_long()
  choice_source source = choice_source::model;
  std::string_view note{};  // see choice

  void lay_out() {
    slices_begin = saturated_sum(packing.bytes, terms.bytes);
    bytes = saturated_sum(slices_begin, split.bytes);
  }
  /// The cheaper plan goes first, but those with an accumulator that is too long go last.
  bool goes_before(call_plan const& other) const {
    constexpr double none = std::numeric_limits<double>::infinity();
    return seconds < none && other.seconds < none && too_long != other.too_long ? other.too_long
                                                                                : seconds < other.seconds;
  }
  /// The policy's name: `repacked` only where something is.
  std::string_view name() const { return packing.bytes > 0 ? kernel->name : kernel->direct_name; }
};

/// Fills in the launch of a plan that check_plan() has passed, of a kernel that does not split floats into terms. Not a
/// member: it asks for the translation unit's own code.
template <class Problem>
static void lay_out_launch(call_plan& plan, Problem const& p) {
  plan.packing.early = may_come_early(*plan.kernel, p, plan.split);
  plan.launch = plan_launch(*plan.kernel, p, plan.split, plan.packing);
}

/// The same of a kernel that does.
template <class Policy, class Problem>
static void lay_out_terms_launch(call_plan& plan, Problem const& p, int multiprocessors) {
  plan.launch = plan_terms_launch<Policy>(*plan.kernel, p, multiprocessors);
  if constexpr (Policy::info.with_fallback) {
    plan.fallback = plan_fallback<Policy>(p, multiprocessors);
  }
}

/// The plan as users are shown it; its note alone where there is none. `transposed`: the kernels' A is the caller's B.
inline choice choice_of(call_plan const& plan, bool transposed) {
  if (plan.kernel == nullptr) {
    return {.policy = {}, .note = plan.note};
  }
  bool const a = plan.packing.a.matrices > 0, b = plan.packing.b.matrices > 0;
  return {.policy = plan.name(),
          .seconds = plan.seconds,
          .waves = plan.waves,
          .slices = plan.split.slices,
          .in_cluster = plan.split.mode == reduction::cluster,
          .tail = plan.split.mode == reduction::last_arriver,
          .in_block = plan.split.mode == reduction::block,
          .packs_a = transposed ? b : a,
          .packs_b = transposed ? a : b,
          .source = plan.source,
          .note = plan.note};
}

/// The plan for a policy that the caller has named.
template <class Policy, class Problem>
call_plan plan_of_policy(Problem const& p, slicing const& slices, prepacked_terms const& prepacked) {
  call_plan plan{.kernel = &compiled_kernel_of<Policy, Problem>};
  if constexpr (repacks<Policy>) {
    plan.packing = plan_repack(*plan.kernel, p);
  }
  if constexpr (splits_floats<Policy>) {
    plan.terms = plan_fp16x3<typename Policy::terms>(p, prepacked);
    if constexpr (is_equilibrated<Policy>) {
      plan_equilibration(plan.terms, p.k);
    }
  }
  if (slices.most > 1) {
    plan.split = plan_split(*plan.kernel, p, slices);
  }
  plan.lay_out();
  return plan;
}

/// The rules that every plan keeps, whoever has made it, short of its workspace.
template <class Problem>
[[gnu::noinline]] static status check_plan(call_plan const& plan, Problem const& p) {
  if constexpr (is_ragged_problem<Problem>) {
    if (plan.kernel->uses_tma() && begins_at_any_element(p)) {
      std::string_view const name = plan.kernel->name;
      return broken_rule(
          "%s lie along memory, where groups begin at any element, and %.*s loads by TMA: use automatic, sm80_mma or "
          "pipelined",
          Problem::of_columns != p.swapped_ab ? "the columns of B" : "the rows of A", static_cast<int>(name.size()),
          name.data());
    }
  }
  bool const packs = plan.kernel->repacks && (plan.kernel->uses_tma() || plan.packing.bytes > 0);
  status result = packs ? check_repack(p, plan.packing) : status{};
  result = result ? check_slices<Problem>(plan.split) : result;
  bool const in_cluster = plan.split.mode == reduction::cluster;
  return result ? check_launch(*plan.kernel, p.m, p.n, p.batch_count, in_cluster) : result;
}

/// And those of a policy of split terms, and of the policy that it falls back to.
template <class Policy, class Problem>
static status check_terms(call_plan const& plan, Problem const& p) {
  status result;
  if constexpr (splits_floats<Policy>) {
    result = check_fp16x3<typename Policy::terms>(p, plan.terms);
  }
  if constexpr (Policy::info.with_fallback) {
    result = result ? check_launch<typename Policy::otherwise>(p) : result;
  }
  return result;
}

}  // namespace gemm::detail
