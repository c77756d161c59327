// SPDX-License-Identifier: BSL-1.0
//! @file
//! Floats in parts of halves: what fp16x3 says of its error, on inputs that try it.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "../policies/policies.hpp"
#include "../support/float_product.hpp"
#include "../support/sm90a.hpp"

namespace {

using gemm::col_major;
using gemm::random_numbers;
using gemm::row_major;
using test::make_float_product;

struct wide_64x64x64_2 : gemm::fp16x3<gemm::block<64, 64, 64>, gemm::stages<2>, gemm::cluster<1>, gemm::low_scale<11>> {
};

struct compensated_64x64x64_3 : test::fp16x3_64x64x64_3 {
  static constexpr bool compensated = true;
};
struct compensated_wide_64x64x64_2 : wide_64x64x64_2 {
  static constexpr bool compensated = true;
};

/// The largest error, in parts of what the documentation of fp16x3 allows.
template <class Policy>
double worst_of(test::float_product const& x) {
  auto const k = static_cast<double>(x.k);
  if constexpr (Policy::info.sliced) {
    return test::worst_error(x, test::result_of<Policy>(x), 27 + k * 0x1p-24, 0x1p-39);
  }
  double const of_additions = Policy::compensated ? std::min(k / 64, 3 + k * 0x1p-24) : k / 64;
  return test::worst_error(x, test::result_of<Policy>(x), of_additions + 48, Policy::scales_low ? 0x1p-49 : 0x1p-39);
}

}  // namespace

TEST_CASE("a float becomes two halves of its line's scale") {
  using gemm::detail::has_infinity;
  using gemm::detail::has_nan;
  auto const exponent = [](float greatest) {
    return gemm::detail::scale_of_greatest(gemm::detail::magnitude_bits(greatest), 14);
  };
  CHECK(exponent(1) == 14);
  CHECK(exponent(-1.999f) == 14);
  CHECK(exponent(2) == 13);
  CHECK(exponent(0) == 0);
  CHECK(exponent(std::numeric_limits<float>::max()) == -113);
  CHECK(exponent(0x1p-126f) == 140);
  CHECK(exponent(0x1.8p-127f) == 141);
  CHECK(exponent(0x1p-149f) == 163);
  CHECK(exponent(std::numeric_limits<float>::infinity()) == has_infinity);
  CHECK(exponent(-std::numeric_limits<float>::quiet_NaN()) == has_nan);

  random_numbers random(11);
  for (int power = 0; power < 45; ++power) {
    for (float const greatest : {0x1p-148f, 0x1p-100f, 1.0f, 3e38f}) {
      double const x = std::ldexp(static_cast<double>(greatest) * random.uniform(), -power);
      auto const element = static_cast<float>(x);
      int const scale = exponent(greatest);
      for (int const low : {0, 11}) {
        gemm::detail::fp16_terms const parts =
            gemm::detail::terms_of(element, gemm::detail::scale::of(scale), static_cast<float>(1 << low));
        double const sum = std::ldexp(static_cast<double>(__half2float(parts.low)), -low) +
                           static_cast<double>(__half2float(parts.high));
        double const lost = std::abs(std::ldexp(sum, -scale) - static_cast<double>(element));
        CHECK(lost <= std::max(0x1p-23 * std::abs(element), std::ldexp(static_cast<double>(greatest), -39 - low)));
      }
    }
  }
}

TEST_CASE("fp16x3 keeps to its bound", "[sanitizer]") {
  test::need_sm90a();
  random_numbers random(5);
  auto const any = [&](auto...) { return random.uniform(); };
  auto const positive = [&](auto...) { return std::abs(random.uniform()); };
  auto const wide = [&](auto...) { return std::ldexp(random.uniform(), static_cast<int>(random.integer(-20, 20))); };
  for (std::int64_t const k : {1, 64, 200}) {
    CAPTURE(k);
    test::for_each_grading_product(random, k, {.elements = 20, .lines = 40, .k = 24}, [](test::float_product const& x) {
      CHECK(worst_of<test::fp16x3_64x64x64_3>(x) <= 1);
      CHECK(worst_of<wide_64x64x64_2>(x) <= 1);
      CHECK(worst_of<compensated_64x64x64_3>(x) <= 1);
      CHECK(worst_of<test::fp16x3_sliced_64x64x64_3>(x) <= 1);
      CHECK(worst_of<compensated_wide_64x64x64_2>(x) <= 1);
    });
  }
  // Where a warp has one line, or several share it, with wide accesses and without, or read it twice, and tensor cores
  // alone would be off by about k / 16 units in the last place.
  for (std::int64_t const k : {300, 301, 1100, 1101, 2100, 2101, 4100, 4101, 9000}) {
    CAPTURE(k);
    CHECK(worst_of<test::fp16x3_64x64x64_3>(make_float_product(3, 5, k, positive, positive)) <= 1);
  }
  // Without compensation the additions of so many chunks lose more than tensor cores do in one.
  test::float_product const long_sums = make_float_product(19, 17, 9000, positive, positive);
  auto const units = [&]<class Policy>(Policy) {
    return test::worst_error(long_sums, test::result_of<Policy>(long_sums), 1, 0);
  };
  CHECK(units(compensated_64x64x64_3{}) < 6);
  CHECK(units(test::fp16x3_64x64x64_3{}) > 7);
  CHECK(units(test::fp16x3_sliced_64x64x64_3{}) < 3);
  // Larger tiles, in clusters, with some of C missing.
  CHECK(worst_of<gemm::fp16x3_128x192x64_2x1>(make_float_product(130, 200, 70, any, positive)) <= 1);
  CHECK(worst_of<gemm::fp16x3_128x128x64_2x1>(make_float_product(130, 140, 130, positive, any)) <= 1);
  CHECK(worst_of<gemm::fp16x3_wide_128x128x64_2x1>(make_float_product(130, 140, 130, wide, any)) <= 1);
}

