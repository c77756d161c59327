// SPDX-License-Identifier: BSL-1.0
//! @file
//! Barriers and warp instructions: threads meet, or it is said why they cannot.

#include <bit>

#include "cpu_device/device.hpp"
#include "scheduler.hpp"

namespace cpu_device {

void scheduler::arrive(meeting& point, char const* instruction, combine_function combine, call_site where) {
  if (point.arrived == 0) {
    point.instruction = instruction;
    point.combine = combine;
    point.where = where;
  } else if (point.combine != combine || point.where != where) {
    fail_divergent(point, instruction, where);
  }
  ++point.arrived;
  thread_->waits_at = &point;
  point.clock().release();
}

void scheduler::block_barrier(call_site where) {
  if (!block_->returned.empty()) {
    uint3 const& gone = block_->threads[block_->returned.first()]->coordinates;
    fail("waits at __syncthreads (%s:%d), but thread (%u,%u,%u) has returned already", where.file, where.line, gone.x,
         gone.y, gone.z);
  }
  meeting& barrier = block_->barrier;
  sanitizer::clock& clock = barrier.clock();
  unsigned const phase = barrier.generation;
  record(event_kind::arrival, block_->named_barriers[0], phase);
  arrive(barrier, "__syncthreads", nullptr, where);
  if (barrier.arrived == block_->size) {
    barrier.close();
    make_all_ready();
  }
  suspend();
  thread_->waits_at = nullptr;
  clock.acquire();
  record(event_kind::phase_over, block_->named_barriers[0], phase);
}

void scheduler::warp_collective(char const* instruction, unsigned mask, void* operands, combine_function combine,
                                call_site where) {
  unsigned const warp_index = thread_->index / 32;
  unsigned const lane = thread_->index % 32;
  warp& own = block_->warps[warp_index];
  if ((mask >> lane & 1) == 0) {
    fail("%s (%s:%d): lane %u is not in its own mask 0x%08x", instruction, where.file, where.line, lane, mask);
  }
  if ((mask & own.returned) != 0) {
    fail("%s (%s:%d): the mask 0x%08x names lanes 0x%08x, which have returned", instruction, where.file, where.line,
         mask, mask & own.returned);
  }
  meeting& point = own.with_mask(mask);
  sanitizer::clock& clock = point.clock();
  unsigned const present = mask & own.present;
  arrive(point, instruction, combine, where);
  point.operands[lane] = operands;
  if (point.arrived == unsigned(std::popcount(present))) {
    if (combine != nullptr) {
      clock.acquire();
      combine(point.operands.data(), present);
      clock.release();
      sanitizer::unobserved const own_memory;
      point.operands = {};
    }
    point.close();
    block_->ready.insert_warp(warp_index, present);
    choose_next();
  }
  suspend();
  thread_->waits_at = nullptr;
  clock.acquire();
}

void scheduler::fail_divergent(meeting const& point, char const* instruction, call_site where) const {
  fail("divergence: it is at %s (%s:%d) while %u threads wait for it at %s (%s:%d)", instruction, where.file,
       where.line, point.arrived, point.instruction, point.where.file, point.where.line);
}

void scheduler::check_nobody_waits_for_this_thread() const {
  meeting const& barrier = block_->barrier;
  if (barrier.arrived != 0) {
    fail("returned while %u threads wait at __syncthreads (%s:%d)", barrier.arrived, barrier.where.file,
         barrier.where.line);
  }
  for (meeting const& point : block_->warps[thread_->index / 32].meetings) {
    if (point.arrived != 0 && (point.mask >> thread_->index % 32 & 1) != 0) {
      fail("returned while %u lanes of its warp wait for it at %s (%s:%d)", point.arrived, point.instruction,
           point.where.file, point.where.line);
    }
  }
}

}  // namespace cpu_device
