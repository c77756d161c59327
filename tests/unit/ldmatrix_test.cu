// SPDX-License-Identifier: BSL-1.0
//! @file
//! ldmatrix: which lane gets which elements of 1, 2 and 4 matrices; and the permutation of bytes.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gemm/arch/ldmatrix.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/launch/launch.cuh>

#include "../support/device.hpp"

namespace {

constexpr int rows = 8, columns = 8;  // of a matrix

/// Rows in an order of their own, and with gaps.
struct storage {
  alignas(16) std::uint16_t row[4 * rows * 2][columns];
};
__host__ __device__ constexpr int place_of(int row) { return row * 11 % (4 * rows) * 2 + row % 2; }

struct output {
  std::uint32_t* words;  // [lane][matrix]
};

template <int N, bool Transposed>
struct load_case {
  static constexpr int matrices = N;
  static constexpr bool transposed = Transposed;
};

template <class Case>
__global__ void __launch_bounds__(32) load_matrices(output const __grid_constant__ to) {
  auto& shared = gemm::arch::dynamic_shared_memory<storage>();
  int const lane = static_cast<int>(threadIdx.x);
  for (int column = 0; column < columns; ++column) {
    shared.row[place_of(lane)][column] = static_cast<std::uint16_t>(lane * columns + column);
  }
  __syncwarp();
  std::uint32_t words[Case::matrices];
  // Lanes that name no row have an address all the same, which must not be read.
  int const named = lane < rows * Case::matrices ? place_of(lane) : 0;
  auto const row = gemm::arch::shared_address_of(shared.row[named]);
  if constexpr (Case::transposed) {
    gemm::arch::ldmatrix_transposed(words, row);
  } else {
    gemm::arch::ldmatrix(words, row);
  }
  for (int matrix = 0; matrix < Case::matrices; ++matrix) {
    to.words[lane * Case::matrices + matrix] = words[matrix];
  }
}

__global__ void __launch_bounds__(32) permute(output const __grid_constant__ to) {
  to.words[threadIdx.x] = threadIdx.x % 2 == 0 ? gemm::arch::permute_bytes<0x6420>(0x33221100, 0x77665544)
                                               : gemm::arch::permute_bytes<0x7531>(0x33221100, 0x77665544);
}

}  // namespace

TEMPLATE_TEST_CASE("ldmatrix loads matrices, each row from where a lane says", "[mma][sanitizer]",
                   (load_case<1, false>), (load_case<2, false>), (load_case<4, false>), (load_case<1, true>),
                   (load_case<2, true>), (load_case<4, true>)) {
  constexpr int matrices = TestType::matrices;
  test::device_array<std::uint32_t> const words(32 * matrices);
  test::require_success(
      gemm::detail::launch(load_matrices<TestType>, dim3(1), 32, sizeof(storage), nullptr, output{words.data()}),
      "load_matrices");
  std::vector<std::uint32_t> expected;
  for (int lane = 0; lane < 32; ++lane) {
    for (int matrix = 0; matrix < matrices; ++matrix) {
      auto const element = [&](int row, int column) {
        return static_cast<std::uint32_t>((matrix * rows + row) * columns + column);
      };
      int const along = lane % 4 * 2, across = lane / 4;
      expected.push_back(TestType::transposed ? element(along, across) | element(along + 1, across) << 16
                                              : element(across, along) | element(across, along + 1) << 16);
    }
  }
  CHECK(words.download() == expected);
}

TEST_CASE("bytes of two words are permuted", "[mma]") {
  test::device_array<std::uint32_t> const words(32);
  test::require_success(gemm::detail::launch(permute, dim3(1), 32, 0, nullptr, output{words.data()}), "permute");
  std::vector<std::uint32_t> expected;
  for (int lane = 0; lane < 32; ++lane) {
    expected.push_back(lane % 2 == 0 ? 0x66442200 : 0x77553311);
  }
  CHECK(words.download() == expected);
}
