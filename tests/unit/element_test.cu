// SPDX-License-Identifier: BSL-1.0
//! @file
//! Element types: what epilogues are given, what their results become, and integers that wrap round.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "../support/device.hpp"
#include "../support/types.hpp"

namespace {

using gemm::row_major;
using gemm::detail::convert;
using policy = gemm::naive<gemm::block<8, 16>>;
using test::bfloat16;
using test::half;
using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;
using test::int32;
using test::int8;

/// A result that is the same as `value`, also where both are NaN.
template <class T>
bool same(T result, T value) {
  return std::memcmp(&result, &value, sizeof(T)) == 0 ||
         (std::isnan(test::number(result)) && std::isnan(test::number(value)));
}

/// Each result of an epilogue is values[row], of a type of its own.
template <class From>
struct pick {
  From const* values;
  template <class V>
  __host__ __device__ From operator()(V, std::int64_t row, std::int64_t) const {
    return values[row];
  }
};

/// Numbers where a conversion to To may go wrong: ties, the largest and the least numbers and beyond, and random ones.
template <class From, class To>
std::vector<From> critical() {
  using format = gemm::element_traits<To>;
  std::vector<double> values{0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN(),
                             1e30};
  double const unit = format::unit == 0 ? 2 : format::unit;  // ties of integers are at halves
  for (int quarters = -9; quarters <= 9; ++quarters) {
    for (double const from : {1.0, 1 + unit, 2.0, 100.0}) {
      values.push_back(from + quarters * unit / 4);
    }
    values.push_back(quarters * format::least / 4);
    values.push_back(format::greatest +
                     std::ldexp(unit, format::unit == 0 ? 0 : std::ilogb(format::greatest)) * quarters / 4);
  }
  gemm::random_numbers random(7);
  for (int i = 0; i < 2000; ++i) {
    values.push_back(std::ldexp(random.uniform(), static_cast<int>(random.integer(-30, 34))));
  }
  std::vector<From> result;
  for (double const value : values) {
    for (double const x : {value, -value}) {
      result.push_back(test::rounded<From>(x));
    }
  }
  return result;
}

/// What a value becomes: rounded once, but integers on their way to a narrow floating-point C to float first.
template <class To, class From>
To wanted(From value) {
  if constexpr (std::is_integral_v<From> && !std::is_integral_v<To> && sizeof(To) <= 2) {
    return test::rounded<To>(static_cast<double>(static_cast<float>(value)));
  } else {
    return test::rounded<To>(static_cast<double>(value));
  }
}

template <class From, class To, class In = int8>
void check_conversion() {
  auto const values = critical<From, To>();
  auto const count = static_cast<std::int64_t>(values.size());
  test::device_array<From> const from(values);
  test::device_array<To> const c(values.size());
  In const* const none = nullptr;
  REQUIRE(gemm::run<policy>(row_major(none, count, 0), row_major(none, 0, 1), row_major(c.data(), count, 1), {},
                            pick<From>{from.data()}));
  auto const got = c.download();
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    wrong += !same(got[i], wanted<To>(values[i])) || !same(convert<To>(values[i]), wanted<To>(values[i]));
  }
  CAPTURE(test::name_of<To>());
  CHECK(wrong == 0);
}

}  // namespace

TEMPLATE_TEST_CASE("results become elements of C by one rounding, on the host as on the device", "[element]", float,
                   double, int32) {
  check_conversion<TestType, float>();
  check_conversion<TestType, half>();
  check_conversion<TestType, bfloat16>();
  check_conversion<TestType, int8>();
  check_conversion<TestType, int32>();
  check_conversion<TestType, double, double>();
  check_conversion<TestType, e4m3, float>();
  check_conversion<TestType, e5m2, half>();
}

TEMPLATE_TEST_CASE("a type's traits say what its conversions do", "[element]", half, bfloat16, gemm::tf32, float,
                   double, e4m3, e5m2) {
  using traits = gemm::element_traits<TestType>;
  auto const nearest = [](double value) { return static_cast<double>(traits::widen(traits::rounded(value))); };
  CHECK(nearest(1 + traits::unit) == 1 + traits::unit);
  CHECK(nearest(1 + traits::unit / 2) == 1);  // a tie, to the even one
  CHECK(nearest(traits::least) == traits::least);
  CHECK(nearest(traits::greatest) == traits::greatest);
  STATIC_CHECK(std::is_same_v<decltype(traits::widen(TestType{})), typename traits::arithmetic>);
}

