// SPDX-License-Identifier: BSL-1.0
//! @file
//! mdspans as operands: any layout whose rows or columns are contiguous, here a block of a larger matrix.

#include <cstdio>
#include <cuda/std/mdspan>
#include <vector>

#include <gemm/gemm.cuh>

#include "device_memory.hpp"

// example-begin
namespace md = cuda::std;
using matrix = md::mdspan<float, md::dextents<int, 2>, md::layout_right>;
using block = md::mdspan<float, md::dextents<int, 2>, md::layout_stride>;

/// The rows and columns of m from (row, column) on.
block part(matrix m, int row, int column, int rows, int columns) {
  md::dextents<int, 2> const size(rows, columns);
  md::array<int, 2> const strides{m.extent(1), 1};
  return block(&m(row, column), block::mapping_type(size, strides));
}

/// c -= a b, the update of a blocked factorisation.
gemm::status update(block a, block b, block c) {
  return gemm::run(gemm::row_major(a), gemm::row_major(b), gemm::row_major(c), {.alpha = -1, .beta = 1});
}
// example-end

int main() {
  int const n = 60, split = 20;
  std::vector<float> values(n * n);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(static_cast<int>(i * 7 % 9) - 4);
  }
  example::device_memory const memory(values);
  matrix const m(memory.data(), n, n);
  int const rest = n - split;
  gemm::status const status =
      update(part(m, split, 0, rest, split), part(m, 0, split, split, rest), part(m, split, split, rest, rest));
  if (!status) {
    std::printf("%s\n", status.message());
    return 1;
  }
  auto const got = memory.values();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float want = values[static_cast<std::size_t>(i * n + j)];
      for (int l = 0; i >= split && j >= split && l < split; ++l) {
        want -= values[static_cast<std::size_t>(i * n + l)] * values[static_cast<std::size_t>(l * n + j)];
      }
      wrong += got[static_cast<std::size_t>(i * n + j)] != want;
    }
  }
  std::printf("mdspan: %d of %d elements wrong\n", wrong, n * n);
  return wrong == 0 ? 0 : 1;
}
