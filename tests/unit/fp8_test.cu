// SPDX-License-Identifier: BSL-1.0
//! @file
//! fp8: what is not said of every element type.

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>
#include <gemm/reference.hpp>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"
#include "../support/tier.hpp"

namespace {

using Catch::Matchers::Equals;
using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;

using promoting = gemm::sm90_wgmma<gemm::block<64, 64, 128>, gemm::stages<3>, gemm::cluster<1>, gemm::fp8>;
using fast = gemm::sm90_wgmma<gemm::block<64, 64, 128>, gemm::stages<3>, gemm::cluster<1>, gemm::fp8_fast_accumulation>;
using fast_in_turns = gemm::sm90_wgmma_ping_pong<gemm::block<64, 64, 128>, gemm::stages<3>, gemm::cluster<1>,
                                                 gemm::fp8_fast_accumulation>;

using fast_by_mma =
    gemm::sm80_mma<gemm::block<64, 64, 64>, gemm::warp<64, 64>, gemm::stages<3>, gemm::fp8_fast_accumulation>;

template <int Columns, int Parts>
using in_parts = gemm::sm90_wgmma<gemm::block<64, Columns, 128>, gemm::stages<3>, gemm::cluster<1>, gemm::fp8,
                                  gemm::promote<128, Parts>>;

using in_stages = gemm::pipelined<gemm::block<32, 32, 8>, gemm::warp<16, 32>, gemm::thread<4, 4>, gemm::stages<2>>;

template <gemm::order Order, class T>
auto view(T const* data, std::int64_t rows, std::int64_t columns) {
  if constexpr (Order == gemm::order::row) {
    return gemm::row_major(data, rows, columns);
  } else {
    return gemm::col_major(data, rows, columns);
  }
}

template <class T>
std::vector<T> numbers(std::size_t count, std::uint64_t seed, double least) {
  std::vector<T> all(count);
  gemm::random_numbers random(seed);
  for (T& x : all) {
    x = T(least + (1 - least) * std::abs(random.uniform()));
  }
  return all;
}

/// A product's elements.
template <class Policy>
std::vector<float> product_of(std::int64_t m, std::int64_t n, std::int64_t k) {
  test::device_array<e4m3> const a(numbers<e4m3>(static_cast<std::size_t>(m * k), 3, -1)),
      b(numbers<e4m3>(static_cast<std::size_t>(k * n), 4, -1));
  test::device_array<float> const c(std::vector<float>(static_cast<std::size_t>(m * n)));
  gemm::status const status = gemm::run<Policy>(gemm::row_major(a.data(), m, k), gemm::col_major(b.data(), k, n),
                                                gemm::row_major(c.data(), m, n));
  INFO(status.message());
  REQUIRE(status);
  return c.download();
}

/// The largest error of a product, relatively to the sum of magnitudes.
template <class Policy, class In, class Out, class InB = In, gemm::order A = gemm::order::row,
          gemm::order B = gemm::order::column>
double error_of(std::int64_t m, std::int64_t n, std::int64_t k, double least) {
  std::vector<In> const a = numbers<In>(static_cast<std::size_t>(m * k), 1, least);
  std::vector<InB> const b = numbers<InB>(static_cast<std::size_t>(k * n), 2, least);
  std::vector<Out> c(static_cast<std::size_t>(m * n));
  test::device_array<In> const on_a(a);
  test::device_array<InB> const on_b(b);
  test::device_array<Out> const on_c(c);
  constexpr float of_a = 0.375F, of_b = -12;
  auto const view_a = [&](In const* data) { return view<A>(data, m, k); };
  auto const view_b = [&](InB const* data) { return view<B>(data, k, n); };
  gemm::status const status =
      gemm::run<Policy>(gemm::scaled(view_a(on_a.data()), of_a), gemm::scaled(view_b(on_b.data()), of_b),
                        gemm::row_major(on_c.data(), m, n));
  INFO(status.message());
  REQUIRE(status);
  c = on_c.download();
  auto const want = gemm::reference(view_a(a.data()), view_b(b.data()), gemm::row_major(c.data(), m, n),
                                    double{of_a} * double{of_b}, 0);
  double worst = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    double const error = std::abs(static_cast<double>(gemm::detail::widen(c[i])) - want[i].value);
    worst = std::max(worst, error / want[i].magnitude);
  }
  return worst;
}

}  // namespace

TEMPLATE_TEST_CASE("fp8 is multiplied with results of several types", "[fp8]", e4m3, e5m2) {
  test::need_sm90a();
  CHECK(error_of<promoting, TestType, float>(65, 72, 300, -1) < 1e-3);
  CHECK(error_of<promoting, TestType, __half>(65, 72, 300, -1) < 2e-3);
  CHECK(error_of<promoting, TestType, __nv_bfloat16>(65, 72, 300, -1) < 6e-3);
  CHECK(error_of<promoting, TestType, e4m3>(65, 72, 300, -1) < 0x1p-4 + 1e-3);
  CHECK(error_of<promoting, TestType, e5m2>(65, 72, 300, -1) < 0x1p-3 + 1e-3);
}

