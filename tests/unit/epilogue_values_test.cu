// SPDX-License-Identifier: BSL-1.0
//! @file
//! Each epilogue against its formula: ordinary, huge and tiny values, infinities and NaN.

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"
#include "../support/types.hpp"

namespace {

using gemm::row_major;
using policy = gemm::naive<gemm::block<8, 16>>;
using test::half;
using test::int32;
using test::int8;

/// What the device makes of each value: C = epilogue(C), with operands of In that are not read.
template <class In, class Out, class Epilogue>
std::vector<Out> made_of(std::vector<Out> const& values, Epilogue epilogue) {
  test::device_array<Out> const c(values);
  In const* const none = nullptr;
  auto const count = static_cast<std::int64_t>(values.size());
  REQUIRE(gemm::run<policy>(row_major(none, count, 0), row_major(none, 0, 1), row_major(c.data(), count, 1),
                            {.beta = 1}, epilogue));
  return c.download();
}

template <class V>
std::vector<V> ordinary_and_extreme() {
  using limits = std::numeric_limits<V>;
  std::vector<V> values{0, limits::quiet_NaN()};
  for (V const x : {V(1e-30), V(1e-5), V(0.1), V(0.5), V(1), V(1.7), V(3), V(5), V(9), V(20), V(80), V(100), V(1e4),
                    V(1e30), limits::denorm_min(), limits::min(), limits::max(), limits::infinity()}) {
    values.push_back(x);
    values.push_back(-x);
  }
  return values;
}

/// How many results are off by more than 8 u `scale`, or by what the least numbers lose, or are not the infinity or the
/// NaN that they should be.
template <class V, class Epilogue, class Formula, class Scale>
std::int64_t wrong_results(Epilogue epilogue, Formula formula, Scale scale) {
  auto const values = ordinary_and_extreme<V>();
  auto const got = made_of<V>(values, epilogue);
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    long double const v = values[i], want = formula(v), result = got[i];
    long double const lost = std::numeric_limits<V>::min() * std::max(1.0L, std::abs(v));
    bool const right = std::isnan(want)   ? std::isnan(result)
                       : std::isinf(want) ? result == want
                                          : std::abs(result - want) <=
                                                4 * std::numeric_limits<V>::epsilon() * std::abs(scale(v, want)) + lost;
    if (!right) {
      UNSCOPED_INFO("of " << values[i] << ": " << got[i] << ", not " << static_cast<V>(want));
      ++wrong;
    }
  }
  return wrong;
}

}  // namespace

TEMPLATE_TEST_CASE("activations follow their formulas", "[epilogue]", float, double) {
  using std::erf, std::exp, std::max, std::sqrt;
  auto const of_result = [](long double, long double want) { return want; };
  auto const of_value = [](long double v, long double) { return std::isfinite(v) ? v : 1; };
  long double const pi = 3.14159265358979323846L;
  auto const real = [](auto epilogue, auto formula, auto scale) {
    return wrong_results<TestType>(epilogue, formula, scale);
  };
  auto const sigmoid = [](long double v) { return 1 / (1 + exp(-v)); };
  CHECK(real(
            gemm::identity{}, [](long double v) { return v; }, of_result) == 0);
  CHECK(real(
            gemm::relu{}, [](long double v) { return std::isnan(v) ? v : max(v, 0.0L); }, of_result) == 0);
  CHECK(real(gemm::sigmoid{}, sigmoid, of_result) == 0);
  CHECK(real(
            gemm::tanh_activation{}, [](long double v) { return std::tanh(v); }, of_result) == 0);
  CHECK(real(
            gemm::silu{}, [&](long double v) { return v / (1 + exp(-v)); }, of_result) == 0);
  CHECK(real(
            gemm::gelu{}, [](long double v) { return v / 2 * (1 + erf(v / sqrt(2.0L))); }, of_value) == 0);
  CHECK(real(
            gemm::gelu_tanh{},
            [&](long double v) { return v / 2 * (1 + std::tanh(sqrt(2 / pi) * (v + 0.044715L * v * v * v))); },
            of_value) == 0);
  CHECK(real(
            gemm::scale(3.5f),
            [](long double v) {
              return std::abs(v) > std::numeric_limits<TestType>::max() / 3.5L
                         ? v * std::numeric_limits<long double>::infinity()
                         : v * 3.5L;
            },
            of_result) == 0);
  CHECK(real(
            gemm::clamp(-1.5, 2.25), [](long double v) { return v < -1.5L   ? -1.5L
                                                                : v > 2.25L ? 2.25L
                                                                            : v; },
            of_result) == 0);
}

