// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a running thread asks of the device, handed to the scheduler that runs it.

#include "cpu_device/device.hpp"

#include <cstdint>

#include "cpu_device/cluster.hpp"
#include "cpu_device/mbarrier.hpp"
#include "cpu_device/named_barrier.hpp"
#include "cpu_device/recording.hpp"
#include "cpu_device/tensor_store.hpp"
#include "cpu_device/warpgroup.hpp"
#include "scheduler.hpp"

namespace cpu_device {
namespace {

scheduler& running_scheduler() {
  if (scheduler::running == nullptr) {
    fail("device code was called outside a kernel");
  }
  return *scheduler::running;
}

}  // namespace

void block_barrier(call_site where) { running_scheduler().block_barrier(where); }

unsigned lane_index() { return running_scheduler().current_thread().index % 32; }

void warp_collective(char const* instruction, unsigned mask, void* operands, combine_function combine,
                     call_site where) {
  running_scheduler().warp_collective(instruction, mask, operands, combine, where);
}

void* dynamic_shared_memory(std::size_t bytes) {
  shared_arena& shared = running_scheduler().current_block().shared;
  if (bytes > shared.size()) {
    fail("the kernel's shared memory takes %zu bytes, but the launch asked for %zu", bytes, shared.size());
  }
  return shared.data();
}

void issue_copy(void* shared, void const* global, int bytes, int valid_bytes, copy_function perform) {
  running_scheduler().issue_copy({shared, global, valid_bytes, perform}, bytes);
}

void scheduler::issue_copy(async_copy const& copy, int bytes) {
  shared_arena const& arena = block_->shared;
  std::size_t const size = std::size_t(bytes);
  if (reinterpret_cast<std::uintptr_t>(copy.shared) % size != 0 ||
      reinterpret_cast<std::uintptr_t>(copy.global) % size != 0) {
    fail("cp.async of %d bytes from %p to %p: both addresses must be multiples of %d", bytes, copy.global, copy.shared,
         bytes);
  }
  if (copy.valid_bytes < 0 || copy.valid_bytes > bytes) {
    fail("cp.async of %d bytes: %d of them cannot be valid", bytes, copy.valid_bytes);
  }
  if (!arena.contains(copy.shared, size)) {
    fail("cp.async of %d bytes to %p: not in the block's shared memory", bytes, copy.shared);
  }
  if (copy.valid_bytes > 0 && arena.contains(copy.global, std::size_t(copy.valid_bytes))) {
    fail("cp.async of %d bytes from %p: not global memory but the block's shared memory", bytes, copy.global);
  }
  record(event_kind::copy, bytes);
  bool const lands_now = options_.completion == copy_completion::eager ||
                         (options_.completion == copy_completion::mixed && random_.coin());
  if (lands_now) {
    copy.perform(copy.shared, copy.global, copy.valid_bytes);
  } else {
    thread_->copies.push(copy);
  }
}

void commit_copies() {
  running_scheduler().current_thread().copies.commit();
  running_scheduler().record(event_kind::copies_committed);
}

void wait_copies(unsigned pending_groups) {
  running_scheduler().current_thread().copies.wait(pending_groups);
  running_scheduler().record(event_kind::copies_landed, pending_groups);
}

void wait_for_kernel_before() { running_scheduler().wait_for_kernel_before(); }

void record_prefetch(std::int64_t bytes) { running_scheduler().record(event_kind::prefetch, bytes); }

void note(std::int64_t value) { running_scheduler().record(event_kind::note, value); }

void init_mbarrier(std::uint64_t* barrier, std::uint32_t arrivals, call_site where) {
  running_scheduler().init_mbarrier(barrier, arrivals, where);
}

void fence_mbarriers() { running_scheduler().fence_mbarriers(); }

void arrive_at_mbarrier(std::uint64_t* barrier, std::uint32_t bytes, char const* instruction, call_site where) {
  running_scheduler().arrive_at_mbarrier(barrier, bytes, instruction, where);
}

bool test_mbarrier(std::uint64_t* barrier, std::uint32_t parity, call_site where) {
  return running_scheduler().test_mbarrier(barrier, parity, where);
}

void wait_for_mbarrier(std::uint64_t* barrier, std::uint32_t parity, call_site where) {
  running_scheduler().wait_for_mbarrier(barrier, parity, where);
}

void arrive_at_named_barrier(int barrier, int threads, call_site where) {
  running_scheduler().arrive_at_named_barrier(barrier, threads, where);
}

void sync_named_barrier(int barrier, int threads, call_site where) {
  running_scheduler().sync_named_barrier(barrier, threads, where);
}

std::int64_t checked_prefetch(void const* map, std::array<int, 3> corner, call_site where) {
  scheduler& device = running_scheduler();
  return device.checked_box("tma_prefetch", map, device.current_block().shared.data(), corner, where).bytes();
}

tensor_box checked_box(void const* map, void* shared, std::array<int, 3> corner, call_site where) {
  return running_scheduler().checked_box("tma_load", map, shared, corner, where);
}

void issue_box(tensor_box const& box, std::uint64_t* barrier, void (*perform)(tensor_box const&), call_site where) {
  running_scheduler().issue_box(box, barrier, perform, where);
}

tensor_box checked_store(void const* map, void const* shared, std::array<int, 3> corner, call_site where) {
  if (corner[0] < 0 || corner[1] < 0 || corner[2] < 0) {
    fail("tma_store (%s:%d): the box begins at (%d, %d, %d), which must not be negative", where.file, where.line,
         corner[0], corner[1], corner[2]);
  }
  return running_scheduler().checked_box("tma_store", map, shared, corner, where);
}

void observe_store(tensor_box const& box, void (*observe)(tensor_box const&)) {
  running_scheduler().observe_store(box, observe);
}

void issue_store(tensor_box const& box, void (*perform)(tensor_box const&)) {
  running_scheduler().issue_store({box, perform});
}

void commit_stores() { running_scheduler().current_thread().stores.commit(); }

void wait_stores(unsigned pending_groups) { running_scheduler().wait_stores(pending_groups); }

void* shared_in_block(void* mine, unsigned rank, char const* instruction, call_site where) {
  return running_scheduler().shared_in_block(mine, rank, instruction, where);
}

void issue_box_in_block(unsigned rank, tensor_box const& box, std::uint64_t* barrier,
                        void (*perform)(tensor_box const&), call_site where) {
  running_scheduler().issue_box_in_block(rank, box, barrier, perform, where);
}

void arrive_in_block(unsigned rank, std::uint64_t* barrier, char const* instruction, call_site where) {
  running_scheduler().arrive_in_block(rank, barrier, instruction, where);
}

void issue_multiplication(multiply_function perform, multiplication_operands const& operands,
                          multiplication_registers const& own, call_site where) {
  running_scheduler().issue_multiplication(perform, operands, own, where);
}

void commit_multiplications(call_site where) { running_scheduler().commit_multiplications(where); }

void wait_multiplications(unsigned pending_groups, call_site where) {
  running_scheduler().wait_multiplications(pending_groups, where);
}

void meet_in_warpgroup(char const* instruction, call_site where) {
  running_scheduler().meet_in_warpgroup(instruction, where);
}

unsigned cluster_rank() { return running_scheduler().current_block().rank; }

unsigned cluster_size() { return running_scheduler().current_cluster().size; }

void arrive_at_cluster(bool releases, call_site where) { running_scheduler().arrive_at_cluster(releases, where); }

void wait_for_cluster(call_site where) { running_scheduler().wait_for_cluster(where); }

std::uintptr_t address_in_block(std::uintptr_t mine, unsigned rank, call_site where) {
  return running_scheduler().address_in_block(mine, rank, where);
}

void const* cluster_memory(std::uintptr_t address, std::size_t bytes, call_site where) {
  return running_scheduler().cluster_memory(address, bytes, where);
}

}  // namespace cpu_device
