// SPDX-License-Identifier: BSL-1.0
//! @file
//! The checker is tested with broken kernels and broken results: a test that cannot fail proves nothing.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <stdexcept>
#include <vector>

#include "../support/product.hpp"
#include "../support/run_policy.hpp"
#include "../support/tier.hpp"
#include "broken.cuh"

namespace {

using test::defect;
using test::product;

template <defect Planted, class Types>
test::subject<Types> broken_subject() {
  return {.name = "broken",
          .block_m = 8,
          .block_n = 8,
          .block_k = 8,
          .threads = 64,
          .stages = 1,
          .splits_floats = false,
          .run = [](test::call<Types> const& x) {
            return test::run_with_orders<test::broken<Planted>, Types, gemm::order::row, gemm::order::row,
                                         gemm::order::row>(x);
          }};
}

/// How many of a few ordinary products the checker takes exception to.
template <defect Planted, class Types>
int caught() {
  test::placement const padded{.padding = 3};
  int count = 0;
  for (test::data_kind const data : {test::data_kind::integers, test::data_kind::uniform, test::data_kind::wide}) {
    for (std::int64_t const size : {7, 16, 17}) {
      for (double const beta : {0.0, 1.0}) {
        product const p{
            .m = size, .n = size + 1, .k = size + 2, .a = padded, .b = padded, .c = padded, .beta = beta, .data = data};
        try {
          count += test::check_product(broken_subject<Planted, Types>(), p) != "";
        } catch (std::runtime_error const&) {  // an operand was written
          ++count;
        }
      }
    }
  }
  return count;
}

constexpr int products = 18;

}  // namespace

TEMPLATE_TEST_CASE("the checker notices every planted defect", "[checker]", GEMM_TEST_WIDE_TYPES,
                   GEMM_TEST_NARROW_TYPES) {
  CHECK(caught<defect::none, TestType>() == 0);
  CHECK(caught<defect::last_k_tile, TestType>() >= products / 2);
  CHECK(caught<defect::one_store, TestType>() >= products / 2);
  CHECK(caught<defect::swapped_rows, TestType>() == products);
  CHECK(caught<defect::write_past_row, TestType>() == products);
  if constexpr (!TestType::integral) {  // 0 times an integer is 0, whatever was read
    CHECK(caught<defect::beta, TestType>() == products / 2);
    CHECK(caught<defect::read_past_row, TestType>() > 0);
  }
  if constexpr (!test::under_thread_sanitizer) {  // these two are races, which it reports by itself
    CHECK(caught<defect::write_operand, TestType>() == products);
    CHECK(caught<defect::barrier, TestType>() > 0);
  }
}

TEST_CASE("a comparison fails for NaN, infinities and errors over the bound", "[checker]") {
  test::host_matrix<float> got(1, 4, 1, {});
  std::vector<gemm::expected<float>> want(4, {1.0, 1.0});
  auto const wrong = [&](float value, bool exact = false) {
    got.fill([&](auto...) { return value; });
    return test::compare(got, want, 10, exact).wrong;
  };
  auto const bound = static_cast<float>(gemm::error_bound(want[0], 10));
  CHECK(wrong(1) == 0);
  CHECK(wrong(1 + 0.9f * bound) == 0);
  CHECK(wrong(1 + 1.5f * bound) == 4);
  CHECK(wrong(1 - 1.5f * bound) == 4);
  CHECK(wrong(std::numeric_limits<float>::quiet_NaN()) == 4);
  CHECK(wrong(std::numeric_limits<float>::infinity()) == 4);
  CHECK(wrong(-std::numeric_limits<float>::infinity()) == 4);
  CHECK(wrong(1, true) == 0);
  CHECK(wrong(std::nextafter(1.0f, 2.0f), true) == 4);

  want.assign(4, {std::numeric_limits<double>::quiet_NaN(), 1.0});
  CHECK(wrong(1) == 4);
  CHECK(wrong(std::numeric_limits<float>::quiet_NaN()) == 0);
  want.assign(4, {std::numeric_limits<double>::infinity(), 1.0});
  CHECK(wrong(std::numeric_limits<float>::infinity()) == 0);
  CHECK(wrong(std::numeric_limits<float>::max()) == 4);
  want.assign(4, {-1e60, 1e60});  // overflows float
  CHECK(wrong(-std::numeric_limits<float>::infinity()) == 0);
  CHECK(wrong(std::numeric_limits<float>::infinity()) == 4);
  CHECK(wrong(-1e30f) == 4);
}

TEST_CASE("the bound is tight enough for one wrong digit and wide enough for any order of summation", "[checker]") {
  // 1 + 3 u of a sum of k ones is outside for small k; k u is inside.
  gemm::expected<float> const e{100, 100};
  double const u = std::numeric_limits<float>::epsilon() / 2;
  CHECK(gemm::error_bound(e, 100) >= 100 * u * 100);
  CHECK(gemm::error_bound(e, 100) <= 106 * u * 100);
  CHECK(gemm::likely_error(e, 100) < gemm::error_bound(e, 100) / 5);
}

TEST_CASE("writing outside the matrix is noticed at every place", "[checker]") {
  for (gemm::order const layout : {gemm::order::row, gemm::order::column}) {
    test::host_matrix<float> const m(3, 4, 2, {.layout = layout, .padding = 2, .misalignment = 1});
    CHECK(m.trespass(m.memory()) == "");
    std::size_t noticed = 0;
    for (std::size_t i = 0; i < m.memory().size(); ++i) {
      auto changed = m.memory();
      changed[i] = 5;
      noticed += m.trespass(changed) != "";
    }
    CHECK(noticed == m.memory().size() - 2 * 3 * 4);
  }
}
