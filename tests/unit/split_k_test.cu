// SPDX-License-Identifier: BSL-1.0
//! @file
//! Split-K: how k is cut, and the workspace that it needs. What is computed is tested with the list of policies.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::batched;
using gemm::row_major;

// The list of policies has them, so that they are compiled already where this is compiled with optimisation.
using whole = gemm::pipelined<gemm::block<32, 32, 8>, gemm::warp<16, 32>, gemm::thread<4, 4>, gemm::stages<2>>;
using in_four = gemm::split_k<whole, 4>;

constexpr std::int64_t m = 5, n = 6;  // rows of the workspace have 8 elements

/// Bytes for products of this depth.
std::size_t bytes_for(std::int64_t k, std::int64_t count = 1) {
  auto *const any = reinterpret_cast<float*>(256), *const result = any + 64;
  return gemm::workspace_size<in_four>(batched(row_major(any, m, k), count), batched(row_major(any, k, n), count),
                                       batched(row_major(result, m, n), count));
}

/// Operands of ones, so that every element of the product is k.
struct memory {
  explicit memory(std::int64_t depth)
      : k(depth),
        a(std::vector<float>(static_cast<std::size_t>(m * k), 1)),
        b(std::vector<float>(static_cast<std::size_t>(k * n), 1)),
        c(std::vector<float>(m * n, 7)) {}

  gemm::status run(gemm::workspace const& given) const {
    gemm::options<float> const opts{.workspace = given};
    auto const x = row_major(a.data(), m, k), y = row_major(b.data(), k, n), z = row_major(c.data(), m, n);
    gemm::status const asked = gemm::can_run<in_four>(x, y, z, opts), result = gemm::run<in_four>(x, y, z, opts);
    CHECK(std::string(asked.message()) == result.message());
    return result;
  }

  std::int64_t k;
  test::device_array<float> a, b, c;
};

}  // namespace

TEST_CASE("k is cut into whole steps, into no more slices than there are", "[split_k]") {
  constexpr std::size_t slice = m * 8 * sizeof(float);
  CHECK(bytes_for(0) == 0);
  CHECK(bytes_for(8) == 0);  // one step of block_k
  CHECK(bytes_for(9) == 2 * slice);
  CHECK(bytes_for(24) == 3 * slice);
  CHECK(bytes_for(32) == 4 * slice);
  CHECK(bytes_for(33) == 3 * slice);  // 5 steps, 2 a slice
  CHECK(bytes_for(10000) == 4 * slice);
  CHECK(bytes_for(32, 3) == 3 * 4 * slice);
}

TEST_CASE("more slices than a grid holds are refused, and more blocks that add them", "[split_k]") {
  auto* const any = reinterpret_cast<float*>(256);
  auto const message = [&]<class Policy>(std::int64_t rows, std::int64_t columns, std::int64_t k, std::int64_t count) {
    return std::string(gemm::can_run<Policy>(row_major(any, rows, k), row_major(any, k, columns),
                                             batched(row_major(any + 64, rows, columns), count))
                           .message());
  };
  // A slice is no deeper than 2^30.
  constexpr std::int64_t deepest = std::int64_t{1} << 30, large = std::int64_t{1} << 20;
  auto const of_slices = [&](std::int64_t k, std::int64_t count) {
    return message.operator()<in_four>(m, n, k, count);
  };
  CHECK(of_slices(65535 * deepest, 1).empty());
  CHECK(of_slices(65535 * deepest, 65535).empty());
  CHECK(of_slices(65535 * deepest + 1, 1) == "k is cut into 65536 slices, more than the 65535 of a grid");
  CHECK(of_slices(65536 * deepest, 65535) == "k is cut into 65536 slices, more than the 65535 of a grid");
  CHECK(of_slices(65536 * deepest, 65536).empty());  // a batch that is not split

  using large_tiles = gemm::split_k<gemm::pipelined_64x64x16, 4>;
  auto const of_size = [&](std::int64_t rows, std::int64_t columns) {
    return message.operator()<large_tiles>(rows, columns, 100, 1);
  };
  CHECK(of_size(2 * large, large - 4).empty());  // a block adds 1024 elements
  CHECK(of_size(2 * large, large) ==
        "to add 4 slices of 2097152 x 1048576 takes more than the 2^31 - 1 blocks of a grid");

  auto* const bytes = reinterpret_cast<std::int8_t*>(256);
  auto* const sums = reinterpret_cast<std::int32_t*>(512);
  constexpr std::int64_t most = std::int64_t{1} << 61;
  CHECK(std::string(
            gemm::can_run<in_four>(row_major(bytes, 1, most), gemm::col_major(bytes, most, 1), row_major(sums, 1, 1))
                .message()) == "k is cut into 2147483647 slices, more than the 65535 of a grid");
}

