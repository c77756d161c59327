// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which of the GPU codes in the program the current device runs, as far as a call has to know it.
#pragma once

#include <cuda_runtime.h>

#include <gemm/host/device.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// How many threads a block of code_probe() may have, by the code's features: its launch bound tells them to the host.
inline constexpr int plain_probe_threads = 32, sm90a_probe_threads = 64;

/// Never launched. A template, so that it may be defined in several translation units.
template <class = void>
__global__ void
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
__launch_bounds__(sm90a_probe_threads)
#else
__launch_bounds__(plain_probe_threads)
#endif
    code_probe() {
}

/// Whether kernels run as sm_90a code on the current device: a GPU of compute capability 9.0, and the program was
/// compiled for sm_90a, not for sm_90 or as PTX alone. What arch/ offers from sm_90a on traps without.
///
/// Always true for the CPU device, unless it pretends another compute capability.
[[gnu::noinline]] inline bool has_sm90a_code() {
  int major = 0, minor = 0;
  if (!device_attribute(major, cudaDevAttrComputeCapabilityMajor) ||
      !device_attribute(minor, cudaDevAttrComputeCapabilityMinor)) {
    return false;
  }
  if (major != 9 || minor != 0) {
    return false;
  }
  // All devices of one compute capability choose the same code, so that one answer serves as long as the program runs.
  static bool const found = [] {
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, code_probe<>) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // no code for this device at all: a launch would say so
      return false;
    }
    return attributes.maxThreadsPerBlock >= sm90a_probe_threads;
  }();
  return found;
}

}  // namespace gemm::detail
