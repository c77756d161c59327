// SPDX-License-Identifier: BSL-1.0
//! @file
//! The CPU device's body of include/gemm/arch/target.cuh.
#pragma once

namespace gemm::arch {

/// As documented there: kernels are there for every device.
inline constexpr bool is_sm90a = false;
inline constexpr bool has_sm90a_bodies = true;
inline constexpr bool compiles_for_sm90_alone = false;

}  // namespace gemm::arch
