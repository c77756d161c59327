// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is measured of a GPU: the form of the tables in this folder, which bench/calibrate writes.
#pragma once

#include <cstddef>
#include <string_view>

namespace gemm::tables {

/// How k is cut, and what adds the slices: a second kernel, a cluster, or the last blocks of the last tiles.
enum cuts : int { uncut, by_second_kernel, by_cluster, by_last_blocks, cuts_count };

/// How a tile is stored: with rows of C that begin at multiples of 16 bytes, of two elements or of one, by a block or
/// by a cluster that adds slices; or as a slice.
enum stores : int {
  aligned,
  in_pairs,
  singly,
  cluster_aligned,
  cluster_in_pairs,
  cluster_singly,
  as_slice,
  stores_count
};

/// A policy's rates for elements of one type: parts, seconds, factors.
struct policy_rates {
  std::string_view policy{}, input{};
  double full = 0.7;                      // part of its instruction's peak that a full multiprocessor reaches,
                                          // above 1 where the measurements do not tell
  double step = 0.3e-6;                   // a step of k of one block alone
  double fixed = 1.2e-6;                  // what a block takes besides
  double memory[cuts_count]{1, 1, 1, 1};  // by so much longer than the device's bandwidth says
  double store[stores_count]{1.5e-6, 4e-6, 4e-6, 1.5e-6, 4e-6, 4e-6, 1.5e-6};  // of a tile
};

/// What does not depend on a policy, for elements of a type: seconds, bytes a second, parts.
struct device_rates {
  std::string_view input{};
  double launch = 0.3e-6;             // of a kernel
  double norm = 2.5, step_norm = 6;   // exponents: 1 adds times, infinity takes the largest
  double reached = 0.95;              // part of the memory's bandwidth
  double alone = 0;                   // part of a block's time that its reads take where no other multiprocessor reads
  double cache_lines = 70e9;          // of 128 bytes that the L2 serves in a second,
  double split_cache_line = 0.4;      // and the part of one that an access to two takes more
  double shared = 0.2;                // part of a block's fixed time and store that each further resident one takes
  double second_kernel = 1.3e-6;      // that adds slices,
  double second_slice = 9e-9;         // each of them,
  double slice_bandwidth = 3e12;      // out of a workspace
  double cluster = 0.05e-6;           // slices added by a cluster,
  double cluster_slice = 0.04e-6;     // and each of them
  double last_blocks = 3e-6;          // slices of the last tiles added by their last blocks
  double packing = 1.7e-6;            // a pass over A and B,
  double packing_bandwidth = 3.5e12;  // which go through the L2 and back,
  double narrow_packing = 0.5e-6;     // and longer where rows are read in narrow pieces
  double narrow_copy = 0.02e-9;       // of an operand's element in pieces of less than 16 bytes
  double element_copy = 0.1e-9;       // and by itself
  double smem_transpose = 3.4e12;     // elements of B a second

  /// Of a pass over operands: a launch, and reads and writes through the L2.
  constexpr double packing_seconds(std::size_t bytes) const {
    return bytes == 0 ? 0 : packing + 2 * static_cast<double>(bytes) / packing_bandwidth;
  }
};

/// Of float as sums of 16-bit terms: seconds, and parts of the device's bandwidth.
struct emulation_rates {
  double split = 3e-6, split_narrow = 7e-6;                  // launches of a pass over A and B,
  double split_reached = 0.81, split_narrow_reached = 0.46;  // in pieces of 16 bytes, and element by element
  double transpose = 2e-6, row_facts = 0.55e-9;              // of an mn-major operand; of a row or column
  double tile = 1.5e-6, slices = 2e-6, store_reached = 0.83;
  double fallback = 3e-6, fallback_block = 0.5e-9;  // of products beyond the error bound
};

/// The part of a multiprocessor's dense 16-bit rate that a policy's products of terms reach.
struct terms_rate {
  std::string_view policy;
  double reached;
};

/// Where nothing is measured: of bf16x6_mma, predicted.
inline constexpr double unmeasured_terms = 0.5;

/// A GPU's table.
struct gpu_table {
  std::string_view gpu;
  int major = 0, minor = 0, multiprocessors = 0;
  double clock = 0, bandwidth = 0;  // Hz, bytes a second
  device_rates const* device = nullptr;
  policy_rates const* policies = nullptr;
  std::size_t device_count = 0, policy_count = 0;
  emulation_rates emulation{};
  terms_rate const* terms = nullptr;  // of a table without any, none is measured
  std::size_t terms_count = 0;
};

}  // namespace gemm::tables
