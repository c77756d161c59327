// SPDX-License-Identifier: BSL-1.0
//! @file
//! promote<k>: sums of many terms of one sign, which tensor cores truncate, stay within the bound of shorter ones.

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>
#include <gemm/reference.hpp>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

constexpr int promoted_every = 128;
template <class Block>
using kept = gemm::sm90_wgmma<Block, gemm::stages<3>>;
template <class Block>
using promoted =
    gemm::sm90_wgmma<Block, gemm::stages<3>, gemm::cluster<1>, gemm::half_or_bf16, gemm::promote<promoted_every>>;

/// The largest error of a product of numbers in [0, 1), in units of the bound with promotion.
template <class Policy, class In>
double errors_over_bound(std::int64_t m, std::int64_t n, std::int64_t k) {
  gemm::random_numbers random(7);
  std::vector<In> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
  for (auto* const all : {&a, &b}) {
    for (In& x : *all) {
      x = In(static_cast<float>(std::abs(random.uniform())));
    }
  }
  test::device_array<In> const on_a(a), on_b(b);
  std::vector<float> c(static_cast<std::size_t>(m * n));
  test::device_array<float> const on_c(c);
  gemm::status const status = gemm::run<Policy>(gemm::row_major(on_a.data(), m, k), gemm::col_major(on_b.data(), k, n),
                                                gemm::row_major(on_c.data(), m, n));
  INFO(status.message());
  REQUIRE(status);
  c = on_c.download();
  auto const want = gemm::reference(gemm::row_major(a.data(), m, k), gemm::col_major(b.data(), k, n),
                                    gemm::row_major(c.data(), m, n), 1, 0);
  double worst = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    double const bound = gemm::error_bound<In, float>(want[i], k, promoted_every);
    worst = std::max(worst, std::abs(static_cast<double>(c[i]) - want[i].value) / bound);
  }
  return worst;
}

}  // namespace

TEMPLATE_TEST_CASE("promoted sums of a long k are within their bound, others are not", "[promotion]", __half,
                   __nv_bfloat16) {
  test::need_sm90a();
  constexpr std::int64_t k = 16384 + 200;
  using tile = gemm::block<64, 64, 64>;
  using few_rows = gemm::block<16, 64, 64>;
  CHECK(errors_over_bound<promoted<tile>, TestType>(20, 12, k) < 1);
  CHECK(errors_over_bound<promoted<few_rows>, TestType>(5, 12, k) < 1);
  CHECK(errors_over_bound<gemm::split_k<promoted<tile>, 3>, TestType>(20, 12, k) < 1);
  CHECK(errors_over_bound<kept<tile>, TestType>(20, 12, k) > 1);
  CHECK(errors_over_bound<kept<few_rows>, TestType>(5, 12, k) > 1);
}

TEMPLATE_TEST_CASE("no accumulator of run() adds a long k unpromoted", "[promotion]", __half, __nv_bfloat16) {
  test::need_sm90a();
  auto const chosen = [](std::int64_t m, std::int64_t n, std::int64_t k, gemm::workspace memory = {}) {
    auto* const any = reinterpret_cast<TestType*>(256);
    return gemm::chosen(gemm::row_major(any, m, k), gemm::col_major(any, k, n),
                        gemm::row_major(reinterpret_cast<float*>(512), m, n), {.workspace = memory});
  };
  constexpr std::int64_t most = gemm::detail::most_k_of_accum;
  for (std::int64_t const k : {most + 1, 2 * most, 4 * most}) {
    for (std::int64_t const side : {16, 64, 256, 1000, 2048, 8192}) {
      gemm::choice const c = chosen(side, side, k);
      CAPTURE(side, k, c.policy, c.slices);
      CHECK((c.policy.find("promoted") != std::string_view::npos || (k + c.slices - 1) / c.slices <= most + 64));
    }
  }
  CHECK(chosen(4096, 4096, 4 * most).policy.find("promoted") != std::string_view::npos);
  CHECK(chosen(4096, 4096, most).policy.find("promoted") == std::string_view::npos);
  CHECK_FALSE(chosen(4097, 4097, 4 * most + 1, {reinterpret_cast<void*>(1024), 16}).policy.empty());
}

TEST_CASE("every k is summed once with promotion", "[promotion]") {
  test::need_sm90a();
  for (std::int64_t k : {1, 63, 64, 65, 128, 129, 192, 256, 320, 700}) {
    CAPTURE(k);
    CHECK(errors_over_bound<promoted<gemm::block<128, 64, 64>>, __half>(130, 66, k) < 1);
  }
}
