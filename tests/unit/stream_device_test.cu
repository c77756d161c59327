// SPDX-License-Identifier: BSL-1.0
//! @file
//! Calls on a stream of another device than the current one: the device is the stream's.

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"
#include "../support/tier.hpp"
#include "../support/two_devices.hpp"

namespace {

using gemm::row_major;

// The list of policies has them, so that they are compiled already where this is compiled with optimisation.
using whole = gemm::pipelined<gemm::block<32, 32, 8>, gemm::warp<16, 32>, gemm::thread<4, 4>, gemm::stages<2>>;
using in_four = gemm::split_k<whole, 4>;

constexpr std::int64_t m = 48, n = 40, k = 8192;

int current() {
  int device = -1;
  test::require_success(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

}  // namespace

TEST_CASE("a call is for the stream's device, whichever is the current one", "[device]") {
  test::two_devices const devices;
  if (!devices.are_there()) {
    SKIP("there is one device");
  }
  auto other = std::make_unique<test::current_device>(1);
  test::device_array<float> const a(std::vector<float>(m * k, 1)), b(std::vector<float>(k * n, 1));
  test::device_array<float> c(std::vector<float>(m * n, 7));
  test::stream const stream;
  auto const x = row_major(a.data(), m, k), y = row_major(b.data(), k, n), z = row_major(c.data(), m, n);
  gemm::choice const there = gemm::chosen(x, y, z);
  std::size_t const bytes = gemm::workspace_size(x, y, z);
  other.reset();
  REQUIRE(current() == 0);

  gemm::options<float> const on_stream{.stream = stream.get()};
  SECTION("in what is chosen") {
    gemm::choice const chosen = gemm::chosen(x, y, z, on_stream);
    CHECK(chosen.policy == there.policy);
    CHECK(chosen.slices == there.slices);
    CHECK(chosen.seconds == there.seconds);
    CHECK(gemm::workspace_size(x, y, z, on_stream) == bytes);
    CHECK(gemm::can_run(x, y, z, on_stream));
    if (test::on_cpu_device) {
      CHECK(gemm::chosen(x, y, z).seconds != there.seconds);  // or the comparisons above say nothing
    }
  }
  SECTION("in what is computed, in memory of that device's pool") {
    CHECK(gemm::run<in_four>(x, y, z, on_stream));
    stream.synchronize();
    CHECK(c.download() == std::vector<float>(m * n, k));
    c.upload(std::vector<float>(m * n, 7));
    gemm::status const result = gemm::run(x, y, z, on_stream);
    INFO(result.message());
    CHECK(result);
    stream.synchronize();
    CHECK(c.download() == std::vector<float>(m * n, k));
  }
  SECTION("in what is prepacked") {
    auto const shape = gemm::prepacked_a(x);
    auto on = std::make_unique<test::current_device>(1);
    test::device_array<unsigned char> const terms(gemm::prepacked_size(shape));
    on.reset();
    gemm::status const result =
        gemm::prepack(gemm::prepacked_a(x, {.data = terms.data(), .bytes = terms.size()}), stream.get());
    INFO(result.message());
    CHECK(result);
    stream.synchronize();
  }
  CHECK(current() == 0);
  CHECK(cudaGetLastError() == cudaSuccess);
}
