// SPDX-License-Identifier: BSL-1.0
//! @file
//! Facts of a policy's kernel besides its tile: architecture, instructions, loader, schedule, reductions.
#pragma once

#include <gemm/cxx20.hpp>

namespace gemm {

/// The oldest architecture that a kernel is compiled for: sm_90a has TMA and wgmma.
enum class architecture : unsigned char { sm_80, sm_90a };

/// The instruction that multiplies: multiply-adds of threads (simt), mma.sync (mma), or wgmma.
enum class math_op : unsigned char { simt, mma, wgmma };

namespace detail {

/// What an architecture is called, and the compute capabilities of the devices that run its code.
struct architecture_facts {
  char const *name, *capabilities;
};
inline constexpr architecture_facts facts_of_architecture[] = {{"sm_80", "8.0 or more"}, {"sm_90a", "9.0"}};
inline constexpr char const* name_of_op[] = {"simt", "mma", "wgmma"};

}  // namespace detail

/// How operands are loaded from global memory: to the thread that multiplies them (direct), or to shared memory through
/// registers, by cp.async or by TMA.
enum class operand_loader : unsigned char { direct, through_registers, cp_async, tma };

/// The tiles of C that a block computes: one, several (persistent), or several by two warpgroups in turn (ping_pong).
enum class tile_schedule : unsigned char { one_tile, persistent, ping_pong };

/// The reductions that a kernel has for split-K.
struct allowed_reductions {
  bool workspace = false;  ///< by a second kernel, from a workspace
  bool cluster = false;    ///< by the blocks of a cluster, from shared memory

  /// Whether k may be split.
  constexpr bool any() const { return workspace || cluster; }
};

namespace detail {

/// How the accumulators of a range of k become a tile of C.
enum class reduction : unsigned char {
  none,          // the range is all of k
  workspace,     // slices go to the workspace, and a second kernel adds them
  last_arriver,  // likewise, but the last block to arrive at the tile adds them: in stream-K
  cluster,       // the blocks of a cluster add them through distributed shared memory
  block,         // the block has all of k, and adds slice by slice in its registers
};

/// A number of 1 or more, of which 1 is all zeros: nvcc before clang as host compiler zeroes in constants what a
/// designated initialiser skips, whatever its default is. So no default below is another one.
class count {
 public:
  constexpr count(int value = 1) : more_(value - 1) {}
  constexpr operator int() const { return more_ + 1; }

 private:
  int more_;
};

/// The most slices, and how they are reduced. A depth, of whole steps, is given where it must not depend on a step's.
struct slicing {
  count most = 1;
  reduction mode = reduction::workspace;
  int depth = 0;
};

}  // namespace detail

/// Facts that a named policy may state instead of its template.
struct kernel_options {
  int tiles_per_promotion = 0;  ///< tiles of k between compensated additions; 0: no compensation
  int most_few = 0;             ///< most rows (columns) that run() chooses a skinny kernel for; 0: those of its block
  bool narrow_a = false;        ///< A is read element by element, not in accesses of access_width<>
  bool narrow_b = false;        ///< the same of B
  /// Operands are copied element by element where code for sm_90a runs, so that one kernel fewer is compiled.
  bool narrow_on_sm90a = false;
  bool narrow_floats_on_sm90a = false;  ///< the same for float alone
  bool without_wgmma = false;           ///< run() chooses it only where there is no wgmma,
  bool besides_wgmma = false;           ///< or for problems that wgmma does not compute
  bool packs_k_major_b = false;         ///< `repacked`, a k-major B is packed, not transposed in shared memory
};

/// Every policy has a `static constexpr kernel_info info`, which its template states by designated initialisers. A
/// named policy may change its options by with().
struct kernel_info {
  architecture arch = architecture::sm_80;           ///< oldest architecture
  math_op op = math_op::simt;                        ///< what multiplies
  operand_loader loader = operand_loader::direct;    ///< how operands are loaded
  tile_schedule schedule = tile_schedule::one_tile;  ///< tiles of a block
  allowed_reductions reductions{};                   ///< how k may be split
  detail::slicing slices{};  ///< how k is split, by a split_k, cluster_split_k or stream_k policy

