// SPDX-License-Identifier: BSL-1.0
//! @file
//! The asynchronous copies (cp.async) that one thread has issued and that have not landed yet.
#pragma once

#include <cstddef>
#include <vector>

#include "cpu_device/device.hpp"

namespace cpu_device {

struct async_copy {
  void* shared;
  void const* global;
  int valid_bytes;
  copy_function perform;
};

class copy_queue {
 public:
  void push(async_copy const& copy) { copies_.push_back(copy); }

  /// Makes the copies since the last commit a group, which may be empty.
  void commit();

  /// Performs the oldest groups until at most `pending_groups` are left.
  void wait(unsigned pending_groups);

  /// Forgets what a returning thread has not waited for, as CUDA lets it.
  void discard();

 private:
  std::vector<async_copy> copies_;  // oldest first, those of no group yet at the end
  std::vector<std::size_t> group_sizes_;
  std::size_t committed_ = 0;  // the sum of the group sizes
};

}  // namespace cpu_device
