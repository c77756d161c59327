// SPDX-License-Identifier: BSL-1.0
//! @file
//! Floats on tensor cores where their error is that of float: what `with_fallback` refuses, and when fp32_emulated is
//! chosen.

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "../policies/policies.hpp"
#include "../support/device.hpp"
#include "../support/float_product.hpp"
#include "../support/sm90a.hpp"
#include "../support/tier.hpp"

namespace {

using gemm::col_major;
using gemm::row_major;
using test::float_product;
using test::make_float_product;

using policy = gemm::with_fallback<test::fp16x3_64x64x64_3>;

bool same_bits(std::vector<float> const& x, std::vector<float> const& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (std::isnan(a) && std::isnan(b));
  });
}

/// What computes refused products makes of one.
std::vector<float> refused_result(float_product const& x) {
  test::device_array<float> const a(x.a), b(x.b), c(static_cast<std::size_t>(x.m * x.n));
  test::device_array<int> const refused(std::vector<int>(1, gemm::detail::was_refused));
  auto const p = gemm::detail::problem_of(row_major(static_cast<float const*>(a.data()), x.m, x.k),
                                          col_major(static_cast<float const*>(b.data()), x.k, x.n),
                                          row_major(c.data(), x.m, x.n), 1.0f, 0.0f, gemm::identity{});
  REQUIRE(gemm::detail::enqueue_refused<policy>(
      gemm::refused_problem<std::remove_const_t<decltype(p)>>{p, refused.data(), false},
      gemm::detail::plan_fallback<policy>(p, 132), nullptr));
  return c.download();
}

/// The same product with both operands the other way round in memory.
std::vector<float> turned_result(float_product const& x) {
  auto const turned = [&](std::vector<float> const& from, std::int64_t lines) {
    std::vector<float> to(from.size());
    for (std::int64_t i = 0; i < lines * x.k; ++i) {
      to[static_cast<std::size_t>(i % x.k * lines + i / x.k)] = from[static_cast<std::size_t>(i)];
    }
    return to;
  };
  test::device_array<float> const a(turned(x.a, x.m)), b(turned(x.b, x.n)), c(static_cast<std::size_t>(x.m * x.n));
  REQUIRE(
      gemm::run<policy>(col_major(a.data(), x.m, x.k), row_major(b.data(), x.k, x.n), row_major(c.data(), x.m, x.n)));
  return c.download();
}

enum class computed { in_parts, in_float };

/// Checks how a product is computed, which is seen from its bits, and its error where all is finite.
void check(char const* what, float_product const& x, computed how) {
  CAPTURE(what, x.k);
  std::vector<float> const got = test::result_of<policy>(x);
  CHECK(same_bits(got, refused_result(x)) == (how == computed::in_float));
  CHECK(same_bits(got, turned_result(x)));
  std::size_t wrong = 0;  // of those that are not finite
  for (std::size_t i = 0; i < got.size(); ++i) {
    double want = 0;
    for (std::size_t l = 0, k = static_cast<std::size_t>(x.k), n = static_cast<std::size_t>(x.n); l < k; ++l) {
      want += static_cast<double>(x.a[i / n * k + l]) * static_cast<double>(x.b[i % n * k + l]);
    }
    double const c = static_cast<double>(got[i]);
    wrong += std::isnan(want) ? !std::isnan(c) : std::isinf(want) && c != want;
  }
  CHECK(wrong == 0);
  if (std::all_of(got.begin(), got.end(), [](float c) { return std::isfinite(c); })) {
    double const k = static_cast<double>(x.k);
    CHECK(test::worst_error(x, got, how == computed::in_parts ? k / 64 + 52 : k + 4, 0) <= 1);
  }
}

}  // namespace

