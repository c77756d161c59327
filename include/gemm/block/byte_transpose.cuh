// SPDX-License-Identifier: BSL-1.0
//! @file
//! mn-major tiles of one-byte elements become k-major ones in their own place, by warps that do nothing else: wgmma
//! reads k-major ones alone.
//!
//!     before, as TMA leaves it   squares of 128 x 128 bytes: a row of 128 bytes for each k, its 16-byte chunks
//!     swizzled after                      a row of 128 bytes for each outer, likewise
//!
//! Blocks of 16 x 16 bytes are exchanged in pairs. ldmatrix.trans moves pairs of bytes: of a block it gives lane l,
//! with g = l / 4 and t = l % 4, bytes 2 g and 2 g + 1 of two k for each of two matrices. If those are k 4 t to 4 t +
//! 3, two prmt make of them four k of outer 2 g and of 2 g + 1: a lane's part of two matrices for stmatrix.
//!
//! Rows that a matrix has must differ modulo 8, or they share banks. So lanes differ in which matrix has their first
//! two k, and their even outer:
//!
//!     k of matrix 0, read          0  1  4  5 10 11 14 15      of matrix 1   2  3  6  7  8  9 12 13
//!     outer of matrix 0, written   0  2  4  6  9 11 13 15      of matrix 1   1  3  5  7  8 10 12 14
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/ldmatrix.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/arch/stmatrix.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/ring.cuh>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// The warps that transpose, the last of the producer's warpgroup: more would take registers from the consumers.
inline constexpr int transposing_warps = 2;

/// Whether a policy's kernel transposes tiles of a problem's A or B.
template <class Policy, class Problem>
inline constexpr bool transposes_bytes = Policy::info.transposes_bytes &&
                                         (Problem::storage::a == major::mn || Problem::storage::b == major::mn);

/// Barriers that complete when TMA has written a stage's tiles.
template <int Stages>
struct landed_barriers {
  arch::mbarrier of[Stages];
};
template <>
struct landed_barriers<0> {};

/// A lane's positions in a square that is transposed: of 64 blocks those in row i and column i ^ distance, and in row i
/// ^ distance and column i, are exchanged; at distance 0 two stay. A lane has one of four pairs of each distance.
class byte_square_lane {
  using address = arch::shared_address;
  static constexpr address row = 16 * 128, column = 16;

 public:
  static constexpr int bytes = 128 * 128, distances = 8, pairs = 4;

  __device__ byte_square_lane(int lane, int pair) : pair_(arch::offset(pair)), block_(arch::offset(lane / 16)) {
    int const matrix = lane / 8 % 2, of_matrix = lane % 8, two = of_matrix / 2;
    int const k = 4 * two + 2 * (matrix ^ two / 2) + lane % 2, outer = 2 * of_matrix + (matrix ^ of_matrix / 4);
    read_ = arch::offset(k * 128 + k % 8 * 16);
    written_ = arch::offset(outer * 128 + outer % 8 * 16);
    std::uint32_t const even = lane % 4 < 2 ? 0x6420 : 0x2064, odd = lane % 4 < 2 ? 0x7531 : 0x3175;
    selector_[0] = lane < 16 ? even : odd;
    selector_[1] = lane < 16 ? odd : even;
  }

  /// From a square, at a multiple of 1024 bytes; and back to it, once all lanes have read.
  __device__ void read(std::uint32_t (&words)[4], address square, address distance) const {
    arch::ldmatrix_transposed(
        words, square + (read_ ^ first(distance) * (row + column) ^ distance * (block_ == 0 ? column : row)));
  }
  __device__ void write(std::uint32_t const (&words)[4], address square, address distance) const {
    std::uint32_t transposed[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      transposed[i] = arch::permute_bytes(words[i / 2 * 2], words[i / 2 * 2 + 1], selector_[i % 2]);
    }
    arch::stmatrix(square + (written_ ^ first(distance) * (row + column) ^ distance * (block_ == 0 ? row : column)),
                   transposed);
  }

 private:
  address read_, written_;  // in the square's first block
  address pair_, block_;
  std::uint32_t selector_[2];

  /// i of the pair's first block; at distance 0 of the lane's.
  __device__ address first(address distance) const {
    address const top = distance >= 4 ? 4 : distance >= 2 ? 2 : 1;
    return distance == 0 ? 2 * pair_ + block_ : pair_ / top * (2 * top) + pair_ % top;
  }
};

/// Transposes squares that lie one after the other, by transposing_warps; a pair of blocks is one warp's, so that
/// others need not wait.
template <int Squares>
__device__ void transpose_squares(arch::shared_address begin, int lane, int warp) {
  constexpr int batch = 4;  // of pairs in flight
#pragma unroll 1
  for (int pair = warp; pair < byte_square_lane::pairs; pair += transposing_warps) {
    byte_square_lane const at(lane, pair);
#pragma unroll
    for (int i = 0; i < byte_square_lane::distances; i += batch) {
#pragma unroll 1
      for (int square = 0; square < Squares; ++square) {  // so that a lane keeps few addresses
        arch::shared_address const from = begin + arch::offset(square * byte_square_lane::bytes);
        std::uint32_t words[batch][4];
#pragma unroll
        for (int j = 0; j < batch; ++j) {
          at.read(words[j], from, arch::offset(i + j));
        }
        __syncwarp();  // for all lanes to have read
#pragma unroll
        for (int j = 0; j < batch; ++j) {
          at.write(words[j], from, arch::offset(i + j));
        }
      }
    }
  }
}

/// A warp of these transposes its part of all tiles of all works: each lane fences its writes for wgmma, then its warp
/// arrives where the stage becomes full. TMA's next writes there follow the consumers' release.
template <class Policy, class Problem, class Slot>
__device__ void transpose_works(typename Policy::shared_storage& shared, Slot slot) {
  constexpr int squares_a = Policy::block_m / 128, squares_b = Policy::block_n / 128;
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32 % transposing_warps;
  arch::shared_address const a = arch::shared_address_of(shared.a[0]), b = arch::shared_address_of(shared.b[0]);
  ring_place<Policy::stages> at;
#pragma unroll 1
  for (int tiles = 0; (tiles = shared.works.wait(slot)) >= 0;) {
#pragma unroll 1
    for (; tiles > 0; --tiles, at.advance()) {
      arch::mbarrier_wait_parity(shared.landed.of[at.stage], at.phase);
      if constexpr (Problem::storage::a == major::mn) {
        transpose_squares<squares_a>(a + static_cast<unsigned>(at.stage) * sizeof(shared.a[0]), lane, warp);
      }
      if constexpr (Problem::storage::b == major::mn) {
        transpose_squares<squares_b>(b + static_cast<unsigned>(at.stage) * sizeof(shared.b[0]), lane, warp);
      }
      arch::fence_proxy_async();
      __syncwarp();
      if (threadIdx.x % 32 == 0) {
        arch::mbarrier_arrive(shared.full[at.stage]);
      }
    }
    shared.works.take(slot);
  }
}

}  // namespace gemm::detail
