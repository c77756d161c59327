// SPDX-License-Identifier: BSL-1.0
#pragma once
inline constexpr wgmma_extent wgmma_extents[] = {{16}, {64, ping_pong_tiles::all}, {96}};
