// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a block's warps ask of memory to bring and read the tiles of one operand, from where the library's maps put it.
#pragma once

#include <vector>

#include "study.hpp"

namespace explain {

/// `lines` are the rows (columns) of the block's tile of C that each thread owns.
operand_study study_of(tile_map const& map, std::vector<std::vector<int>> const& lines);

}  // namespace explain
