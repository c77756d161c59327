// SPDX-License-Identifier: BSL-1.0
//! @file
//! Adds plans to those that the process knows.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include <gemm/host/tuned.hpp>

namespace gemm::detail {

/// A plan that owns its policy's name.
struct recorded_plan {
  std::string policy{};
  int slices = 1;
  bool in_cluster = false;
  bool tail = false;
  std::int64_t nanoseconds = 0;
};

inline std::mutex plan_writers;
inline plan_table::node const* newest_plan = nullptr;

inline void add_plan(int device, tuned_problem const& problem, recorded_plan const& recorded) {
  std::lock_guard const lock(plan_writers);
  tuned_plan plan{.policy = recorded.policy,
                  .slices = recorded.slices,
                  .in_cluster = recorded.in_cluster,
                  .tail = recorded.tail,
                  .nanoseconds = recorded.nanoseconds};
  if (tuned_plan const* const known = tuned_plans.find(device, problem); known != nullptr && *known == plan) {
    return;  // so that loading a cache again costs no memory
  }
  struct owner : plan_table::node {
    std::string name;
  };
  plan_table::node const*& head = tuned_plans.buckets[plan_table::bucket_of(device, problem)];
  auto* const added = new owner{{device, problem, plan, head, newest_plan}, recorded.policy};
  added->plan.policy = added->name;
  newest_plan = added;
  __atomic_store_n(&head, newest_plan, __ATOMIC_RELEASE);
  __atomic_store_n(&tuned_plans.any, true, __ATOMIC_RELAXED);
}

inline void clear_plans() {
  std::lock_guard const lock(plan_writers);
  __atomic_store_n(&tuned_plans.any, false, __ATOMIC_RELAXED);
  for (plan_table::node const*& head : tuned_plans.buckets) {
    __atomic_store_n(&head, nullptr, __ATOMIC_RELAXED);
  }
}

}  // namespace gemm::detail
