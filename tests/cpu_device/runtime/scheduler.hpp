// SPDX-License-Identifier: BSL-1.0
//! @file
//! Runs the clusters of a grid one after the other, and the threads of a cluster in turns.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "block.hpp"
#include "cluster.hpp"
#include "cpu_device/language.hpp"
#include "cpu_device/launch.hpp"
#include "cpu_device/options.hpp"
#include "cpu_device/recording.hpp"
#include "fiber.hpp"
#include "random.hpp"
#include "thread_set.hpp"

namespace cpu_device {

/// Every host thread that launches has one. A thread of the kernel runs until it has to wait for others; then the
/// order option picks among those that can run.
class scheduler {
 public:
  /// The calling host thread's own.
  static scheduler& of_this_thread();

  /// The one whose kernel is running on this host thread, null if none is.
  static thread_local constinit scheduler* running;

  void run_grid(launch_shape const& shape, kernel_call const& call);

  // On behalf of the running thread; see cpu_device/device.hpp.
  void block_barrier(call_site where);
  void warp_collective(char const* instruction, unsigned mask, void* operands, combine_function combine,
                       call_site where);
  void issue_copy(async_copy const& copy, int bytes);

  // Likewise; see cpu_device/mbarrier.hpp.
  void init_mbarrier(std::uint64_t* word, std::uint32_t arrivals, call_site where);
  void fence_mbarriers();
  void arrive_at_mbarrier(std::uint64_t const* word, std::uint32_t bytes, char const* instruction, call_site where);
  bool test_mbarrier(std::uint64_t const* word, std::uint32_t parity, call_site where);
  void wait_for_mbarrier(std::uint64_t const* word, std::uint32_t parity, call_site where);
  tensor_box checked_box(char const* instruction, void const* map, void const* shared, std::array<int, 3> corner,
                         call_site where) const;
  void issue_box(tensor_box const& box, std::uint64_t const* word, void (*perform)(tensor_box const&), call_site where);

  // Likewise; see cpu_device/named_barrier.hpp.
  void arrive_at_named_barrier(int index, int threads, call_site where);
  void sync_named_barrier(int index, int threads, call_site where);

  // Likewise; see cpu_device/tensor_store.hpp.
  void observe_store(tensor_box const& box, void (*observe)(tensor_box const&));
  void issue_store(box_store const& store);
  void wait_stores(unsigned pending_groups);

  // Likewise; see cpu_device/warpgroup.hpp.
  void issue_multiplication(multiply_function perform, multiplication_operands const& operands,
                            multiplication_registers const& own, call_site where);
  void commit_multiplications(call_site where);
  void wait_multiplications(unsigned pending_groups, call_site where);
  void meet_in_warpgroup(char const* instruction, call_site where);

  // Likewise; see cpu_device/cluster.hpp.
  void arrive_at_cluster(bool releases, call_site where);
  void wait_for_cluster(call_site where);
  std::uintptr_t address_in_block(std::uintptr_t mine, unsigned rank, call_site where) const;
  void const* cluster_memory(std::uintptr_t address, std::size_t bytes, call_site where);
  void* shared_in_block(void* mine, unsigned rank, char const* instruction, call_site where) const;
  void issue_box_in_block(unsigned rank, tensor_box const& box, std::uint64_t const* word,
                          void (*perform)(tensor_box const&), call_site where);
  void arrive_in_block(unsigned rank, std::uint64_t const* word, char const* instruction, call_site where);

  /// Ends the options' kernel before, once a launch.
  void wait_for_kernel_before() {
    if (auto const ends = std::exchange(options_.kernel_before, nullptr)) {
      ends();
    }
  }

  /// Records what the running thread does, if that is asked for; a barrier is one of the current block.
  void record(event_kind what, std::int64_t value = 0) {
    if (options_.record != nullptr) {
      append_event({.what = what, .value = value});
    }
  }
  void record(event_kind what, mbarrier const& barrier, unsigned phase, std::int64_t value = 0);

  cluster const& current_cluster() const { return *cluster_; }
  block& current_block() { return *block_; }
  device_thread& current_thread() { return *thread_; }
  void print_waiting_threads() const;

 private:
  static void thread_body();
  void run_cluster(cluster& resident, uint3 first);
  void append_event(event one);
  void finish_thread();
  // Makes it the current block.
  void enter(block& which);

  // Lets another thread run; returns when the caller has been made ready again and its turn has come.
  void suspend();
  void turn_to_next();
  void make_all_ready();
  // To be called whenever threads have been made ready.
  void choose_next();
  void choose_next_in(block& from);
  // In the block that the order picks among those with threads that are ready.
  void choose_next_in_cluster();
  // In the random order, may let others run first; for a thread that has just let them go on.
  void give_way_at_random();

  void arrive(meeting& point, char const* instruction, combine_function combine, call_site where);
  [[noreturn]] void fail_divergent(meeting const& point, char const* instruction, call_site where) const;
  void check_nobody_waits_for_this_thread() const;

  // The running thread's.
  warpgroup& warpgroup_at(char const* instruction, call_site where);
  // The last of the warpgroup's threads to arrive runs `last`.
  template <class Last>
  void meet(warpgroup& own, char const* instruction, call_site where, Last last);
  void check_multiplications_have_been_waited_for() const;

  // Whether the arrival has completed the phase.
  bool count_arrival(mbarrier& barrier, std::uint32_t bytes, char const* instruction, call_site where);
  mbarrier& mbarrier_at(std::uint64_t const* word, char const* instruction, call_site where);
  mbarrier& named_barrier_at(int index, int threads, char const* instruction, call_site where);
  // Begins the next phase and makes those ready who have waited for it, if nothing is missing any more.
  bool complete_phase(mbarrier& barrier);
  void land(std::size_t load);
  // One of those in flight to the current block, if there is any.
  bool land_a_box();
  // Or to any block of the cluster.
  bool land_a_box_somewhere();
  void check_copies_have_been_waited_for();
  // The running thread's.
  void check_stores_have_been_waited_for() const;

  // The running thread has returned: it counts as arrived in all phases to come.
  void leave_cluster_barrier();
  void release_arrivals();
  // Begins the next phase if all threads have arrived that have not returned.
  bool complete_cluster_phase();
  void check_reads_have_been_waited_for() const;
  void check_arrivals_have_been_waited_for() const;

  // Clusters take turns on these. With two, consecutive clusters run on different logical threads of the thread
  // sanitizer, which finds it if they race for global memory; one is enough where nobody looks.
  std::array<cluster, sanitizer::thread ? 2 : 1> clusters_;

  fiber host_;
  cluster* cluster_ = nullptr;
  bool alone_ = true;  // the cluster has one block, which spares most launches a look at the others
  block* block_ = nullptr;
  device_thread* thread_ = nullptr;
  // Chosen from those ready before it is needed: a switch waits for the address of the stack that it leads to.
  device_thread* next_ = nullptr;
  options options_;
  random_generator random_{0};
  kernel_call const* call_ = nullptr;
  std::uint64_t cluster_number_ = 0;  // of the running cluster in its grid
  unsigned vain_tests_ = 0;           // of mbarriers, by the running thread since its turn began
};

}  // namespace cpu_device
