// SPDX-License-Identifier: BSL-1.0
//! @file
//! The second pass of split_k_major.cuh, over what is mn-major.
//!
//!     block    64 rows; a slab of their k is in shared memory, if it is not longer than 256
//!     1        a slab ---> shared memory, and its greatest elements
//!     2        the blocks that have the same rows compare theirs in global memory: the scales
//!     3        shared memory ---> terms; what tells how the rows' products err (error_facts.cuh) is added up
//!
//! Everything is read once, but where k is long. Blocks with the same rows need not be resident together: one that
//! waits in vain reads all k of the rows itself. Maxima and facts begin with the zeros of the first pass.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/global_atomics.cuh>
#include <gemm/arch/maximum.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/emulation/error_facts.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/split_operand.cuh>

namespace gemm::detail {

/// The most k of a slab that are in shared memory at once.
inline constexpr int slab_held = 256;

/// Maxima of rows that threads have seen, four rows or one each.
using seen_maxima = std::uint32_t[split_threads * 4 / split_tile][split_tile];

struct alignas(16) mn_major_storage {
  seen_maxima of_slab, of_others;     // of the threads that have the same rows
  std::uint32_t of_line[split_tile];  // greatest of all k
  int exponents[split_tile];
  bool found[split_warps];  // whether a warp has found the other blocks' maxima

  /// Behind it, [k][row], swizzled.
  __device__ float* tile() { return reinterpret_cast<float*>(this + 1); }
};

/// Dynamic shared memory of blocks whose slabs are so long.
constexpr std::size_t mn_major_shared_bytes(int slab) {
  return sizeof(mn_major_storage) +
         sizeof(float) * split_tile * static_cast<std::size_t>(slab < slab_held ? slab : slab_held);
}

/// Where the tile has an element. Neighbouring rows lie four by four: writes of a row of them, and reads of 8 rows of
/// four runs of 8 k, have no bank conflicts.
__device__ inline int slab_offset(int k, int line) {
  return k * split_tile + ((line / 4) ^ (k / 8 % 4 * 2)) * 4 + line % 4;
}

/// Gives the first 64 threads the greatest of their row.
template <int Rows>
__device__ std::uint32_t greatest_in(seen_maxima const& shared) {
  std::uint32_t of_line = 0;
  if (threadIdx.x < split_tile) {
#pragma unroll
    for (int i = 0; i < Rows; ++i) {
      of_line = (max)(of_line, shared[i][threadIdx.x]);
    }
  }
  return of_line;
}

/// A thread's elements of 64 rows as they lie in memory: a run of neighbouring rows, of every so many-th k.
template <bool Wide>
struct mn_major_rows {
  static constexpr int run = Wide ? 4 : 1, across = split_tile / run, down = split_threads / across;
  float const* from;
  std::int64_t ld;
  int depth, row, line;
  int inside;  // of the run's rows

  __device__ mn_major_rows(split_operand const& o, int of_k, std::int64_t matrix, std::int64_t first)
      : ld(o.ld),
        depth(of_k),
        row(static_cast<int>(threadIdx.x) / across),
        line(static_cast<int>(threadIdx.x) % across * run) {
    std::int64_t const left = o.lines - first - line;
    inside = static_cast<int>(left < 0 ? 0 : left < run ? left : run);
    from = o.from + matrix * o.stride + first + (inside > 0 ? line : 0);
  }

  /// Brings k `begin` to `end`, chunks of 64, and waits for the thread's own. What is not there is 0.
  __device__ void load(int begin, int end, float* tile) const {
    constexpr int bytes = run * sizeof(float);
    float const* next = from + (begin + row) * ld;
    auto const copy = [&](auto inside_all) {
      for (int chunk = begin; chunk < end; chunk += chunk_depth) {
#pragma unroll
        for (int i = 0; i < chunk_depth; i += down) {
          float* const to = tile + slab_offset(i + row, line);
          if constexpr (decltype(inside_all)::value) {
            arch::cp_async<bytes>(to, next);
          } else {
            bool const there = chunk + i + row < depth;
            if (inside % run == 0) {
              arch::cp_async_zfill<bytes>(to, there ? next : from, there ? inside / run * bytes : 0);
            } else {  // by element: of a copy of fewer bytes compute-sanitizer takes all to be read
              for (int j = 0; j < run; ++j) {
                bool const read = there && j < inside;
                arch::cp_async_zfill<sizeof(float)>(to + j, read ? next + j : from, read ? int{sizeof(float)} : 0);
              }
            }
          }
          next += down * ld;
        }
        tile += chunk_depth * split_tile;
      }
    };
    inside == run&& end <= depth ? copy(std::true_type{}) : copy(std::false_type{});
    arch::cp_async_commit_group();
    arch::cp_async_wait_group<0>();
  }

