// SPDX-License-Identifier: BSL-1.0
//! @file
//! What BLAS says of sizes and scalars of zero, and where NaN, infinities, denormals and powers of two end up.

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "../support/device.hpp"
#include "../support/for_each_subject.hpp"
#include "../support/product.hpp"
#include "../support/tier.hpp"

namespace {

using test::for_each_subject;
using test::operands;
using test::product;
using test::subject;

template <class Types>
product small(subject<Types> const& s) {
  return {.m = s.block_m + 1, .n = s.block_n + 1, .k = 2 * s.block_k + 1, .data = test::data_kind::uniform};
}

/// How many elements of C differ bit for bit from want(row, column).
template <class T, class Want>
std::int64_t differences(test::host_matrix<T> const& got, Want want) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < got.rows(); ++i) {
    for (std::int64_t j = 0; j < got.columns(); ++j) {
      T const wanted = want(i, j);
      count += std::memcmp(&got.at(0, i, j), &wanted, sizeof(T)) != 0;
    }
  }
  return count;
}

/// What must become of C's elements where A and B are not read: beta C in the epilogue's arithmetic, the sign of a zero
/// included, but where sums are integers, which have no -0.
template <class Types>
typename Types::output scaled_alone(typename Types::accum beta, typename Types::output old) {
  using type = gemm::detail::epilogue_value<typename Types::input, typename Types::output>;
  if (beta == 0) {
    return typename Types::output{};
  }
  type value = static_cast<type>(beta) * static_cast<type>(gemm::detail::widen(old));
  if constexpr (Types::integral) {
    value += type(0);
  }
  return gemm::detail::convert<typename Types::output>(value);
}

/// Computes a product whose A and B are not to be read, of a C with zeros of both signs, NaN and infinities, and says
/// how many elements are wrong.
template <class Types>
std::int64_t wrongly_scaled(subject<Types> const& s, product const& p, operands<Types>& on) {
  using output = typename Types::output;
  constexpr bool floating = !std::is_integral_v<output>;
  constexpr double infinite = floating ? std::numeric_limits<double>::infinity() : 0;
  double const values[] = {0, -0.0, 3, -7, infinite, -infinite, floating ? std::nan("") : 5};
  on.c.fill([&](auto batch, auto row, auto column) {
    return test::rounded<output>(values[static_cast<std::size_t>((batch + row + 3 * column) % 7)]);
  });
  auto const got = test::compute(s, p, on);
  auto const beta = static_cast<typename Types::accum>(p.beta);
  std::int64_t wrong = 0;
  for (std::int64_t batch = 0; batch < got.batch_count(); ++batch) {
    for (std::int64_t row = 0; row < p.m; ++row) {
      for (std::int64_t column = 0; column < p.n; ++column) {
        output const want = scaled_alone<Types>(beta, on.c.at(batch, row, column)), is = got.at(batch, row, column);
        bool const none = std::isnan(test::number(want));
        wrong += none ? !std::isnan(test::number(is)) : std::memcmp(&is, &want, sizeof(output)) != 0;
      }
    }
  }
  return wrong;
}

/// Values of alpha that must not show where A and B are not read, and of beta.
template <class Types>
std::vector<double> odd_alphas() {
  if constexpr (Types::integral) {
    return {-1, -2147483647};
  }
  double const infinite = std::numeric_limits<double>::infinity();
  return {std::nan(""), infinite, -infinite, -1, -0.0};
}
template <class Types>
std::vector<double> odd_betas() {
  if constexpr (Types::integral) {
    return {1, 0, -3};
  }
  return {1, 0, -0.0, -0.7, std::nan(""), std::numeric_limits<double>::infinity()};
}

}  // namespace

TEMPLATE_TEST_CASE("sizes of zero", "[special][sanitizer]", GEMM_TEST_ALL_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    // m or n of 0: nothing is done. k of 0: C = beta C, also where beta is 0 and C is NaN.
    for (double const beta : {0.0, 1.0, TestType::integral ? -3.0 : -0.7}) {
      CHECK(test::check_product(s, {.m = 0, .n = 5, .k = 3, .beta = beta}) == "");
      CHECK(test::check_product(s, {.m = 5, .n = 0, .k = 3, .beta = beta}) == "");
      CHECK(test::check_product(s, {.m = 5, .n = 7, .k = 0, .beta = beta}) == "");
      CHECK(test::check_product(s, {.m = s.block_m + 1, .n = 3, .k = 0, .beta = beta}) == "");
      CHECK(test::check_product(s, {.m = 0, .n = 0, .k = 0, .beta = beta}) == "");
      CHECK(test::check_product(s, {.m = 0, .n = 5, .k = 3, .beta = beta, .batch = test::batch_kind::strided}) == "");
    }
  });
}