TEMPLATE_TEST_CASE("activations at the infinities, at NaN and at 0 are what their comments say", "[epilogue]", float,
                   double) {
  using limits = std::numeric_limits<TestType>;
  TestType const infinite = limits::infinity(), nan = limits::quiet_NaN();
  auto const at = [](auto epilogue, TestType value) { return epilogue(value, 0, 0); };
  CHECK(at(gemm::relu{}, -infinite) == 0);
  CHECK(at(gemm::relu{}, infinite) == infinite);
  CHECK(at(gemm::sigmoid{}, -infinite) == 0);
  CHECK(at(gemm::sigmoid{}, infinite) == 1);
  CHECK(at(gemm::sigmoid{}, TestType(0)) == TestType(0.5));
  CHECK(at(gemm::tanh_activation{}, -infinite) == -1);
  CHECK(at(gemm::tanh_activation{}, infinite) == 1);
  CHECK(std::isnan(at(gemm::silu{}, -infinite)));
  CHECK(at(gemm::silu{}, infinite) == infinite);
  CHECK(std::isnan(at(gemm::gelu{}, -infinite)));
  CHECK(at(gemm::gelu{}, infinite) == infinite);
  CHECK(std::isnan(at(gemm::gelu_tanh{}, -infinite)));
  CHECK(at(gemm::gelu_tanh{}, infinite) == infinite);
  CHECK(std::isnan(at(gemm::relu{}, nan)));
  CHECK(std::isnan(at(gemm::sigmoid{}, nan)));
  CHECK(std::isnan(at(gemm::tanh_activation{}, nan)));
  CHECK(std::isnan(at(gemm::silu{}, nan)));
  CHECK(std::isnan(at(gemm::gelu{}, nan)));
  CHECK(std::isnan(at(gemm::gelu_tanh{}, nan)));
  CHECK(std::isnan(at(gemm::clamp(-1, 1), nan)));
  CHECK(std::isnan(at(gemm::scale(2), nan)));
  CHECK(std::signbit(at(gemm::relu{}, TestType(-0.0))));  // not less than 0
  CHECK(std::signbit(at(gemm::tanh_activation{}, TestType(-0.0))));
  // The approximation's distance from gelu.
  for (int i = -1000; i <= 1000; ++i) {
    TestType const v = TestType(i) / 100;
    CHECK(std::abs(at(gemm::gelu_tanh{}, v) - at(gemm::gelu{}, v)) <= TestType(5e-4));
  }
}

TEST_CASE("gelu is as accurate as a C of bf16 can tell", "[epilogue]") {
  std::vector<__nv_bfloat16> values;
  for (int i = -1500; i <= 2500; ++i) {
    values.push_back(__float2bfloat16(static_cast<float>(i) / 250));  // -6 to 10
  }
  auto const got = made_of<__nv_bfloat16>(values, gemm::scale(1.0F) | gemm::gelu{});
  int wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    double const v = static_cast<double>(__bfloat162float(values[i])), want = v * std::erfc(-v / std::sqrt(2.0)) / 2;
    double const unit = want == 0 ? 0 : std::ldexp(1.0, std::ilogb(want) - 7);  // in the last place
    double const allowed = std::max(0.2 * unit, 2.1e-8) + 0.5 * unit;
    wrong += !(std::abs(static_cast<double>(__bfloat162float(got[i])) - want) <= allowed);
  }
  CHECK(wrong == 0);
  float const infinite = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<__nv_bfloat16> const ends{__float2bfloat16(infinite), __float2bfloat16(-infinite), __float2bfloat16(nan),
                                        __float2bfloat16(3e38F), __float2bfloat16(-3e38F)};
  auto const of_ends = made_of<__nv_bfloat16>(ends, gemm::scale(1.0F) | gemm::gelu{});
  CHECK(__bfloat162float(of_ends[0]) == infinite);
  CHECK(__bfloat162float(of_ends[1]) == 0);
  CHECK(std::isnan(__bfloat162float(of_ends[2])));
  CHECK(__bfloat162float(of_ends[3]) == __bfloat162float(ends[3]));
  CHECK(__bfloat162float(of_ends[4]) == 0);
}

