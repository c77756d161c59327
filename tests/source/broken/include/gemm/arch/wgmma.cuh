// SPDX-License-Identifier: BSL-1.0
#pragma once
/// number of accumulators: 16, 64 or 96.
GEMM_WGMMA_OVERLOAD(16, 8)
GEMM_WGMMA_OVERLOAD(64, 32)
