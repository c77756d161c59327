// SPDX-License-Identifier: BSL-1.0
//! @file
//! Operands of fp16x3 that are split into terms before the call: results are those of the matrices themselves, bit for
//! bit.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "../policies/policies.hpp"
#include "../support/device.hpp"
#include "../support/host_matrix.hpp"
#include "../support/sm90a.hpp"

namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Equals;
using gemm::col_major;
using gemm::prepacked_a;
using gemm::prepacked_b;
using gemm::row_major;
using test::same_bits;
using with_fallback = gemm::with_fallback<test::fp16x3_64x64x64_3>;
struct wide : gemm::fp16x3<gemm::block<64, 64, 64>, gemm::stages<2>, gemm::cluster<1>, gemm::low_scale<11>> {};

std::vector<float> numbers(std::size_t count, std::uint64_t seed) {
  gemm::random_numbers random(seed);
  std::vector<float> values(count);
  for (float& x : values) {
    x = static_cast<float>(random.uniform());
  }
  return values;
}

/// A prepacked operand with memory of its own, filled.
template <class Prepacked>
class packed {
 public:
  explicit packed(Prepacked const& m) : memory_(std::vector<unsigned char>(gemm::prepacked_size(m), 0xff)), view_(m) {
    view_.memory = {memory_.data(), memory_.size()};
    gemm::status const status = gemm::prepack(view_);
    INFO(status.message());
    REQUIRE(status);
  }

  Prepacked const& view() const { return view_; }
  std::vector<unsigned char> bytes() const { return memory_.download(); }

 private:
  test::device_array<unsigned char> memory_;
  Prepacked view_;
};

/// C of a product, every element of which was NaN before.
template <class Policy, class A, class B, class C>
std::vector<float> result_of(A const& a, B const& b, C const& c, std::size_t elements) {
  test::device_array<float> const memory(std::vector<float>(elements, std::numeric_limits<float>::quiet_NaN()));
  C own = c;
  own.data = memory.data();
  gemm::status const status = gemm::run<Policy>(a, b, own, {.alpha = 1.5F});
  INFO(status.message());
  REQUIRE(status);
  return memory.download();
}

/// Checks a product with A, B and both of them prepacked.
template <class Policy, class A, class B, class C>
void check(A const& a, B const& b, C const& c, std::size_t elements) {
  packed const pa(prepacked_a<Policy>(a));
  packed const pb(prepacked_b<Policy>(b));
  std::vector<float> const want = result_of<Policy>(a, b, c, elements);
  CHECK(same_bits(result_of<Policy>(pa.view(), b, c, elements), want));
  CHECK(same_bits(result_of<Policy>(a, pb.view(), c, elements), want));
  CHECK(same_bits(result_of<Policy>(pa.view(), pb.view(), c, elements), want));
}

}  // namespace

TEST_CASE("prepacked operands give the bits of the matrices", "[sanitizer]") {
  test::need_sm90a();
  struct sizes {
    std::int64_t m, n, k, gap, shift;  // elements behind each line, and before the first
  };
  for (auto const [m, n, k, gap, shift] :
       {sizes{1, 1, 1, 0, 0}, sizes{65, 33, 64, 4, 0}, sizes{19, 70, 131, 3, 1}, sizes{64, 128, 200, 0, 0}}) {
    CAPTURE(m, n, k);
    std::size_t const elements = static_cast<std::size_t>((m + n + gap) * (n + m + gap));
    test::device_array<float> const memory_a(numbers(static_cast<std::size_t>((m + gap) * (k + gap) + shift + gap), 1)),
        memory_b(numbers(static_cast<std::size_t>((n + gap) * (k + gap) + shift + gap), 2));
    float const* const a = memory_a.data() + shift;
    float const* const b = memory_b.data() + shift;
    float* const none = nullptr;
    check<with_fallback>(row_major(a, m, k, k + gap), row_major(b, k, n, n + gap), row_major(none, m, n), elements);
    check<with_fallback>(row_major(a, m, k, k + gap), col_major(b, k, n, k + gap), col_major(none, m, n, m + gap),
                         elements);
    check<with_fallback>(col_major(a, m, k, m + gap), row_major(b, k, n, n + gap), col_major(none, m, n), elements);
    check<with_fallback>(col_major(a, m, k, m + gap), col_major(b, k, n, k + gap), row_major(none, m, n, n + gap),
                         elements);
    check<wide>(row_major(a, m, k, k + gap), row_major(b, k, n, n + gap), row_major(none, m, n), elements);
  }
  // A single line may have any leading dimension.
  constexpr std::int64_t most = (std::int64_t{1} << 60) - 4096;
  test::device_array<float> const line(numbers(70, 3));
  float* const none = nullptr;
  auto const row = row_major(line.data(), 1, 70, most);
  check<with_fallback>(row, transposed(row), row_major(none, 1, 1), 1);
  check<with_fallback>(transposed(row), row, row_major(none, 70, 70), 70 * 70);
}

