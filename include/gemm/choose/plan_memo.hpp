// SPDX-License-Identifier: BSL-1.0
//! @file
//! The plan of a call that names no policy: the remembered or tuned one, or else the cheapest by the model.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <gemm/block/own_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/choose/best_plan.hpp>
#include <gemm/choose/candidates.hpp>
#include <gemm/choose/choice.hpp>
#include <gemm/choose/fixed_bits.hpp>
#include <gemm/choose/plan.hpp>
#include <gemm/choose/tuned.hpp>
#include <gemm/element.hpp>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/input_types.hpp>
#include <gemm/launch/access_width.hpp>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/device.hpp>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/split_plan.cuh>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// What a plan depends on, apart from types: sizes, strides and alignments, then what the call and the device allow.
struct plan_key {
  std::int64_t sizes[4] = {};  // no problem has one of 0
  std::int64_t ld[3] = {}, batch_stride[3] = {}, misaligned[3] = {}, expected = 0;
  bool prepacked[2] = {}, reads_c = false;
  unsigned tuned_changes = 0;
  std::size_t limit = 0;
  int device[5] = {};
  device_code code = device_code::plain;

  bool operator==(plan_key const&) const = default;

  /// A place in the memo: problems of other shapes, strides or alignments rarely share one. Unsigned, so that no size
  /// overflows.
  std::size_t hash() const {
    std::size_t result = 0;
    for (std::int64_t const part : {sizes[0], sizes[1], sizes[2], sizes[3], ld[0], ld[1], ld[2], expected,
                                    misaligned[0] + misaligned[1] * 16 + misaligned[2] * 256}) {
      result = (result ^ static_cast<std::size_t>(part)) * 0x9e3779b97f4a7c15u;
      result ^= result >> 29;
    }
    return result;
  }
};

template <class Problem>
static plan_key plan_key_of(Problem const& p, device_facts const& device, std::size_t limit,
                            prepacked_terms const& prepacked) {
  std::int64_t expected = 0;  // rows of a product, where its own lie in device memory
  if constexpr (requires { p.ranges.expected; }) {
    expected = p.ranges.expected;
  }
  auto const misaligned = [](void const* data) {  // bytes from a multiple of 16
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data) % 16);
  };
  return {.sizes = {p.m, p.n, p.k, p.batch_count},
          .ld = {p.a.ld, p.b.ld, p.c.ld},
          .batch_stride = {p.a.batch_stride, p.b.batch_stride, p.c.batch_stride},
          .misaligned = {misaligned(p.a.data), misaligned(p.b.data), misaligned(p.c.data)},
          .expected = expected,
          .prepacked = {prepacked.a.data != nullptr, prepacked.b.data != nullptr},
          .reads_c = p.beta != typename Problem::accum(0),
          .tuned_changes = tuned_plans.count_of_changes(),
          .limit = limit,
          .device = {device.number, device.major, device.minor, device.multiprocessors, device.shared_bytes},
          .code = code_of_device()};
}

/// A storage as tuning caches name it.
template <class Storage>
inline constexpr std::string_view storage_name = Storage::a == major::k ? (Storage::b == major::mn ? "nn" : "nt")
                                                                        : (Storage::b == major::mn ? "tn" : "tt");

/// Alignment is part of the key because it decides whether TMA and wide accesses can be used.
template <class Problem>
tuned_problem key_of(Problem const& p) {
  using a = typename Problem::element_a;
  using b = typename Problem::element_b;
  return {.input = input_name<a, b>,
          .output = element_traits<typename Problem::output>::name,
          .storage = storage_name<typename Problem::storage>,
          .aligned = allows_vectors<widest<a>>(p.a) && allows_vectors<widest<b>>(p.b),
          .m = p.m,
          .n = p.n,
          .k = p.k,
          .batch = p.batch_count};
}
/// No tuned plan of a product is that of products which device memory has.
template <layered Problem>
tuned_problem key_of(Problem const& p) {
  tuned_problem key = key_of(static_cast<typename Problem::common const&>(p));
  if constexpr (requires { Problem::kind; }) {
    key.storage = Problem::kind;
  }
  return key;
}

