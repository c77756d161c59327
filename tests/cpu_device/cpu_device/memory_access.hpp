// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tells the sanitizers of memory accesses that an instruction makes behind the program's back.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define CPU_DEVICE_ADDRESS_SANITIZED
#elif defined(__SANITIZE_THREAD__)
#define CPU_DEVICE_THREAD_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CPU_DEVICE_ADDRESS_SANITIZED
#elif __has_feature(thread_sanitizer)
#define CPU_DEVICE_THREAD_SANITIZED
#endif
#endif

#if defined(CPU_DEVICE_ADDRESS_SANITIZED)
#include <sanitizer/asan_interface.h>
#elif defined(CPU_DEVICE_THREAD_SANITIZED)
// As g++ declares its built-ins; no header has them.
extern "C" {
void __tsan_read_range(void* begin, long bytes);
void __tsan_write_range(void* begin, long bytes);
}
#endif

namespace cpu_device {

/// The calling thread reads the range, or an engine does on its behalf, at some time from here on.
inline void observe_read([[maybe_unused]] void const* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(CPU_DEVICE_ADDRESS_SANITIZED)
  if (void const* const poisoned = __asan_region_is_poisoned(const_cast<void*>(begin), bytes); poisoned != nullptr) {
    [[maybe_unused]] char const reported_here = *static_cast<char const volatile*>(poisoned);
  }
#elif defined(CPU_DEVICE_THREAD_SANITIZED)
  __tsan_read_range(const_cast<void*>(begin), long(bytes));
#endif
}

/// The calling thread writes the range, or an engine does on its behalf, at some time from here on.
inline void observe_write([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(CPU_DEVICE_ADDRESS_SANITIZED)
  observe_read(begin, bytes);  // what may not be touched may not be read either
#elif defined(CPU_DEVICE_THREAD_SANITIZED)
  __tsan_write_range(begin, long(bytes));
#endif
}

}  // namespace cpu_device

#undef CPU_DEVICE_ADDRESS_SANITIZED
#undef CPU_DEVICE_THREAD_SANITIZED
