// SPDX-License-Identifier: BSL-1.0
//! @file
//! Split-K in clusters: what it needs and what it refuses. What is computed is tested with the list of policies.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdint>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::batched;
using gemm::row_major;

using whole = gemm::pipelined<gemm::block<32, 32, 8>, gemm::warp<16, 32>, gemm::thread<4, 4>, gemm::stages<2>>;
using in_three = gemm::cluster_split_k<whole, 3>;

auto* const any = reinterpret_cast<float*>(4096);

/// Whether run() would split k, and for that need clusters, of which there are none.
[[maybe_unused]] bool is_split(std::int64_t k, std::int64_t count = 1) {
  gemm::status const s = gemm::can_run<in_three>(
      batched(row_major(any, 5, k), count), batched(row_major(any, k, 6), count), batched(row_major(any, 5, 6), count));
  return s.code() == gemm::status_code::unsupported_device;
}

}  // namespace

TEST_CASE("slices that a cluster adds need no workspace", "[cluster_split_k]") {
  CHECK(gemm::workspace_size<in_three>(row_major(any, 5, 1000), row_major(any, 1000, 6), row_major(any, 5, 6)) == 0);
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("without clusters a split k is refused, and a whole one is not", "[cluster_split_k]") {
  cpu_device::scoped_options with;
  with->device.compute_capability_major = GENERATE(8, 10);
  constexpr std::int64_t most = std::int64_t{3} << 30;
  CHECK_FALSE(is_split(0));
  CHECK_FALSE(is_split(8));  // one block_k
  CHECK(is_split(9));
  CHECK(is_split(most));
  CHECK_FALSE(is_split(most + 1));  // the depth of a slice is an int
  CHECK(is_split(9, 65535));
  CHECK_FALSE(is_split(9, 65536));  // a batch that needs the grid's third dimension

  test::device_array<float> const a(std::vector<float>(5 * 9, 1)), b(std::vector<float>(9 * 6, 1)),
      c(std::vector<float>(5 * 6, 7));
  auto const x = row_major(a.data(), 5, 9), y = row_major(b.data(), 9, 6), z = row_major(c.data(), 5, 6);
  gemm::status const s = gemm::run<in_three>(x, y, z);
  CHECK_THAT(s.message(),
             Equals("cluster_split_k needs a device of compute capability 9.0, and code compiled for sm_90a"));
  CHECK(c.download() == std::vector<float>(5 * 6, 7));
  CHECK_THAT(
      gemm::can_run<gemm::warp_specialized_64x64x32>(x, y, z).message(),
      Equals("warp_specialized_64x64x32 needs a device of compute capability 9.0, and code compiled for sm_90a"));
  REQUIRE(gemm::run<in_three>(row_major(a.data(), 5, 8, 9), row_major(b.data(), 8, 6), z));
  CHECK(c.download() == std::vector<float>(5 * 6, 8));
}
#endif
