// SPDX-License-Identifier: BSL-1.0
//! @file
//! griddepcontrol: a kernel that starts before the one it depends on has ended (programmatic dependent launch, sm_90).
#pragma once

#include <cuda_runtime.h>

namespace gemm::arch {

/// griddepcontrol.launch_dependents | PTX ISA 7.8, section "griddepcontrol", sm_90.
///
/// Lets the next kernel of the stream start, if it was launched as a dependent one, once all blocks have called this or
/// ended. It sees nothing of what this one writes until wait_for_dependency() has returned there. Does nothing where
/// there is no such instruction: then kernels run one after the other.
__device__ inline void launch_dependents() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// griddepcontrol.wait | PTX ISA 7.8, section "griddepcontrol", sm_90.
///
/// Waits until the kernel before this one in the stream has ended and its writes can be read. Returns at once where
/// this one was not launched as a dependent of it. Every dependent kernel of the library waits before it touches global
/// memory, but for operands that the caller promises to be constant, or before it ends: whoever waits for it has waited
/// for all before it.
__device__ inline void wait_for_dependency() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace gemm::arch
