// SPDX-License-Identifier: BSL-1.0
//! @file
//! The loads of one running block's tensor memory accelerator that have not landed yet.
#pragma once

#include <vector>

#include "cpu_device/tensor_box.hpp"
#include "mbarrier.hpp"
#include "sanitizers.hpp"

namespace cpu_device {

struct box_load {
  tensor_box box;
  mbarrier* barrier;
  sanitizer::clock* issued;  // the issuing thread's, who may have returned by the time it lands
  void (*perform)(tensor_box const&);
};

class tensor_engine {
 public:
  tensor_engine() = default;
  ~tensor_engine();
  tensor_engine(tensor_engine const&) = delete;
  tensor_engine& operator=(tensor_engine const&) = delete;

  void push(box_load const& load);
  bool empty() const { return loads_.empty(); }
  std::size_t size() const { return loads_.size(); }
  box_load const& operator[](std::size_t i) const { return loads_[i]; }

  /// Takes the load out and performs it, as a logical thread of its own: after what the issuing thread did before, and
  /// before what those do who acquire `completed` or `block_end`.
  box_load const& land(std::size_t i, sanitizer::clock& block_end);

  /// Runs `observe` as that logical thread: after what is in `issued`, and before what those do who acquire `stored` or
  /// `block_end`.
  void observe_store(tensor_box const& box, void (*observe)(tensor_box const&), sanitizer::clock& issued,
                     sanitizer::clock& stored, sanitizer::clock& block_end);

 private:
  void begin();  // with a logical thread

  std::vector<box_load> loads_;  // oldest first
  box_load landing_{};           // not on a stack: that is the kernel's thread's, and the engine reads it
  tensor_box observed_{};        // likewise
  void* logical_thread_ = nullptr;
};

}  // namespace cpu_device