TEST_CASE("lines tell whether a product of parts has the bound") {
  using gemm::detail::has_bound;
  using gemm::detail::tiny_bit;
  CHECK(has_bound(0, 0, 0));
  CHECK(has_bound(100, 100, 100));  // a tiny element there is not
  CHECK(has_bound(tiny_bit | 40, 30, 80));
  CHECK(!has_bound(tiny_bit | 40, 31, 80));
  CHECK(!has_bound(40, tiny_bit | 31, 80));
  CHECK(!has_bound(gemm::detail::nonfinite_facts, 0, (1 << 30) - 64));
}

TEST_CASE("what is computed in parts has the bound, and the rest is computed in float", "[sanitizer]") {
  test::need_sm90a();
  gemm::random_numbers random(7);
  constexpr float infinite = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  auto const any = [&](auto...) { return random.uniform(); };
  auto const scaled = [&](std::int64_t line, auto) {
    return std::ldexp(0.5 + std::abs(random.uniform()), static_cast<int>(line * 37 % 81) - 40);
  };
  auto const wide = [&](auto...) { return std::ldexp(random.uniform(), static_cast<int>(random.integer(-20, 20))); };
  // Column l of A times what row l of B is divided by.
  auto const by_k = [&](int sign) {
    return [&, sign](auto, std::int64_t l) {
      return std::ldexp(random.uniform(), sign * (static_cast<int>(l * 11 % 49) - 24));
    };
  };
  auto const denormal = [&](auto...) { return 0x1p-130 * random.uniform(); };
  auto const one = [](double value, std::int64_t at_line, std::int64_t at) {  // one such element among ones
    return [=](std::int64_t line, std::int64_t l) { return line == at_line && l == at ? value : 1.0; };
  };
  auto const identity = [](std::int64_t line, std::int64_t l) { return line == l ? 3 : 0; };
  auto const sparse = [&](std::int64_t line, std::int64_t l) { return l % 20 == line ? random.uniform() : 0; };
  auto const short_range = [&](std::int64_t, std::int64_t l) {
    return std::ldexp(1 + std::abs(random.uniform()), static_cast<int>(l % 14));
  };
  auto const half_of_lines = [&](std::int64_t line, std::int64_t l) {  // the others are zero; and every third element
    return line % 2 == 0 && l % 3 != 0 ? random.uniform() : 0;
  };
  using enum computed;
  check("nothing special", make_float_product(19, 17, 200, any, any), in_parts);
  check("A in which few elements count", make_float_product(19, 17, 200, one(0x1p20, 3, 40), any), in_float);
  check("NaN", make_float_product(19, 17, 70, any, one(nan, 16, 69)), in_float);
  if (test::under_sanitizers) {
    return;
  }
  check("one k", make_float_product(19, 17, 1, wide, any), in_parts);
  check("wide lines", make_float_product(19, 17, 200, wide, wide), in_float);
  check("scaled lines", make_float_product(19, 17, 200, scaled, scaled), in_parts);
  check("scaled k", make_float_product(19, 17, 200, by_k(1), by_k(-1)), in_float);
  check("denormals", make_float_product(19, 17, 200, denormal, any), in_parts);
  check("an element that is lost", make_float_product(19, 17, 64, identity, one(0x1p-100, 5, 5)), in_float);
  auto const half = [](std::int64_t line, std::int64_t l) {
    return l % 2 != 0 ? 0 : line == 5 && l == 4 ? 0x1p-100 : 1;
  };
  check("an element that is lost, among zeros", make_float_product(19, 17, 64, identity, half), in_float);
  check("few elements and a short range", make_float_product(19, 17, 64, sparse, short_range), in_parts);
  check("zeros", make_float_product(19, 17, 200, half_of_lines, any), in_parts);
  check("infinity", make_float_product(19, 17, 70, one(-infinite, 0, 0), any), in_float);
  check("infinity in the first of several sums", make_float_product(19, 17, 200, one(infinite, 0, 0), any), in_float);
  check("infinities of both signs", make_float_product(5, 7, 300, one(infinite, 0, 3), one(-infinite, 2, 203)),
        in_float);
  check("a long k", make_float_product(3, 5, 9000, any, any), in_parts);
  check("a long k of which little counts", make_float_product(3, 5, 9000, wide, wide), in_float);
  check("one element of a line that warps share", make_float_product(3, 5, 2040, one(0x1p20, 2, 2000), any), in_float);
  check("a tiny element of a line that warps share", make_float_product(3, 5, 2040, identity, one(0x1p-100, 2, 2)),
        in_float);
  check("a k that blocks of a cluster share", make_float_product(3, 5, 1100, any, any), in_parts);
  check("one of them has the greatest", make_float_product(3, 5, 1100, one(32, 2, 5), any), in_parts);
}

