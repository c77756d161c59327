// SPDX-License-Identifier: BSL-1.0
//! @file
//! The sums of products of scaled rows: from the scales back, and what infinite elements and NaN make of them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/block/warpgroup_accum.cuh>
#include <gemm/block/warpgroup_rows.cuh>
#include <gemm/emulation/scale.cuh>

namespace gemm::detail {

/// An operand of a product before it was split, seen alike in any storage: the scales of its rows, and where its
/// elements lie.
struct split_source {
  int const* exponents;
  float const* data;
  std::int64_t outer_stride, k_stride;

  __device__ float at(std::int64_t outer, std::int64_t k) const { return data[outer * outer_stride + k * k_stride]; }
};

/// A and B of one product.
struct split_sources {
  split_source a, b;
};

/// Those of a product of the batch.
template <class Params>
__device__ split_sources sources_of(Params const& params, std::int64_t batch) {
  auto const& p = problem_of(params);
  split_source a = params.a, b = params.b;
  std::int64_t const batch_a = p.a.batch_stride == 0 ? 0 : batch, batch_b = p.b.batch_stride == 0 ? 0 : batch;
  a.exponents += batch_a * p.m;
  a.data += batch_a * p.a.batch_stride;
  b.exponents += batch_b * p.n;
  b.data += batch_b * p.b.batch_stride;
  return {a, b};
}

/// The sum over k of the products that have an infinite factor: infinite, or NaN where they disagree or the other
/// factor is 0. Of a row and a column without a NaN; by a whole warp, for one of its elements.
__device__ inline float sum_of_infinities(split_source const& a, split_source const& b, std::int64_t depth,
                                          std::int64_t row, std::int64_t column) {
  bool plus = false, minus = false, neither = false;
  for (std::int64_t k = threadIdx.x % 32; k < depth; k += 32) {
    float const x = a.at(row, k), y = b.at(column, k);
    if (magnitude_bits(x) == infinite_bits || magnitude_bits(y) == infinite_bits) {
      float const product = x * y;
      plus |= product > 0;
      minus |= product < 0;
      neither |= product != product;
    }
  }
  plus = __any_sync(0xffffffffU, plus) != 0;
  minus = __any_sync(0xffffffffU, minus) != 0;
  neither = __any_sync(0xffffffffU, neither) != 0;
  std::uint32_t const bits = neither || plus == minus ? infinite_bits + 1
                             : minus                  ? infinite_bits | 1U << 31
                                                      : infinite_bits;
  return __builtin_bit_cast(float, bits);
}

/// Puts what float arithmetic makes of them in place of the sums of rows that are not finite. By a whole warp; slow,
/// for few of them.
template <class Policy, int Count, class Problem>
__device__ void put_nonfinite(Problem const& p, float (&accum)[Count], block_tile const& tile, split_source const& a,
                              split_source const& b) {
  int const lane = static_cast<int>(threadIdx.x) % 32;
  std::int64_t const top = tile.row + warpgroup_layout<Policy>::warp_row() + lane / 4,
                     left = tile.column + lane % 4 * 2;
#pragma unroll 1
  for (int i = 0; i < Count; ++i) {
    std::int64_t const row = top + i / 2 % 2 * 8, column = left + i / 4 * 8 + i % 2;
    bool const inside = row < p.m && column < p.n;
    int const of_row = inside ? a.exponents[row] : 0, of_column = inside ? b.exponents[column] : 0;
    bool const unordered = of_row == has_nan || of_column == has_nan;
    bool const infinite = !unordered && (of_row == has_infinity || of_column == has_infinity);
    float value = __builtin_bit_cast(float, infinite_bits + 1);
    unsigned const asking = __ballot_sync(0xffffffffU, infinite);
    for (int owner = 0; asking != 0 && owner < 32; ++owner) {
      if ((asking >> owner & 1) != 0) {
        float const theirs =
            sum_of_infinities(a, b, p.k, __shfl_sync(0xffffffffU, row, owner), __shfl_sync(0xffffffffU, column, owner));
        value = lane == owner ? theirs : value;
      }
    }
#pragma unroll
    for (int j = 0; j < Count; ++j) {  // registers have no index
      accum[j] = j == i && (unordered || infinite) ? value : accum[j];
    }
  }
}

/// The exponents of the scales of a warp's rows of C, in shared memory.
template <int Columns>
struct warp_exponents {
  int row[16], column[Columns];
};

/// A warp's memory for a tile: first the exponents of the scales, then rows of C.
template <int Columns>
union warp_buffer {
  warp_exponents<Columns> exponents;
  warp_row_buffer<Columns> lines;
};

/// Starts to copy exponents, by the whole warp, a group of copies of each lane. What is beyond C becomes 0.
template <class Policy, int Columns, class Problem>
__device__ void start_exponents(Problem const& p, warp_exponents<Columns>& to, block_tile const& tile,
                                split_sources const& sources) {
  int thread = static_cast<int>(threadIdx.x);
  arch::make_opaque(thread);  // else what follows from it is kept in registers through the main loop
  int const lane = thread % 32;
  auto const start = [](int* shared, int const* lines, std::int64_t line, std::int64_t count) {
    bool const inside = line < count;
    arch::cp_async_zfill<4>(shared, lines + (inside ? line : 0), inside ? 4 : 0);
  };
  __syncwarp();  // nobody reads what was there
  if (lane < 16) {
    start(&to.row[lane], sources.a.exponents, tile.row + warpgroup_layout<Policy>::warp_row(thread) + lane, p.m);
  }
#pragma unroll
  for (int i = 0; i < Columns; i += 32) {
    start(&to.column[i + lane], sources.b.exponents, tile.column + i + lane, p.n);
  }
  arch::cp_async_commit_group();
}

/// remove_scales() where all exponents of the warp's rows are near.
template <class Policy, int Count>
__device__ void remove_near_scales(float (&accum)[Count], warp_exponents<Policy::block_n> const& exponents, int lane) {
  float of_row[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    of_row[i] = power_of_two(-exponents.row[lane / 4 + 8 * i]);
  }
#pragma unroll
  for (int j = 0; j < Count; j += 4) {
    auto const exponent = load_vector<2>(&exponents.column[2 * j + lane % 4 * 2]);
#pragma unroll
    for (int e = 0; e < 2; ++e) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        // 2^(row + column), one addition of bits.
        std::uint32_t const bits =
            __builtin_bit_cast(std::uint32_t, of_row[i]) - (static_cast<std::uint32_t>(exponent.element[e]) << 23);
        accum[j + 2 * i + e] *= __builtin_bit_cast(float, bits);
      }
    }
  }
}