TEMPLATE_TEST_CASE("C becomes beta C where A and B are not read, whatever alpha and they are", "[special][sanitizer]",
                   GEMM_TEST_ALL_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    using input = typename TestType::input;
    // C's rows in whole pieces, and for TMA; then not, in the other order, of a batch, and in tiles partly outside.
    product const whole{.m = s.block_m, .n = s.block_n, .k = 0, .c = {.aligned = true}};
    product const odd{.m = s.block_m + 1,
                      .n = 3,
                      .k = 0,
                      .c = {.layout = gemm::order::column, .padding = 1},
                      .batch = test::batch_kind::strided};
    auto const check = [&](product p, double alpha, double beta, std::int64_t k) {
      p.alpha = alpha;
      p.beta = beta;
      p.k = k;
      CAPTURE(p.describe());
      operands<TestType> on(p);
      if constexpr (!TestType::integral) {
        on.a.fill([](auto...) { return test::not_a_number<input>(); });
        on.b.fill([](auto...) { return test::infinity<input>(); });
      }
      CHECK(wrongly_scaled(s, p, on) == 0);
    };
    std::vector<double> const alphas = odd_alphas<TestType>(), betas = odd_betas<TestType>();
    for (double const alpha : alphas) {
      check(whole, alpha, 0, 0);
      check(odd, alpha, 1, 0);
    }
    for (double const beta : betas) {
      check(odd, alphas.front(), beta, 0);
      check(whole, alphas.front(), beta, 0);
      check(whole, beta == 1 ? -0.0 : 0, beta, s.block_k + 1);
    }
    if (!s.has_chain) {
      return;
    }
    for (double const alpha : {alphas.front(), -1.0}) {
      for (double const beta : {0.0, 1.0}) {
        CHECK(test::check_product(s, {.m = s.block_m,
                                      .n = s.block_n + 1,
                                      .k = 0,
                                      .a = {.layout = test::chain_a},
                                      .b = {.layout = test::chain_b},
                                      .c = {.layout = test::chain_c},
                                      .alpha = alpha,
                                      .beta = beta,
                                      .epilogue = test::epilogue_kind::chain}) == "");
      }
    }
  });
}

TEMPLATE_TEST_CASE("an alpha of NaN or infinity reaches all of C where A and B are read", "[special][no_sanitizer]",
                   GEMM_TEST_FLOATING_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    for (double const alpha : {std::nan(""), std::numeric_limits<double>::infinity()}) {
      CHECK(test::check_product(s, {.m = 5, .n = 7, .k = 3, .alpha = alpha}) == "");
      CHECK(test::check_product(s, {.m = 5, .n = 8, .k = 3, .alpha = alpha, .beta = 1}) == "");
    }
  });
}

TEMPLATE_TEST_CASE("operands may be null where they are not read", "[special]", GEMM_TEST_ALL_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    using output = typename TestType::output;
    auto const six = [](float value) { return std::vector<output>(6, static_cast<output>(value)); };
    test::device_array<output> const c(six(2));
    test::call<TestType> x{.a = {.rows = 2, .columns = 4, .ld = 4},
                           .b = {.rows = 4, .columns = 3, .ld = 3},
                           .c = {.data = c.data(), .rows = 2, .columns = 3, .ld = 3}};
    x.alpha = 0;
    x.beta = 3;
    CHECK(s.run(x));
    CHECK(test::same_bits(c.download(), six(6)));
    x.alpha = 1;
    CHECK_FALSE(s.run(x));
    x.a.columns = x.b.rows = 0;
    CHECK(s.run(x));
    CHECK(test::same_bits(c.download(), six(18)));
    x.c.rows = x.a.rows = 0;
    x.c.data = nullptr;
    CHECK(s.run(x));
  });
}