#if !defined(GEMM_TEST_SANITIZERS)

TEST_CASE("one element refuses all tiles of all products") {
  test::need_sm90a();
  gemm::random_numbers random(3);
  // More tiles than blocks on a GPU, in pairs of blocks, on the CPU device as many as it bears.
  constexpr bool small = test::on_cpu_device;
  constexpr std::int64_t m = small ? 130 : 2100, n = small ? 140 : 1500, k = small ? 70 : 300, batch = small ? 2 : 3;
  using in_pairs = gemm::with_fallback<gemm::fp16x3_128x192x64_2x1>;
  auto const any = [&](auto...) { return random.uniform(); };
  float_product const x = make_float_product(m * batch, n * batch, k, any, any);
  std::vector<float> c_before(static_cast<std::size_t>(m * n * batch), 2.0f);
  auto const run = [&]<class Policy>(std::vector<float> const& elements) {
    test::device_array<float> const a(elements), b(x.b), c(c_before);
    REQUIRE(gemm::run<Policy>(batched(row_major(a.data(), m, k), batch), batched(col_major(b.data(), k, n), batch),
                              batched(row_major(c.data(), m, n), batch), {.alpha = 3, .beta = 0.5f}));
    return c.download();
  };
  std::vector<float> a = x.a;
  auto const same = [&] {
    return same_bits(run.template operator()<in_pairs>(a), run.template operator()<in_pairs::otherwise>(a));
  };
  CHECK(!same());
  a.back() = std::numeric_limits<float>::infinity();
  CHECK(same());
}

TEST_CASE("of refused products of small C k is cut") {
  test::need_sm90a();
  auto const slices = [](std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch = 1) {
    return gemm::detail::slices_where_refused<policy>(m, n, k, batch, 132);
  };
  CHECK(slices(512, 512, 16384) == 7);
  CHECK(slices(64, 64, 511) == 1);
  CHECK(slices(64, 64, 512) == 2);
  CHECK(slices(4096, 4096, 4096) == 1);
  CHECK(slices(64, 64, 4096, 100000) == 1);
  gemm::random_numbers random(5);
  auto const wide = [&](auto...) { return std::ldexp(random.uniform(), static_cast<int>(random.integer(-20, 20))); };
  float_product const x = make_float_product(70, 5, 515, wide, wide);  // the last slice is a short one
  std::vector<float> const whole = test::result_of<policy::otherwise>(x), got = test::result_of<policy>(x);
  CHECK(!same_bits(got, whole));
  CHECK(same_bits(got, refused_result(x)));
  CHECK(test::worst_error(x, got, 519, 0) <= 1);
}

