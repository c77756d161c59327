// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is known of a policy's kernel besides its tile: the device it needs, its instructions, loads and schedule, and
//! what run() may do with it.
#pragma once

#include <gemm/cxx20.hpp>

namespace gemm {

/// The least that a kernel is compiled for: sm_90a has TMA and wgmma.
enum class architecture : unsigned char { sm_80, sm_90a };

/// What multiplies: the multiply-adds of threads, mma.sync, or wgmma.
enum class math_op : unsigned char { simt, mma, wgmma };

/// How operands come from global memory: straight to the thread that multiplies them, through registers to shared
/// memory, or there by cp.async or TMA.
enum class operand_loader : unsigned char { direct, through_registers, cp_async, tma };

/// Which tiles of C a block computes: one, or one after the other; ping_pong: by two warpgroups in turns.
enum class tile_schedule : unsigned char { one_tile, persistent, ping_pong };

/// Who may add the sums of slices of k: a second kernel, out of a workspace, or the blocks of a cluster.
struct allowed_reductions {
  bool workspace = false, cluster = false;

  constexpr bool any() const { return workspace || cluster; }
};

namespace detail {

/// Who adds the slices: a second kernel, the cluster of the blocks that have them, or in stream-K, which cuts only the
/// tiles that do not fill the device, the last of a tile's blocks.
enum class addition : unsigned char { second_kernel, cluster, last_block };

/// The most slices that k is cut into, and who adds them.
struct slicing {
  int most = 1;
  addition by = addition::second_kernel;
};

}  // namespace detail

/// What a named policy may choose of its template's kernel.
struct kernel_options {
  int tiles_per_sum = 0;              // tiles of k that are summed before they are added with compensation; 0: all
  int most_few = 0;                   // rows (columns) that run() chooses a skinny kernel for; 0: those of its block
  bool wide_a = true, wide_b = true;  // whether access_width<> is used for the operand
  /// Where code for sm_90a runs operands, or floats, are copied element by element: a kernel less is compiled.
  bool narrow_on_sm90a = false, narrow_floats_on_sm90a = false;
  bool packs_k_major_b = false;  // `repacked`, it transposes no tile of B
};

/// Every policy has one, `static constexpr kernel_info info`: stated by its template with designated initialisers, so
/// that a name which is not here does not compile, and by a named policy as its template's `with` other figures.
struct kernel_info {
  architecture arch = architecture::sm_80;
  math_op op = math_op::simt;
  operand_loader loader = operand_loader::direct;
  tile_schedule schedule = tile_schedule::one_tile;
  allowed_reductions reductions{};
  detail::slicing slices{};  // of k, that the policy is to be cut into

  int stages = 1;                    // tiles of each operand in shared memory
  int cluster_m = 1, cluster_n = 1;  // blocks that load tiles for one another
  int products = 1;                  // of a batch, for each block
  int k_groups = 0;                  // of warps that share a tile and its k
  int consumer_threads = 0;
  int min_blocks = 0;        // of a multiprocessor, as the kernel's launch bounds say; 0: by its accumulators
  int tile_min_blocks = 0;   // of blocks that have one tile each, where others are persistent
  int few = 0, many = 0;     // sides of a skinny tile
  bool skinny_m = false;     // its rows are few, not its columns
  int most_k = 0;            // that the kernel is for; 0: any
  int waiting_elements = 0;  // of the next tiles, in a block's registers where elements are widened

  bool dependent_launch = false;                               // waits by itself for the kernel before it in the stream
  bool repacks = false;                                        // operands that TMA cannot load are packed first
  bool smem_transposes_b = false, reads_k_major_b = false;     // what is done with a k-major tile of B
  bool smem_transposes = false;                                // mn-major tiles of one-byte elements
  bool register_operand_b = false;                             // what is done with an mn-major tile of B of tf32
  bool needs_k_major_a = false, needs_k_major_b = false;       // operands are packed so
  bool tf32 = false;                                           // what wgmma multiplies
  bool stores_by_tma = false, stores_misaligned_rows = false;  // of C
  bool overlapped_epilogue = false, swap_ab = false;
  bool spills_with_epilogue = false;  // run() gives it none
  bool split_terms = false;           // floats as sums of 16-bit terms
  bool with_fallback = false;         // a product beyond the error bound is computed by another kernel
  bool equilibrated = false;          // the terms of A D and D^-1 B
  bool sliced = false;                // blocks of a cluster always share k, 16 of which are summed at a time

  kernel_options options{};

  constexpr bool uses_tma() const { return loader == operand_loader::tma; }
  /// Multiplies on tensor cores what is in memory.
  constexpr bool on_tensor_cores() const { return op != math_op::simt && !split_terms; }
  constexpr bool is_persistent() const { return schedule != tile_schedule::one_tile; }
  constexpr bool is_skinny() const { return few > 0; }
  constexpr bool is_split() const { return slices.most > 1; }
  constexpr int cluster_blocks() const { return cluster_m * cluster_n; }
  /// A tile of few rows or columns on tensor cores: its blocks have one each, for which memory is all that counts.
  constexpr bool is_small_tile() const { return op == math_op::wgmma && !is_persistent(); }
  constexpr int most_of_few() const { return options.most_few > 0 ? options.most_few : few; }

  constexpr kernel_info with(kernel_options const& chosen) const {
    kernel_info info = *this;
    info.options = chosen;
    return info;
  }
};

}  // namespace gemm
