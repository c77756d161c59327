// SPDX-License-Identifier: BSL-1.0
//! @file
//! Loads and stores of boxes: what they must keep to, and when they land.

#include "tensor_engine.hpp"

#include "cpu_device/mbarrier.hpp"
#include "scheduler.hpp"

namespace cpu_device {

tensor_engine::~tensor_engine() {
  if (logical_thread_ != nullptr) {
    sanitizer::destroy_logical_thread(logical_thread_);
  }
}

void tensor_engine::begin() {
  if (logical_thread_ == nullptr) {
    logical_thread_ = sanitizer::create_logical_thread();
  }
}

void tensor_engine::push(box_load const& load) {
  sanitizer::unobserved const allocation;
  begin();
  loads_.push_back(load);
}

void tensor_engine::observe_store(tensor_box const& box, void (*observe)(tensor_box const&), sanitizer::clock& issued,
                                  sanitizer::clock& stored, sanitizer::clock& block_end) {
  {
    sanitizer::unobserved const own_memory;
    begin();
    observed_ = box;
  }
  void* const caller = sanitizer::current_logical_thread();
  sanitizer::switch_logical_thread(logical_thread_);
  issued.acquire();
  observe(observed_);
  stored.release();
  block_end.release();
  sanitizer::switch_logical_thread(caller);
}

box_load const& tensor_engine::land(std::size_t i, sanitizer::clock& block_end) {
  {
    sanitizer::unobserved const own_memory;
    landing_ = loads_[i];
    loads_.erase(loads_.begin() + std::ptrdiff_t(i));
  }
  box_load const& load = landing_;
  void* const caller = sanitizer::current_logical_thread();
  sanitizer::switch_logical_thread(logical_thread_);
  load.issued->acquire();
  load.perform(load.box);
  load.barrier->clocks[load.barrier->phase % 2].release();
  block_end.release();
  sanitizer::switch_logical_thread(caller);
  return load;
}

tensor_box scheduler::checked_box(char const* instruction, void const* map, void const* shared,
                                  std::array<int, 3> corner, call_site where) const {
  tensor_box const box{*static_cast<tensor_map const*>(map), corner,
                       static_cast<unsigned char*>(const_cast<void*>(shared))};
  if (box.map.signature != tensor_map::valid_signature) {
    fail("%s (%s:%d): %p is no tensor map", instruction, where.file, where.line, map);
  }
  if (reinterpret_cast<std::uintptr_t>(map) % 64 != 0) {
    fail("%s (%s:%d): the tensor map at %p must be at a multiple of 64 bytes", instruction, where.file, where.line,
         map);
  }
  if (reinterpret_cast<std::uintptr_t>(shared) % 128 != 0) {
    fail("%s (%s:%d): the box at %p, which must be a multiple of 128 bytes", instruction, where.file, where.line,
         shared);
  }
  if (corner[0] * std::int64_t(box.map.element_bytes) % 16 != 0) {
    fail("%s (%s:%d): x is %d, which must be a multiple of 16 bytes", instruction, where.file, where.line, corner[0]);
  }
  if (!block_->shared.contains(shared, std::size_t(box.bytes()))) {
    fail("%s (%s:%d): the box of %lld bytes at %p is not in the block's shared memory", instruction, where.file,
         where.line, static_cast<long long>(box.bytes()), shared);
  }
  return box;
}

void scheduler::issue_box(tensor_box const& box, std::uint64_t const* word, void (*perform)(tensor_box const&),
                          call_site where) {
  mbarrier& barrier = mbarrier_at(word, "tma_load", where);
  if (!barrier.fenced) {
    fail("tma_load (%s:%d): the thread that has initialised the mbarrier must call fence_mbarrier_init", where.file,
         where.line);
  }
  record(event_kind::box, barrier, barrier.phase, box.bytes());
  thread_->issued.release();
  block_->engine.push({box, &barrier, &thread_->issued, perform});
  if (options_.completion == copy_completion::eager ||
      (options_.completion == copy_completion::mixed && random_.coin())) {
    land(block_->engine.size() - 1);
  }
}

void scheduler::observe_store(tensor_box const& box, void (*observe)(tensor_box const&)) {
  thread_->issued.release();
  block_->engine.observe_store(box, observe, thread_->issued, thread_->stored, cluster_->after());
}

void scheduler::issue_store(box_store const& store) {
  if (options_.completion == copy_completion::eager ||
      (options_.completion == copy_completion::mixed && random_.coin())) {
    store.land();
  } else {
    thread_->stores.push(store);
  }
}

void scheduler::wait_stores(unsigned pending_groups) {
  if (thread_->stores.wait(pending_groups)) {
    thread_->stored.acquire();
  }
}

void scheduler::check_stores_have_been_waited_for() const {
  if (!thread_->stores.empty()) {
    fail("returned before its tma_store have been waited for");
  }
}

void scheduler::land(std::size_t i) {
  box_load const& load = block_->engine.land(i, cluster_->after());
  load.barrier->bytes -= load.box.bytes();
  complete_phase(*load.barrier);
}

bool scheduler::land_a_box() {
  std::size_t const count = block_->engine.size();
  if (count == 0) {
    return false;
  }
  switch (options_.order) {  // copies keep no order among each other
    case run_order::forward:
      land(0);
      break;
    case run_order::reverse:
      land(count - 1);
      break;
    case run_order::random:
      land(random_.below(count));
      break;
  }
  return true;
}

bool scheduler::land_a_box_somewhere() {
  for (unsigned rank = 0; rank < cluster_->size; ++rank) {
    enter(*cluster_->blocks[rank]);
    if (land_a_box()) {
      return true;
    }
  }
  enter(thread_->home);
  return false;
}

void scheduler::check_copies_have_been_waited_for() {
  tensor_engine const& engine = block_->engine;
  if (!engine.empty()) {
    fail(
        "the block ends while %zu tma_load are on their way, the first to byte %td of its shared memory: somebody must "
        "wait for them",
        engine.size(), engine[0].box.shared - block_->shared.data());
  }
  for (mbarrier const& barrier : block_->mbarriers) {
    if (barrier.bytes != 0) {
      fail("the block ends, but the mbarrier at byte %td of its shared memory has %lld bytes %s",
           reinterpret_cast<unsigned char*>(barrier.word) - block_->shared.data(),
           static_cast<long long>(barrier.bytes > 0 ? barrier.bytes : -barrier.bytes),
           barrier.bytes > 0 ? "still to come" : "more than were expected");
    }
  }
}

}  // namespace cpu_device
