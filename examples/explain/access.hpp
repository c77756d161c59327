// SPDX-License-Identifier: BSL-1.0
//! @file
//! What one memory instruction of a warp costs: sectors of global memory, passes over the banks of shared memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

namespace explain {

/// What one lane of a warp asks for in one instruction.
struct piece {
  int lane = 0;
  std::int64_t address = 0;  ///< bytes, from an address that is a multiple of 128
  int bytes = 0;             ///< 1 to 16, in shared memory 4 or more; `address` is a multiple of it
};

/// One instruction: the pieces of the lanes that take part, in the order of the lanes.
using warp_access = std::vector<piece>;

/// Global memory moves in sectors of 32 bytes; a load goes once through the L1 for each line of 128 that it touches.
struct global_cost {
  int sectors = 0, lines = 0;
  int used_bytes = 0;  ///< different bytes that are asked for
};

inline global_cost cost_of_global(warp_access const& access) {
  std::set<std::int64_t> sectors, lines, bytes;
  for (piece const& p : access) {
    for (std::int64_t at = p.address; at < p.address + p.bytes; ++at) {
      bytes.insert(at);
      sectors.insert(at / 32);
      lines.insert(at / 128);
    }
  }
  return {static_cast<int>(sectors.size()), static_cast<int>(lines.size()), static_cast<int>(bytes.size())};
}

/// What the 32 banks of shared memory do in one clock: each gives (or takes) one word, to any number of lanes.
struct bank_pass {
  struct word {
    std::int64_t index = -1;  ///< address / 4; -1 where the bank has nothing to do
    std::vector<int> lanes;
  };
  std::array<word, 32> banks;
  bool conflict = false;  ///< needed only because lanes want different words of a bank
};

/// Lanes that are served together: all 32 where each asks for 4 bytes, 16 for 8 bytes, 8 for 16 bytes, since a pass
/// brings 128 bytes; twice as many where every lane asks for the same as its neighbour (lane ^ 1) or as the one after
/// that (lane ^ 2). The latter is not in NVIDIA's documentation, but in its forum (forums.developer.nvidia.com/t/77228,
/// for sm_70), and was measured on sm_90 (block/warp_layout.cuh).
inline int lanes_together(warp_access const& access) {
  int bytes = 4;
  std::array<std::int64_t, 32> address;
  address.fill(-1);
  for (piece const& p : access) {
    bytes = std::max(bytes, p.bytes);
    address[static_cast<std::size_t>(p.lane)] = p.address;
  }
  auto const same = [&](unsigned flip) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (address[lane] != address[lane ^ flip]) {
        return false;
      }
    }
    return true;
  };
  int const together = 32 * 4 / bytes;
  return together < 32 && (same(1) || same(2)) ? 2 * together : together;
}

/// The passes that one instruction takes on shared memory. A word's bank is its index modulo 32; a word that several
/// lanes want is given to all of them at once; of different words in one bank, each takes a pass of its own.
inline std::vector<bank_pass> passes_of(warp_access const& access) {
  std::vector<bank_pass> passes;
  int const together = lanes_together(access);
  for (int first = 0; first < 32; first += together) {
    std::size_t const begin = passes.size();
    for (piece const& p : access) {
      if (p.lane < first || p.lane >= first + together) {
        continue;
      }
      for (std::int64_t at = p.address; at < p.address + p.bytes; at += 4) {
        std::int64_t const index = at / 4;
        std::size_t pass = begin;
        auto const taken = [&] {
          std::int64_t const other = passes[pass].banks[static_cast<std::size_t>(index % 32)].index;
          return other >= 0 && other != index;
        };
        while (pass < passes.size() && taken()) {
          ++pass;
        }
        if (pass == passes.size()) {
          passes.emplace_back().conflict = pass > begin;
        }
        auto& word = passes[pass].banks[static_cast<std::size_t>(index % 32)];
        word.index = index;
        word.lanes.push_back(p.lane);
      }
    }
  }
  return passes;
}

/// The passes that an instruction would take without conflicts.
inline int least_passes(std::vector<bank_pass> const& passes) {
  return static_cast<int>(std::count_if(passes.begin(), passes.end(), [](bank_pass const& p) { return !p.conflict; }));
}

}  // namespace explain