  detail::count stages = 1;     ///< tiles of each operand in shared memory
  detail::count cluster_m = 1;  ///< blocks of a cluster along m
  detail::count cluster_n = 1;  ///< blocks of a cluster along n
  detail::count products = 1;   ///< products of a batch for each block
  int k_groups = 0;             ///< groups of warps that share a tile and its k
  int consumer_threads = 0;     ///< threads that multiply, where others load
  int min_blocks = 0;           ///< CTA slots of a multiprocessor in the launch bounds; 0: by the accumulators
  int few = 0;                  ///< smaller side of a skinny tile; 0: none
  int many = 0;                 ///< larger side of a skinny tile
  bool skinny_m = false;        ///< the smaller side is along m
  int promotion = 0;            ///< k that tensor cores accumulate before float registers add it; 0: all
  int most_k = 0;               ///< largest k that the kernel is for; 0: any
  int waiting_elements = 0;     ///< elements of the next tiles that a block holds in registers where they are widened

  bool dependent_launch = false;        ///< waits for the kernel before it in the stream (griddepcontrol)
  bool repacks = false;                 ///< operands that are not aligned are packed first
  bool smem_transposes_b = false;       ///< transposes k-major tiles of B in shared memory
  bool reads_k_major_b = false;         ///< consumers multiply out of k-major tiles of B
  bool register_operand_b = false;      ///< multiplies mn-major tiles of a tf32 B from registers
  bool needs_k_major_a = false;         ///< A must be k-major, else it is packed
  bool needs_k_major_b = false;         ///< B must be k-major, else it is packed
  bool tf32 = false;                    ///< rounds floats to TF32
  bool stores_by_tma = false;           ///< stores C by TMA where its rows are aligned to 16 bytes
  bool stores_misaligned_rows = false;  ///< has coalesced stores for other rows of C
  bool overlapped_epilogue = false;     ///< stores a tile while it multiplies the next
  bool swap_ab = false;                 ///< multiplies B^T A^T
  bool spills_with_epilogue = false;    ///< run() does not choose it with an epilogue
  bool split_terms = false;             ///< floats are split into 16-bit terms
  bool with_fallback = false;           ///< a product beyond the error bound is computed by another kernel
  bool equilibrated = false;            ///< splits A D and D^-1 B
  bool scales_blocks = false;           ///< applies scales of blocks of 128 of k
  bool sliced = false;                  ///< k is always split in a cluster, with promotion every 16 k

  kernel_options options{};  ///< what a named policy states

  /// Whether operands are loaded by TMA.
  constexpr bool uses_tma() const { return loader == operand_loader::tma; }
  /// Whether it may be `repacked`: TMA must, and cp_async beside mma.sync may, load what is aligned to 16 bytes.
  constexpr bool packs_or_may() const {
    return uses_tma() || (loader == operand_loader::cp_async && op == math_op::mma);
  }
  /// Whether elements are multiplied on tensor cores as they are in memory.
  constexpr bool on_tensor_cores() const { return op != math_op::simt && !split_terms; }
  /// Whether TMA writes rows of 32 to 128 bytes, swizzled as tensor cores read them.
  constexpr bool loads_swizzled() const { return uses_tma() && on_tensor_cores(); }
  /// Whether a block computes several tiles.
  constexpr bool is_persistent() const { return schedule != tile_schedule::one_tile; }
  /// Whether the tile is for products of few rows or columns.
  constexpr bool is_skinny() const { return few > 0; }
  /// Whether the policy splits k.
  constexpr bool is_split() const { return slices.most > 1; }
  /// Blocks of a cluster.
  constexpr int cluster_blocks() const { return cluster_m * cluster_n; }
  /// Whether the tile is one of few rows or columns for wgmma, with one tile a block.
  constexpr bool is_small_tile() const { return op == math_op::wgmma && !is_persistent(); }
  /// Most rows (columns) that run() chooses a skinny kernel for.
  constexpr int most_of_few() const { return options.most_few > 0 ? options.most_few : few; }

  /// The same with other options.
  constexpr kernel_info with(kernel_options const& chosen) const {
    kernel_info info = *this;
    info.options = chosen;
    return info;
  }
  /// The same but for one fact: of a policy that wraps another.
  template <class T>
  constexpr kernel_info with(T kernel_info::*fact, decltype(T{}) value) const {
    kernel_info info = *this;
    info.*fact = value;
    return info;
  }
};

}  // namespace gemm