TEMPLATE_TEST_CASE("a single line may have any leading dimension", "[special]", GEMM_TEST_ALL_TYPES) {
  // Rows and columns that do not exist are beyond the end of memory: no pointer to them may be formed.
  for_each_subject<TestType>([](subject<TestType> const& s) {
    using gemm::order;
    auto const check = [&](product const& p) {
      for (std::int64_t const less : {4096, 4095}) {
        CAPTURE(p.describe(), less);
        operands<TestType> const on(p);
        auto c = on.c.memory();
        auto want = test::reference_of(test::call<TestType>{
            .a = on.a.view(on.a.memory().data()), .b = on.b.view(on.b.memory().data()), .c = on.c.view(c.data())});
        auto const lengthened = [&](auto view) {  // to as much as can be addressed
          if ((view.layout == order::row ? view.rows : view.columns) == 1) {
            view.ld = (std::int64_t{1} << 62) / static_cast<std::int64_t>(sizeof(*view.data)) - less;
          }
          return view;
        };
        test::device_array<typename TestType::input> const a(on.a.memory()), b(on.b.memory());
        test::device_array<typename TestType::output> const to(on.c.memory());
        test::host_matrix<typename TestType::output> got = on.c;
        gemm::status const result =
            s.run({.a = lengthened(on.a.view(static_cast<typename TestType::input const*>(a.data()))),
                   .b = lengthened(on.b.view(static_cast<typename TestType::input const*>(b.data()))),
                   .c = lengthened(on.c.view(to.data()))});
        CAPTURE(result.message());
        CHECK(result);
        got.memory() = to.download();
        CHECK(test::compare(got, want, p.k, true).report == "");
      }
    };
    test::placement const column{.layout = order::column};
    std::int64_t const k = s.block_k + 5;
    check({.m = 1, .n = 5, .k = k});
    check({.m = 1, .n = 5, .k = k, .b = column});
    check({.m = 5, .n = 1, .k = k, .b = column, .c = column});
    check({.m = 5, .n = 1, .k = k, .a = column, .b = column, .c = column});
    check({.m = 1, .n = 1, .k = k, .b = column});
    check({.m = 5, .n = 9, .k = 1, .a = column});
    check({.m = 5, .n = 9, .k = 1, .a = column, .b = column, .c = column});
    check({.m = 1, .n = 1, .k = 1});
    check({.m = 1, .n = 1, .k = 1, .a = column, .b = column, .c = column});
  });
}

TEMPLATE_TEST_CASE("alpha = 0 hides NaN in A and B, beta = 0 hides NaN in C", "[special]", GEMM_TEST_FLOATING_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    using input = typename TestType::input;
    product p = small(s);
    p.alpha = 0;
    p.beta = 1;
    operands<TestType> on(p);
    on.a.fill([](auto...) { return test::not_a_number<input>(); });
    on.b.fill([](auto...) { return test::infinity<input>(); });
    CHECK(test::same_bits(test::compute(s, p, on).memory(), on.c.memory()));

    p.alpha = 1;
    p.beta = 0;
    operands<TestType> other(p);  // C is NaN
    auto const result = test::compute(s, p, other);
    std::int64_t unordered = 0;
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) {
        unordered += std::isnan(test::number(result.at(0, i, j)));
      }
    }
    CHECK(unordered == 0);
  });
}

TEMPLATE_TEST_CASE("NaN and infinities reach exactly their row and column", "[special]", GEMM_TEST_FLOATING_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    using input = typename TestType::input;
    product const p = small(s);
    operands<TestType> on(p);
    // The places are at tile edges and in the last, partial tile along k.
    std::int64_t const nan_row = s.block_m - 1, infinite_row = s.block_m, nan_column = s.block_n, infinite_column = 0;
    on.a.at(0, nan_row, p.k - 1) = test::not_a_number<input>();
    on.a.at(0, infinite_row, 0) = test::infinity<input>();
    on.b.at(0, s.block_k, nan_column) = test::not_a_number<input>();
    on.b.at(0, p.k - 1, infinite_column) = test::rounded<input>(-test::number(test::infinity<input>()));
    auto c = on.c.memory();
    input const *const a = on.a.memory().data(), *const b = on.b.memory().data();
    test::call<TestType> const host{.a = on.a.view(a), .b = on.b.view(b), .c = on.c.view(c.data())};
    auto want = test::reference_of(host);
    if (s.splits_floats) {
      test::allow_for_parts(want, host);
    }
    auto const got = test::compute(s, p, on);
    CHECK(test::compare(got, want, p.k, false).report == "");
    std::int64_t misplaced = 0;
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) {
        bool const affected = i == nan_row || i == infinite_row || j == nan_column || j == infinite_column;
        misplaced += std::isfinite(test::number(got.at(0, i, j))) == affected;
      }
    }
    CHECK(misplaced == 0);
  });
}