TEST_CASE("a workspace is used as far as it is needed, and one that is too small refused", "[split_k][sanitizer]") {
  memory const x(100);
  std::size_t const needed = bytes_for(x.k), elements = needed / sizeof(float);
  test::device_array<float> const space(std::vector<float>(elements + 8, 3));
  std::vector<float> const before = space.download(), untouched(m * n, 7), product(m * n, 100);

  gemm::status const small = x.run({.data = space.data(), .bytes = needed - 1});
  CHECK(small.code() == gemm::status_code::invalid_argument);
  CHECK_THAT(small.message(), Equals("the workspace has 639 bytes, needs 640"));
  CHECK(x.c.download() == untouched);
  CHECK(space.download() == before);

  REQUIRE(x.run({.data = space.data(), .bytes = needed}));
  CHECK(x.c.download() == product);
  std::vector<float> const after = space.download();
  CHECK(std::vector<float>(after.end() - 8, after.end()) == std::vector<float>(8, 3));
}

TEST_CASE("slices of the tensor cores' persistent blocks are whole tiles in the workspace", "[split_k]") {
  test::need_sm90a();
  using tile = gemm::block<64, 64, 64>;
  using alone = gemm::split_k<gemm::sm90_wgmma<tile, gemm::stages<2>>, 3>;
  using in_clusters = gemm::split_k<gemm::sm90_wgmma<tile, gemm::stages<2>, gemm::cluster<2, 2>>, 3>;
  using of_few_rows = gemm::split_k<gemm::sm90_wgmma<gemm::block<16, 64, 64>, gemm::stages<2>>, 3>;
  auto *const half = reinterpret_cast<__half*>(4096), *const result = half + 2048;
  auto const a = row_major(half, 70, 192), b = row_major(half, 192, 48), c = row_major(result, 70, 48);
  CHECK(gemm::workspace_size<alone>(a, b, c) == std::size_t{3} * 128 * 64 * sizeof(float));
  CHECK(gemm::workspace_size<in_clusters>(a, b, c) == std::size_t{3} * 128 * 128 * sizeof(float));
  CHECK(gemm::workspace_size<of_few_rows>(a, b, c) == std::size_t{3} * 70 * 48 * sizeof(float));
}

TEST_CASE("without a workspace run() takes its own", "[split_k][sanitizer]") {
  memory const x(100);
  std::uint64_t used[2] = {};
  for (std::uint64_t& after : used) {
    REQUIRE(x.run({}));
    CHECK(x.c.download() == std::vector<float>(m * n, 100));
    test::require_success(cudaMemPoolGetAttribute(gemm::detail::scratch_pool(), cudaMemPoolAttrUsedMemCurrent, &after),
                          "cudaMemPoolGetAttribute");
  }
  CHECK(used[0] == used[1]);  // and gives it back
}

TEST_CASE("a pool takes no error of the caller's away, and leaves none", "[split_k]") {
  REQUIRE(cudaSetDevice(-1) == cudaErrorInvalidDevice);
  cudaMemPool_t const pool = gemm::detail::make_scratch_pool(0);
  CHECK(pool != nullptr);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  int devices = 0;
  test::require_success(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  CHECK(gemm::detail::make_scratch_pool(devices) == nullptr);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("what is chosen keeps to the workspace that there is", "[split_k][choice]") {
  auto *const any = reinterpret_cast<float*>(256), *const result = any + 64;
  auto const a = row_major(any, 128, 65536), b = row_major(any, 65536, 128), c = row_major(result, 128, 128);
  gemm::choice const free = gemm::chosen(a, b, c);
  CHECK(free.slices > 16);
  CHECK(gemm::workspace_size(a, b, c) == static_cast<std::size_t>(free.slices) * 128 * 128 * sizeof(float));
  test::device_array<float> const space(1024);
  CHECK(gemm::can_run(a, b, c, {.workspace = {.data = space.data(), .bytes = 1024 * sizeof(float)}}));
  // On an H200 a whole number of waves.
  CHECK(gemm::chosen(row_major(any, 4096, 4096), row_major(any, 4096, 4224), row_major(result, 4096, 4224)).slices ==
        1);
}