TEMPLATE_TEST_CASE("fp8 saturates, infinities too, and keeps NaN", "[element]", e4m3, e5m2) {
  using traits = gemm::element_traits<TestType>;
  auto const made = [](double value) {
    auto const of_float = static_cast<double>(gemm::detail::widen(convert<TestType>(static_cast<float>(value))));
    auto const of_double = static_cast<double>(gemm::detail::widen(convert<TestType>(value)));
    CHECK((of_float == of_double || (std::isnan(of_float) && std::isnan(of_double))));
    return of_float;
  };
  double const infinite = std::numeric_limits<double>::infinity(), most = traits::greatest;
  double const unit = std::ldexp(traits::unit, std::ilogb(most));  // between the largest numbers
  for (double const sign : {1.0, -1.0}) {
    CHECK(made(sign * infinite) == sign * most);
    CHECK(made(sign * 1e30) == sign * most);
    CHECK(made(sign * 2 * most) == sign * most);
    CHECK(made(sign * (most + unit / 2)) == sign * most);
    CHECK(made(sign * (most - unit / 4)) == sign * most);
    CHECK(made(sign * (most - unit / 2)) == sign * (std::is_same_v<TestType, e4m3> ? most : most - unit));  // ties
    CHECK(made(sign * traits::least * 1.5) == sign * traits::least * 2);
    CHECK(made(sign * traits::least / 2) == 0);
    CHECK(std::signbit(made(sign * traits::least / 2)) == (sign < 0));
    CHECK(std::isnan(made(std::copysign(std::nan(""), sign))));
  }
}

TEST_CASE("C may hold what the traits of A's and B's elements list", "[element]") {
  using gemm::detail::legal_output;
  STATIC_CHECK(legal_output<float, half>);
  STATIC_CHECK(legal_output<gemm::tf32, float>);
  STATIC_CHECK(!legal_output<gemm::tf32, gemm::tf32>);
  STATIC_CHECK(!legal_output<double, float>);
  STATIC_CHECK(legal_output<int8, int8>);
  STATIC_CHECK(!legal_output<half, int32>);
  STATIC_CHECK(!legal_output<int32, int32>);
  STATIC_CHECK((legal_output<float, e4m3> && legal_output<half, e5m2> && legal_output<gemm::tf32, e4m3>));
  STATIC_CHECK((legal_output<e4m3, e4m3> && legal_output<e4m3, e5m2>));
  STATIC_CHECK((!legal_output<int8, e4m3> && !legal_output<double, e4m3>));
  STATIC_CHECK(!gemm::detail::input_element<int32>);
  STATIC_CHECK(!gemm::detail::input_element<long>);
}

TEMPLATE_TEST_CASE("narrow elements survive being widened and converted back", "[element]", half, bfloat16, e4m3,
                   e5m2) {
  using word = std::conditional_t<sizeof(TestType) == 1, std::uint8_t, std::uint16_t>;
  std::int64_t changed = 0;
  for (unsigned bits = 0; bits < 1U << (8 * sizeof(TestType)); ++bits) {
    auto const element = __builtin_bit_cast(TestType, static_cast<word>(bits));
    bool const infinite = std::isinf(test::number(element));
    changed +=
        !(infinite && test::saturates<TestType>)&&!same(convert<TestType>(gemm::detail::widen(element)), element);
  }
  CHECK(changed == 0);
}

namespace {

/// 4, 8 or 0 for what the epilogue is given: float, double or int32.
struct type_of_value {
  template <class V>
  __host__ __device__ V operator()(V, std::int64_t, std::int64_t) const {
    return std::is_integral_v<V> && sizeof(V) == 4 ? V(0) : static_cast<V>(sizeof(V));
  }
};

template <class Types>
double code_of_value() {
  test::device_array<typename Types::output> const c(1);
  typename Types::input const* const none = nullptr;
  CHECK(
      gemm::run<policy>(row_major(none, 1, 0), row_major(none, 0, 1), row_major(c.data(), 1, 1), {}, type_of_value{}));
  return static_cast<double>(test::number(c.download()[0]));
}

}  // namespace

TEST_CASE("epilogues are given the accumulator's type, float where integers end in a floating-point C", "[element]") {
  CHECK(code_of_value<test::f32>() == 4);
  CHECK(code_of_value<test::f64>() == 8);
  CHECK(code_of_value<test::f16>() == 4);
  CHECK(code_of_value<test::bf16>() == 4);
  CHECK(code_of_value<test::s8_s32>() == 0);
  CHECK(code_of_value<test::s8>() == 0);
  CHECK(code_of_value<test::s8_f16>() == 4);
}
