// SPDX-License-Identifier: BSL-1.0
//! @file
//! tf32: which numbers floats become, and that they do so where it is asked for, and nowhere else.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

using gemm::as_tf32;
using gemm::col_major;
using gemm::row_major;

using policy = gemm::sm90_wgmma<gemm::block<64, 64, 32>, gemm::stages<2>, gemm::cluster<1>, gemm::tf32>;
using turning = gemm::sm90_wgmma<gemm::block<64, 128, 32>, gemm::stages<2>, gemm::cluster<1>, gemm::tf32>;
using in_turns = gemm::sm90_wgmma_ping_pong<gemm::block<64, 64, 32>, gemm::stages<2>, gemm::cluster<1>, gemm::tf32>;

constexpr float infinite = std::numeric_limits<float>::infinity();

/// Floats and what they are multiplied as.
constexpr struct {
  float from, to;
} roundings[] = {{0x1p0F, 0x1p0F},
                 {0x1.002p0F, 0x1p0F},  // ties
                 {0x1.006p0F, 0x1.008p0F},
                 {-0x1.002p0F, -0x1p0F},
                 {-0x1.006p0F, -0x1.008p0F},
                 {0x1.001ffep0F, 0x1p0F},  // beside one
                 {0x1.002002p0F, 0x1.004p0F},
                 {0x1.fffffep3F, 0x1p4F},
                 {0x1.ffdffep127F, 0x1.ffcp127F},  // at the end of the numbers
                 {0x1.ffep127F, infinite},
                 {-0x1.fffffep127F, -infinite},
                 {infinite, infinite},
                 {0x1p-136F, 0x1p-136F},  // denormals
                 {0x1.8p-136F, 0x1p-135F},
                 {0x1p-137F, 0},
                 {0x1.fffffcp-127F, 0x1p-126F}};
constexpr std::int64_t count = std::size(roundings);

std::vector<float> all_from() {
  std::vector<float> result;
  for (auto const& [from, to] : roundings) {
    result.push_back(from);
  }
  return result;
}

auto* const aligned = reinterpret_cast<float*>(4096);
auto* const result = reinterpret_cast<float*>(8192);  // of which C is, or it would be refused

/// Bytes of a copy: so many lines of so many elements.
constexpr std::size_t copy(std::size_t lines, std::size_t ld) { return (lines * ld * 4 + 127) / 128 * 128; }

}  // namespace

TEST_CASE("a tf32 is the nearest number with 10 bits of fraction") {
  for (auto const& [from, to] : roundings) {
    CHECK(static_cast<float>(gemm::tf32(from)) == to);
    CHECK(gemm::tf32(from).bits == from);
  }
  CHECK(std::isnan(static_cast<float>(gemm::tf32(std::numeric_limits<float>::quiet_NaN()))));
}

TEMPLATE_TEST_CASE("floats are multiplied as tf32 where a policy or as_tf32 says so", "[sanitizer]", policy, turning,
                   in_turns, gemm::pipelined_16x64x32) {
  test::need_sm90a();
  test::device_array<float> const values(all_from()), one(std::vector<float>{1}), out(static_cast<std::size_t>(count));
  auto const a = col_major(static_cast<float const*>(values.data()), count, 1);
  auto const b = row_major(static_cast<float const*>(one.data()), 1, 1);
  auto const c = row_major(out.data(), count, 1);
  auto const wrong = [&] {
    int different = 0;
    std::vector<float> const got = out.download();
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      different += got[i] != roundings[i].to;
    }
    return different;
  };
  REQUIRE(gemm::run<TestType>(as_tf32(a), as_tf32(b), c));
  CHECK(wrong() == 0);
  REQUIRE(gemm::run<TestType>(a, b, c));
  CHECK((wrong() == 0) == gemm::detail::multiplies_tf32<TestType>);
}

