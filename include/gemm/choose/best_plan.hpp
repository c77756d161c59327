// SPDX-License-Identifier: BSL-1.0
//! @file
//! The cheapest of all candidates' plans.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/choose/candidates.hpp>
#include <gemm/choose/fixed_bits.hpp>
#include <gemm/choose/plan.hpp>
#include <gemm/choose/plan_load.hpp>
#include <gemm/choose/plan_rules.hpp>
#include <gemm/choose/terms_load.hpp>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/extremes.hpp>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/compiled_kernel_of.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/occupancy.hpp>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/split_plan.cuh>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>

namespace gemm {

namespace detail {

/// How a tuned plan splits k, and whether it packs operands that could stay where they are.
struct fixed_plan {
  slicing slices;
  bool packed;
};

/// action(slicing) for all splits of k that are tried: `fixed`, if not null, or the slices of `bits` in each reduction
/// that the kernel has. Else a second kernel adds powers of two, and as many slices as fill the device once, and twice:
/// where it holds 3.77 times the blocks of a whole product, three and seven. For the smallest tiles, which memory
/// bounds, twice is an even number.
template <class Problem, class Action>
static void for_each_slicing(compiled_kernel const& kernel, splits const& allowed, Problem const& p,
                             device_info const& device, Action action, fixed_plan const* fixed = nullptr,
                             fixed_bits const& bits = {}) {
  if (bits.slices.most > 1) {
    for (reduction const mode : {reduction::workspace, reduction::cluster, reduction::block}) {
      if (allowed.has(mode)) {
        action({bits.slices.most, mode, bits.slices.depth});
      }
    }
    return;
  }
  action(fixed != nullptr ? fixed->slices : slicing{});
  if (fixed != nullptr || bits.fixed) {
    return;
  }
  if (allowed.in_workspace) {
    double const slots =
        tables::cluster_slots(kernel.cluster_blocks(), resident_of(kernel, device), device.multiprocessors) /
        tiles_of(kernel, p);
    int const once = static_cast<int>(lesser(slots, 2048.0)),
              twice = kernel.elements() <= 1024 ? 2 * once : static_cast<int>(lesser(2 * slots, 4096.0));
    for (int slices = 2; slices < twice; slices *= 2) {
      action(slicing{slices});
    }
    action(slicing{once});
    action(slicing{twice});
  }
  code_features const code = current_code();
  for (reduction const mode : {reduction::last_arriver, reduction::cluster}) {
    bool const can_add = mode == reduction::cluster ? code.clusters : code.supports(kernel);
    for (int slices = 2; allowed.has(mode) && can_add && slices <= 8; ++slices) {
      action(slicing{slices, mode});
    }
  }
}

/// A kernel that a call may launch, and how k may be split. Of split terms, its plan with all of k, with no price where
/// it is not eligible.
template <class Problem>
struct listed_kernel {
  compiled_kernel const* kernel;
  splits allowed;
  call_plan (*of_terms)(Problem const&, device_info const&, prepacked_terms const&) = nullptr;
};

/// Prices a plan with k split so, and keeps the split where it is the cheapest so far. The one place that asks
/// choose/plan_load.hpp.
template <class Problem>
[[gnu::cold]] void try_split(call_plan& best, Problem const& p, device_info const& device,
                             tables::policy_rates const& rates, split_plan const& split) {
  plan_load const load = load_of(*best.kernel, p, split, best.packing, device);
  plan_price const price = price_of(load, rates, device);
  call_plan plan = best;
  plan.split = split;
  plan.price = price;
  plan.seconds = price.seconds();
  plan.waves = load.blocks / load.slots;
  plan.too_long = adds_too_long(*best.kernel, p, split);
  if (plan.goes_before(best)) {
    best = plan;
  }
}

/// The plan of a policy of split terms, with no price where it cannot be launched.
template <class Policy, class Problem>
[[gnu::cold]] static call_plan priced_terms(Problem const& p, device_info const& device,
                                            prepacked_terms const& prepacked) {
  call_plan plan = plan_of_policy<Policy>(p, {}, prepacked);
  if (p.k > 0 && current_code().supports(Policy::info) && check_terms<Policy>(plan, p)) {
    lay_out_terms_launch<Policy>(plan, p, device.multiprocessors);
    tables::gpu_table const& table = device.table_of_terms();
    plan.price = price_of(load_of_terms<Policy>(p, device, plan.terms, plan.launch),
                          reached_by_terms(table, name<Policy>()), table.emulation,
                          device.rates_for(element_traits<typename Problem::element_a>::name).launch, device.bandwidth);
    plan.seconds = plan.price.seconds();
    plan.waves = waves_of(plan.launch, device.multiprocessors);
  }
  return plan;
}

/// The same where the policy is a candidate. Those of mma.sync are for GPUs without wgmma, split A and B themselves,
/// and have float arithmetic's error bound from some k on.
template <class Policy, class Problem>
[[gnu::cold]] static call_plan plan_of_terms(Problem const& p, device_info const& device,
                                             prepacked_terms const& prepacked) {
  if constexpr (Policy::info.op == math_op::mma) {
    bool const wanted = !current_code().wgmma && device.arithmetic.mma.of_16_bits > 0 && p.k >= Policy::least_k;
    return wanted ? priced_terms<Policy>(p, device, {}) : call_plan{.kernel = &compiled_kernel_of<Policy, Problem>};
  } else {
    bool const wanted = adding_of<Policy> == wanted_adding(p, device.multiprocessors);
    return wanted ? priced_terms<Policy>(p, device, prepacked)
                  : call_plan{.kernel = &compiled_kernel_of<Policy, Problem>};
  }
}

template <class Policy, class Problem>
static constexpr auto terms_planner_of() -> decltype(listed_kernel<Problem>::of_terms) {
  if constexpr (splits_floats<Policy>) {
    return &plan_of_terms<Policy, Problem>;
  }
  return nullptr;
}

/// The kernels of a list, for problems of some types.
template <class Problem, class... Policies, splits... Splits>
static auto const& listed_kernels(candidate_list<candidate<Policies, Splits>...>) {
  static constexpr listed_kernel<Problem> all[] = {
      {&compiled_kernel_of<Policies, Problem>, Splits, terms_planner_of<Policies, Problem>()}...};
  return all;
}

/// The cheapest plan of a candidate, with no price where it is not eligible or needs a larger workspace: with all of k,
/// or in for_each_slicing()'s slices; with operands packed, and where the kernel can do without, as they lie in memory.
/// `fixed`: all that is tried, if not null. `bits`: or these slices, in each reduction that the kernel has.
template <class Problem>
[[gnu::cold, gnu::noinline]] static call_plan best_plan_of(listed_kernel<Problem> const& listed, Problem const& p,
                                                           device_info const& device, std::size_t limit,
                                                           prepacked_terms const& prepacked,
                                                           fixed_plan const* fixed = nullptr,
                                                           fixed_bits const& bits = {}) {
  call_plan best{.kernel = listed.kernel};
  if (listed.of_terms != nullptr) {
    best = listed.of_terms(p, device, prepacked);
    return best.bytes <= limit ? best : call_plan{.kernel = listed.kernel};
  }
  auto const consider_packed = [&](repack_plan const& packing) {
    if (!eligible(*listed.kernel, p, packing) || packing.bytes > limit || peak_of(*listed.kernel, device) == 0) {
      return;
    }
    tables::policy_rates const rates = rates_of(device, *listed.kernel);
    call_plan plan{.kernel = listed.kernel, .packing = packing};
    auto const consider = [&](slicing const& slices) {
      split_plan const split = plan_split(*listed.kernel, p, slices);
      if ((split.slices > 1 || slices.most == 1) && split.bytes <= limit - packing.bytes &&
          check_slices<Problem>(split)) {
        try_split(plan, p, device, rates, split);
      }
    };
    for_each_slicing(*listed.kernel, listed.allowed, p, device, consider, fixed, bits);
    best = plan.goes_before(best) ? plan : best;
  };
  repack_plan const packing = listed.kernel->repacks ? plan_repack(*listed.kernel, p) : repack_plan{};
  bool const may_skip_copy = packing.bytes > 0 && !listed.kernel->uses_tma();
  if (!may_skip_copy || fixed == nullptr || fixed->packed) {
    consider_packed(packing);
  }
  if (may_skip_copy && (fixed == nullptr || !fixed->packed)) {
    consider_packed({});
  }
  best.lay_out();
  return best;
}

/// The cheapest plan of all candidates that can be launched; without one, why. `emulated`: for fp32_emulated, which
/// from this k on takes no persistent blocks, because they add all of k in one chain (docs/tuning-notes.md).
template <class Problem, std::size_t Count>
[[gnu::cold]] static status best_plan(listed_kernel<Problem> const (&all)[Count], bool emulated, Problem const& p,
                                      device_info const& device, std::size_t limit, prepacked_terms const& prepacked,
                                      call_plan& best, fixed_bits const& bits = {}) {
  constexpr std::int64_t short_k = 256;
  status refused{status_code::unsupported_device, cudaSuccess, "no policy of the list is eligible for the problem"};
  best = {};
  for (std::size_t i = 0; i < Count; ++i) {
    if (all[i].of_terms == nullptr && all[i].kernel->arch == architecture::sm_80 &&
        peak_of(*all[i].kernel, device) == 0) {
      status const lacking = check_plan(call_plan{.kernel = all[i].kernel}, p);  // names what the device lacks
      refused = lacking ? refused : lacking;
      continue;
    }
    if (!bits.admits(*all[i].kernel, all[i].allowed, p)) {
      continue;
    }
    if (emulated && all[i].of_terms == nullptr && all[i].kernel->is_persistent() && p.k >= short_k) {
      continue;
    }
    call_plan plan = best_plan_of(all[i], p, device, limit, prepacked, nullptr, bits);
    if (plan.goes_before(best)) {
      status const legal = check_plan(plan, p);
      plan.index = static_cast<int>(i);
      best = legal ? plan : best;
      refused = legal ? refused : legal;
    }
  }
  return best.kernel != nullptr ? status{} : bits.fixed ? no_plan_with_bits(bits, p, limit) : refused;
}

}  // namespace detail

}  // namespace gemm
