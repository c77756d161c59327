// SPDX-License-Identifier: BSL-1.0
//! @file
//! The sanitizers' interfaces, empty where the kernels are built without them.
//!
//! The runtime itself is never sanitized, so CMake tells it by CPU_DEVICE_ASAN or CPU_DEVICE_TSAN what the kernels are
//! built with. The sanitizers still intercept its calls of malloc and memcpy.
#pragma once

#include <cstddef>

#if defined(CPU_DEVICE_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(CPU_DEVICE_TSAN)
#include <sanitizer/tsan_interface.h>
// Exported by the run-time library of g++ and clang alike, declared by no header of theirs.
extern "C" {
void AnnotateIgnoreReadsBegin(char const* file, int line);
void AnnotateIgnoreReadsEnd(char const* file, int line);
void AnnotateIgnoreWritesBegin(char const* file, int line);
void AnnotateIgnoreWritesEnd(char const* file, int line);
void AnnotateIgnoreSyncBegin(char const* file, int line);
void AnnotateIgnoreSyncEnd(char const* file, int line);
}
#endif

namespace cpu_device::sanitizer {

#if defined(CPU_DEVICE_TSAN)
inline constexpr bool thread = true;
#else
inline constexpr bool thread = false;
#endif

// ---- address sanitizer: memory nobody may touch, and the stack that is in use

inline void poison([[maybe_unused]] void const* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(CPU_DEVICE_ASAN)
  __asan_poison_memory_region(begin, bytes);
#endif
}

inline void unpoison([[maybe_unused]] void const* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(CPU_DEVICE_ASAN)
  __asan_unpoison_memory_region(begin, bytes);
#endif
}

/// Announces that the next thing to happen is a switch to another stack; `fake_stack` keeps the present one's state.
inline void begin_stack_switch([[maybe_unused]] void** fake_stack, [[maybe_unused]] void const* next_bottom,
                               [[maybe_unused]] std::size_t next_bytes) {
#if defined(CPU_DEVICE_ASAN)
  __sanitizer_start_switch_fiber(fake_stack, next_bottom, next_bytes);
#endif
}

/// Says that the switch has happened; `fake_stack` is null on the first arrival on a stack.
inline void end_stack_switch([[maybe_unused]] void* fake_stack) {
#if defined(CPU_DEVICE_ASAN)
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

// ---- thread sanitizer: a logical thread for every fiber, and the order between them

inline void* create_logical_thread() {
#if defined(CPU_DEVICE_TSAN)
  return __tsan_create_fiber(0);
#else
  return nullptr;
#endif
}

inline void* current_logical_thread() {
#if defined(CPU_DEVICE_TSAN)
  return __tsan_get_current_fiber();
#else
  return nullptr;
#endif
}

inline void destroy_logical_thread([[maybe_unused]] void* thread) {
#if defined(CPU_DEVICE_TSAN)
  __tsan_destroy_fiber(thread);
#endif
}

/// Makes `thread` the current one. Taking turns orders nothing: only clocks do.
inline void switch_logical_thread([[maybe_unused]] void* thread) {
#if defined(CPU_DEVICE_TSAN)
  __tsan_switch_to_fiber(thread, __tsan_switch_to_fiber_no_sync);
#endif
}

/// What one thread did before it released an address happened before what another does after it has acquired it.
inline void release([[maybe_unused]] void* address) {
#if defined(CPU_DEVICE_TSAN)
  __tsan_release(address);
#endif
}
inline void acquire([[maybe_unused]] void const* address) {
#if defined(CPU_DEVICE_TSAN)
  __tsan_acquire(const_cast<void*>(address));
#endif
}

/// What one thread did before release() happened before what another does after it has acquired the clock.
class clock {
 public:
  void release() { sanitizer::release(&address_); }
  void acquire() { sanitizer::acquire(&address_); }

 private:
  [[maybe_unused]] char address_ = 0;
};

/// While it lives, what the current thread does is the runtime's own business: its intercepted memory accesses are no
/// races of the kernel, and its locks do not order the kernel's accesses.
class unobserved {
 public:
  unobserved() {
#if defined(CPU_DEVICE_TSAN)
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
#endif
  }
  ~unobserved() {
#if defined(CPU_DEVICE_TSAN)
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
  }
  unobserved(unobserved const&) = delete;
  unobserved& operator=(unobserved const&) = delete;
};

}  // namespace cpu_device::sanitizer
