// SPDX-License-Identifier: BSL-1.0
//! @file
//! A shared-tile kernel with a defect on demand, to see that the checker notices.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/arch/shared_memory.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/store.cuh>
#include <gemm/block/thread_per_element.cuh>
#include <gemm/block/tile_loader.cuh>

namespace test {

enum class defect {
  none,
  last_k_tile,     ///< the last tile along k is left out
  one_store,       ///< the last element of C is not stored
  swapped_rows,    ///< two rows of each tile change places
  barrier,         ///< the tiles are read before all threads have written them
  beta,            ///< C is read although beta is 0
  write_past_row,  ///< an element after each row of C is written
  write_operand,   ///< an element of A is written
  read_past_row,   ///< the last tile along k is not cut off where the operands end
};

template <class Policy, class Problem>
__global__ void __launch_bounds__(Policy::threads) broken_kernel(__grid_constant__ Problem const p) {
  namespace detail = gemm::detail;
  using input = typename Problem::element_a;
  using output = typename Problem::output;
  using accum = typename Problem::accum;
  constexpr int tile_size = Policy::block_m;
  constexpr defect planted = Policy::planted;
  auto& shared = gemm::arch::dynamic_shared_memory<typename Policy::template shared_storage<accum>>();

  detail::block_tile const tile = detail::tile_of_block<Policy>(p);
  int const row = threadIdx.x / tile_size, column = threadIdx.x % tile_size;
  auto const a = detail::operand_a(p, tile.batch);
  auto const b = detail::operand_b(p, tile.batch);
  accum sum{};
  for (std::int64_t k0 = 0; k0 < p.k; k0 += tile_size) {
    if (planted == defect::last_k_tile && k0 > 0 && k0 + tile_size >= p.k) {
      break;
    }
    bool const inside_a = tile.row + row < p.m && (planted == defect::read_past_row || k0 + column < p.k);
    bool const inside_b = tile.column + column < p.n && k0 + row < p.k;
    shared.a[row][column] = inside_a ? detail::widen(*a.at(tile.row + row, k0 + column)) : accum(0);
    shared.b[row][column] = inside_b ? detail::widen(*b.at(tile.column + column, k0 + row)) : accum(0);
    if (planted != defect::barrier) {
      __syncthreads();
    }
    for (int k = 0; k < tile_size; ++k) {
      sum += shared.a[row][k] * shared.b[k][column];
    }
    __syncthreads();
  }
  std::int64_t const m = tile.row + (planted == defect::swapped_rows && row < 2 ? 1 - row : row);
  std::int64_t const n = tile.column + column;
  if (m >= p.m || n >= p.n || (planted == defect::one_store && m == p.m - 1 && n == p.n - 1)) {
    return;
  }
  output* const c = p.c.data + tile.batch * p.c.batch_stride + m * p.c.ld + n;
  if constexpr (planted == defect::beta) {
    using value = detail::widened<output>;
    *c = detail::convert<output>(static_cast<value>(p.alpha * sum) + static_cast<value>(p.beta) * detail::widen(*c));
  } else {
    *c = detail::finish(p, sum, p.beta != accum(0) ? *c : output{}, m, n, tile.batch);
  }
  if (planted == defect::write_past_row && n == p.n - 1) {
    c[1] = output{};
  }
  if (planted == defect::write_operand && m == 0 && n == 0 && p.k > 0) {
    const_cast<input*>(p.a.data)[0] = static_cast<input>(99.0f);
  }
}

template <defect Planted>
struct broken : gemm::detail::thread_per_element<gemm::block<8, 8, 8>> {
  static constexpr defect planted = Planted;

  template <class T>
  struct shared_storage {
    T a[8][8], b[8][8];
  };

  template <class T>
  static constexpr std::size_t shared_bytes = sizeof(shared_storage<T>);

  template <class Policy, class Problem, bool Wide>
  static consteval auto kernel() {
    return &broken_kernel<Policy, Problem>;
  }
};

}  // namespace test