TEST_CASE("sums of integers stay integers until they meet a real number", "[epilogue]") {
  constexpr int32 least = std::numeric_limits<int32>::min(), greatest = std::numeric_limits<int32>::max();
  using ints = std::vector<int32>;
  ints const values{-7, -3, -1, 0, 1, 3, 5, 7, 16777217, greatest, least};
  CHECK(made_of<int8>(values, gemm::relu{}) == ints{0, 0, 0, 0, 1, 3, 5, 7, 16777217, greatest, 0});
  CHECK(made_of<int8>(values, gemm::scale(3)) ==
        ints{-21, -9, -3, 0, 3, 9, 15, 21, 50331651, greatest - 2, least});  // wrapped round
  CHECK(made_of<int8>(values, gemm::clamp(-2, 5)) == ints{-2, -2, -1, 0, 1, 3, 5, 5, 5, 5, -2});
  // By way of float, rounded to the even one in ties.
  CHECK(made_of<int8>(values, gemm::scale(0.5f)) == ints{-4, -2, 0, 0, 0, 2, 2, 4, 8388608, 1 << 30, -(1 << 30)});
  CHECK(made_of<int8>(values, gemm::scale(2.0f)) == ints{-14, -6, -2, 0, 2, 6, 10, 14, 33554432, greatest, least});
  CHECK(made_of<int8>(values, gemm::scale(std::numeric_limits<float>::quiet_NaN())) == ints(values.size(), 0));
  CHECK(made_of<int8>(values, gemm::clamp(-2.5, 2.5) | gemm::scale(std::numeric_limits<double>::infinity())) ==
        ints{least, least, least, 0, greatest, greatest, greatest, greatest, greatest, greatest, least});
  CHECK(made_of<int8>(ints{4}, gemm::scale(0.25f) | gemm::sigmoid{} | gemm::scale(1000)) == ints{731});
}

TEST_CASE("quantised results saturate and round ties to the even one", "[epilogue]") {
  std::vector<int8> const values{-128, -127, -6, -2, -1, 0, 1, 2, 6, 126, 127};
  CHECK(made_of<int8>(values, gemm::scale(0.25f)) == std::vector<int8>{-32, -32, -2, 0, 0, 0, 0, 0, 2, 32, 32});
  CHECK(made_of<int8>(values, gemm::scale(1.5f)) == std::vector<int8>{-128, -128, -9, -3, -2, 0, 2, 3, 9, 127, 127});
  CHECK(made_of<int8>(values, gemm::scale(2)) == std::vector<int8>{-128, -128, -12, -4, -2, 0, 2, 4, 12, 127, 127});
}

namespace {

struct to_half {
  __host__ __device__ half operator()(float value, std::int64_t, std::int64_t) const { return __float2half(value); }
};
struct to_double {
  __host__ __device__ double operator()(float value, std::int64_t, std::int64_t) const { return value + 1e-12; }
};
struct to_int8 {
  __host__ __device__ int8 operator()(float value, std::int64_t, std::int64_t) const {
    return static_cast<int8>(value);
  }
};
struct minus_one {
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return value - V(1);
  }
};

}  // namespace

TEST_CASE("a functor's result may be of any element type, for what follows and for C", "[epilogue]") {
  std::vector<float> const values{1.0f / 3, 2.75f, -1.5f};
  CHECK(made_of<float>(values, to_half{}) == std::vector<float>{0.333251953125f, 2.75f, -1.5f});
  CHECK(made_of<float>(values, to_half{} | gemm::scale(2)) == std::vector<float>{0.66650390625f, 5.5f, -3});
  CHECK(made_of<float>(values, to_int8{} | gemm::relu{}) == std::vector<float>{0, 2, 0});
  CHECK(made_of<float>(std::vector<float>{1}, to_double{} | gemm::identity{} | minus_one{}) ==
        std::vector<float>{static_cast<float>((1 + 1e-12) - 1)});
}

TEST_CASE("epilogues are applied from left to right, however they are bracketed", "[epilogue]") {
  float const numbers[] = {10, 20};
  auto const at = [](auto epilogue, float value, int row, int column) {
    return gemm::detail::apply(epilogue, value, row, column, 0);
  };
  CHECK(at(gemm::bias(numbers) | gemm::scale(-1) | gemm::relu{}, 1, 0, 1) == 0);
  CHECK(at(gemm::bias(numbers) | gemm::scale(-1) | gemm::relu{}, -25, 0, 1) == 5);
  CHECK(at(minus_one{} | gemm::relu{} | gemm::row_bias(numbers), -3, 1, 0) == 20);
  CHECK(at(gemm::relu{} | (minus_one{} | gemm::bias(numbers)), 3, 0, 0) == 12);
  CHECK(at((gemm::relu{} | minus_one{}) | gemm::bias(numbers), -3, 0, 0) == 9);
  CHECK(at(gemm::scale(3) | gemm::row_bias(numbers) | gemm::scale(2), 1, 1, 0) == 46);
  CHECK(at(gemm::column_scale(numbers) | gemm::row_scale(numbers) | minus_one{}, 1, 0, 1) == 199);
}
