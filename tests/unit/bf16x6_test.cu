// SPDX-License-Identifier: BSL-1.0
//! @file
//! Floats in parts of bf16: what bf16x6 says of its error, on inputs that try it.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "../policies/policies.hpp"
#include "../support/device.hpp"
#include "../support/float_product.hpp"
#include "../support/sm90a.hpp"

namespace {

using gemm::col_major;
using gemm::random_numbers;
using gemm::row_major;
using test::make_float_product;

/// The largest error, in parts of what the documentation of bf16x6 allows.
template <class Policy>
double worst_of(test::float_product const& x) {
  return test::worst_error(x, test::result_of<Policy>(x), 46 + static_cast<double>(x.k) * 0x1p-24, 0x1p-170);
}

/// The sum of a scaled element's parts, less the element.
double lost_by(float element, float greatest) {
  using parts = gemm::bf16_terms;
  int const exponent = gemm::detail::scale_of_greatest(gemm::detail::magnitude_bits(greatest), parts::greatest);
  parts::element part[parts::count];
  parts::split(element, gemm::detail::scale::of(exponent), part);
  double sum = 0;
  for (auto const& x : part) {
    sum += static_cast<double>(gemm::detail::widen(x));
  }
  return std::ldexp(sum, -exponent) - static_cast<double>(element);
}

}  // namespace

TEST_CASE("a float is the sum of its three bf16") {
  random_numbers random(12);
  for (float const greatest : {0x1p-149f, 0x1p-130f, 1.0f, std::numeric_limits<float>::max()}) {
    CAPTURE(greatest);
    CHECK(lost_by(greatest, greatest) == 0);
    for (int power = 0; power < 200; ++power) {
      auto const element = static_cast<float>(std::ldexp(static_cast<double>(greatest) * random.uniform(), -power));
      double const lost = std::abs(lost_by(element, greatest));
      CHECK(lost <= std::ldexp(static_cast<double>(greatest), -180));
      CHECK((power > 155 || lost == 0));
    }
  }
}

TEST_CASE("bf16x6 keeps to its bound", "[sanitizer]") {
  test::need_sm90a();
  random_numbers random(6);
  auto const any = [&](auto...) { return random.uniform(); };
  auto const positive = [&](auto...) { return std::abs(random.uniform()); };
  for (std::int64_t const k : {1, 64, 200}) {
    CAPTURE(k);
    test::for_each_grading_product(random, k, {.elements = 60, .lines = 60, .k = 60}, [](test::float_product const& x) {
      CHECK(worst_of<test::bf16x6_64x64x64_4>(x) <= 1);
    });
  }
  CHECK(worst_of<test::bf16x6_64x64x64_4>(make_float_product(3, 5, 9000, positive, positive)) <= 1);
  CHECK(worst_of<gemm::bf16x6_128x128x64_2x1>(make_float_product(130, 140, 130, any, positive)) <= 1);
  CHECK(worst_of<gemm::bf16x6_128x128x64_2x1>(make_float_product(130, 140, 130, positive, any)) <= 1);
}

TEST_CASE("operands of bf16x6 can be prepacked") {
  test::need_sm90a();
  using policy = test::bf16x6_64x64x64_4;
  random_numbers random(8);
  auto const any = [&](auto...) { return random.uniform(); };
  test::float_product const x = make_float_product(19, 17, 70, any, any);
  test::device_array<float> const a(x.a), b(x.b), c(static_cast<std::size_t>(x.m * x.n));
  auto const view = col_major(b.data(), x.k, x.n);
  std::size_t const bytes = gemm::prepacked_size(gemm::prepacked_b<policy>(view));
  CHECK(bytes >= static_cast<std::size_t>(x.n * 128 * 6));
  test::device_array<unsigned char> const memory(bytes);
  auto const parts = gemm::prepacked_b<policy>(view, {memory.data(), bytes});
  REQUIRE(gemm::prepack(parts));
  REQUIRE(gemm::run<policy>(row_major(a.data(), x.m, x.k), parts, row_major(c.data(), x.m, x.n)));
  CHECK(c.download() == test::result_of<policy>(x));
}

TEST_CASE("bf16x6 says what workspace it needs") {
  test::need_sm90a();
  float element = 0, result = 0;  // which are not read
  CHECK(gemm::workspace_size<gemm::bf16x6_128x128x64_2x1>(row_major(&element, 256, 65), col_major(&element, 65, 512),
                                                          row_major(&result, 256, 512)) ==
        (256 + 512) * (128 * 6 + 8) + 128);
}