TEMPLATE_TEST_CASE("scaling lines by powers of two scales the result exactly", "[special][no_sanitizer]",
                   GEMM_TEST_FLOATING_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    using input = typename TestType::input;
    using output = typename TestType::output;
    // half has exponents from -14 to 15, of which integers leave room for a few.
    constexpr bool narrow = std::is_same_v<input, test::half> || std::is_same_v<output, test::half>;
    product p = small(s);
    p.data = narrow ? test::data_kind::integers : p.data;
    operands<TestType> on(p);
    auto const plain = test::compute(s, p, on);
    auto const row_power = [](std::int64_t row) { return static_cast<int>(narrow ? row % 6 - 3 : row * 5 % 41 - 20); };
    auto const column_power = [](std::int64_t column) {
      return static_cast<int>(narrow ? column % 5 - 2 : column * 7 % 31 - 15);
    };
    auto const scaled = [](auto x, int power) {
      return test::rounded<decltype(x)>(std::ldexp(test::number(x), power));
    };
    on.a.fill([&](auto batch, auto row, auto l) { return scaled(on.a.at(batch, row, l), row_power(row)); });
    on.b.fill([&](auto batch, auto l, auto column) { return scaled(on.b.at(batch, l, column), column_power(column)); });
    CHECK(differences(test::compute(s, p, on), [&](std::int64_t i, std::int64_t j) {
            return scaled(plain.at(0, i, j), row_power(i) + column_power(j));
          }) == 0);
  });
}

TEMPLATE_TEST_CASE("denormals are kept", "[special]", GEMM_TEST_FLOATING_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    using input = typename TestType::input;
    using output = typename TestType::output;
    product p = small(s);
    operands<TestType> on(p);
    // Of the type that has fewer of them.
    double const tiny = std::max(gemm::element_traits<input>::least, gemm::element_traits<output>::least);
    on.a.fill([&](std::int64_t, std::int64_t row, std::int64_t l) {
      return test::rounded<input>(l == 0 ? tiny * static_cast<double>(row % 7) : 0.0);
    });
    on.b.fill([](std::int64_t, std::int64_t, std::int64_t column) { return static_cast<float>(column % 5); });
    CHECK(differences(test::compute(s, p, on), [&](std::int64_t i, std::int64_t j) {
            return test::rounded<output>(tiny * static_cast<double>(i % 7 * (j % 5)));
          }) == 0);
  });
}

TEMPLATE_TEST_CASE("sums beyond the largest number are infinite", "[special]", GEMM_TEST_FLOATING_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    using input = typename TestType::input;
    using output = typename TestType::output;
    // Products of the largest number of C, if need be by means of alpha.
    double const greatest = gemm::element_traits<output>::greatest;
    double const large = std::min(std::sqrt(greatest), gemm::element_traits<input>::greatest);
    product p = small(s);
    p.alpha = std::max(1.0, greatest / large / large);
    operands<TestType> on(p);
    on.a.fill([&](std::int64_t, std::int64_t row, std::int64_t) { return row % 2 == 0 ? large : -large; });
    on.b.fill([&](auto...) { return large; });
    output const infinite = test::infinity<output>(), minus = test::rounded<output>(-test::number(infinite));
    CHECK(differences(test::compute(s, p, on), [&](std::int64_t i, auto) { return i % 2 == 0 ? infinite : minus; }) ==
          0);
  });
}