TEST_CASE("blocks leave a product to another kernel only when that has been said of it") {
  test::need_sm90a();
  gemm::random_numbers random(4);
  using namespace gemm::detail;
  constexpr std::int64_t m = 150, n = 17, k = 70;  // two blocks, of which one always waits
  auto const any = [&](auto...) { return random.uniform(); };
  float_product const x = make_float_product(m, n, k, any, any);
  std::vector<float> const before(static_cast<std::size_t>(m * n), 2.0f);
  test::device_array<float> const a(x.a), b(x.b), c(before);
  auto const p = problem_of(row_major(static_cast<float const*>(a.data()), m, k),
                            col_major(static_cast<float const*>(b.data()), k, n), row_major(c.data(), m, n), 1.0f, 0.0f,
                            gemm::identity{});
  fp16x3_plan const plan = plan_fp16x3<policy::terms>(p);
  test::device_array<int> const memory(std::vector<int>(plan.bytes / sizeof(int), was_accepted));
  auto* const bytes = reinterpret_cast<unsigned char*>(memory.data());
  int const* const refused = memory.data() + plan.refused / sizeof(int);
  auto const compute = [&] {
    REQUIRE(
        enqueue<policy::otherwise>(gemm::refused_problem<std::remove_const_t<decltype(p)>>{p, refused, true}, nullptr));
    return c.download();
  };
  CHECK(same_bits(compute(), before));
  bool undecided = false;
  REQUIRE(enqueue_fp16x3_split<policy>(p, plan, bytes, nullptr, undecided));
  CHECK(undecided);  // whatever was said of the last product
  CHECK(memory.download()[plan.refused / sizeof(int)] == not_decided);
  CHECK(same_bits(compute(), test::result_of<policy::otherwise>(x)));
}

TEST_CASE("fp32_emulated is chosen where it is faster", "[choice]") {
  test::need_sm90a();
  alignas(256) float element = 0, result = 0;  // which are not read; what is chosen depends on their alignment
  auto const chosen_for = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    return gemm::chosen<gemm::fp32_emulated>(row_major(&element, m, k), col_major(&element, k, n),
                                             row_major(&result, m, n));
  };
  CHECK(chosen_for(8192, 8192, 8192).policy == "with_fallback<fp16x3_128x192x64_2x1>");
  CHECK(chosen_for(4096, 4096, 4096).policy == "with_fallback<fp16x3_128x128x64_2x1>");
  CHECK(chosen_for(2048, 4096, 4096).policy == "with_fallback<fp16x3_128x128x64_2x1>");
  auto const exact_for = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    return gemm::chosen(row_major(&element, m, k), col_major(&element, k, n), row_major(&result, m, n));
  };
  auto const exact = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    return chosen_for(m, n, k).policy == exact_for(m, n, k).policy;
  };
  CHECK(chosen_for(1024, 2048, 4096).policy == "with_fallback<fp16x3_sliced_128x128x64>");
  CHECK(chosen_for(512, 512, 4096).policy == "with_fallback<fp16x3_sliced_128x128x64>");
  CHECK(chosen_for(8192, 8192, 65536).policy == "with_fallback<fp16x3_compensated_128x192x64_2x1>");
  CHECK(chosen_for(1024, 1024, 1000).policy == "with_fallback<fp16x3_128x128x64_2x1>");
  CHECK(!exact(2048, 2048, 2048));
  CHECK(exact(256, 256, 256));
  CHECK(exact(16, 8192, 8192));
  CHECK(exact(4096, 4096, 0));

  auto const stays = [](gemm::choice const& c) { return c.policy.find("persistent") != std::string_view::npos; };
  CHECK(!stays(chosen_for(768, 768, 256)));  // whose sums have k in one piece
  CHECK(exact(768, 768, 255));
}

TEST_CASE("fp32_emulated runs") {
  test::need_sm90a();
  gemm::random_numbers random(2);
  auto const any = [&](auto...) { return random.uniform(); };
  float_product const x = make_float_product(33, 65, 70, any, any);
  CHECK(test::worst_error(x, test::result_of<gemm::fp32_emulated>(x), 74, 0) <= 1);

  // Where k is 0, alpha does not count.
  test::device_array<float> const none(std::vector<float>(1));
  for (float const alpha : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    for (float const beta : {-3.0f, 0.0f}) {
      test::device_array<float> const c(std::vector<float>(33 * 65, 2.0f));
      REQUIRE(gemm::run<gemm::fp32_emulated>(row_major(none.data(), 33, 0), row_major(none.data(), 0, 65),
                                             row_major(c.data(), 33, 65), {.alpha = alpha, .beta = beta}));
      CHECK(same_bits(c.download(), std::vector<float>(33 * 65, beta == 0 ? 0 : -6.0f)));
    }
  }
}

#endif