#if !defined(GEMM_TEST_SANITIZERS)

TEST_CASE("long lines are prepacked, too") {
  test::need_sm90a();
  constexpr std::int64_t m = 3, n = 5, k = 1100;
  test::device_array<float> const a(numbers(m * k, 1)), b(numbers(n * k, 2));
  float* const none = nullptr;
  check<with_fallback>(row_major(a.data(), m, k), col_major(b.data(), k, n), row_major(none, m, n), m * n);
}

TEST_CASE("a prepacked matrix has its view's factor") {
  test::need_sm90a();
  constexpr std::int64_t m = 3, n = 5, k = 70;
  test::device_array<float> const a(numbers(m * k, 1)), b(numbers(n * k, 2));
  float* const none = nullptr;
  auto const plain = row_major(a.data(), m, k);
  auto const other = row_major(b.data(), k, n);
  auto const c = row_major(none, m, n);
  auto scaled = plain;
  scaled.factor = 3;
  check<with_fallback>(scaled, other, c, m * n);
  CHECK_FALSE(
      same_bits(result_of<with_fallback>(scaled, other, c, m * n), result_of<with_fallback>(plain, other, c, m * n)));
}

TEST_CASE("batches of prepacked matrices, and one for all of a batch") {
  test::need_sm90a();
  constexpr std::int64_t m = 33, n = 70, k = 50, count = 3;
  test::device_array<float> const a(numbers(m * k * count, 1)), b(numbers(k * n * count, 2));
  float* const none = nullptr;
  auto const each_a = batched(row_major(a.data(), m, k), count);
  auto const each_b = batched(row_major(b.data(), k, n), count);
  auto const c = batched(row_major(none, m, n), count);
  check<with_fallback>(each_a, each_b, c, m * n * count);
  check<with_fallback>(each_a, row_major(b.data(), k, n), c, m * n * count);
  check<with_fallback>(batched(row_major(a.data(), m, k), count, 0), each_b, c, m * n * count);
  CHECK(prepacked_size(prepacked_b(each_b)) > 2 * prepacked_size(prepacked_b(row_major(b.data(), k, n))));
  CHECK(prepacked_size(prepacked_b(batched(row_major(b.data(), k, n), count, 0))) ==
        prepacked_size(prepacked_b(row_major(b.data(), k, n))));
}

TEST_CASE("one prepacked operand serves many products, and the transposed one") {
  test::need_sm90a();
  constexpr std::int64_t m = 40, n = 70, k = 90;
  test::device_array<float> const a(numbers(m * k, 1)), other(numbers(m * k, 3)), b(numbers(k * n, 2));
  auto const weights = row_major(b.data(), k, n);
  float* const none = nullptr;
  packed const parts(prepacked_b<with_fallback>(weights));
  auto const c = row_major(none, m, n);
  for (float const* const x : {a.data(), other.data(), a.data()}) {
    auto const view = row_major(x, m, k);
    CHECK(same_bits(result_of<with_fallback>(view, parts.view(), c, m * n),
                    result_of<with_fallback>(view, weights, c, m * n)));
  }
  auto const turned = row_major(a.data(), k, m);
  CHECK(same_bits(result_of<with_fallback>(transposed(parts.view()), turned, row_major(none, n, m), m * n),
                  result_of<with_fallback>(transposed(weights), turned, row_major(none, n, m), m * n)));
  // Policies of other tiles multiply the same parts, and so does the library's choice.
  auto const view = row_major(a.data(), m, k);
  CHECK(same_bits(result_of<test::fp16x3_128x64x64_2x1>(view, parts.view(), c, m * n),
                  result_of<test::fp16x3_128x64x64_2x1>(view, weights, c, m * n)));
  CHECK(same_bits(result_of<gemm::fp32_emulated>(view, parts.view(), c, m * n),
                  result_of<gemm::fp32_emulated>(view, weights, c, m * n)));
}

