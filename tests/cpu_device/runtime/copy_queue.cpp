// SPDX-License-Identifier: BSL-1.0
//! @file
//! Lets asynchronous copies land in the order of their groups.

#include "copy_queue.hpp"

namespace cpu_device {

template <class Copy>
void copy_queue<Copy>::commit() {
  group_sizes_.push_back(copies_.size() - committed_);
  committed_ = copies_.size();
}

template <class Copy>
bool copy_queue<Copy>::wait(unsigned pending_groups) {
  if (group_sizes_.size() <= pending_groups) {
    return false;
  }
  std::size_t const groups = group_sizes_.size() - pending_groups;
  std::size_t landed = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    landed += group_sizes_[group];
  }
  for (std::size_t i = 0; i < landed; ++i) {
    copies_[i].land();
  }
  copies_.erase(copies_.begin(), copies_.begin() + std::ptrdiff_t(landed));
  group_sizes_.erase(group_sizes_.begin(), group_sizes_.begin() + std::ptrdiff_t(groups));
  committed_ -= landed;
  return true;
}

template <class Copy>
void copy_queue<Copy>::discard() {
  copies_.clear();
  group_sizes_.clear();
  committed_ = 0;
}

template class copy_queue<async_copy>;
template class copy_queue<box_store>;

}  // namespace cpu_device