namespace {

template <class... Policies>
void check_named(test::policy_pack<Policies...>, test::float_product const& x) {
  double const of_sums = static_cast<double>(x.k) / 64 + 48;  // of fp16x3, which promises least
  auto const check = [&]<class Policy>(Policy) {
    CAPTURE(std::string(gemm::name<Policy>()));
    CHECK(test::worst_error(x, test::result_of<Policy>(x), of_sums, 0x1p-39) <= 1);
  };
  (check(Policies{}), ...);
}

}  // namespace

TEST_CASE("all named policies of parts multiply, with some of C missing") {
  test::need_sm90a();
  random_numbers random(9);
  auto const any = [&](auto...) { return random.uniform(); };
  check_named(test::fp16x3_policies{}, make_float_product(130, 200, 130, any, any));
}

TEST_CASE("equilibrated terms lose nothing where k differ in scale", "[sanitizer]") {
  test::need_sm90a();
  using equilibrated = test::equilibrated_64x64x64_2;
  random_numbers random(17);
  auto const any = [&](auto...) { return random.uniform(); };
  // Column l of A times what row l of B is divided by, rows and columns of any scale, and some of zeros.
  auto const by_k = [&](int sign, int range, bool scaled) {
    return [&, sign, range, scaled](std::int64_t line, std::int64_t l) {
      int const of_line = scaled ? static_cast<int>(line * 37 % 41) - 20 : 0;
      int const power = sign * (static_cast<int>(l * 11 % (2 * range + 1)) - range);
      return (l % 13 == 5 && sign > 0) || line == 7 ? 0 : std::ldexp(random.uniform(), power + of_line);
    };
  };
  // In parts of the bound without what tiny elements lose.
  auto const worst = [&]<class Policy>(Policy, test::float_product const& x) {
    return test::worst_error(x, test::result_of<Policy>(x), static_cast<double>(x.k) / 64 + 48, 0);
  };
  for (std::int64_t const k : {1, 64, 200}) {
    for (int const range : {12, 50}) {
      CAPTURE(k, range);
      CHECK(worst(equilibrated{}, make_float_product(19, 17, k, by_k(1, range, false), by_k(-1, range, false))) <= 1);
      CHECK(worst(equilibrated{}, make_float_product(70, 90, k, by_k(1, range, true), by_k(-1, range, true))) <= 1);
    }
  }
  test::float_product const one = make_float_product(19, 17, 200, by_k(1, 50, false), by_k(-1, 50, false));
  CHECK(worst(test::fp16x3_64x64x64_3{}, one) > 1000);  // what it is for
  CHECK(worst(equilibrated{}, make_float_product(19, 17, 200, any, any)) <= 1);
}

TEST_CASE("fp16x3 says what workspace it needs") {
  test::need_sm90a();
  float element = 0, result = 0;  // which are not read
  auto const bytes = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    return gemm::workspace_size<gemm::fp16x3_128x192x64_2x1>(row_major(&element, m, k), col_major(&element, k, n),
                                                             row_major(&result, m, n));
  };
  CHECK(bytes(100, 200, 0) == 0);
  CHECK(bytes(256, 512, 64) == (256 + 512) * (64 * 4 + 8) + 128);
  CHECK(bytes(256, 512, 65) == (256 + 512) * (128 * 4 + 8) + 128);
  CHECK(gemm::workspace_size<test::equilibrated_64x64x64_2>(row_major(&element, 256, 65), col_major(&element, 65, 512),
                                                            row_major(&result, 256, 512)) ==
        (256 + 512) * (128 * 4 + 8) + 128 + 8 * (256 + 512 + 128));
}
