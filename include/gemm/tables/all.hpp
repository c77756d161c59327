// SPDX-License-Identifier: BSL-1.0
//! @file
//! The GPUs that were measured.
#pragma once

#include <gemm/tables/h200.hpp>
#include <gemm/tables/rates.hpp>

namespace gemm::tables {

inline constexpr gpu_table const* all[] = {&nvidia_h200};

}  // namespace gemm::tables
