// SPDX-License-Identifier: BSL-1.0
//! @file
//! Lies above emulation.
#include <gemm/emulation/bad.cuh>
