// SPDX-License-Identifier: BSL-1.0
//! @file
//! Includes what includes it.
#include <gemm/choose/above.hpp>
