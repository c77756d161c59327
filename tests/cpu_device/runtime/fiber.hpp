// SPDX-License-Identifier: BSL-1.0
//! @file
//! A computation on a stack of its own, which runs when it is switched to: the body of one CUDA thread.
#pragma once

#include <cstddef>

// The hand-written switch takes a few nanoseconds; ucontext's, a system call for the signal mask included, over 200.
#if !defined(__x86_64__) && !defined(CPU_DEVICE_UCONTEXT)
#define CPU_DEVICE_UCONTEXT
#endif
#if defined(CPU_DEVICE_UCONTEXT)
#include <ucontext.h>
#endif

namespace cpu_device {

/// Belongs to the host thread that made it: it may not be switched to from another one.
class fiber {
 public:
  /// Stands for the calling host thread on its own stack: what to switch away from first and back to at the end.
  fiber();

  /// A new stack, below which lies a page that traps. At the first switch `entry` begins; it must never return.
  explicit fiber(void (*entry)());

  ~fiber();
  fiber(fiber const&) = delete;
  fiber& operator=(fiber const&) = delete;

  /// Suspends this fiber, which must be the running one, and lets `next` go on where it was suspended.
  void switch_to(fiber& next);

  /// Fetches the memory that switching to this fiber reads first: the stacks of a block do not fit the nearest cache.
  void prefetch() const {
#if !defined(CPU_DEVICE_UCONTEXT)
    auto const top = static_cast<char const*>(stack_pointer_);
    __builtin_prefetch(top);
    __builtin_prefetch(top + 64);
    __builtin_prefetch(top + 128);
#endif
  }

 private:
  static void begin();
  void prepare_first_switch();

  void (*entry_)() = nullptr;
  void* mapping_ = nullptr;  // null for a host thread's stack
  void* stack_bottom_ = nullptr;
  std::size_t stack_bytes_ = 0;
#if defined(CPU_DEVICE_UCONTEXT)
  ucontext_t context_;
#else
  void* stack_pointer_ = nullptr;  // while suspended: the callee-saved registers, then where to go on
#endif
  void* fake_stack_ = nullptr;      // the address sanitizer's
  void* logical_thread_ = nullptr;  // the thread sanitizer's
};

}  // namespace cpu_device