TEST_CASE("what prepacked operands have of infinite elements and wide lines is known to the call") {
  test::need_sm90a();
  constexpr std::int64_t m = 20, n = 30, k = 70;
  float* const none = nullptr;
  for (float const odd : {std::numeric_limits<float>::infinity(), 0x1p30F}) {
    std::vector<float> elements = numbers(k * n, 2);
    elements[5] = odd;
    test::device_array<float> const a(numbers(m * k, 1)), b(elements);
    auto const view_a = row_major(a.data(), m, k);
    auto const view_b = row_major(b.data(), k, n);
    auto const c = row_major(none, m, n);
    packed const parts(prepacked_b<with_fallback>(view_b));
    std::vector<float> const got = result_of<with_fallback>(view_a, parts.view(), c, m * n);
    CHECK(same_bits(got, result_of<with_fallback::otherwise>(view_a, view_b, c, m * n)));
    check<test::fp16x3_64x64x64_3>(view_a, view_b, c, m * n);
  }
}

TEST_CASE("a matrix has the same parts in both storages") {
  test::need_sm90a();
  struct sizes {
    std::int64_t k, n, gap, shift;
  };
  // One block for each line, several that meet, and those whose slabs are longer than what shared memory holds.
  for (auto const [k, n, gap, shift] : {sizes{40, 70, 2, 0}, sizes{700, 130, 0, 0}, sizes{700, 66, 1, 1},
                                        sizes{16500, 5, 3, 0}, sizes{16500, 3, 0, 3}}) {
    CAPTURE(k, n);
    std::int64_t const ld = n + gap;
    std::vector<float> rows = numbers(static_cast<std::size_t>(k * ld + shift), 5),
                       columns(static_cast<std::size_t>(k * n));
    auto const element = [&](std::int64_t line, std::int64_t at) -> float& {
      return rows[static_cast<std::size_t>(shift + at * ld + line)];
    };
    for (std::int64_t at = 0; at < k; ++at) {
      element(0, at) = 0;
    }
    element(1, k - 1) = std::numeric_limits<float>::infinity();
    element(1, 0) = 1e-30F;
    element(2, k / 2) = 1e10F;
    for (std::int64_t line = 0; line < n; ++line) {
      for (std::int64_t at = 0; at < k; ++at) {
        columns[static_cast<std::size_t>(line * k + at)] = element(line, at);
      }
    }
    test::device_array<float> const mn_major(rows), k_major(columns);
    packed const parts(prepacked_b<with_fallback>(row_major(mn_major.data() + shift, k, n, ld)));
    packed const same(prepacked_b<with_fallback>(col_major(k_major.data(), k, n)));
    std::vector<unsigned char> got = parts.bytes();
    std::vector<unsigned char> want = same.bytes();
    REQUIRE(got.size() >= want.size());
    want.resize(want.size() - static_cast<std::size_t>(128 - n * 4 % 128) % 128);  // behind the facts of the last line
    got.resize(want.size());
    CHECK(got == want);
  }
}

TEST_CASE("prepacked operands save their workspace, and the choice knows it") {
  test::need_sm90a();
  float element = 0, result = 0;  // which are not read
  gemm::workspace const memory{&element - reinterpret_cast<std::uintptr_t>(&element) % 16 / 4, std::size_t{1} << 40};
  constexpr std::int64_t n = 4096;
  auto const a = row_major(&element, n, n), b = row_major(&element, n, n), c = row_major(&result, n, n);
  auto const pa = prepacked_a(a, memory);
  auto const pb = prepacked_b(b, memory);
  using policy = gemm::with_fallback<gemm::fp16x3_128x128x64_2x1>;
  CHECK(prepacked_size(pa) == n * (n * 4 + 8));
  CHECK(prepacked_size(pb) == n * (n * 4 + 8 + n / 256 * 4));
  CHECK(gemm::workspace_size<policy>(a, b, c) == prepacked_size(pa) + prepacked_size(pb) + 128);
  CHECK(gemm::workspace_size<policy>(pa, b, c) == prepacked_size(pb) + 128);
  CHECK(gemm::workspace_size<policy>(pa, pb, c) == 128);
  double const both = gemm::chosen<gemm::fp32_emulated>(pa, pb, c).seconds,
               one = gemm::chosen<gemm::fp32_emulated>(a, pb, c).seconds,
               none = gemm::chosen<gemm::fp32_emulated>(a, b, c).seconds;
  CHECK((both < one && one < none));
}

#endif

TEST_CASE("a plan that is remembered has the terms of the call, not those of the call before") {
  test::need_sm90a();
  constexpr std::int64_t size = 4096;
  float* const any = reinterpret_cast<float*>(256);  // nothing runs
  auto const x = row_major(any, size, size), c = row_major(any + 64, size, size);
  auto const p = gemm::detail::problem_of(x, x, c, 1.0F, 0.0F, gemm::identity{});
  for (std::uintptr_t const address : {1 << 20, 1 << 21}) {
    auto* const terms = reinterpret_cast<unsigned char*>(address);
    gemm::detail::call_plan plan;
    REQUIRE(gemm::detail::choose<gemm::fp32_emulated>(p, {{}, {terms, 1}}, std::size_t{1} << 40, plan));
    REQUIRE(plan.kernel->split_terms);
    CHECK(plan.terms.a.prepacked == nullptr);
    CHECK(plan.terms.b.prepacked == terms);
  }
}