TEMPLATE_TEST_CASE("elements of C are rounded to the nearest, ties to the even one", "[special]",
                   GEMM_TEST_ROUNDED_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    using input = typename TestType::input;
    using output = typename TestType::output;
    using format = gemm::element_traits<output>;
    // Multiples of a quarter of the last place: in [1, 2) and [2, 4), round the largest number, among the denormals.
    std::vector<double> values{format::greatest * 2, std::numeric_limits<double>::infinity()};
    for (int quarters = -9; quarters <= 9; ++quarters) {
      for (double const from : {1.0, 1 + format::unit, 2.0}) {
        values.push_back(from + quarters * format::unit / 4);
      }
      values.push_back(quarters * format::least / 4);
      values.push_back(format::greatest + std::ldexp(format::unit, std::ilogb(format::greatest)) * quarters / 4);
    }
    product const p{.m = static_cast<std::int64_t>(values.size()), .n = 2, .k = 1};
    operands<TestType> on(p);
    on.a.fill([&](std::int64_t, std::int64_t row, std::int64_t) {
      return test::rounded<input>(values[static_cast<std::size_t>(row)]);
    });
    on.b.fill([](std::int64_t, std::int64_t, std::int64_t column) { return column == 0 ? 1.0f : -1.0f; });
    CHECK(differences(test::compute(s, p, on), [&](std::int64_t i, std::int64_t j) {
            auto const value = test::number(on.a.at(0, i, 0));
            return test::rounded<output>(value == 0 ? 0 : j == 0 ? value : -value);  // 0 + -0 is 0
          }) == 0);
  });
}

TEST_CASE("sums of int8 wrap round modulo 2^32", "[special]") {
  for_each_subject<test::s8_s32>([](subject<test::s8_s32> const& s) {
    auto const check = [&](product const& p, operands<test::s8_s32> const& on) {
      auto const word = [](auto x) { return static_cast<std::uint32_t>(x); };
      CHECK(differences(test::compute(s, p, on), [&](std::int64_t i, std::int64_t j) {
              std::uint32_t sum = 0;
              for (std::int64_t l = 0; l < p.k; ++l) {
                sum += word(on.a.at(0, i, l)) * word(on.b.at(0, l, j));
              }
              std::uint32_t const old = p.beta == 0 ? 0 : word(on.c.at(0, i, j));
              return static_cast<test::int32>(word(p.alpha) * sum + word(p.beta) * old);
            }) == 0);
    };
    product p = small(s);
    p.alpha = 2147483647;
    p.beta = 1234567891;
    operands<test::s8_s32> on(p);
    on.c.fill(
        [](std::int64_t, std::int64_t i, std::int64_t j) { return (i * 31 + j * 17 + 1) * 1000003 % 2147483647; });
    check(p, on);
    if constexpr (!test::under_sanitizers) {
      p = {.m = 2, .n = 3, .k = 131072 + 1};  // the sums themselves: 2^31 and more
      operands<test::s8_s32> far(p);
      far.a.fill([](auto...) { return -128; });
      far.b.fill([](auto...) { return -128; });
      check(p, far);
    }
  });
}

TEST_CASE("sums of int8 beyond an int8 C are its least or greatest", "[special]") {
  for_each_subject<test::s8>([](subject<test::s8> const& s) {
    int const values[] = {-128, -2, -1, 0, 1, 2, 127};
    for (int const beta : {0, -1, 2}) {
      product const p{.m = 7, .n = 7, .k = 1, .beta = static_cast<double>(beta)};
      operands<test::s8> on(p);
      on.a.fill([&](std::int64_t, std::int64_t i, std::int64_t) { return values[i]; });
      on.b.fill([&](std::int64_t, std::int64_t, std::int64_t j) { return values[j]; });
      on.c.fill([&](std::int64_t, std::int64_t i, std::int64_t j) { return values[(i + j) % 7]; });
      CHECK(differences(test::compute(s, p, on), [&](std::int64_t i, std::int64_t j) {
              int const value = values[i] * values[j] + beta * values[(i + j) % 7];
              return static_cast<test::int8>(std::clamp(value, -128, 127));
            }) == 0);
    }
  });
}

TEST_CASE("integers wrap round modulo 2^32", "[element]") {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min(),
                         greatest = std::numeric_limits<std::int32_t>::max();
  using gemm::detail::multiply;
  using gemm::detail::multiply_add;
  CHECK(multiply(65536, 65536) == 0);
  CHECK(multiply(greatest, 2) == -2);
  CHECK(multiply(least, -1) == least);
  CHECK(multiply_add(1, 1, greatest) == least);
  CHECK(multiply_add(-1, 1, least) == greatest);
  CHECK(multiply_add(46341, 46341, 0) == -2147479015);
}