/// The tuned plan, if there is one that means a candidate and can be launched: the policy is eligible, k can be split
/// so, and the workspace is large enough. Only here a policy is looked up by its name.
template <class Problem, std::size_t Count>
[[gnu::cold]] static bool follow(listed_kernel<Problem> const (&all)[Count], tuned_plan const* tuned, Problem const& p,
                                 device_info const& device, std::size_t limit, call_plan& result) {
  if (tuned == nullptr) {
    return false;
  }
  listed_kernel<Problem> const* found = all;
  while (found != all + Count && tuned->policy != found->kernel->name && tuned->policy != found->kernel->direct_name) {
    ++found;
  }
  slicing const slices{tuned->slices, tuned->in_cluster ? reduction::cluster
                                      : tuned->tail     ? reduction::last_arriver
                                                        : reduction::workspace};
  if (found == all + Count || (slices.most > 1 && !found->allowed.has(slices.mode))) {
    return false;
  }
  fixed_plan const wanted{slices, tuned->policy == found->kernel->name};
  call_plan plan = best_plan_of(*found, p, device, limit, {}, &wanted);
  if (!std::isfinite(plan.seconds) || plan.name() != tuned->policy || plan.split.slices != tuned->slices ||
      (plan.split.mode == reduction::last_arriver) != tuned->tail || !check_plan(plan, p)) {
    return false;
  }
  plan.index = static_cast<int>(found - all);
  plan.seconds = static_cast<double>(tuned->nanoseconds) * 1e-9;
  plan.source = choice_source::tuned;
  result = plan;
  return true;
}

/// The plan for a call of a policy that is_choice, within a workspace of `limit` bytes: the tuned one, or where it
/// cannot be launched, the cheapest by the model. Tuning is for `automatic` alone. Every thread remembers its last
/// plans: making one takes longer than a launch.
template <class Choice, class Problem>
static status choose(Problem const& p, prepacked_terms const& prepacked, std::size_t limit, call_plan& plan) {
  struct remembered {
    plan_key key{};
    call_plan plan{};
  };
  constexpr std::size_t most_remembered = 32;
  static thread_local remembered memo[most_remembered];
  device_facts const device = known_facts();
  if (device.error != cudaSuccess) {
    return no_device(device.error);
  }
  plan_key const key = plan_key_of(p, device, limit, prepacked);
  remembered& last = memo[key.hash() % most_remembered];
  status result;
  if (!(last.key == key)) {
    auto const& all = listed_kernels<Problem>(candidates<Choice, Problem>{});
    constexpr bool tunes = std::is_same_v<Choice, automatic>;
    tuned_plan const* const tuned =
        tunes ? tuned_plans.find(device.number, static_cast<int>(key.code), key_of(p)) : nullptr;
    device_info info;
    result = current_device_info(info);
    if (!result) {
      return result;
    }
    if (!follow(all, tuned, p, info, limit, plan)) {
      fixed_bits const bits = fixes_bits<Choice, Problem> ? fixed_bits_of(all, p, info) : fixed_bits{};
      result = best_plan(all, std::is_same_v<Choice, fp32_emulated>, p, info, limit, prepacked, plan, bits);
    }
    bool wants_tma = false;
    for (listed_kernel<Problem> const& listed : all) {
      wants_tma = wants_tma || listed.kernel->uses_tma();
    }
    plan.note = wants_tma ? missing_code() : std::string_view{};
    if (!result) {
      return result;
    }
    if (all[plan.index].of_terms == nullptr) {
      lay_out_launch(plan, p);
    }
    last = {key, plan};
  }
  plan = last.plan;
  plan.terms.a.prepacked = static_cast<unsigned char*>(prepacked.a.data);
  plan.terms.b.prepacked = static_cast<unsigned char*>(prepacked.b.data);
  return result;
}

}  // namespace gemm::detail
