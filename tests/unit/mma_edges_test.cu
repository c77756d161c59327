// SPDX-License-Identifier: BSL-1.0
//! @file
//! sm80_mma where mn-major operands end inside a tile but with a whole piece of 16 bytes: nothing behind them is read,
//! and what a ring had there before brings nothing to C.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/launch/compiled_code.cuh>

#include "../support/device.hpp"

namespace {

using gemm::block;
using gemm::stages;
using gemm::warp;

struct of_half : gemm::sm80_mma<block<64, 64, 32>, warp<32, 32>, stages<2>> {
  using element = __half;
  using output = float;
};
struct of_tf32 : gemm::sm80_mma<block<64, 64, 16>, warp<32, 32>, stages<3>, gemm::tf32> {
  using element = float;
  using output = float;
};
struct of_int8 : gemm::sm80_mma<block<64, 64, 64>, warp<32, 32>, stages<2>, std::int8_t> {
  using element = std::int8_t;
  using output = std::int32_t;
};
struct of_double : gemm::sm80_mma<block<64, 32, 16>, warp<16, 32>, stages<3>, double> {
  using element = double;
  using output = double;
};

void need_instruction() {
  int major = 0;
  REQUIRE(gemm::detail::device_attribute(major, cudaDevAttrComputeCapabilityMajor));
  if (major < 8 || gemm::detail::code_of_device() == gemm::detail::device_code::old) {
    SKIP("needs mma.sync");
  }
}

/// Small integers, `depth` rows of `extent`, each followed by NaN up to the pitch (int8: its greatest).
template <class T>
std::vector<T> padded_rows(int extent, int depth, int pitch, int seed) {
  T behind;
  if constexpr (std::is_integral_v<T>) {
    behind = std::numeric_limits<T>::max();
  } else {
    behind = T(std::numeric_limits<float>::quiet_NaN());
  }
  std::vector<T> rows(static_cast<std::size_t>(pitch * (depth - 1) + extent), behind);
  for (int l = 0; l < depth; ++l) {
    for (int i = 0; i < extent; ++i) {
      rows[static_cast<std::size_t>(l * pitch + i)] = static_cast<T>(static_cast<float>((i * 5 + l * seed) % 13 - 6));
    }
  }
  return rows;
}

}  // namespace

TEMPLATE_TEST_CASE("mn-major operands of mma.sync may end with any piece of a tile", "[mma]", of_half, of_tf32, of_int8,
                   of_double) {
  need_instruction();
  using element = typename TestType::element;
  using output = typename TestType::output;
  constexpr int piece = 16 / static_cast<int>(sizeof(element)), pitch = 160, k = 8 * TestType::block_k;
  for (int const left : {piece, 3 * piece}) {  // of the last tile
    int const m = TestType::block_m + left, n = 2 * TestType::block_n - left;
    CAPTURE(m, n);
    auto const a = padded_rows<element>(m, k, pitch, 7), b = padded_rows<element>(n, k, pitch, 3);
    test::device_array<element> const device_a(a), device_b(b);
    test::device_array<output> const c(std::vector<output>(static_cast<std::size_t>(m * n), output(1000)));
    REQUIRE(gemm::run<TestType>(gemm::col_major(device_a.data(), m, k, pitch),
                                gemm::row_major(device_b.data(), k, n, pitch), gemm::row_major(c.data(), m, n)));
    std::vector<output> const found = c.download();
    int wrong = 0;
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        output expected = 0;
        for (int l = 0; l < k; ++l) {
          expected += static_cast<output>(static_cast<float>(a[static_cast<std::size_t>(l * pitch + i)])) *
                      static_cast<output>(static_cast<float>(b[static_cast<std::size_t>(l * pitch + j)]));
        }
        wrong += found[static_cast<std::size_t>(i * n + j)] == expected ? 0 : 1;
      }
    }
    CHECK(wrong == 0);
  }
}
