// SPDX-License-Identifier: BSL-1.0
//! @file
//! From a tile's map to the instructions that move it.

#include "operand_maps.hpp"

#include <algorithm>
#include <cstddef>

namespace explain {

namespace {

class instructions {
 public:
  instructions(tile_map const& map, std::vector<std::vector<int>> const& lines) : map_(map), lines_(lines) {
    result_.name = map.name;
    result_.lines_are_rows = (map.name == 'A') == map.k_major;
    result_.line_bytes = map.ld * map.element_bytes;
    result_.map = map;
  }

  operand_study counted() {
    loads();
    if (map_.from != feed::global) {
      writes();
      reads();
    }
    return result_;
  }

 private:
  /// One instruction of each warp of the block: ask(thread, piece) fills in what a thread asks for, or returns false.
  template <class Ask>
  std::vector<warp_access> of_warps(Ask ask) const {
    std::vector<warp_access> result(static_cast<std::size_t>(map_.threads / 32));
    for (int thread = 0; thread < map_.threads; ++thread) {
      piece p{.lane = thread % 32};
      if (ask(thread, p)) {
        result[static_cast<std::size_t>(thread / 32)].push_back(p);
      }
    }
    return result;
  }

  static std::int64_t passes(std::vector<warp_access> const& accesses) {
    std::int64_t count = 0;
    for (warp_access const& access : accesses) {
      count += static_cast<std::int64_t>(passes_of(access).size());
    }
    return count;
  }

  /// Counts the instructions and keeps the very first.
  void issue(warp_access& first, std::vector<warp_access> const& accesses) {
    result_.instructions += std::count_if(accesses.begin(), accesses.end(), [](auto const& a) { return !a.empty(); });
    keep_first(first, accesses);
  }

  static void keep_first(warp_access& first, std::vector<warp_access> const& accesses) {
    if (first.empty()) {
      first = accesses.front();
    }
  }

  std::int64_t shared_address(int outer, int k) const {
    return map_.shared[static_cast<std::size_t>(outer * map_.depth + k)];
  }

  void loads() {
    for (std::size_t i = 0; i < map_.chunks.size(); i += static_cast<std::size_t>(map_.threads)) {
      for (int e = 0; e < map_.width; e += map_.load_width) {
        auto const accesses = of_warps([&](int thread, piece& p) {
          std::size_t const at = i + static_cast<std::size_t>(thread);
          p.address = map_.loads[at] + e * map_.element_bytes;
          p.bytes = map_.load_width * map_.element_bytes;
          return map_.chunks[at].outer >= 0;
        });
        for (warp_access const& access : accesses) {
          result_.load_lines += cost_of_global(access).lines;
        }
        issue(result_.load, accesses);
      }
    }
  }

  void writes() {
    for (std::size_t i = 0; i < map_.chunks.size(); i += static_cast<std::size_t>(map_.threads)) {
      for (int e = 0; e < map_.width; e += map_.store_width) {
        auto const accesses = of_warps([&](int thread, piece& p) {
          auto const [outer, k] = map_.chunks[i + static_cast<std::size_t>(thread)];
          if (outer < 0) {
            return false;
          }
          p.address = map_.k_major ? shared_address(outer, k + e) : shared_address(outer + e, k);
          p.bytes = map_.store_width * map_.sum_bytes;
          return true;
        });
        result_.write_passes += passes(accesses);
        if (map_.from == feed::async) {
          keep_first(result_.write, accesses);  // the copy itself, counted as a load
        } else {
          issue(result_.write, accesses);
        }
      }
    }
  }

  /// Neighbours in shared memory that one thread needs come in accesses of 16 bytes where their addresses allow it:
  /// load_fragment() asks for that, and where a rung has plain loops nvcc makes it so.
  void reads() {
    int const width = wide_reads() ? widest() : 1;
    result_.read_width = width;
    int const step_k = map_.k_major_shared ? width : 1, step_line = map_.k_major_shared ? 1 : width;
    for (int k = 0; k < map_.depth; k += step_k) {
      for (std::size_t j = 0; j < lines_.front().size(); j += static_cast<std::size_t>(step_line)) {
        auto const accesses = of_warps([&](int thread, piece& p) {
          p.bytes = width * map_.sum_bytes;
          p.address = shared_address(lines_[static_cast<std::size_t>(thread)][j], k) / p.bytes * p.bytes;
          return true;
        });
        result_.read_passes += passes(accesses);
        result_.read_bytes += std::int64_t{map_.threads} * width * map_.sum_bytes;
        issue(result_.read, accesses);
      }
    }
  }

  int widest() const { return 16 / map_.sum_bytes; }

  bool wide_reads() const {
    for (auto const& line : lines_) {
      if (map_.k_major_shared) {
        if (map_.depth % widest() != 0 || shared_address(line.front(), 0) % 16 != 0) {
          return false;
        }
      } else {
        std::size_t const step = static_cast<std::size_t>(widest());
        for (std::size_t j = 0; j < line.size(); j += step) {
          std::size_t const last = j + step - 1;
          if (last >= line.size() || line[last] - line[j] != widest() - 1 || shared_address(line[j], 0) % 16 != 0) {
            return false;
          }
        }
      }
    }
    return true;
  }

  tile_map const& map_;
  std::vector<std::vector<int>> const& lines_;
  operand_study result_;
};

}  // namespace

operand_study study_of(tile_map const& map, std::vector<std::vector<int>> const& lines) {
  return instructions(map, lines).counted();
}

}  // namespace explain
