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

}  // namespace gemm::arch
