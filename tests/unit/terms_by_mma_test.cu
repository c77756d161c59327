// SPDX-License-Identifier: BSL-1.0
//! @file
//! Terms of floats multiplied by mma.sync: fp16x3_mma and bf16x6_mma keep to their error bounds, with a fallback for
//! all A and B.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "../support/device.hpp"
#include "../support/float_product.hpp"

namespace {

using gemm::random_numbers;
using test::make_float_product;

using bf16x6 = gemm::bf16x6_mma<gemm::block<64, 64, 64>, gemm::stages<3>>;
using large_bf16x6 = gemm::bf16x6_mma_128x128x64;
using fp16x3 = gemm::fp16x3_mma<gemm::block<64, 128, 64>, gemm::stages<2>>;

/// The largest error, in parts of what the documentation of bf16x6_mma allows.
template <class Policy>
double worst_of(test::float_product const& x) {
  return test::worst_error(x, test::result_of<Policy>(x), 104 + static_cast<double>(x.k) * 0x1p-19, 0x1p-170);
}

}  // namespace

TEST_CASE("bf16x6 by mma.sync keeps to its bound", "[terms_by_mma]") {
  random_numbers random(6);
  auto const any = [&](auto...) { return random.uniform(); };
  auto const positive = [&](auto...) { return std::abs(random.uniform()); };
  for (std::int64_t const k : {1, 64, 200}) {
    CAPTURE(k);
    test::for_each_grading_product(random, k, {.elements = 60, .lines = 60, .k = 60},
                                   [](test::float_product const& x) { CHECK(worst_of<bf16x6>(x) <= 1); });
  }
  CHECK(worst_of<bf16x6>(make_float_product(3, 5, 9000, positive, positive)) <= 1);
  CHECK(worst_of<large_bf16x6>(make_float_product(130, 140, 130, any, positive)) <= 1);
}

TEST_CASE("bf16x6 by mma.sync with a fallback keeps to float's bound", "[terms_by_mma]") {
  using policy = gemm::with_fallback<bf16x6>;
  random_numbers random(8);
  auto const any = [&](auto...) { return random.uniform(); };
  auto const near = make_float_product(70, 150, 200, any, any);
  CHECK(test::result_of<policy>(near) == test::result_of<bf16x6>(near));
  auto const diagonal = [](std::int64_t line, std::int64_t l) { return line == l ? 3 : 0; };
  auto const far = [](std::int64_t line, std::int64_t l) {
    return line == 5 && l == 5 ? 1.2345678F * 0x1p-110F : 0x1p60F;
  };
  auto const x = make_float_product(19, 70, 130, diagonal, far);
  CHECK(test::worst_error(x, test::result_of<policy>(x), 134, 0) <= 1);
  CHECK(test::worst_error(x, test::result_of<bf16x6>(x), 134, 0) > 1);  // an element is lost
  auto const infinite = [&](std::int64_t line, std::int64_t l) {
    return line == 3 && l == 4 ? std::numeric_limits<double>::infinity() : std::abs(random.uniform()) + 1;
  };
  auto const got = test::result_of<policy>(make_float_product(5, 7, 65, infinite, infinite));
  for (std::size_t i = 0; i < got.size(); ++i) {
    CHECK(std::isinf(got[i]) == (i / 7 == 3 || i % 7 == 3));
  }
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("bf16x6 by mma.sync needs no sm_90", "[terms_by_mma]") {
  cpu_device::scoped_options with;
  with->device.compute_capability_major = 8;
  with->device.shared_memory_per_block_optin = 99 * 1024;  // of an RTX 3090
  random_numbers random(5);
  auto const any = [&](auto...) { return random.uniform(); };
  auto const x = make_float_product(70, 130, 100, any, any);
  auto const expected = test::result_of<large_bf16x6>(x);
  CHECK(test::worst_error(x, expected, 104, 0x1p-170) <= 1);
  using policy = gemm::with_fallback<large_bf16x6>;
  CHECK(test::result_of<policy>(x) == expected);
  auto const big = [](std::int64_t line, std::int64_t l) { return line == 3 && l == 4 ? 3e38F : 1e-20F; };
  auto const refused = make_float_product(70, 130, 1000, any, big);
  CHECK(test::worst_error(refused, test::result_of<policy>(refused), 1004, 0) <= 1);
  // Neither operand k-major: no pass in clusters.
  std::vector<float> a(x.a.size()), b(x.b.size());
  for (std::int64_t l = 0; l < x.k; ++l) {
    for (std::int64_t i = 0; i < x.m; ++i) {
      a[static_cast<std::size_t>(l * x.m + i)] = x.a[static_cast<std::size_t>(i * x.k + l)];
    }
    for (std::int64_t j = 0; j < x.n; ++j) {
      b[static_cast<std::size_t>(l * x.n + j)] = x.b[static_cast<std::size_t>(j * x.k + l)];
    }
  }
  test::device_array<float> const device_a(a), device_b(b), c(static_cast<std::size_t>(x.m * x.n));
  REQUIRE(gemm::run<large_bf16x6>(gemm::col_major(device_a.data(), x.m, x.k),
                                  gemm::row_major(device_b.data(), x.k, x.n), gemm::row_major(c.data(), x.m, x.n)));
  CHECK(c.download() == expected);
}
#endif

TEST_CASE("fp16x3 by mma.sync keeps to its bound", "[terms_by_mma]") {
  random_numbers random(7);
  auto const any = [&](auto...) { return random.uniform(); };
  for (std::int64_t const k : {1, 63, 200}) {
    CAPTURE(k);
    auto const x = make_float_product(70, 150, k, any, any);
    CHECK(test::worst_error(x, test::result_of<fp16x3>(x), 108 + static_cast<double>(x.k) * 0x1p-19, 0x1p-39) <= 1);
  }
}
