// SPDX-License-Identifier: BSL-1.0
//! @file
//! Random inputs: the numbers of SplitMix64, in their ranges, alike on the host and on the device.

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

#include <gemm/launch/launch_kernel.cuh>
#include <gemm/random.hpp>

#include "../support/device.hpp"

namespace {

struct request {
  std::uint64_t* bits;
  float* reals;
};

__global__ void __launch_bounds__(64) draw(request const __grid_constant__ x) {
  x.bits[threadIdx.x] = gemm::random_bits(7, threadIdx.x);
  x.reals[threadIdx.x] = gemm::uniform_from<float>(x.bits[threadIdx.x]);
}

}  // namespace

TEST_CASE("random bits are those of SplitMix64", "[random]") {
  CHECK(gemm::random_bits(1234567, 0) == 6457827717110365317u);
  CHECK(gemm::random_bits(1234567, 1) == 3203168211198807973u);
  CHECK(gemm::random_bits(1234567, 4) == 16408922859458223821u);
  gemm::random_numbers numbers(1234567);
  CHECK(numbers.bits() == gemm::random_bits(1234567, 0));
  CHECK(numbers.bits() == gemm::random_bits(1234567, 1));
}

TEST_CASE("random bits become numbers of a range", "[random]") {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  CHECK(gemm::unit_from(0) == 0);
  CHECK(gemm::unit_from(all) == 1 - 0x1p-53);
  CHECK(gemm::uniform_from<float>(0) == -1);
  CHECK(gemm::uniform_from<float>(all) == 1 - 0x1p-23f);
  CHECK(gemm::uniform_from<double>(0) == -1);
  CHECK(gemm::uniform_from<double>(all) == 1 - 0x1p-52);
  CHECK(gemm::integer_from(0, -4, 4) == -4);
  CHECK(gemm::integer_from(8, -4, 4) == 4);
  CHECK(gemm::integer_from(9, -4, 4) == -4);
  CHECK(gemm::integer_from(all, 5, 5) == 5);
}

TEST_CASE("host and device draw the same numbers", "[random]") {
  constexpr int count = 64;
  test::device_array<std::uint64_t> const bits(count);
  test::device_array<float> const reals(count);
  request const x{bits.data(), reals.data()};
  test::require_success(gemm::detail::launch(draw, dim3(1), count, 0, nullptr, x), "draw");
  std::vector<std::uint64_t> const got = bits.download();
  std::vector<float> const got_reals = reals.download();
  for (int i = 0; i < count; ++i) {
    auto const at = static_cast<std::size_t>(i);
    CHECK(got[at] == gemm::random_bits(7, at));
    CHECK(got_reals[at] == gemm::uniform_from<float>(got[at]));
  }
}