// Of each template that takes fp8 one.
TEMPLATE_TEST_CASE("A and B may be fp8 of two types", "[fp8]", promoting, gemm::sm90_wgmma_fp8_16x64x128, fast,
                   fast_in_turns, gemm::sm80_mma_fp8_64x64x128, fast_by_mma, gemm::block_scaled_32x32, gemm::naive_32x4,
                   gemm::coalesced_32x32, (gemm::shared_tile<gemm::block<16, 16, 5>>),
                   (gemm::block_tile_1d<gemm::block<24, 32, 3>, gemm::thread<6>>),
                   (gemm::block_tile_2d<gemm::block<32, 48, 6>, gemm::thread<4, 3>>),
                   (gemm::vectorized<gemm::block<32, 64, 12>, gemm::thread<4, 8>>),
                   (gemm::warp_tile<gemm::block<32, 96, 4>, gemm::warp<32, 32>, gemm::thread<8, 4>>), in_stages,
                   (gemm::split_k<in_stages, 3>), (gemm::skinny<gemm::block<8, 32, 32>, gemm::warps<1>>),
                   (gemm::skinny<gemm::block<64, 4, 32>, gemm::warps<2>>), gemm::skinny_1x32x512,
                   gemm::skinny_32x1x512) {
  test::need_sm90a();
  constexpr double bound = TestType::info.op == gemm::math_op::simt ? 2e-5 : 1e-3;
  CHECK(error_of<TestType, e4m3, float, e5m2>(13, 72, 300, -1) < bound);
  CHECK(error_of<TestType, e5m2, float, e4m3, gemm::order::column, gemm::order::row>(13, 72, 300, -1) < bound);
}

TEST_CASE("sums of fp8 that are promoted are better than those that are not", "[fp8]") {
  test::need_sm90a();
  double const promoted = error_of<promoting, e4m3, float>(64, 64, 4096, 0.5),
               kept = error_of<fast, e4m3, float>(64, 64, 4096, 0.5);
  CHECK(promoted < 1e-3);
  CHECK(kept > 4 * promoted);
  CHECK(error_of<fast_in_turns, e4m3, float>(64, 64, 4096, 0.5) == kept);
}

TEST_CASE("fp8 may be promoted less often", "[fp8]") {
  test::need_sm90a();
  using seldom =
      gemm::sm90_wgmma<gemm::block<64, 64, 128>, gemm::stages<3>, gemm::cluster<1>, gemm::fp8, gemm::promote<512>>;
  CHECK(error_of<seldom, e4m3, float>(65, 72, 1300, -1) < 1e-3);
  double const often = error_of<promoting, e4m3, float>(64, 64, 4096, 0.5),
               rarely = error_of<seldom, e4m3, float>(64, 64, 4096, 0.5);
  CHECK(rarely > often);
  CHECK(rarely < error_of<fast, e4m3, float>(64, 64, 4096, 0.5));
}

TEST_CASE("fp8 multiplied in parts has the same sums", "[fp8]") {
  test::need_sm90a();
  std::vector<float> const whole = product_of<promoting>(130, 520, 650);
  CHECK(product_of<in_parts<64, 2>>(130, 520, 650) == whole);
  CHECK(product_of<in_parts<192, 2>>(130, 520, 650) == whole);
  CHECK(product_of<in_parts<192, 3>>(130, 520, 650) == whole);
  CHECK(product_of<in_parts<256, 4>>(130, 520, 650) == whole);
  CHECK(product_of<gemm::sm90_wgmma_fp8_128x256x128_2x1>(130, 520, 650) == whole);
  CHECK(product_of<gemm::sm90_wgmma_fp8_128x256x128_2x1>(300, 300, 77) == product_of<promoting>(300, 300, 77));
}

TEST_CASE("fp8 of few rows in clusters that share A has the same sums", "[fp8]") {
  test::need_sm90a();
  std::vector<float> const alone = product_of<promoting>(128, 900, 400);
  CHECK(product_of<gemm::sm90_wgmma_fp8_128x80x128_1x2>(128, 900, 400) == alone);
  CHECK(product_of<gemm::sm90_wgmma_fp8_96x64x128_1x2>(128, 900, 400) == alone);
}

TEST_CASE("sums of fp8 by mma.sync are promoted", "[fp8]") {
  test::need_sm90a();
  double const promoted = error_of<gemm::sm80_mma_fp8_64x64x128, e4m3, float>(64, 64, 4096, 0.5),
               kept = error_of<fast_by_mma, e4m3, float>(64, 64, 4096, 0.5);
  CHECK(promoted < 1e-3);
  CHECK(kept >= (test::on_cpu_device ? 4 : 1) * promoted);  // GPUs that multiply fp8 as half lose no more
}

TEST_CASE("fp8 by run() without a policy", "[fp8]") {
  test::need_sm90a();
  GEMM_TEST_ON_GPU(CHECK(error_of<gemm::automatic, e4m3, float>(100, 30, 77, -1) < 1e-3);)
  CHECK(error_of<gemm::automatic, e4m3, e4m3>(100, 30, 77, -1) < 0x1p-4 + 1e-3);
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("a GPU before sm_89 has no fp8", "[fp8]") {
  cpu_device::scoped_options with;
  with->device.compute_capability_major = 8;
  with->device.compute_capability_minor = 6;
  auto* const any = reinterpret_cast<e4m3*>(4096);
  auto const status = gemm::run<gemm::sm80_mma_fp8_64x64x128>(gemm::row_major(any, 8, 8), gemm::row_major(any, 8, 8),
                                                              gemm::row_major(reinterpret_cast<float*>(8192), 8, 8));
  CHECK_THAT(status.message(), Equals("fp8 needs a device of compute capability 8.9 or more"));
}
#endif
