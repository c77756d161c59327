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
  bool aligned = false;                           // rows of A and B begin at multiples of 16 bytes
  std::int64_t m = 0, n = 0, k = 0, batch = 0;

  bool operator==(tuned_problem const&) const = default;
};

/// How such a problem is best computed. Text: that of the policy's name(); a std::string_view lives as long as the
/// program.
template <class Text>
struct tuned_plan_of {
  Text policy{};
  int slices = 1;                // that k is cut into
  bool in_cluster = false;       // and added as cluster_split_k does it
  bool tail = false;             // for the last tiles alone, as stream_k does it
  std::int64_t nanoseconds = 0;  // that it took

  bool operator==(tuned_plan_of const&) const = default;
};
using tuned_plan = tuned_plan_of<std::string_view>;

/// Plans by device and problem. Finding one takes no lock; nodes are never freed, so that what was found stays
/// valid. They are added by gemm/tune/load.hpp.
///
/// Atomic by the compilers' builtins, and without <mutex> and <string>, which those alone compile who tune.
struct plan_table {
  struct node {
    int device, code;  // that the plan is for
    tuned_problem problem;
    tuned_plan plan;
    node const* next;    // in the bucket
    node const* before;  // of all there are, so that leak checkers find them
  };

  static constexpr std::size_t bucket_count = 1024;
  static constexpr int any_code = -1;

  unsigned changes = 0;
  node const* buckets[bucket_count] = {};

  static std::size_t bucket_of(int device, tuned_problem const& problem) {
    std::uint64_t hash = static_cast<std::uint64_t>(device);
    for (std::int64_t const value : {problem.m, problem.n, problem.k, problem.batch}) {
      hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    return hash % bucket_count;
  }

  /// How often plans were added or forgotten: asked before find(), it is never newer than what that finds.
  unsigned count_of_changes() const { return __atomic_load_n(&changes, __ATOMIC_ACQUIRE); }
  void note_change() { __atomic_fetch_add(&changes, 1u, __ATOMIC_RELEASE); }

  /// The plan that was added last for the problem, for this code or for any; null where there is none. Parts of a
  /// program may be compiled for different code, and then have different candidates.
  tuned_plan const* find(int device, int code, tuned_problem const& problem) const {
    node const* n = __atomic_load_n(&buckets[bucket_of(device, problem)], __ATOMIC_ACQUIRE);
    while (n != nullptr &&
           !(n->device == device && (n->code == code || n->code == any_code) && n->problem == problem)) {
      n = n->next;
    }
    return n != nullptr ? &n->plan : nullptr;
  }
};

inline constinit plan_table tuned_plans;

}  // namespace gemm::detail
