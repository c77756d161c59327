// SPDX-License-Identifier: BSL-1.0
//! @file
//! The plans that tuning has found, known to the whole process: what run() without a policy asks before its model.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
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
  std::string policy{};          // its name()
  int slices = 1;                // that k is cut into
  std::int64_t nanoseconds = 0;  // that it took

  bool operator==(tuned_plan const&) const = default;
};

/// Plans by device and problem. Finding one takes no lock, and an atomic load where there is none at all; plans are
/// never freed, so that what was found stays valid.
class plan_registry {
 public:
  bool empty() const { return !any_.load(std::memory_order_relaxed); }

  /// The plan that was added last for the problem; null where there is none.
  tuned_plan const* find(int device, tuned_problem const& problem) const {
    for (node const* n = buckets_[bucket_of(device, problem)].load(std::memory_order_acquire); n != nullptr;
         n = n->next) {
      if (n->device == device && n->problem == problem) {
        return &n->plan;
      }
    }
    return nullptr;
  }

  void add(int device, tuned_problem const& problem, tuned_plan const& plan) {
    std::lock_guard const lock(writers_);
    if (tuned_plan const* const known = find(device, problem); known != nullptr && *known == plan) {
      return;  // so that loading a cache again costs no memory
    }
    std::atomic<node const*>& head = buckets_[bucket_of(device, problem)];
    newest_ = new node{device, problem, plan, head.load(std::memory_order_relaxed), newest_};
    head.store(newest_, std::memory_order_release);
    any_.store(true, std::memory_order_relaxed);
  }

  void clear() {
    std::lock_guard const lock(writers_);
    any_.store(false, std::memory_order_relaxed);
    for (std::atomic<node const*>& head : buckets_) {
      head.store(nullptr, std::memory_order_relaxed);
    }
  }

 private:
  struct node {
    int device;
    tuned_problem problem;
    tuned_plan plan;
    node const* next;    // in the bucket
    node const* before;  // of all there are, so that leak checkers find them
  };

  static constexpr std::size_t bucket_count = 1024;

  static std::size_t bucket_of(int device, tuned_problem const& of) {
    std::uint64_t hash = static_cast<std::uint64_t>(device);
    for (std::int64_t const value : {of.m, of.n, of.k, of.batch}) {
      hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    return hash % bucket_count;
  }

  std::atomic<bool> any_ = false;
  std::array<std::atomic<node const*>, bucket_count> buckets_{};
  std::mutex writers_;
  node const* newest_ = nullptr;
};

inline constinit plan_registry tuned_plans;

}  // namespace gemm::detail
