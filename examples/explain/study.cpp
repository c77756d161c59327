// SPDX-License-Identifier: BSL-1.0
//! @file
//! From what was observed to the account.

#include "study.hpp"

#include <algorithm>
#include <set>

namespace explain {

std::vector<int> rows_of(study const& s, int thread) {
  std::set<int> rows;
  for (std::size_t i = 0; i < s.owner.size(); ++i) {
    if (s.owner[i] == thread) {
      rows.insert(static_cast<int>(i) / s.block_n);
    }
  }
  return {rows.begin(), rows.end()};
}

std::vector<int> columns_of(study const& s, int thread) {
  std::set<int> columns;
  for (std::size_t i = 0; i < s.owner.size(); ++i) {
    if (s.owner[i] == thread) {
      columns.insert(static_cast<int>(i) % s.block_n);
    }
  }
  return {columns.begin(), columns.end()};
}

extent extent_of_warp(study const& s, int warp) {
  extent e{s.block_m, s.block_n, 0, 0};
  int last_row = 0, last_column = 0;
  for (int row = 0; row < s.block_m; ++row) {
    for (int column = 0; column < s.block_n; ++column) {
      if (s.owner_of(row, column) / 32 == warp) {
        e.row = std::min(e.row, row);
        e.column = std::min(e.column, column);
        last_row = std::max(last_row, row);
        last_column = std::max(last_column, column);
      }
    }
  }
  return {e.row, e.column, last_row - e.row + 1, last_column - e.column + 1};
}

occupancy occupancy_of(study const& s, device_limits const& device) {
  return occupancy_of(device, {.threads = s.threads, .registers = s.registers, .shared_bytes = s.shared_bytes});
}

waves waves_of(study const& s, device_limits const& device) {
  return {.blocks = s.tiles_m() * s.tiles_n(),
          .slots = std::int64_t{occupancy_of(s, device).blocks} * device.multiprocessors};
}

}  // namespace explain
