// SPDX-License-Identifier: BSL-1.0
//! @file
//! The GPUs that were measured.
#pragma once

#include <gemm/tables/h100_80gb_hbm3.hpp>
#include <gemm/tables/h200.hpp>
#include <gemm/tables/rates.hpp>

namespace gemm::tables {

inline constexpr gpu_table const* all[] = {&nvidia_h200, &nvidia_h100_80gb_hbm3};

}  // namespace gemm::tables
