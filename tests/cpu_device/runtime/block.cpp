// SPDX-License-Identifier: BSL-1.0
//! @file
//! Setting up a block.

#include "block.hpp"

namespace cpu_device {

meeting& warp::with_mask(unsigned mask) {
  for (meeting& candidate : meetings) {
    if (candidate.mask == mask) {
      return candidate;
    }
  }
  sanitizer::unobserved const allocation;
  meeting& added = meetings.emplace_back();
  added.mask = mask;
  return added;
}

void block::resize(dim3 dimensions, std::size_t shared_bytes, void (*entry)()) {
  size = dimensions.x * dimensions.y * dimensions.z;
  while (threads.size() < size) {
    threads.push_back(std::make_unique<device_thread>(*this, unsigned(threads.size()), entry));
  }
  for (unsigned i = 0; i < size; ++i) {
    threads[i]->coordinates = {i % dimensions.x, i / dimensions.x % dimensions.y, i / dimensions.x / dimensions.y};
  }
  for (unsigned first = 0; first < size; first += 32) {
    warps[first / 32].present = size - first >= 32 ? ~0u : (1u << (size - first)) - 1;
  }
  shared.resize(shared_bytes);
}

void block::restart(uint3 index) {
  coordinates = index;
  running = size;
  ready.assign_first(size);
  returned = {};
  for (unsigned first = 0; first < size; first += 32) {
    warps[first / 32].returned = 0;
  }
  shared.forget();
  mbarriers.clear();
  for (mbarrier& barrier : named_barriers) {
    barrier.arrivals = barrier.missing = 0;
    barrier.phase = 0;
  }
  arrived = {};
  may_pass = {};
  waiting = {};
  passed = 0;
  last_read = {};
}

}  // namespace cpu_device
