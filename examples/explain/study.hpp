// SPDX-License-Identifier: BSL-1.0
//! @file
//! All that explain knows of one policy and one problem, without their types.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "access.hpp"
#include "account.hpp"
#include "tile_map.hpp"
#include "time_line.hpp"

namespace explain {

/// What the compiler is told about a kernel's registers.
enum class register_bound { none, one_block, resident_blocks };

/// A rung of the ladder in words.
struct rung {
  int number = 0;
  char const* title = "";
  char const* idea = "";
  feed from = feed::global;
  register_bound bound = register_bound::resident_blocks;
};

struct problem_size {
  std::int64_t m = 4096, n = 4096, k = 4096;
};

/// How one operand moves. `load`, `write` and `read` are the first instructions of warp 0; addresses count from the
/// start of the tile in global memory, and from the start of the block's shared memory.
struct operand_study {
  char name = 'A';
  std::int64_t line_bytes = 0;  ///< between two rows (or columns, where stored so) in global memory
  bool lines_are_rows = true;
  warp_access load, write, read;
  // Of all warps of a block, for one tile of block_k:
  std::int64_t load_lines = 0, write_passes = 0, read_passes = 0, read_bytes = 0;
  std::int64_t instructions = 0;  ///< loads, stores and copies
  tile_map map;                   ///< what all of it follows from
  int read_width = 1;             ///< elements of one access to shared memory that a thread reads
};

struct study {
  std::string policy, type, storage;
  rung facts;
  problem_size size;
  sums summed_in = sums::f32;
  int element_bytes = 4, sum_bytes = 4, output_bytes = 4;  ///< of A and B, of what is summed and shared, of C
  int block_m = 0, block_n = 0, block_k = 0, threads = 0, shared_bytes = 0;
  int stages = 0;               ///< tiles in a ring of copies; 0 where there is none
  int ahead = 0;                ///< tiles that are on their way while one is multiplied
  int waiting_bytes = 0;        ///< of a thread's registers, for tiles that wait there
  int registers = 0;            ///< of a thread
  std::string registers_known;  ///< how
  std::vector<int> owner;       ///< the thread that stores element (row, column) of the block's tile, row by row
  operand_study a, b;
  time_line when;  ///< of what is recorded of it, if anything

  int warps() const { return threads / 32; }
  int owner_of(int row, int column) const { return owner[static_cast<std::size_t>(row * block_n + column)]; }
  /// What a thread does for one tile of block_k.
  int multiply_adds() const { return block_m * block_n / threads * block_k; }
  double memory_instructions() const { return static_cast<double>(a.instructions + b.instructions) / warps(); }
  std::int64_t tiles_m() const { return (size.m + block_m - 1) / block_m; }
  std::int64_t tiles_n() const { return (size.n + block_n - 1) / block_n; }
};

/// A part of the block's tile.
struct extent {
  int row, column, rows, columns;
};

/// The smallest part with all elements of a warp.
extent extent_of_warp(study const& s, int warp);

/// The rows (columns) of the block's tile that a thread owns elements in, in ascending order.
std::vector<int> rows_of(study const& s, int thread);
std::vector<int> columns_of(study const& s, int thread);

/// The account that follows from it.
occupancy occupancy_of(study const& s, device_limits const& device);
waves waves_of(study const& s, device_limits const& device);

inline work work_of(study const& s) {
  double const m = static_cast<double>(s.size.m), n = static_cast<double>(s.size.n), k = static_cast<double>(s.size.k);
  double const tiles_m = static_cast<double>(s.tiles_m()), tiles_n = static_cast<double>(s.tiles_n());
  double const bytes = s.element_bytes;
  double const tiles = tiles_m * tiles_n * static_cast<double>((s.size.k + s.block_k - 1) / s.block_k);
  work w{.flops = 2 * m * n * k, .dram_bytes = (m * k + k * n) * bytes + m * n * s.output_bytes};
  // Without shared memory every thread loads for itself; with it, A is loaded once for each column of tiles of C.
  w.global_bytes = s.facts.from == feed::global ? 2 * m * n * k * bytes : (m * k * tiles_n + k * n * tiles_m) * bytes;
  for (operand_study const* o : {&s.a, &s.b}) {
    w.shared_bytes += tiles * static_cast<double>(o->read_bytes);
    w.passes += tiles * static_cast<double>(o->load_lines + o->write_passes + o->read_passes);
  }
  return w;
}

struct request {
  std::string policy, storage = "nn";
  problem_size size;
  int registers = 0;  ///< as the caller says; 0: find out
};

/// Studies a policy with A and B of T: float, double, __half, __nv_bfloat16 or int8_t. Runs kernels; the policy must be
/// one of the list.
template <class T>
study study_policy(request const& r);

/// The thread that stores each element of the block's tile, row by row, as the policy's kernel for float notes it: that
/// does not depend on the type.
std::vector<int> owners_of(std::string const& policy);

}  // namespace explain
