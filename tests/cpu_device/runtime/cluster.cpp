// SPDX-License-Identifier: BSL-1.0
//! @file
//! Clusters: setting them up, their barrier, and reads of another block's shared memory.

#include "cluster.hpp"

#include <algorithm>

#include "cpu_device/cluster.hpp"
#include "scheduler.hpp"

namespace cpu_device {
namespace {

constexpr unsigned rank_shift = 56;  // above it, an address in another block has that block's rank + 1

}  // namespace

void cluster::resize(launch_shape const& shape, void (*entry)()) {
  sanitizer::unobserved const allocation;
  dimensions = shape.cluster;
  size = dimensions.x * dimensions.y * dimensions.z;
  while (blocks.size() < size) {
    blocks.push_back(std::make_unique<block>());
    blocks.back()->rank = unsigned(blocks.size() - 1);
  }
  for (unsigned rank = 0; rank < size; ++rank) {
    blocks[rank]->resize(shape.block, shape.shared_bytes, entry);
  }
}

void cluster::restart(uint3 first) {
  // Not the host thread's accesses: to be ordered after those of the cluster before, it would have to acquire their
  // clock, and order all clusters through itself.
  sanitizer::unobserved const preparation;
  running = size;
  phase = 0;
  arrived = 0;
  for (unsigned rank = 0; rank < size; ++rank) {
    blocks[rank]->restart({first.x + rank % dimensions.x, first.y + rank / dimensions.x % dimensions.y,
                           first.z + rank / dimensions.x / dimensions.y});
  }
}

unsigned cluster::running_threads() const {
  unsigned threads = 0;
  for (unsigned rank = 0; rank < size; ++rank) {
    threads += blocks[rank]->running;
  }
  return threads;
}

void scheduler::choose_next_in_cluster() {
  unsigned const size = cluster_->size;
  unsigned const first = options_.order == run_order::random ? unsigned(random_.below(size)) : 0;
  for (unsigned i = 0; i < size; ++i) {
    unsigned const rank = options_.order == run_order::reverse ? size - 1 - i : (first + i) % size;
    if (!cluster_->blocks[rank]->ready.empty()) {
      choose_next_in(*cluster_->blocks[rank]);
      return;
    }
  }
  next_ = nullptr;
}

void scheduler::arrive_at_cluster(bool releases, call_site where) {
  if (block_->arrived.contains(thread_->index) || block_->may_pass.contains(thread_->index)) {
    fail("cluster_arrive (%s:%d): the thread has arrived before and not called cluster_wait since", where.file,
         where.line);
  }
  block_->arrived.insert(thread_->index);
  ++cluster_->arrived;
  if (releases) {
    release_arrivals();
  }
  cluster_->barrier_clocks[cluster_->phase % 2].release();
  if (complete_cluster_phase()) {
    give_way_at_random();
  }
}

void scheduler::release_arrivals() {
  for (unsigned rank = 0; rank < cluster_->size; ++rank) {
    for (mbarrier& barrier : cluster_->blocks[rank]->mbarriers) {
      if (barrier.last_arrival.thread == thread_) {
        barrier.last_arrival.before = std::min(barrier.last_arrival.before, cluster_->phase + 1);
      }
    }
  }
}

void scheduler::wait_for_cluster(call_site where) {
  if (block_->arrived.contains(thread_->index)) {
    thread_->waits_for_cluster = &where;
    block_->waiting.insert(thread_->index);
    suspend();
    thread_->waits_for_cluster = nullptr;
  } else if (!block_->may_pass.contains(thread_->index)) {
    fail("cluster_wait (%s:%d): the thread must call cluster_arrive before", where.file, where.line);
  }
  block_->may_pass.erase(thread_->index);
  block_->passed = cluster_->phase;  // no other phase can be complete before this thread arrives again
  cluster_->barrier_clocks[(cluster_->phase - 1) % 2].acquire();
}

void scheduler::leave_cluster_barrier() {
  if (block_->arrived.contains(thread_->index)) {
    block_->arrived.erase(thread_->index);
    --cluster_->arrived;
  }
  complete_cluster_phase();
}

bool scheduler::complete_cluster_phase() {
  if (cluster_->arrived == 0 || cluster_->arrived != cluster_->running_threads()) {
    return false;
  }
  sanitizer::unobserved const own_memory;
  cluster_->arrived = 0;
  ++cluster_->phase;
  for (unsigned rank = 0; rank < cluster_->size; ++rank) {
    block& each = *cluster_->blocks[rank];
    each.may_pass = each.arrived;
    each.arrived = {};
    each.ready.insert(each.waiting);
    each.waiting = {};
  }
  choose_next();
  return true;
}

std::uintptr_t scheduler::address_in_block(std::uintptr_t mine, unsigned rank, call_site where) const {
  if (rank >= cluster_->size) {
    fail("address_in_block (%s:%d): rank %u, but the cluster has %u blocks", where.file, where.line, rank,
         cluster_->size);
  }
  if (!block_->shared.contains(reinterpret_cast<void const*>(mine), 0)) {
    fail("address_in_block (%s:%d): %p is not in the block's shared memory", where.file, where.line,
         reinterpret_cast<void const*>(mine));
  }
  auto const offset = mine - reinterpret_cast<std::uintptr_t>(block_->shared.data());
  auto const theirs = reinterpret_cast<std::uintptr_t>(cluster_->blocks[rank]->shared.data()) + offset;
  return theirs | std::uintptr_t(rank + 1) << rank_shift;
}

void const* scheduler::cluster_memory(std::uintptr_t address, std::size_t bytes, call_site where) {
  auto const rank = unsigned(address >> rank_shift) - 1;
  auto const memory = reinterpret_cast<unsigned char const*>(address & ((std::uintptr_t(1) << rank_shift) - 1));
  block& owner = rank < cluster_->size ? *cluster_->blocks[rank] : *block_;
  uint3 const& own = owner.coordinates;
  if (owner.running == 0) {
    fail("load_cluster (%s:%d): block (%u,%u,%u) has ended, and its shared memory with it", where.file, where.line,
         own.x, own.y, own.z);
  }
  if (!owner.shared.contains(memory, bytes)) {
    fail("load_cluster (%s:%d): %zu bytes at byte %td are not in the %zu of block (%u,%u,%u)'s shared memory",
         where.file, where.line, bytes, memory - owner.shared.data(), owner.shared.size(), own.x, own.y, own.z);
  }
  if (address % bytes != 0) {
    fail("load_cluster (%s:%d): from byte %td of shared memory, which must be at a multiple of %zu", where.file,
         where.line, memory - owner.shared.data(), bytes);
  }
  if (&owner != block_) {
    if (block_->passed == 0) {
      fail("load_cluster (%s:%d): no thread of the block has called cluster_wait, block (%u,%u,%u) may not have begun",
           where.file, where.line, own.x, own.y, own.z);
    }
    unsigned const next_arrival = cluster_->phase + (block_->arrived.contains(thread_->index) ? 2 : 1);
    if (next_arrival > owner.last_read.before_phase) {
      owner.last_read = {next_arrival, block_->coordinates, where};
    }
  }
  return memory;
}

void* scheduler::shared_in_block(void* mine, unsigned rank, char const* instruction, call_site where) const {
  if (rank >= cluster_->size) {
    fail("%s (%s:%d): rank %u, but the cluster has %u blocks", instruction, where.file, where.line, rank,
         cluster_->size);
  }
  if (!block_->shared.contains(mine, 0)) {
    fail("%s (%s:%d): %p is not in the block's shared memory", instruction, where.file, where.line, mine);
  }
  block const& owner = *cluster_->blocks[rank];
  uint3 const& index = owner.coordinates;
  if (owner.running == 0) {
    fail("%s (%s:%d): block (%u,%u,%u) has ended, and its shared memory with it", instruction, where.file, where.line,
         index.x, index.y, index.z);
  }
  if (&owner != block_ && block_->passed == 0) {
    fail("%s (%s:%d): no thread of the block has called cluster_wait, block (%u,%u,%u) may not have begun", instruction,
         where.file, where.line, index.x, index.y, index.z);
  }
  return owner.shared.data() + (static_cast<unsigned char*>(mine) - block_->shared.data());
}

void scheduler::issue_box_in_block(unsigned rank, tensor_box const& box, std::uint64_t const* word,
                                   void (*perform)(tensor_box const&), call_site where) {
  void* const theirs = shared_in_block(const_cast<std::uint64_t*>(word), rank, "tma_load_multicast", where);
  enter(*cluster_->blocks[rank]);
  issue_box(box, static_cast<std::uint64_t*>(theirs), perform, where);
  enter(thread_->home);
}

void scheduler::arrive_in_block(unsigned rank, std::uint64_t const* word, char const* instruction, call_site where) {
  void* const theirs = shared_in_block(const_cast<std::uint64_t*>(word), rank, instruction, where);
  enter(*cluster_->blocks[rank]);
  mbarrier& barrier = mbarrier_at(static_cast<std::uint64_t*>(theirs), instruction, where);
  if (block_ != &thread_->home) {
    barrier.last_arrival = {.thread = thread_, .phase = barrier.phase, .where = where};
  }
  bool const complete = count_arrival(barrier, 0, instruction, where);
  enter(thread_->home);
  if (complete) {
    give_way_at_random();
  }
}

void scheduler::check_reads_have_been_waited_for() const {
  remote_read const& last = block_->last_read;
  if (last.before_phase > block_->passed) {
    fail(
        "the block ends, but block (%u,%u,%u) may still read its shared memory at load_cluster (%s:%d): a barrier of "
        "the cluster must come between",
        last.reader.x, last.reader.y, last.reader.z, last.where.file, last.where.line);
  }
}

void scheduler::check_arrivals_have_been_waited_for() const {
  for (mbarrier const& barrier : block_->mbarriers) {
    remote_arrival const& last = barrier.last_arrival;
    if (last.thread != nullptr && last.phase >= barrier.waited_for && last.before > block_->passed) {
      uint3 const& from = last.thread->home.coordinates;
      fail(
          "the block ends, but block (%u,%u,%u)'s mbarrier_arrive_in_block (%s:%d) may still be on its way to it: "
          "somebody must wait for that phase, or cluster_arrive come after it and before the end",
          from.x, from.y, from.z, last.where.file, last.where.line);
    }
  }
}

}  // namespace cpu_device
