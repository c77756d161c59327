// SPDX-License-Identifier: BSL-1.0
//! @file
//! Split-K in clusters and of the last tiles: what it needs and what it refuses. What is computed where all of C is
//! split is tested with the list of policies.

#include <array>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/cpu_options.hpp"
#include "../support/device.hpp"
#include "../support/tier.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::batched;
using gemm::col_major;
using gemm::row_major;

using tiles = gemm::sm90_simt_tma_64x64x32;
using in_three = gemm::cluster_split_k<tiles, 3>;

auto* const nowhere = reinterpret_cast<float*>(4096);
auto* const result = reinterpret_cast<float*>(8192);

/// Whether run() would split k, and for that need clusters, where the device has none.
[[maybe_unused]] bool is_split(std::int64_t k, std::int64_t count = 1) {
  gemm::status const s =
      gemm::can_run<in_three>(batched(row_major(nowhere, 5, k), count), batched(row_major(nowhere, k, 6), count),
                              batched(row_major(result, 5, 6), count));
  CHECK(s.code() == gemm::status_code::unsupported_device);
  return std::string_view(s.message()).starts_with("cluster_split_k");
}

/// Whether the last tiles of a policy, and they alone, are split where they do not fill the device, and right.
template <class Policy>
void check_last_columns(bool k_major_b) {
  test::cpu_options const few([](auto& options) { options.device.multiprocessors = 4; });
  if (!gemm::detail::current_code().tma) {
    SKIP("there are no clusters");
  }
  int multiprocessors = 0;
  REQUIRE(gemm::detail::device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount));
  int const places = multiprocessors * Policy::resident, tile_rows = 2;
  // One column of tiles more than fill the device, and the last one not whole; exactly as many; one column.
  int const full = places / tile_rows, columns = std::array{full + 1, full, 1}[GENERATE(0U, 1U, 2U)];
  // Of products, which together have so many rows of tiles. In two, threads access and wait as in one.
  int const count = test::under_sanitizers ? 2 : GENERATE(1, 2);
  int const m = Policy::block_m * tile_rows / count - 3, n = Policy::block_n * columns - 4, k = 500;
  std::vector<float> a(static_cast<std::size_t>(count * m * k)), b(static_cast<std::size_t>(k * n));
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i * 7 % 31) - 15;
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = static_cast<float>(i * 5 % 23) - 11;
  }
  std::size_t const elements = static_cast<std::size_t>(count * m * n);
  test::device_array<float> const x(a), y(b), bias(std::vector<float>(b.begin(), b.begin() + n)),
      c(std::vector<float>(elements, 3)), expected(std::vector<float>(elements, 3));
  auto const run = [&]<class Any>(Any, test::device_array<float> const& to) {
    auto const times = [&](auto const& of_b) {
      return gemm::run<Any>(batched(row_major(x.data(), m, k), count), of_b, batched(row_major(to.data(), m, n), count),
                            {.alpha = 2, .beta = -1}, gemm::bias(bias.data()));
    };
    return k_major_b ? times(col_major(y.data(), k, n)) : times(row_major(y.data(), k, n));
  };
  REQUIRE(run(Policy{}, c));
  REQUIRE(run(gemm::coalesced_32x32{}, expected));
  CHECK(c.download() == expected.download());  // sums of integers are exact in any order
  // For the slices of the tiles that do not fill the device, and who has come to each.
  constexpr std::size_t of_tile =
      Policy::info.slices.most * std::size_t{Policy::block_m * Policy::block_n} * sizeof(float) + sizeof(std::uint64_t);
  CHECK(gemm::workspace_size<Policy>(batched(row_major(x.data(), m, k), count), row_major(y.data(), k, n),
                                     batched(row_major(c.data(), m, n), count)) ==
        (columns == full ? 0 : of_tile * tile_rows));
}

}  // namespace

TEST_CASE("slices that a cluster adds need no workspace", "[cluster_split_k]") {
  CHECK(gemm::workspace_size<in_three>(row_major(nowhere, 5, 1000), row_major(nowhere, 1000, 6),
                                       row_major(result, 5, 6)) == 0);
}

TEMPLATE_TEST_CASE(
    "the last columns of tiles are split where they do not fill the device", "[cluster_split_k][sanitizer]",
    GEMM_TEST_UNLESS_SANITIZED((gemm::stream_k<tiles, 2>),
                               (gemm::stream_k<gemm::sm90_simt_tma_128x128x32, 4>), )(gemm::stream_k<tiles, 3>)) {
  check_last_columns<TestType>(false);
}

