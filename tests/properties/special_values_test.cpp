// SPDX-License-Identifier: BSL-1.0
//! @file
//! What BLAS says of sizes and scalars of zero, and where NaN, infinities, denormals and powers of two end up.

#include <catch2/catch_template_test_macros.hpp>
#include <cmath>
#include <limits>

#include "../support/device.hpp"
#include "../support/for_each_subject.hpp"
#include "../support/product.hpp"

namespace {

using test::for_each_subject;
using test::operands;
using test::product;
using test::subject;

template <class T>
constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();
template <class T>
constexpr T infinite = std::numeric_limits<T>::infinity();

template <class T>
product small(subject<T> const& s) {
  return {.m = s.block_m + 1, .n = s.block_n + 1, .k = 2 * s.block_k + 1, .data = test::data_kind::uniform};
}

}  // namespace

TEMPLATE_TEST_CASE("sizes of zero", "[special][sanitizer]", float, double) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    // m or n of 0: nothing is done. k of 0: C = beta C, also where beta is 0 and C is NaN.
    for (double const beta : {0.0, 1.0, -0.7}) {
      CHECK(test::check_product(s, {.m = 0, .n = 5, .k = 3, .beta = beta}) == "");
      CHECK(test::check_product(s, {.m = 5, .n = 0, .k = 3, .beta = beta}) == "");
      CHECK(test::check_product(s, {.m = 5, .n = 7, .k = 0, .beta = beta}) == "");
      CHECK(test::check_product(s, {.m = s.block_m + 1, .n = 3, .k = 0, .beta = beta}) == "");
      CHECK(test::check_product(s, {.m = 0, .n = 0, .k = 0, .beta = beta}) == "");
      CHECK(test::check_product(s, {.m = 0, .n = 5, .k = 3, .beta = beta, .batch = test::batch_kind::strided}) == "");
    }
  });
}

TEMPLATE_TEST_CASE("operands may be null where they are not read", "[special]", float, double) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    test::device_array<TestType> const c(std::vector<TestType>(6, TestType(2)));
    test::call<TestType> x{.a = {.data = nullptr, .rows = 2, .columns = 4, .ld = 4, .layout = gemm::order::row},
                           .b = {.data = nullptr, .rows = 4, .columns = 3, .ld = 3, .layout = gemm::order::row},
                           .c = {.data = c.data(), .rows = 2, .columns = 3, .ld = 3, .layout = gemm::order::row}};
    x.alpha = 0;
    x.beta = 3;
    CHECK(s.run(x));
    CHECK(c.download() == std::vector<TestType>(6, TestType(6)));
    x.alpha = 1;
    CHECK_FALSE(s.run(x));
    x.a.columns = x.b.rows = 0;
    CHECK(s.run(x));
    CHECK(c.download() == std::vector<TestType>(6, TestType(18)));
    x.c.rows = x.a.rows = 0;
    x.c.data = nullptr;
    CHECK(s.run(x));
  });
}

TEMPLATE_TEST_CASE("alpha = 0 hides NaN in A and B, beta = 0 hides NaN in C", "[special]", float, double) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    product p = small(s);
    p.alpha = 0;
    p.beta = 1;
    operands<TestType> on(p);
    on.a.fill([](auto...) { return not_a_number<TestType>; });
    on.b.fill([](auto...) { return infinite<TestType>; });
    CHECK(test::same_bits(test::compute(s, p, on).memory(), on.c.memory()));

    p.alpha = 1;
    p.beta = 0;
    operands<TestType> other(p);  // C is NaN
    auto const result = test::compute(s, p, other);
    std::int64_t unordered = 0;
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) {
        unordered += std::isnan(result.at(0, i, j));
      }
    }
    CHECK(unordered == 0);
  });
}

TEMPLATE_TEST_CASE("NaN and infinities reach exactly their row and column", "[special]", float, double) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    product const p = small(s);
    operands<TestType> on(p);
    // The places are at tile edges and in the last, partial tile along k.
    std::int64_t const nan_row = s.block_m - 1, infinite_row = s.block_m, nan_column = s.block_n, infinite_column = 0;
    on.a.at(0, nan_row, p.k - 1) = not_a_number<TestType>;
    on.a.at(0, infinite_row, 0) = infinite<TestType>;
    on.b.at(0, s.block_k, nan_column) = not_a_number<TestType>;
    on.b.at(0, p.k - 1, infinite_column) = -infinite<TestType>;
    std::vector<TestType> c = on.c.memory();
    TestType const *const a = on.a.memory().data(), *const b = on.b.memory().data();
    auto const want =
        test::reference_of(test::call<TestType>{.a = on.a.view(a), .b = on.b.view(b), .c = on.c.view(c.data())});
    auto const got = test::compute(s, p, on);
    CHECK(test::compare(got, want, p.k, false).report == "");
    std::int64_t misplaced = 0;
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) {
        bool const affected = i == nan_row || i == infinite_row || j == nan_column || j == infinite_column;
        misplaced += std::isfinite(got.at(0, i, j)) == affected;
      }
    }
    CHECK(misplaced == 0);
  });
}

TEMPLATE_TEST_CASE("scaling lines by powers of two scales the result exactly", "[special]", float, double) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    product const p = small(s);
    operands<TestType> on(p);
    auto const plain = test::compute(s, p, on);
    auto const row_power = [](std::int64_t row) { return static_cast<int>(row * 5 % 41) - 20; };
    auto const column_power = [](std::int64_t column) { return static_cast<int>(column * 7 % 31) - 15; };
    on.a.fill([&](std::int64_t batch, std::int64_t row, std::int64_t l) {
      return std::ldexp(on.a.at(batch, row, l), row_power(row));
    });
    on.b.fill([&](std::int64_t batch, std::int64_t l, std::int64_t column) {
      return std::ldexp(on.b.at(batch, l, column), column_power(column));
    });
    auto const scaled = test::compute(s, p, on);
    std::int64_t different = 0;
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) {
        different += scaled.at(0, i, j) != std::ldexp(plain.at(0, i, j), row_power(i) + column_power(j));
      }
    }
    CHECK(different == 0);
  });
}

TEMPLATE_TEST_CASE("denormals are kept", "[special]", float, double) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    product p = small(s);
    operands<TestType> on(p);
    TestType const tiny = std::numeric_limits<TestType>::denorm_min();
    on.a.fill([&](std::int64_t, std::int64_t row, std::int64_t l) {
      return l == 0 ? tiny * TestType(row % 7) : TestType(0);
    });
    on.b.fill([](std::int64_t, std::int64_t, std::int64_t column) { return TestType(column % 5); });
    auto const got = test::compute(s, p, on);
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) {
        wrong += got.at(0, i, j) != tiny * TestType(i % 7 * (j % 5));
      }
    }
    CHECK(wrong == 0);
  });
}

TEMPLATE_TEST_CASE("sums beyond the largest number are infinite", "[special]", float, double) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    product p = small(s);
    operands<TestType> on(p);
    TestType const large = std::sqrt(std::numeric_limits<TestType>::max());
    on.a.fill([&](std::int64_t, std::int64_t row, std::int64_t) { return row % 2 == 0 ? large : -large; });
    on.b.fill([&](std::int64_t, std::int64_t, std::int64_t) { return large; });
    auto const got = test::compute(s, p, on);
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) {
        wrong += got.at(0, i, j) != (i % 2 == 0 ? infinite<TestType> : -infinite<TestType>);
      }
    }
    CHECK(wrong == 0);
  });
}
