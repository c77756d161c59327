// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which of the GPU codes in the program the current device runs, as far as a call has to know it.
#pragma once

#include <cuda_runtime.h>

#include <string_view>

#include <gemm/kernel_info.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// How many threads a block of code_probe() may have, by the code's architecture and features: its launch bound tells
/// them to the host.
inline constexpr int old_probe_threads = 32, plain_probe_threads = 64, sm90a_probe_threads = 128;

/// Never launched. A template, so that it may be defined in several translation units.
template <class = void>
__global__ void
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
__launch_bounds__(old_probe_threads)
#elif defined(__CUDA_ARCH_FEAT_SM90_ALL)
__launch_bounds__(sm90a_probe_threads)
#else
__launch_bounds__(plain_probe_threads)
#endif
    code_probe() {
}

/// The code that the current device runs: for GPUs before sm_80, where arch/ traps (nvcc's default is sm_75, whose PTX
/// newer devices run, too), for others, or for sm_90a.
enum class device_code { old, plain, sm90a };

/// Plain where there is no code for the device at all: a launch says so.
[[gnu::noinline]] static inline device_code code_of_device() {
  struct answer {
    int major = 0, minor = 0;
    device_code code = device_code::plain;
  };
  static thread_local answer last;  // devices of one compute capability choose the same code
  answer now;
  if (device_attribute(now.major, cudaDevAttrComputeCapabilityMajor) &&
      device_attribute(now.minor, cudaDevAttrComputeCapabilityMinor) &&
      (now.major != last.major || now.minor != last.minor)) {
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, code_probe<>) == cudaSuccess) {
      int const threads = attributes.maxThreadsPerBlock;
      now.code = threads >= sm90a_probe_threads   ? device_code::sm90a
                 : threads >= plain_probe_threads ? device_code::plain
                                                  : device_code::old;
    } else {
      static_cast<void>(cudaGetLastError());  // must not surface in the caller's next check
    }
    last = now;
  }
  return now.major == 0 ? device_code::plain : last.code;
}

/// What kernels may use in the code that a device runs. Where something is missing, arch/ traps.
struct code_features {
  bool tma = false, wgmma = false, clusters = false;
  bool dependent_launch = false;  // a kernel may start early, and waits by itself for the one before it

  constexpr bool supports(kernel_info const& kernel) const {
    return (tma || !kernel.uses_tma()) && (wgmma || kernel.op != math_op::wgmma) &&
           (clusters || kernel.cluster_blocks() == 1);
  }
};

/// Of the current device: all on a GPU of compute capability 9.0 in a program compiled for sm_90a, not for sm_90 or as
/// PTX alone. On the CPU device likewise, unless it pretends another compute capability.
[[gnu::noinline]] static inline code_features current_code() {
  int major = 0, minor = 0;
  bool const sm90a = device_attribute(major, cudaDevAttrComputeCapabilityMajor) &&
                     device_attribute(minor, cudaDevAttrComputeCapabilityMinor) && major == 9 && minor == 0 &&
                     code_of_device() == device_code::sm90a;
  return {.tma = sm90a, .wgmma = sm90a, .clusters = sm90a, .dependent_launch = sm90a};
}

/// What the program lacks for the current device to use its TMA and tensor cores; empty where it lacks nothing.
[[gnu::noinline]] static inline std::string_view missing_code() {
  int major = 0, minor = 0;
  bool const hopper = device_attribute(major, cudaDevAttrComputeCapabilityMajor) &&
                      device_attribute(minor, cudaDevAttrComputeCapabilityMinor) && major == 9 && minor == 0;
  return hopper && code_of_device() != device_code::sm90a
             ? "compiled without sm_90a, which TMA and tensor cores need: add -gencode arch=compute_90a,code=sm_90a"
             : "";
}

}  // namespace gemm::detail