/// remove_scales() whatever the exponents, of accumulators from a column on. Whether all of the thread's are scales.
template <int Count, int Columns>
__device__ bool remove_any_scales(float (&accum)[Count], warp_exponents<Columns> const& exponents, int first_column,
                                  int lane) {
  bool finite = true;
  scale of_row[2];
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    int const exponent = exponents.row[lane / 4 + 8 * i];
    finite = finite && is_scale(exponent);
    of_row[i] = scale::of(is_scale(exponent) ? -exponent : 0);
  }
#pragma unroll
  for (int j = 0; j < Count; j += 4) {
    auto const exponent = load_vector<2>(&exponents.column[first_column + 2 * j + lane % 4 * 2]);
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      finite = finite && is_scale(exponent.element[e]);
      scale const of_column = scale::of(is_scale(exponent.element[e]) ? -exponent.element[e] : 0);
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        float& own = accum[j + 2 * i + e];
        own = own * (of_row[i].first * of_column.first) * (of_row[i].second * of_column.second);
      }
    }
  }
  return finite;
}

/// What a warpgroup's sums would be without the scales of the rows: exact but for underflow, which rounds once, and
/// for overflow. Waits for the exponents. AllFinite: no row has anything infinite, nor a NaN.
template <class Policy, bool AllFinite, int Count, class Problem>
__device__ void remove_scales(Problem const& p, float (&accum)[Count], block_tile const& tile,
                              warp_exponents<Policy::block_n> const& exponents, split_sources const& sources) {
  int lane = static_cast<int>(threadIdx.x) % 32;
  arch::make_opaque(lane);
  arch::cp_async_wait_group<0>();
  __syncwarp();  // all lanes' copies of exponents are there
  bool close = is_near(exponents.row[lane % 16]);
#pragma unroll
  for (int i = 0; i < Policy::block_n; i += 32) {
    close = close && is_near(exponents.column[i + lane]);
  }
  if (__all_sync(0xffffffffU, close)) {
    remove_near_scales<Policy>(accum, exponents, lane);
    __syncwarp();  // all lanes have read them: the memory may be used for something else
    return;
  }
  bool const finite = remove_any_scales(accum, exponents, 0, lane);
  __syncwarp();  // all lanes have read them: the memory may be used for something else
  if constexpr (!AllFinite) {
    if (!__all_sync(0xffffffffU, finite)) {
      put_nonfinite<Policy>(p, accum, tile, sources.a, sources.b);
    }
  }
}

}  // namespace gemm::detail
