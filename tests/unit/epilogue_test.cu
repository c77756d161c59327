// SPDX-License-Identifier: BSL-1.0
//! @file
//! Epilogues by themselves, and forms of them that the list of policies does not use.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"

namespace {

using gemm::batched;
using gemm::col_major;
using gemm::row_major;
using policy = gemm::coalesced<gemm::block<4, 8>>;

struct add_place {
  __host__ __device__ float operator()(float value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return value + static_cast<float>(100 * batch + 10 * row + column);
  }
};

struct negate {
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return -value;
  }
};

}  // namespace

TEST_CASE("relu keeps NaN and positive infinity", "[epilogue]") {
  gemm::relu const relu;
  CHECK(relu(3.0f, 0, 0) == 3.0f);
  CHECK(relu(-3.0f, 0, 0) == 0.0f);
  CHECK(relu(std::numeric_limits<float>::infinity(), 0, 0) == std::numeric_limits<float>::infinity());
  CHECK(relu(-std::numeric_limits<float>::infinity(), 0, 0) == 0.0f);
  CHECK(std::isnan(relu(std::numeric_limits<float>::quiet_NaN(), 0, 0)));
}

TEST_CASE("epilogues are applied from left to right", "[epilogue]") {
  float const values[] = {10, 20};
  auto const biased = gemm::bias(values) | negate{} | gemm::relu{};
  CHECK(gemm::detail::apply(biased, 1.0f, 0, 1, 0) == 0.0f);
  CHECK(gemm::detail::apply(biased, -25.0f, 0, 1, 0) == 5.0f);
  auto const user_first = negate{} | gemm::relu{} | gemm::row_bias(values);
  CHECK(gemm::detail::apply(user_first, -3.0f, 1, 0, 0) == 23.0f);
  CHECK(gemm::detail::apply(gemm::relu{} | (negate{} | gemm::bias(values)), 3.0f, 0, 0, 0) == 7.0f);
}

TEST_CASE("an epilogue sees the caller's row, column and batch", "[epilogue][sanitizer]") {
  // 2 products of 3 x 5, of zeros: what is stored is the epilogue's own.
  test::device_array<float> const zeros(std::vector<float>(100, 0)), c(std::vector<float>(30, -1));
  auto const a = row_major(zeros.data(), 3, 2);
  auto const b = row_major(zeros.data(), 2, 5);
  REQUIRE(gemm::run<policy>(a, b, batched(row_major(c.data(), 3, 5), 2), {}, add_place{}));
  auto const by_rows = c.download();
  REQUIRE(gemm::run<policy>(a, b, batched(col_major(c.data(), 3, 5), 2), {}, gemm::relu{} | add_place{}));
  auto const by_columns = c.download();
  for (std::size_t batch = 0; batch < 2; ++batch) {
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 5; ++column) {
        auto const want = static_cast<float>(100 * batch + 10 * row + column);
        CHECK(by_rows[batch * 15 + row * 5 + column] == want);
        CHECK(by_columns[batch * 15 + column * 3 + row] == want);
      }
    }
  }
}

TEST_CASE("a row bias goes along the caller's rows, whatever the order of C", "[epilogue]") {
  test::device_array<float> const zeros(std::vector<float>(100, 0)), c(std::vector<float>(15, -1)),
      values(std::vector<float>{1, 2, 3});
  auto const a = row_major(zeros.data(), 3, 2);
  auto const b = row_major(zeros.data(), 2, 5);
  REQUIRE(gemm::run<policy>(a, b, row_major(c.data(), 3, 5), {}, gemm::row_bias(values.data(), 3)));
  CHECK(c.download() == std::vector<float>{1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3});
  REQUIRE(gemm::run<policy>(a, b, col_major(c.data(), 3, 5), {}, gemm::row_bias(values.data(), 3)));
  CHECK(c.download() == std::vector<float>{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3});
}
