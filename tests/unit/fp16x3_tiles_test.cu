// SPDX-License-Identifier: BSL-1.0
//! @file
//! The tiles of fp16x3: into how many slices k is cut, and that nobody sees in C which tiles there are.

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "../policies/policies.hpp"
#include "../support/cpu_options.hpp"
#include "../support/device.hpp"
#include "../support/host_matrix.hpp"
#include "../support/sm90a.hpp"
#include "../support/tier.hpp"

namespace test {

struct compensated_64x192x64_2 : gemm::fp16x3<gemm::block<64, 192, 64>, gemm::stages<2>> {
  static constexpr bool compensated = true;
};
struct compensated_64x64x64_3 : fp16x3_64x64x64_3 {
  static constexpr bool compensated = true, adds_in_place = true;
};

}  // namespace test

namespace {

using gemm::col_major;
using gemm::row_major;
using test::same_bits;

std::vector<float> random_elements(std::int64_t count) {
  gemm::random_numbers random(7);
  std::vector<float> elements(static_cast<std::size_t>(count));
  for (float& x : elements) {
    x = static_cast<float>(random.uniform());
  }
  return elements;
}

/// Every way in which C is stored, as the policy leaves it in memory.
template <class Policy>
std::vector<float> results_of(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch) {
  test::device_array<float> const operands(random_elements((m + n) * k * batch));
  auto const a = batched(row_major(operands.data(), m, k), batch);
  auto const b = batched(col_major(operands.data() + m * k * batch, k, n), batch);
  std::vector<float> all;
  auto const add = [&](auto const& c, float beta) {
    auto const room = static_cast<std::size_t>(c.ld * (c.layout == gemm::order::row ? m : n) * batch);
    std::vector<float> const before(room, beta == 0 ? std::numeric_limits<float>::quiet_NaN() : 0.5F);
    test::device_array<float> const memory(before);
    auto own = c;
    own.data = memory.data();
    gemm::status const status = gemm::run<Policy>(a, b, batched(own, batch), {.alpha = 1.5F, .beta = beta});
    INFO(status.message());
    REQUIRE(status);
    std::vector<float> const got = memory.download();
    all.insert(all.end(), got.begin(), got.end());
  };
  float* const none = nullptr;
  add(row_major(none, m, n, (n + 3) / 4 * 4), 0);
  add(row_major(none, m, n, (n + 3) / 4 * 4 + 1), 0);
  add(row_major(none, m, n), 2);
  add(col_major(none, m, n), 0);
  return all;
}

}  // namespace

TEST_CASE("k is cut into as many slices as fill the device") {
  float element = 0;  // whose address is not used
  auto const slices = [&]<class Policy>(Policy, std::int64_t m, std::int64_t n, std::int64_t k) {
    auto const p = gemm::detail::problem_of(row_major(&element, m, k), col_major(&element, k, n),
                                            row_major(&element, m, n), 1.0F, 0.0F, gemm::identity{});
    return gemm::detail::plan_slices<Policy>(p, 132).slices;
  };
  gemm::fp16x3_sliced_128x128x64 const any;
  CHECK(slices(any, 128, 128, 4096) == 8);
  CHECK(slices(any, 512, 512, 4096) == 6);  // 15 clusters of 8, 15 of 7
  CHECK(slices(any, 768, 768, 4096) == 3);
  CHECK(slices(any, 768, 768, 65) == 2);  // chunks
  CHECK(slices(any, 1024, 1024, 4096) == 2);
  CHECK(slices(any, 1024, 1152, 4096) == 1);
  CHECK(slices(any, 512, 512, 0) == 1);
  CHECK(slices(test::fp16x3_sliced_64x64x64_3{}, 4096, 4096, 4096) == 3);
  CHECK(slices(test::fp16x3_sliced_64x64x64_3{}, 4096, 4096, 1) == 1);
}

TEST_CASE("split terms have as many persistent clusters as the device holds, or one for each sliced tile") {
  float element = 0;  // whose address is not used
  auto const grid = [&]<class Policy>(Policy, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch = 1) {
    auto const p = gemm::detail::problem_of(batched(row_major(&element, m, k), batch), col_major(&element, k, n),
                                            batched(row_major(&element, m, n), batch), 1.0F, 0.0F, gemm::identity{});
    auto const& kernel = gemm::detail::compiled_kernel_of<Policy, std::remove_const_t<decltype(p)>>;
    gemm::detail::launch_plan const plan = gemm::detail::plan_terms_launch<Policy>(kernel, p, 132);
    CHECK(plan.kind.cluster == static_cast<int>(plan.grid.z));
    return std::pair(plan.grid.x, plan.grid.z);
  };
  using clusters = std::pair<unsigned, unsigned>;
  CHECK(grid(gemm::fp16x3_128x192x64_2x1{}, 4096, 4096, 64) == clusters(66, 2));
  CHECK(grid(gemm::fp16x3_128x192x64_2x1{}, 256, 193, 64, 3) == clusters(6, 2));
  CHECK(grid(gemm::fp16x3_sliced_128x128x64{}, 512, 512, 4096) == clusters(16, 6));
  CHECK(grid(gemm::fp16x3_sliced_128x128x64{}, 1024, 1152, 4096, 2) == clusters(144, 1));
  CHECK(grid(gemm::bf16x6_mma_128x128x64{}, 2048, 2048, 64) == clusters(132, 1));
}

TEST_CASE("slabs are long where there are blocks enough, and few have to meet") {
  using gemm::detail::plan_slab;
  CHECK(plan_slab(1, 1) == 64);
  CHECK(plan_slab(2048, 32) == 128);
  CHECK(plan_slab(4096, 64) == 256);
  CHECK(plan_slab(100, 1e6) == 256);
  CHECK(plan_slab(16384, 1) == 256);
  CHECK(plan_slab(16385, 1e6) == 320);
  CHECK(plan_slab(1 << 30, 1) == 1 << 24);
}

TEST_CASE("a product is the same in tiles of any size", "[sanitizer]") {
  test::need_sm90a();
  test::cpu_options const few([](auto& options) { options.device.multiprocessors = 4; });
  auto const check = []<class Policy>(Policy, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch) {
    CAPTURE(m, n, k, batch);
    CHECK(same_bits(results_of<Policy>(m, n, k, batch), results_of<test::fp16x3_64x64x64_3>(m, n, k, batch)));
  };
  using wide = gemm::fp16x3<gemm::block<64, 128, 64>, gemm::stages<2>>;
  check(wide{}, 65, 401, 70, 1);
  check(wide{}, 130, 50, 64, 1);
  if (!test::on_cpu_device) {
    check(wide{}, 2560, 700, 130, 1);  // more than a wave
  }
#if !defined(GEMM_TEST_SANITIZERS)
  check(gemm::with_fallback<wide>{}, 65, 200, 130, 3);
  check(gemm::fp16x3<gemm::block<64, 192, 64>, gemm::stages<2>, gemm::cluster<1, 2>>{}, 130, 450, 40, 1);
  check(gemm::with_fallback<gemm::fp16x3_128x192x64_2x1>{}, 300, 450, 70, 1);
  CHECK(same_bits(results_of<test::compensated_64x192x64_2>(130, 450, 300, 1),
                  results_of<test::compensated_64x64x64_3>(130, 450, 300, 1)));
#endif
}
