// SPDX-License-Identifier: BSL-1.0
#pragma once
/// 128 rows with 64 columns
static_assert(sides, "a block_n of 64 (what one wgmma multiplies)");
