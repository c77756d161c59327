// SPDX-License-Identifier: BSL-1.0
//! @file
//! Options of the CPU device for tests that GPUs run, too.
#pragma once

#include <cuda_runtime.h>

namespace test {

/// Changes the CPU device's options until the end of the scope; a GPU stays as it is, and nothing is called.
/// `cpu_options const few([](auto& options) { options.device.multiprocessors = 2; });`
#if defined(GEMM_TEST_CPU_DEVICE)
class cpu_options {
 public:
  template <class Change>
  explicit cpu_options(Change change) {
    change(*saved_.operator->());
  }

 private:
  cpu_device::scoped_options saved_;
};
#else
class cpu_options {
 public:
  template <class Change>
  explicit cpu_options(Change) {}
  cpu_options(cpu_options const&) = delete;
  cpu_options& operator=(cpu_options const&) = delete;
};
#endif

}  // namespace test