// Not for racecheck, which does not follow the order through a warp, one lane of which arrives for all.
TEMPLATE_TEST_CASE(
    "the last columns of tiles are split where tiles of a k-major B are turned", "[cluster_split_k]",
    GEMM_TEST_UNLESS_SANITIZED((gemm::stream_k<gemm::sm90_simt_tma_128x128x32, 4>), )(gemm::stream_k<tiles, 3>)) {
  check_last_columns<TestType>(true);
}

TEST_CASE("all of a block's threads see that it is the last, whatever its sums are and wherever C's rows begin",
          "[cluster_split_k][sanitizer]") {
  using in_streams = gemm::stream_k<gemm::sm90_simt_tma_128x128x32, 2>;  // one group, which shares its tiles
  test::cpu_options const few([](auto& options) { options.device.multiprocessors = 2; });
  if (!gemm::detail::current_code().tma) {
    SKIP("there are no clusters");
  }
  int const m = 8, n = 5, k = 512;
  test::device_array<float> const x(std::vector<float>(static_cast<std::size_t>(m * k), 1)),
      y(std::vector<float>(static_cast<std::size_t>(k * 8), 0)),
      c(std::vector<float>(static_cast<std::size_t>(m * n), 3));
  auto const a = row_major(x.data(), m, k), b = row_major(y.data(), k, n, 8), to = row_major(c.data(), m, n);
  REQUIRE(gemm::workspace_size<in_streams>(a, b, to) > 0);
  REQUIRE(gemm::run<in_streams>(a, b, to));
  CHECK(c.download() == std::vector<float>(static_cast<std::size_t>(m * n), 0));
}

TEST_CASE("the slices of tiles that copy element by element are added, the tiles' edges included",
          "[split_k][sanitizer]") {
  int const m = 67, n = 131, k = 165;  // lines begin anywhere; the last tile of k has 5
  std::vector<float> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i * 7 % 31) - 15;
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = static_cast<float>(i * 5 % 23) - 11;
  }
  std::vector<float> const old(static_cast<std::size_t>(m * n), 3);
  test::device_array<float> const x(a), y(b);
  test::device_array<float> c(old), expected(old);
  auto const check = [&](auto const& of_a, auto const& of_b) {
    auto const run = [&]<class Policy>(Policy, test::device_array<float>& to) {
      to.upload(old);
      return gemm::run<Policy>(of_a, of_b, row_major(to.data(), m, n), {.alpha = 2, .beta = -1});
    };
    REQUIRE(run(gemm::coalesced_32x32{}, expected));
    auto const compare = [&](auto policy) {
      REQUIRE(run(policy, c));
      CHECK(c.download() == expected.download());  // sums of integers are exact in any order
    };
    compare(gemm::split_k<gemm::pipelined_32x64x32, 3>{});
    compare(gemm::split_k<gemm::pipelined_128x64x16, 3>{});
  };
  auto const a_by_k = row_major(x.data(), m, k), b_by_n = row_major(y.data(), k, n);
  auto const a_by_m = gemm::transposed(row_major(x.data(), k, m)), b_by_k = gemm::transposed(row_major(y.data(), n, k));
  check(a_by_k, b_by_n);
  check(a_by_k, b_by_k);
  check(a_by_m, b_by_n);
  check(a_by_m, b_by_k);
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("without clusters a split k is refused, and a whole one as its policy is", "[cluster_split_k]") {
  cpu_device::scoped_options with;
  with->device.compute_capability_major = GENERATE(8, 10);
  constexpr std::int64_t most = std::int64_t{3} << 30;
  CHECK_FALSE(is_split(0));
  CHECK_FALSE(is_split(32));  // one block_k
  CHECK(is_split(33));
  CHECK(is_split(most));
  CHECK_FALSE(is_split(most + 1));  // the depth of a slice is an int
  CHECK(is_split(33, 65535));
  CHECK_FALSE(is_split(33, 65536));  // a batch that needs the grid's third dimension

  test::device_array<float> const a(std::vector<float>(5 * 33, 1)), b(std::vector<float>(33 * 6, 1)),
      c(std::vector<float>(5 * 6, 7));
  auto const x = row_major(a.data(), 5, 33), y = row_major(b.data(), 33, 6), z = row_major(c.data(), 5, 6);
  gemm::status const s = gemm::run<in_three>(x, y, z);
  CHECK_THAT(s.message(),
             Equals("cluster_split_k needs a device of compute capability 9.0, and code compiled for sm_90a"));
  CHECK(c.download() == std::vector<float>(5 * 6, 7));
  CHECK_THAT(gemm::can_run<gemm::sm90_simt_tma_64x64x32>(x, y, z).message(),
             Equals("sm90_simt_tma_64x64x32 needs a device of compute capability 9.0, and code compiled for sm_90a"));
}
#endif
