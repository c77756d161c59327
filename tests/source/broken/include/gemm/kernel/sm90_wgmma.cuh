// SPDX-License-Identifier: BSL-1.0
#pragma once
/// 192 rows, with 64 or 96 columns
static_assert(sides,
              "needs a block_n of 16, 64, "
              "or 128 (what one wgmma multiplies) and a block_k");
