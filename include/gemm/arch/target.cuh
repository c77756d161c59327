// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the code at hand is compiled for.
#pragma once

namespace gemm::arch {

/// Whether this is code for sm_90a, for a kernel that is not needed there. False in host code.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) && defined(__CUDA_ARCH__)
inline constexpr bool is_sm90a = true;
#else
inline constexpr bool is_sm90a = false;
#endif

/// Whether a kernel that needs sm_90a has its body here. Code for other GPUs leaves it out, since it could only trap:
/// nvcc's -arch=sm_90a compiles code for compute_90 as well. True in host code.
#if defined(__CUDA_ARCH__)
inline constexpr bool has_sm90a_bodies = is_sm90a;
#else
inline constexpr bool has_sm90a_bodies = true;
#endif

}  // namespace gemm::arch
