// SPDX-License-Identifier: BSL-1.0
//! @file
//! The asynchronous copies that one thread has issued and that have not landed yet: cp.async, and TMA's stores.
#pragma once

#include <cstddef>
#include <vector>

#include "cpu_device/device.hpp"
#include "cpu_device/tensor_box.hpp"
#include "sanitizers.hpp"

namespace cpu_device {

struct async_copy {
  void* shared;
  void const* global;
  int valid_bytes;
  copy_function perform;

  void land() const { perform(shared, global, valid_bytes); }
};

struct box_store {
  tensor_box box;
  void (*perform)(tensor_box const&);

  void land() const {
    sanitizer::unobserved const observed_when_issued;
    perform(box);
  }
};

template <class Copy>
class copy_queue {
 public:
  void push(Copy const& copy) { copies_.push_back(copy); }
  bool empty() const { return copies_.empty(); }

  /// Makes the copies since the last commit a group, which may be empty.
  void commit();

  /// Performs the oldest groups until at most `pending_groups` are left. Whether there were more.
  bool wait(unsigned pending_groups);

  /// Forgets what a returning thread has not waited for, as CUDA lets it.
  void discard();

 private:
  std::vector<Copy> copies_;  // oldest first, those of no group yet at the end
  std::vector<std::size_t> group_sizes_;
  std::size_t committed_ = 0;  // the sum of the group sizes
};

}  // namespace cpu_device
