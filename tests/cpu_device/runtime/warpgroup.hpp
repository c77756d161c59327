// SPDX-License-Identifier: BSL-1.0
//! @file
//! A warpgroup's meeting point, and the multiplications that it has issued and that have not been performed yet.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "cpu_device/warpgroup.hpp"
#include "meeting.hpp"

namespace cpu_device {

struct multiplication {
  multiply_function perform;
  multiplication_operands operands;
  std::array<multiplication_registers, warpgroup_threads> of_threads;
};

class warpgroup {
 public:
  meeting point;
  multiplication next{};  // what those who have arrived are about to issue

  void push_next();
  bool all_performed() const { return issued_.empty(); }

  /// Makes the multiplications since the last commit a group, which may be empty.
  void commit();

  /// Performs all, in order. Those of a group stay counted until it is waited for.
  void perform_all() { perform(issued_.size()); }

  /// Performs the oldest groups until at most `pending_groups` are left.
  void wait(unsigned pending_groups);

 private:
  void perform(std::size_t count);

  std::vector<multiplication> issued_;  // oldest first, those of no group yet at the end
  std::vector<std::size_t> groups_;     // how many of each group are among them
  std::size_t committed_ = 0;           // the sum of the groups
};

}  // namespace cpu_device