/// The same through TMA, which rounds what it loads: k-major operands whose rows begin at multiples of 16 bytes.
TEMPLATE_TEST_CASE("aligned floats are multiplied as tf32, denormals too", "[sanitizer]", policy, in_turns) {
  test::need_sm90a();
  constexpr std::size_t depth = 4, size = static_cast<std::size_t>(count);
  std::vector<float> samples(size * depth), scales(size * depth);
  for (std::size_t i = 0; i < size; ++i) {
    samples[i * depth] = roundings[i].from;
    scales[i * depth] = 0x1p20F;  // what is left of a denormal is then a normal number
  }
  test::device_array<float> const x(samples), y(scales), out(size * size);
  auto const rows = [](float const* data) { return as_tf32(row_major(data, count, depth)); };
  auto const columns = [](float const* data) { return as_tf32(col_major(data, depth, count)); };
  auto const c = row_major(out.data(), count, count);
  auto const check = [&](char const* side, std::size_t step) {
    std::vector<float> const got = out.download();
    for (std::size_t i = 0; i < size; ++i) {
      CAPTURE(side, roundings[i].from);
      CHECK(got[i * step] == roundings[i].to * 0x1p20F);
    }
  };
  REQUIRE(gemm::workspace_size<TestType>(rows(x.data()), columns(y.data()), c) == 0);  // nothing is copied before
  REQUIRE(gemm::run<TestType>(rows(x.data()), columns(y.data()), c));
  check("A", size);
  REQUIRE(gemm::run<TestType>(rows(y.data()), columns(x.data()), c));
  check("B", 1);
}

TEST_CASE("what is not k-major is turned for tf32", "[repack]") {
  test::need_sm90a();
  auto const c = row_major(result, 5, 8);
  auto const a = row_major(aligned, 5, 12), turned_a = row_major(aligned, 12, 5);
  auto const b = col_major(aligned, 12, 8);
  CHECK(gemm::workspace_size<policy>(a, b, c) == 0);
  CHECK(gemm::workspace_size<policy>(row_major(aligned + 1, 5, 12), b, c) == copy(5, 12));
  CHECK(gemm::workspace_size<policy>(a, row_major(aligned, 12, 8), c) == copy(8, 12));
  CHECK(gemm::workspace_size<turning>(a, row_major(aligned, 12, 8), c) == 0);
  CHECK(gemm::workspace_size<policy>(transposed(turned_a), row_major(aligned, 12, 8), c) == copy(5, 12) + copy(8, 12));
}

TEST_CASE("tf32 is multiplied by tensor cores", "[choice]") {
  test::need_sm90a();
  auto const chosen_for = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    return gemm::chosen(as_tf32(row_major(aligned, m, k)), as_tf32(col_major(aligned, k, n)), row_major(result, m, n));
  };
  CHECK(chosen_for(8192, 8192, 8192).policy.starts_with("sm90_wgmma"));
  CHECK(chosen_for(1024, 1024, 1024).policy.starts_with("sm90_wgmma"));
  CHECK(chosen_for(16, 6144, 4096).policy == "sm90_wgmma_tf32_16x64x32");
  // Slices of a B that the kernel turns.
  auto const chosen_for_nn = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    return gemm::chosen(as_tf32(row_major(aligned, m, k)), as_tf32(row_major(aligned, k, n)), row_major(result, m, n));
  };
  gemm::choice const turned = chosen_for_nn(32, 4096, 14336), wide = chosen_for_nn(256, 6144, 4096);
  CHECK(wide.policy.starts_with("sm90_wgmma"));
  CHECK(turned.policy.starts_with("sm90_wgmma"));
  CHECK(turned.slices > 1);
  CHECK(!turned.packs_b);
  CHECK_FALSE(chosen_for(4096, 4096, 0).policy.starts_with("sm90_wgmma"));
  auto const a = row_major(aligned, 4096, 4096);
  CHECK(gemm::chosen(a, a, row_major(result, 4096, 4096)).policy == "sm90_simt_tma_128x128x32");
}