  /// The greatest of the k that it has loaded.
  __device__ void see(int rows, float const* tile, float (&most)[run]) const {
    for (int chunk = 0; chunk < rows; chunk += chunk_depth) {
#pragma unroll
      for (int i = 0; i < chunk_depth; i += down) {
        see(load_vector<run>(tile + slab_offset(i + row, line)).element, most);
      }
      tile += chunk_depth * split_tile;
    }
  }

  /// The same of all k, from global memory.
  __device__ void see_all(float (&most)[run]) const {
#pragma unroll 4
    for (int k = row; k < depth; k += down) {
      float value[run];
      load_run(from + k * ld, inside, value);
      see(value, most);
    }
  }

  __device__ static void see(float const (&value)[run], float (&most)[run]) {
#pragma unroll
    for (int j = 0; j < run; ++j) {
      most[j] = arch::maximum(most[j], fabsf(value[j]));
    }
  }

  /// Gives the first 64 threads the magnitude_bits() of the greatest element of their row that any thread has seen.
  __device__ std::uint32_t greatest(float const (&most)[run], seen_maxima& shared) const {
#pragma unroll
    for (int j = 0; j < run; ++j) {
      shared[row][line + j] = magnitude_bits(most[j]);
    }
    __syncthreads();
    return greatest_in<down>(shared);
  }
};

/// Writes the terms of k `begin` to `end` of the block's rows, and adds what is seen of them to the rows' facts.
template <class Terms>
__device__ void split_transposed(split_operand const& o, int depth, std::int64_t matrix, std::int64_t first, int begin,
                                 int end, mn_major_storage& shared) {
  constexpr int width = split_run<true>, runs = split_threads / split_tile;
  int const line = static_cast<int>(threadIdx.x) / runs, own = static_cast<int>(threadIdx.x) % runs * width;
  std::int64_t const to = matrix * o.lines + first + line;
  bool const inside = first + line < o.lines;
  int const exponent = shared.exponents[line];
  scale const factor = scale_of_line(exponent);
  auto* terms =
      static_cast<typename Terms::element*>(o.terms) + to * line_of_terms<Terms>(depth) + line_of_terms<Terms>(begin);
  float const* from = shared.tile() + slab_offset(own, line);  // so are all multiples of 32 behind it
  seen_elements seen;
  auto const split = [&](auto scale_once) {
    for (int chunk = begin; chunk < end; chunk += chunk_depth) {
#pragma unroll
      for (int k = 0; k < chunk_depth; k += runs * width) {
        float value[width];
#pragma unroll
        for (int i = 0; i < width; ++i) {
          value[i] = from[(k + i) * split_tile];
        }
        seen.see(value);
#pragma unroll
        for (float& x : value) {
          x *= factor.first;
          if constexpr (!decltype(scale_once)::value) {
            x *= factor.second;
          }
        }
        seen.see_scaled<Terms>(value);
        if (inside) {
          store_terms<Terms>(terms, own + k, value);
        }
      }
      from += chunk_depth * split_tile;
      terms += line_of_terms<Terms>(chunk_depth);
    }
  };
  factor.second == 1 ? split(std::true_type{}) : split(std::false_type{});
  seen = seen_by<runs>(seen);
  if (inside && own == 0) {
    auto const here = static_cast<std::uint32_t>((depth < end ? depth : end) - begin);
    if (is_scale(exponent) && shared.of_line[line] != 0 && seen.large < here) {
      arch::reduce_add(o.facts + to, here - seen.large);
    }
    if (is_scale(exponent) ? seen.tiny<Terms>(factor) != 0 : begin == 0) {
      arch::reduce_or(o.facts + to, is_scale(exponent) ? tiny_bit : nonfinite_facts);
    }
  }
}

/// The uppermost bit of a maximum that a block has published.
inline constexpr std::uint32_t published_bit = 1U << 31;

/// Waits, for about a millisecond at most, until all blocks with these rows have published their maxima, [slab][row].
/// It leaves those of the slabs for greatest_in(), and returns to the whole block whether all came. Each word has its
/// own flag, so no fence and no count is needed.
__device__ inline bool exchange_maxima(std::uint32_t const* maxima, int slabs, mn_major_storage& shared) {
  constexpr int tries = 1 << 10, across = split_tile / 4, down = split_threads / across;
  int const row = static_cast<int>(threadIdx.x) / across, line = static_cast<int>(threadIdx.x) % across * 4;
  std::uint32_t most[4] = {};
  bool found = true;
  for (int slab = row; slab < slabs && found; slab += down) {
    std::uint32_t theirs[4];
    found = arch::load_relaxed(theirs, maxima + slab * split_tile + line, published_bit, tries);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      most[j] = (max)(most[j], theirs[j] & ~published_bit);
    }
  }
  found = __all_sync(0xffffffffU, found) != 0;
  if (threadIdx.x % 32 == 0) {
    shared.found[threadIdx.x / 32] = found;
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    shared.of_others[row][line + j] = most[j];
  }
  __syncthreads();
#pragma unroll
  for (bool const of_warp : shared.found) {
    found = found && of_warp;
  }
  return found;
}

