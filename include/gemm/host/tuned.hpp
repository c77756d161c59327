// SPDX-License-Identifier: BSL-1.0
//! @file
//! The plans that tuning has found, known to the whole process: what run() without a policy asks before its model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gemm::detail {

/// What tells one problem from another for tuning: what a kernel is given, short of the values. A column-major C counts
/// as the row-major product of the transposed operands, which it is run as.
struct tuned_problem {
  std::string_view input{}, output{}, storage{};  // names that live as long as the program
  bool aligned = false;                           // lines of A and B begin at multiples of 16 bytes
  std::int64_t m = 0, n = 0, k = 0, batch = 0;

  bool operator==(tuned_problem const&) const = default;
};

/// How such a problem is best computed.
struct tuned_plan {
  std::string_view policy{};     // its name(), which lives as long as the program
  int slices = 1;                // that k is cut into
  bool in_cluster = false;       // and added as cluster_split_k does it
  bool tail = false;             // for the last tiles alone, as stream_k does it
  std::int64_t nanoseconds = 0;  // that it took

  bool operator==(tuned_plan const&) const = default;
};

/// Plans by device and problem. Finding one takes no lock, and one load where there is none at all; nodes are never
/// freed, so that what was found stays valid. They are added by gemm/tune/registry.hpp.
///
/// Atomic by the compilers' builtins, and without <mutex> and <string>, which those alone compile who tune.
struct plan_table {
  struct node {
    int device;
    tuned_problem problem;
    tuned_plan plan;
    node const* next;    // in the bucket
    node const* before;  // of all there are, so that leak checkers find them
  };

  static constexpr std::size_t bucket_count = 1024;

  bool any = false;
  node const* buckets[bucket_count] = {};

  static std::size_t bucket_of(int device, tuned_problem const& of) {
    std::uint64_t hash = static_cast<std::uint64_t>(device);
    for (std::int64_t const value : {of.m, of.n, of.k, of.batch}) {
      hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    return hash % bucket_count;
  }

  bool empty() const { return !__atomic_load_n(&any, __ATOMIC_RELAXED); }

  /// The plan that was added last for the problem; null where there is none.
  tuned_plan const* find(int device, tuned_problem const& problem) const {
    node const* n = __atomic_load_n(&buckets[bucket_of(device, problem)], __ATOMIC_ACQUIRE);
    while (n != nullptr && !(n->device == device && n->problem == problem)) {
      n = n->next;
    }
    return n != nullptr ? &n->plan : nullptr;
  }
};

inline constinit plan_table tuned_plans;

}  // namespace gemm::detail
