// SPDX-License-Identifier: BSL-1.0
//! @file
//! The CPU device's body of include/gemm/arch/target.cuh.
#pragma once

namespace gemm::arch {

/// As documented there: kernels are there for every device.
inline constexpr bool is_sm90a = false;
inline constexpr bool has_sm90a_bodies = true;

/// As documented there. What asks about other GPUs defines CPU_DEVICE_EVERY_GPU before it includes anything: compiled
/// for all calls, the kernels that these choose would take a fifth of a call's time more.
#if defined(CPU_DEVICE_EVERY_GPU)
inline constexpr bool compiles_for_sm90_alone = false;
#else
inline constexpr bool compiles_for_sm90_alone = true;
#endif

}  // namespace gemm::arch
