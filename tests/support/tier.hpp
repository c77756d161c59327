// SPDX-License-Identifier: BSL-1.0
//! @file
//! The tiers of the tests: how much of them a build compiles and runs. A GPU has all, the CPU device less, sanitizers
//! the least.
#pragma once

#include <type_traits>

// The macros are their arguments in some tiers and nothing in the others: for what no constant can leave out.

/// Whether the build is for sanitizers. They run on the CPU device alone, but sources for GPUs are compiled so, too.
#if defined(GEMM_TEST_SANITIZERS)
namespace test {
inline constexpr bool under_sanitizers = true;
}
#define GEMM_TEST_UNDER_SANITIZERS(...) __VA_ARGS__
#define GEMM_TEST_UNLESS_SANITIZED(...)
#else
namespace test {
inline constexpr bool under_sanitizers = false;
}
#define GEMM_TEST_UNDER_SANITIZERS(...)
#define GEMM_TEST_UNLESS_SANITIZED(...) __VA_ARGS__
#endif

/// Whether the build is for the CPU device. GEMM_TEST_ON_GPU is for the tier that has all, hence without sanitizers.
#if defined(GEMM_TEST_CPU_DEVICE)
namespace test {
inline constexpr bool on_cpu_device = true;
}
#define GEMM_TEST_ON_GPU(...)
#else
namespace test {
inline constexpr bool on_cpu_device = false;
}
#define GEMM_TEST_ON_GPU(...) GEMM_TEST_UNLESS_SANITIZED(__VA_ARGS__)
#endif

namespace test {

/// Whether the sanitizer is that of threads: then under_sanitizers holds, too.
#if defined(GEMM_TEST_THREAD_SANITIZER)
inline constexpr bool under_thread_sanitizer = true;
#else
inline constexpr bool under_thread_sanitizer = false;
#endif

/// Whether the tier is that of GPUs, which has all.
inline constexpr bool has_all = !under_sanitizers && !on_cpu_device;

/// The type of this build's tier; under sanitizers the first, whatever the device.
template <class Sanitizers, class CpuDevice, class Gpu>
using by_tier = std::conditional_t<under_sanitizers, Sanitizers, std::conditional_t<on_cpu_device, CpuDevice, Gpu>>;

/// The same of values.
template <class T>
constexpr T value_by_tier(T sanitizers, T cpu_device, T gpu) {
  return under_sanitizers ? sanitizers : on_cpu_device ? cpu_device : gpu;
}

}  // namespace test
