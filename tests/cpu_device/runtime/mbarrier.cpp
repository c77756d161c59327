// SPDX-License-Identifier: BSL-1.0
//! @file
//! mbarriers: their phases, and the threads that wait for one.

#include "mbarrier.hpp"

#include "cpu_device/mbarrier.hpp"
#include "scheduler.hpp"

namespace cpu_device {
namespace {

constexpr std::uint64_t signature = 0x6d62617272000000;  // the lower three bytes have the barrier's number
constexpr std::int64_t count_end = 1 << 20;              // of arrivals and of bytes

}  // namespace

mbarrier& mbarrier_table::add(std::uint64_t* word) {
  sanitizer::unobserved const allocation;
  if (used_ == barriers_.size()) {
    barriers_.emplace_back();
  }
  mbarrier& added = barriers_[used_];
  *word = signature + used_++;
  added.word = word;
  return added;
}

mbarrier* mbarrier_table::find(std::uint64_t const* word) {
  std::uint64_t const number = *word - signature;
  return number < used_ && barriers_[number].word == word ? &barriers_[number] : nullptr;
}

mbarrier& scheduler::mbarrier_at(std::uint64_t const* word, char const* instruction, call_site where) {
  mbarrier* const found = block_->shared.contains(word, sizeof(*word)) ? block_->mbarriers.find(word) : nullptr;
  if (found == nullptr) {
    fail("%s (%s:%d): no mbarrier has been initialised at %p, or it has been overwritten", instruction, where.file,
         where.line, static_cast<void const*>(word));
  }
  return *found;
}

void scheduler::init_mbarrier(std::uint64_t* word, std::uint32_t arrivals, call_site where) {
  if (!block_->shared.contains(word, sizeof(*word)) || reinterpret_cast<std::uintptr_t>(word) % sizeof(*word) != 0) {
    fail("mbarrier_init (%s:%d): %p is not a multiple of 8 in the block's shared memory", where.file, where.line,
         static_cast<void const*>(word));
  }
  if (arrivals == 0 || arrivals >= count_end) {
    fail("mbarrier_init (%s:%d): %u arrivals, must be 1 to 2^20 - 1", where.file, where.line, arrivals);
  }
  if (block_->mbarriers.find(word) != nullptr) {
    fail("mbarrier_init (%s:%d): the mbarrier has been initialised already", where.file, where.line);
  }
  mbarrier& barrier = block_->mbarriers.add(word);
  barrier.arrivals = arrivals;
  barrier.missing = arrivals;
  barrier.bytes = 0;
  barrier.phase = 0;
  barrier.waited_for = 0;
  barrier.last_arrival = {};
  barrier.owner = thread_->index;
  barrier.fenced = false;
}

void scheduler::fence_mbarriers() {
  for (mbarrier& barrier : block_->mbarriers) {
    barrier.fenced = barrier.fenced || barrier.owner == thread_->index;
  }
}

void scheduler::arrive_at_mbarrier(std::uint64_t const* word, std::uint32_t bytes, char const* instruction,
                                   call_site where) {
  if (count_arrival(mbarrier_at(word, instruction, where), bytes, instruction, where)) {
    give_way_at_random();
  }
}

bool scheduler::count_arrival(mbarrier& barrier, std::uint32_t bytes, char const* instruction, call_site where) {
  if (barrier.missing == 0) {
    fail("%s (%s:%d): all %u threads have arrived already in phase %u, which still misses %lld bytes", instruction,
         where.file, where.line, barrier.arrivals, barrier.phase, static_cast<long long>(barrier.bytes));
  }
  record(event_kind::arrival, barrier, barrier.phase);
  barrier.bytes += bytes;
  if (bytes >= count_end || barrier.bytes >= count_end) {
    fail("%s (%s:%d): expects %u bytes, %lld in all, must be below 2^20", instruction, where.file, where.line, bytes,
         static_cast<long long>(barrier.bytes));
  }
  --barrier.missing;
  barrier.clocks[barrier.phase % 2].release();
  return complete_phase(barrier);
}

bool scheduler::complete_phase(mbarrier& barrier) {
  if (barrier.missing != 0 || barrier.bytes != 0) {
    return false;
  }
  ++barrier.phase;
  barrier.missing = barrier.arrivals;
  if (!barrier.waiting.empty()) {
    block_->ready.insert(barrier.waiting);
    barrier.waiting = {};
    choose_next();
  }
  return true;
}

bool scheduler::test_mbarrier(std::uint64_t const* word, std::uint32_t parity, call_site where) {
  constexpr unsigned patience = 1000;
  mbarrier& barrier = mbarrier_at(word, "mbarrier_try_wait_parity", where);
  if (barrier.phase % 2 != parity) {
    barrier.waited_for = barrier.phase;
    barrier.clocks[parity].acquire();
    record(event_kind::phase_over, barrier, barrier.phase - 1);
    return true;
  }
  if (++vain_tests_ == patience) {
    fail(
        "mbarrier_try_wait_parity (%s:%d): in vain %u times on end, and nobody else gets a turn: after the first it "
        "must be mbarrier_wait_parity",
        where.file, where.line, patience);
  }
  return false;
}

void scheduler::wait_for_mbarrier(std::uint64_t const* word, std::uint32_t parity, call_site where) {
  mbarrier& barrier = mbarrier_at(word, "mbarrier_wait_parity", where);
  if (parity > 1) {
    fail("mbarrier_wait_parity (%s:%d): parity %u, must be 0 or 1", where.file, where.line, parity);
  }
  if (options_.completion == copy_completion::mixed && random_.coin()) {
    land_a_box();
  }
  mbarrier_wait const wait{&barrier, parity, where};
  while (barrier.phase % 2 == parity) {  // once more after each phase: this one may have passed before the turn came
    thread_->waits_for = &wait;
    barrier.waiting.insert(thread_->index);
    suspend();
  }
  thread_->waits_for = nullptr;
  barrier.waited_for = barrier.phase;
  barrier.clocks[parity].acquire();
  record(event_kind::phase_over, barrier, barrier.phase - 1);
}

}  // namespace cpu_device
