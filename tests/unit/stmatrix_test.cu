// SPDX-License-Identifier: BSL-1.0
//! @file
//! stmatrix: where every element of four matrices goes.

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/stmatrix.cuh>
#include <gemm/launch/launch.cuh>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

constexpr int matrices = 4, rows = 8, columns = 8;

/// Rows in an order of their own, and with gaps.
struct storage {
  alignas(16) std::uint16_t row[matrices * rows * 2][columns];
};
__host__ __device__ constexpr int place_of(int row) { return row * 11 % (matrices * rows) * 2 + row % 2; }

struct output {
  std::uint16_t* out;
};

template <bool Transposed>
__global__ void __launch_bounds__(32) store_matrices(output const __grid_constant__ to) {
  auto& shared = gemm::arch::dynamic_shared_memory<storage>();
  int const lane = static_cast<int>(threadIdx.x);
  for (int row = 0; row < matrices * rows * 2; ++row) {
    if (lane < columns) {
      shared.row[row][lane] = 0xffff;
    }
  }
  __syncwarp();
  std::uint32_t pairs[matrices];
  for (int matrix = 0; matrix < matrices; ++matrix) {
    unsigned const first = static_cast<unsigned>((matrix * rows + lane / 4) * columns + lane % 4 * 2);
    pairs[matrix] = first | (first + 1) << 16;
  }
  if constexpr (Transposed) {
    gemm::arch::stmatrix_transposed(shared.row[place_of(lane)], pairs);
  } else {
    gemm::arch::stmatrix(shared.row[place_of(lane)], pairs);
  }
  __syncwarp();
  for (int row = 0; row < matrices * rows * 2; ++row) {
    if (lane < columns) {
      to.out[row * columns + lane] = shared.row[row][lane];
    }
  }
}

template <bool Transposed>
void check_matrices() {
  constexpr int elements = matrices * rows * 2 * columns;
  test::device_array<std::uint16_t> const out(elements);
  test::require_success(
      gemm::detail::launch(store_matrices<Transposed>, dim3(1), 32, sizeof(storage), nullptr, output{out.data()}),
      "store_matrices");
  std::vector<std::uint16_t> expected(elements, 0xffff);
  for (int row = 0; row < matrices * rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      expected[static_cast<std::size_t>(place_of(row) * columns + column)] = static_cast<std::uint16_t>(
          Transposed ? (row / rows * rows + column) * columns + row % rows : row * columns + column);
    }
  }
  CHECK(out.download() == expected);
}

}  // namespace

TEST_CASE("stmatrix stores four matrices, each row where a lane says", "[sanitizer]") {
  test::need_sm90a();
  check_matrices<false>();
}

TEST_CASE("stmatrix stores their transposes likewise", "[sanitizer]") {
  test::need_sm90a();
  check_matrices<true>();
}
