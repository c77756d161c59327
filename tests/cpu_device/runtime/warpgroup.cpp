// SPDX-License-Identifier: BSL-1.0
//! @file
//! Multiplications of warpgroups: issued together, performed in order, now or as late as they are waited for.

#include "warpgroup.hpp"

#include <algorithm>

#include "scheduler.hpp"

namespace cpu_device {
namespace {

constexpr unsigned warps_of_warpgroup = warpgroup_threads / 32;

}  // namespace

void warpgroup::push_next() {
  sanitizer::unobserved const own_memory;
  issued_.push_back(next);
}

void warpgroup::commit() {
  sanitizer::unobserved const own_memory;
  groups_.push_back(issued_.size() - committed_);
  committed_ = issued_.size();
}

void warpgroup::wait(unsigned pending_groups) {
  while (groups_.size() > pending_groups) {
    perform(groups_.front());
    sanitizer::unobserved const own_memory;
    groups_.erase(groups_.begin());
  }
}

void warpgroup::perform(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    issued_[i].perform(issued_[i].operands, issued_[i].of_threads.data());
  }
  sanitizer::unobserved const own_memory;
  issued_.erase(issued_.begin(), issued_.begin() + std::ptrdiff_t(count));
  for (std::size_t& group : groups_) {  // the oldest are gone first
    std::size_t const gone = std::min(group, count);
    group -= gone;
    committed_ -= gone;
    count -= gone;
  }
}

warpgroup& scheduler::warpgroup_at(char const* instruction, call_site where) {
  unsigned const index = thread_->index / warpgroup_threads;
  if ((index + 1) * warpgroup_threads > block_->size) {
    fail("%s (%s:%d) is for whole warpgroups, and the block ends within this one", instruction, where.file, where.line);
  }
  for (unsigned warp = index * warps_of_warpgroup; warp < (index + 1) * warps_of_warpgroup; ++warp) {
    if (unsigned const gone = block_->warps[warp].returned; gone != 0) {
      fail("is at %s (%s:%d), but lanes 0x%08x of warp %u have returned", instruction, where.file, where.line, gone,
           warp);
    }
  }
  return block_->warpgroups[index];
}

template <class Last>
void scheduler::meet(warpgroup& own, char const* instruction, call_site where, Last last) {
  sanitizer::clock& clock = own.point.clock();
  arrive(own.point, instruction, nullptr, where);
  if (own.point.arrived == warpgroup_threads) {
    clock.acquire();
    last();
    clock.release();
    own.point.close();
    for (unsigned warp = 0; warp < warps_of_warpgroup; ++warp) {
      block_->ready.insert_warp(thread_->index / warpgroup_threads * warps_of_warpgroup + warp, ~0u);
    }
    choose_next();
  }
  suspend();
  thread_->waits_at = nullptr;
  clock.acquire();
}

void scheduler::issue_multiplication(multiply_function perform, multiplication_operands const& operands,
                                     multiplication_registers const& registers, call_site where) {
  warpgroup& own = warpgroup_at("wgmma", where);
  if (own.point.arrived == 0) {
    own.next.perform = perform;
    own.next.operands = operands;
  } else if (own.next.perform != perform ||
             !std::equal(operands.bytes, operands.bytes + sizeof(operands.bytes), own.next.operands.bytes)) {
    fail("wgmma (%s:%d): it names other matrices than a thread of its warpgroup that came before", where.file,
         where.line);
  }
  own.next.of_threads[thread_->index % warpgroup_threads] = registers;
  meet(own, "wgmma", where, [&] {
    own.push_next();
    if (options_.completion == copy_completion::eager ||
        (options_.completion == copy_completion::mixed && random_.coin())) {
      own.perform_all();
    }
  });
  record(event_kind::multiplication);
}

void scheduler::commit_multiplications(call_site where) {
  warpgroup& own = warpgroup_at("wgmma_commit_group", where);
  meet(own, "wgmma_commit_group", where, [&] { own.commit(); });
  record(event_kind::multiplications);
}

void scheduler::wait_multiplications(unsigned pending_groups, call_site where) {
  warpgroup& own = warpgroup_at("wgmma_wait_group", where);
  meet(own, "wgmma_wait_group", where, [&] { own.wait(pending_groups); });
  record(event_kind::multiplications_done, pending_groups);
}

void scheduler::meet_in_warpgroup(char const* instruction, call_site where) {
  meet(warpgroup_at(instruction, where), instruction, where, [] {});
}

void scheduler::check_multiplications_have_been_waited_for() const {
  warpgroup const& own = block_->warpgroups[thread_->index / warpgroup_threads];
  if (own.point.arrived != 0) {
    fail("returned while %u threads of its warpgroup wait for it at %s (%s:%d)", own.point.arrived,
         own.point.instruction, own.point.where.file, own.point.where.line);
  }
  if (!own.all_performed()) {
    fail("returned before the multiplications of its warpgroup have been waited for");
  }
}

}  // namespace cpu_device
