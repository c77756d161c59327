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

/// Whether nvcc compiles for compute capability 9.0 alone, with or without sm_90a's features: the same in host code and
/// in code for each GPU.
#if defined(__CUDA_ARCH_LIST__)
inline constexpr bool compiles_for_sm90_alone = [] {
  constexpr int list[] = {__CUDA_ARCH_LIST__};
  for (int const arch : list) {
    if (arch != 900) {
      return false;
    }
  }
  return true;
}();
#else
inline constexpr bool compiles_for_sm90_alone = false;
#endif

}  // namespace gemm::arch
