// SPDX-License-Identifier: BSL-1.0
//! @file
//! Runs the blocks of a grid one after the other, and the threads of a block in turns.
#pragma once

#include <array>

#include "block.hpp"
#include "cpu_device/language.hpp"
#include "cpu_device/launch.hpp"
#include "cpu_device/options.hpp"
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

  void run_grid(dim3 grid, dim3 block_dimensions, std::size_t shared_bytes, kernel_call const& call);

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
  tensor_box checked_box(void const* map, void* shared, std::array<int, 3> at, call_site where) const;
  void issue_box(tensor_box const& box, std::uint64_t const* word, void (*perform)(tensor_box const&), call_site where);

  block& current_block() { return *block_; }
  device_thread& current_thread() { return *thread_; }
  void print_waiting_threads() const;

 private:
  static void thread_body();
  void run_block(block& resident);
  void finish_thread();

  // Lets another thread run; returns when the caller has been made ready again and its turn has come.
  void suspend();
  void turn_to_next();
  void make_all_ready();
  // To be called whenever threads have been made ready.
  void choose_next();

  void arrive(meeting& point, char const* instruction, combine_function combine, call_site where);
  [[noreturn]] void fail_divergent(meeting const& point, char const* instruction, call_site where) const;
  void check_nobody_waits_for_this_thread() const;

  mbarrier& mbarrier_at(std::uint64_t const* word, char const* instruction, call_site where);
  // Begins the next phase and makes those ready who have waited for it, if nothing is missing any more.
  bool complete_phase(mbarrier& barrier);
  void land(std::size_t load);
  // One of those on their way, if there is any.
  bool land_a_box();
  void check_copies_have_been_waited_for();

  // Blocks take turns on these. With two, consecutive blocks run on different logical threads of the thread sanitizer,
  // which finds it if they race for global memory; one is enough where nobody looks.
  std::array<block, sanitizer::thread ? 2 : 1> blocks_;

  fiber host_;
  block* block_ = nullptr;
  device_thread* thread_ = nullptr;
  // Chosen from those ready before it is needed: a switch waits for the address of the stack that it leads to.
  device_thread* next_ = nullptr;
  thread_set ready_;
  options options_;
  random_generator random_{0};
  kernel_call const* call_ = nullptr;
  unsigned vain_tests_ = 0;  // of mbarriers, by the running thread since its turn began
};

}  // namespace cpu_device