/// A block's slab of its rows.
template <class Terms, bool Wide>
__device__ void split_mn_major_slab(split_operand const& o, split_operands const& params, std::int64_t block,
                                    mn_major_storage& shared) {
  using rows = mn_major_rows<Wide>;
  int const thread = static_cast<int>(threadIdx.x), padded = static_cast<int>(padded_depth(params.depth));
  // A grid has less than 2^31 blocks.
  auto const slabs = static_cast<std::uint32_t>((padded + o.slab - 1) / o.slab),
             groups = static_cast<std::uint32_t>((o.lines + split_tile - 1) / split_tile),
             group = static_cast<std::uint32_t>(block) / slabs, slab = static_cast<std::uint32_t>(block) % slabs;
  int const begin = static_cast<int>(slab) * o.slab, end = padded - begin < o.slab ? padded : begin + o.slab;
  std::int64_t const matrix = group / groups, first = std::int64_t{group % groups} * split_tile;
  auto const for_each_piece = [&](auto action) {
    for (int k = begin; k < end; k += slab_held) {
      action(k, end - k < slab_held ? end : k + slab_held);
    }
  };

  rows const own(o, params.depth, matrix, first);
  float most[rows::run] = {};
  for_each_piece([&](int from, int to) {
    own.load(from, to, shared.tile());
    own.see(to - from, shared.tile(), most);
  });
  std::uint32_t greatest = own.greatest(most, shared.of_slab);
  arch::wait_for_dependency();  // for the zeros: who reads the last terms has ended before the first pass began
  arch::launch_dependents();
  bool const inside = thread < split_tile && first + thread < o.lines;  // whether it has a row
  std::int64_t const line = matrix * o.lines + first + thread;
  if (slabs > 1) {
    std::uint32_t* const maxima = o.maxima + std::int64_t{group} * slabs * split_tile;
    if (thread < split_tile) {
      arch::store_relaxed(maxima + slab * split_tile + thread, greatest | published_bit);
    }
    if (exchange_maxima(maxima, static_cast<int>(slabs), shared)) {
      greatest = greatest_in<split_threads * 4 / split_tile>(shared.of_others);
    } else {
      float all[rows::run] = {};
      own.see_all(all);
      greatest = own.greatest(all, shared.of_slab);
    }
  }
  if (thread < split_tile) {
    int const exponent = scale_of_greatest(greatest, Terms::greatest);
    shared.exponents[thread] = exponent;
    shared.of_line[thread] = greatest;
    if (inside && begin == 0) {
      o.exponents[line] = exponent;
    }
  }
  __syncthreads();
  for_each_piece([&](int from, int to) {
    if (o.slab > slab_held) {
      __syncthreads();  // for who reads the last piece
      own.load(from, to, shared.tile());
      __syncthreads();
    }
    split_transposed<Terms>(o, params.depth, matrix, first, from, to, shared);
  });
}

/// The second pass, of what is mn-major.
template <class Terms, bool Wide>
__global__ void __launch_bounds__(split_threads, 3)
    split_mn_major_kernel(__grid_constant__ split_operands const params) {
  auto& shared = arch::dynamic_shared_memory<mn_major_storage>();
  bool const is_b = blockIdx.x >= params.operand[0].second_blocks;
  split_mn_major_slab<Terms, Wide>(params.operand[is_b ? 1 : 0], params,
                                   blockIdx.x - (is_b ? params.operand[0].second_blocks : 0), shared);
}

}  // namespace gemm::detail
