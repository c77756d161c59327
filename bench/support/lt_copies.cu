// SPDX-License-Identifier: BSL-1.0
//! @file
//! Transposes bytes, 4 x 4 of them in a thread's registers, and pads by 2D copies.

#include "lt_copies.hpp"

#include <algorithm>

#include <gemm/arch/ldmatrix.cuh>

namespace bench {

namespace {

constexpr int side = 128, threads = 256, warps = threads / 32;  // of a tile: bytes a row and a column

/// A row-major matrix of bytes without gaps, and its transpose, whose rows have ld bytes: a multiple of 4, zeros behind
/// the matrix's.
struct transposition {
  unsigned char const* from;
  unsigned char* to;
  std::int64_t rows, columns, ld;

  __host__ __device__ std::int64_t tiles_along() const { return (columns + side - 1) / side; }
  __host__ __device__ std::int64_t tiles_down() const { return (ld + side - 1) / side; }
};

/// Four bytes of a row; zeros outside the matrix, where a tile is not Whole.
template <bool Whole>
__device__ std::uint32_t four_of(transposition const& x, std::int64_t row, std::int64_t column) {
  unsigned char const* const first = x.from + row * x.columns + column;
  if constexpr (Whole) {
    return *reinterpret_cast<std::uint32_t const*>(first);
  }
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    if (row < x.rows && column + i < x.columns) {
      result |= std::uint32_t{first[i]} << (8 * i);
    }
  }
  return result;
}

/// Bytes i of four words become word i.
__device__ void transpose_bytes(std::uint32_t (&words)[4]) {
  using gemm::arch::permute_bytes;
  constexpr unsigned low_two = 0x5140, high_two = 0x7362, low_half = 0x5410, high_half = 0x7632;
  std::uint32_t const low[2] = {permute_bytes<low_two>(words[0], words[1]), permute_bytes<low_two>(words[2], words[3])};
  std::uint32_t const high[2] = {permute_bytes<high_two>(words[0], words[1]),
                                 permute_bytes<high_two>(words[2], words[3])};
  words[0] = permute_bytes<low_half>(low[0], low[1]);
  words[1] = permute_bytes<high_half>(low[0], low[1]);
  words[2] = permute_bytes<low_half>(high[0], high[1]);
  words[3] = permute_bytes<high_half>(high[0], high[1]);
}

/// The transpose's row c has word w at w ^ c / 4, so that accesses of neither rows nor columns share banks.
using transposed_tile = std::uint32_t[side][side / 4];

template <bool Whole>
__device__ void read_tile(transposition const& x, std::int64_t row, std::int64_t column, transposed_tile& tile) {
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  constexpr int parts = side / 4 / warps;
  std::uint32_t words[parts][4];  // all requested before the first is needed
#pragma unroll
  for (int part = 0; part < parts; ++part) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      words[part][i] = four_of<Whole>(x, row + 4 * (warp + warps * part) + i, column + 4 * lane);
    }
  }
#pragma unroll
  for (int part = 0; part < parts; ++part) {
    transpose_bytes(words[part]);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      tile[4 * lane + i][(warp + warps * part) ^ lane] = words[part][i];
    }
  }
}

/// A tile after another.
__global__ void __launch_bounds__(threads) transpose_kernel(transposition const x) {
  __shared__ transposed_tile tile;
  int const lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  std::int64_t const along = x.tiles_along(), tiles = along * x.tiles_down();
  for (std::int64_t index = blockIdx.x; index < tiles; index += gridDim.x) {
    std::int64_t const row = index / along * side, column = index % along * side;
    if (x.columns % 4 == 0 && row + side <= x.rows && column + side <= x.columns) {
      read_tile<true>(x, row, column, tile);
    } else {
      read_tile<false>(x, row, column, tile);
    }
    __syncthreads();
    for (int c = warp; c < side; c += warps) {
      if (column + c < x.columns && row + 4 * lane < x.ld) {
        *reinterpret_cast<std::uint32_t*>(x.to + (column + c) * x.ld + row + 4 * lane) = tile[c][lane ^ (c / 4)];
      }
    }
    __syncthreads();
  }
}

/// Rows of k bytes become rows of ld.
void enqueue_k_major(bool is_k_major, void const* from, void* to, std::int64_t extent, std::int64_t k, std::int64_t ld,
                     cudaStream_t stream) {
  if (is_k_major) {
    auto const length = static_cast<std::size_t>(k);
    require(cudaMemcpy2DAsync(to, static_cast<std::size_t>(ld), from, length, length, static_cast<std::size_t>(extent),
                              cudaMemcpyDeviceToDevice, stream),
            "padding an operand for cublasLt");
    return;
  }
  transposition const x{static_cast<unsigned char const*>(from), static_cast<unsigned char*>(to), k, extent, ld};
  std::int64_t const tiles = x.tiles_along() * x.tiles_down();
  launch(&transpose_kernel, static_cast<int>(std::min<std::int64_t>(tiles, 1 << 30)), threads, stream, x);
}

std::int64_t padded(std::int64_t extent) { return (extent + 15) / 16 * 16; }

std::size_t aligned_bytes(std::int64_t count, std::size_t size) {
  return (static_cast<std::size_t>(count) * size + 255) / 256 * 256;
}

}  // namespace

lt_copies::lt_copies(product const& first, std::size_t output_bytes)
    : n_(padded(first.n)),
      k_(padded(first.k)),
      output_bytes_(output_bytes),
      copies_a_(first.transposed_a || k_ != first.k),
      copies_b_(!first.transposed_b || k_ != first.k || n_ != first.n),
      copies_c_(n_ != first.n),
      begin_b_(copies_a_ ? aligned_bytes(first.m * k_, 1) : 0),
      begin_c_(begin_b_ + (copies_b_ ? aligned_bytes(n_ * k_, 1) : 0)),
      bytes_(begin_c_ + (copies_c_ ? aligned_bytes(first.m * n_, output_bytes) : 0)),
      memory_(std::max<std::size_t>(bytes_, 1)) {
  require(cudaMemsetAsync(memory_.data(), 0, bytes_, first.stream), "clearing operands for cublasLt");
}

product lt_copies::enqueue_operands(product const& p) const {
  auto* const memory = memory_.as<unsigned char>();
  product result = p;
  result.transposed_a = false;
  result.transposed_b = true;
  result.n = n_;
  result.k = k_;
  if (copies_a_) {
    enqueue_k_major(!p.transposed_a, p.a, memory, p.m, p.k, k_, p.stream);
    result.a = memory;
  }
  if (copies_b_) {
    enqueue_k_major(p.transposed_b, p.b, memory + begin_b_, p.n, p.k, k_, p.stream);
    result.b = memory + begin_b_;
  }
  if (copies_c_) {
    result.c = memory + begin_c_;
  }
  return result;
}

void lt_copies::enqueue_result(product const& p) const {
  if (copies_c_) {
    auto const row = static_cast<std::size_t>(p.n) * output_bytes_,
               pitch = static_cast<std::size_t>(n_) * output_bytes_;
    require(cudaMemcpy2DAsync(p.c, row, memory_.as<unsigned char>() + begin_c_, pitch, row,
                              static_cast<std::size_t>(p.m), cudaMemcpyDeviceToDevice, p.stream),
            "cutting out a result of cublasLt");
  }
}

}  // namespace bench