TEST_CASE("bad prepacked operands are refused, and nothing is written", "[validation]") {
  test::need_sm90a();
  constexpr std::int64_t m = 4, n = 8, k = 6;
  test::device_array<float> const a(numbers(m * k, 1)), b(numbers(k * n, 2)), c(std::vector<float>(m * n, 7));
  auto const view_a = row_major(a.data(), m, k);
  auto const weights = row_major(b.data(), k, n);
  std::size_t const bytes = prepacked_size(prepacked_b<with_fallback>(weights));
  test::device_array<unsigned char> const memory(std::vector<unsigned char>(bytes + 16, 3));
  auto const refusal = [&](auto const& parts) {
    gemm::status const made = gemm::prepack(parts);
    gemm::status const used = gemm::run<with_fallback>(view_a, parts, row_major(c.data(), m, n)),
                       asked = gemm::can_run<with_fallback>(view_a, parts, row_major(c.data(), m, n));
    CHECK(made.code() == gemm::status_code::invalid_argument);
    CHECK(used.code() == gemm::status_code::invalid_argument);
    CHECK(std::string(used.message()) == made.message());
    CHECK(std::string(used.message()) == asked.message());
    CHECK(gemm::chosen<gemm::fp32_emulated>(view_a, parts, row_major(c.data(), m, n)).policy.empty());
    CHECK(gemm::workspace_size<with_fallback>(view_a, parts, row_major(c.data(), m, n)) == 0);
    return std::string(made.message());
  };
  auto const of = [&](void* data, std::size_t size) { return prepacked_b<with_fallback>(weights, {data, size}); };
  std::string const needed = std::to_string(bytes);
  CHECK_THAT(refusal(of(nullptr, 0)), Equals("the memory of B's parts is null, needs " + needed + " bytes"));
  CHECK_THAT(refusal(of(memory.data(), bytes - 1)),
             Equals("the memory of B's parts has " + std::to_string(bytes - 1) + " bytes, needs " + needed));
  CHECK_THAT(refusal(of(memory.data() + 8, bytes)), ContainsSubstring("of B's parts is not a multiple of 16 bytes"));
  float const* const null = nullptr;
  CHECK_THAT(refusal(prepacked_b<with_fallback>(row_major(null, k, n), {memory.data(), bytes})),
             Equals("B is null, needs 6 x 8 elements"));
  CHECK_THAT(refusal(prepacked_b<with_fallback>(row_major(b.data(), k, n, 5), {memory.data(), bytes})),
             Equals("ldb is 5, needs at least 8, the columns of B (6 x 8, row-major)"));
  auto const endless = prepacked_b<with_fallback>(row_major(b.data(), std::int64_t{1} << 62, 1));
  CHECK(prepacked_size(endless) == 0);
  CHECK_THAT(gemm::prepack(endless).message(), ContainsSubstring("more than can be addressed"));
  CHECK_FALSE(
      gemm::chosen<gemm::fp32_emulated>(view_a, of(memory.data(), bytes), row_major(c.data(), m, n)).policy.empty());
  CHECK(c.download() == std::vector<float>(m * n, 7));
  CHECK(memory.download() == std::vector<unsigned char>(bytes + 16, 3));
  // Nothing is read where alpha or k is 0, and nothing is done without elements.
  CHECK(gemm::run<with_fallback>(view_a, of(nullptr, 0), row_major(c.data(), m, n), {.alpha = 0, .beta = 1}));
  float const nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(gemm::run<with_fallback>(row_major(a.data(), m, 0), prepacked_b<with_fallback>(row_major(b.data(), 0, n)),
                                 row_major(c.data(), m, n), {.alpha = nan, .beta = 1}));
  CHECK(gemm::run<gemm::fp32_emulated>(prepacked_a(row_major(a.data(), m, 0)), row_major(b.data(), 0, n),
                                       row_major(c.data(), m, n), {.alpha = nan, .beta = 1}));
  CHECK(c.download() == std::vector<float>(m * n, 7));
  CHECK(gemm::prepack(prepacked_b<with_fallback>(row_major(null, 0, n))));
  CHECK(gemm::prepack(of(memory.data(), bytes)));
}
