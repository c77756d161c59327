// SPDX-License-Identifier: BSL-1.0
//! @file
//! amax: by kernels of float, alone and in a chain; and what prepares epilogues.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>

#include "../policies/policies.hpp"
#include "../support/amax.hpp"
#include "../support/device.hpp"
#include "../support/types.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::col_major;
using gemm::row_major;
using test::device_array;

/// The message of a call with such an epilogue.
template <class Epilogue>
std::string refusal(Epilogue epilogue) {
  device_array<float> const x(std::vector<float>(16, 1)), c(16);
  return gemm::run<test::naive_8x16>(row_major(x.data(), 4, 4), row_major(x.data(), 4, 4), row_major(c.data(), 4, 4),
                                     epilogue)
      .message();
}

/// amax of these values, and what `after` makes of them in C.
template <class V>
float amax_of(std::vector<V> const& values) {
  device_array<V> const c(values);
  device_array<float> const most(std::vector<float>(1, 1e30F));
  V const* const none = nullptr;
  auto const count = static_cast<std::int64_t>(values.size());
  REQUIRE(gemm::run<test::naive_8x16>(row_major(none, 1, 0), row_major(none, 0, count), row_major(c.data(), 1, count),
                                      {.beta = 1}, gemm::amax(most.data())));
  return most.download()[0];
}

}  // namespace

TEST_CASE("amax sees each element of C once, by every kernel of float", "[epilogue][amax]") {
  test::check_amax_of_all<float, float>(
      test::policy_pack<test::naive_8x16, test::coalesced_4x24, test::shared_tile_16x16x5, test::block_tile_1d_24x32x3,
                        test::block_tile_2d_32x48x6, test::vectorized_32x64x12, test::warp_tile_32x96x4,
                        test::pipelined_32x32x8_2, test::split_3_of_32x32x8, test::split_40_of_64x32x4,
                        test::skinny_8x32x32, test::skinny_64x4x32, test::small_32x16x16, test::outer_product_12x32x8,
                        test::persistent_36x128x32, gemm::stream_k<gemm::sm90_simt_tma_64x64x32, 2>,
                        test::cluster_3_of_64x64x32, test::split_2_of_repacked_256x64x32>{});
}

TEST_CASE("amax is of magnitudes, with NaN above infinity, whatever it was before", "[epilogue][amax]") {
  float const infinite = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(amax_of<float>({0, -0.0F}) == 0);
  CHECK(!std::signbit(amax_of<float>({-0.0F})));
  CHECK(amax_of<float>({1, -3, 2.5F}) == 3);
  CHECK(amax_of<float>({std::numeric_limits<float>::denorm_min(), 0}) == std::numeric_limits<float>::denorm_min());
  CHECK(amax_of<float>({1, -infinite, 2}) == infinite);
  CHECK(std::isnan(amax_of<float>({infinite, nan, 2})));
  CHECK(std::isnan(amax_of<float>({1, -nan})));
  CHECK(amax_of<double>({-1.0 / 3, 0.25}) == 1.0F / 3);
}

TEST_CASE("amax of integers, and at its place in a chain", "[epilogue][amax]") {
  std::vector<test::int32> const values{5, -2147483647 - 1, 7};
  device_array<test::int32> const c(values);
  device_array<float> const first(1), second(1);
  test::int8 const* const none = nullptr;
  REQUIRE(gemm::run<test::naive_8x16>(row_major(none, 3, 0), row_major(none, 0, 1), row_major(c.data(), 3, 1),
                                      {.beta = 1},
                                      gemm::amax(first.data()) | gemm::scale(0.5F) | gemm::amax(second.data())));
  CHECK(first.download()[0] == 0x1p31F);
  CHECK(second.download()[0] == 0x1p30F);
  CHECK(c.download() == std::vector<test::int32>{2, -(1 << 30), 4});
  float on_host = 0;
  CHECK(gemm::amax(&on_host)(-2.5F, 0, 0) == -2.5F);
  CHECK(on_host == 2.5F);
}

TEST_CASE("amax without memory is refused, and without elements nothing is written", "[epilogue][amax]") {
  CHECK_THAT(refusal(gemm::amax(nullptr)), Equals("amax is null, needs memory for one float"));
  CHECK_THAT(refusal(gemm::relu{} | gemm::amax(nullptr)), Equals("amax is null, needs memory for one float"));
  device_array<float> const most(std::vector<float>(1, 5));
  float const* const none = nullptr;
  CHECK(gemm::run<test::naive_8x16>(row_major(none, 0, 4), row_major(none, 4, 4),
                                    row_major(static_cast<float*>(nullptr), 0, 4), gemm::amax(most.data())));
  CHECK(most.download()[0] == 5);
}

TEST_CASE("a factor in device memory", "[epilogue]") {
  CHECK_THAT(refusal(gemm::scale(static_cast<float const*>(nullptr))), Equals("scale is null, needs one number"));
  std::vector<float> const values{1, -2, 3};
  device_array<float> const factor(std::vector<float>(1, 2.5F)), c(values);
  device_array<test::int32> const integers(std::vector<test::int32>{1, -2, 3});
  float const* const none = nullptr;
  test::int8 const* const no_bytes = nullptr;
  CHECK(gemm::run<test::naive_8x16>(row_major(none, 3, 0), row_major(none, 0, 1), row_major(c.data(), 3, 1),
                                    {.beta = 1}, gemm::scale(factor.data())));
  CHECK(c.download() == std::vector<float>{2.5F, -5, 7.5F});
  CHECK(gemm::run<test::naive_8x16>(row_major(no_bytes, 3, 0), row_major(no_bytes, 0, 1),
                                    row_major(integers.data(), 3, 1), {.beta = 1}, gemm::scale(factor.data())));
  CHECK(integers.download() == std::vector<test::int32>{2, -5, 8});
}

namespace {

/// Counts on the host, and refuses when it is told to.
struct counts_calls {
  int* prepared;
  bool refuses = false;
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return value;
  }
  gemm::status prepare(cudaStream_t) const {
    ++*prepared;
    return refuses ? gemm::status{gemm::status_code::invalid_argument, cudaSuccess, "not today"} : gemm::status{};
  }
};

}  // namespace

TEST_CASE("an epilogue is prepared once for each run, and by no query", "[epilogue]") {
  device_array<float> const x(std::vector<float>(64, 1)), c(std::vector<float>(64, 7));
  auto const a = row_major(x.data(), 8, 8);
  int prepared = 0;
  auto const ask = [&](auto what, bool refuses) {
    auto const epilogue = gemm::relu{} | counts_calls{&prepared, refuses} | gemm::scale(2.0F);
    return what(a, a, col_major(c.data(), 8, 8), epilogue);
  };
  using policy = test::split_3_of_32x32x8;
  CHECK(ask([](auto const&... x) { return gemm::can_run<policy>(x...); }, false));
  CHECK(ask([](auto const&... x) { return gemm::workspace_size<policy>(x...); }, false) == 0);
  CHECK(prepared == 0);
  CHECK_THAT(ask([](auto const&... x) { return gemm::run<policy>(x...); }, true).message(), Equals("not today"));
  CHECK(prepared == 1);
  CHECK(c.download() == std::vector<float>(64, 7));
  CHECK(ask([](auto const&... x) { return gemm::run<policy>(x...); }, false));
  CHECK(prepared == 2);
  CHECK(c.download() == std::vector<float>(64, 16));
}

TEST_CASE("amax in a graph that is launched again", "[epilogue][amax]") {
  device_array<float> const x(std::vector<float>(64, 1)), c(64), most(std::vector<float>(1, 1e30F));
  device_array<float> other(std::vector<float>(64, 2));
  test::stream const owned;
  cudaStream_t const stream = owned.get();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  test::require_success(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  gemm::status const status =
      gemm::run<test::naive_8x16>(row_major(x.data(), 8, 8), row_major(other.data(), 8, 8), row_major(c.data(), 8, 8),
                                  {.stream = stream}, gemm::amax(most.data()));
  test::require_success(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  REQUIRE(status);
  test::require_success(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  for (float const value : {2.0F, 0.5F}) {
    other.upload(std::vector<float>(64, value));
    test::require_success(cudaGraphLaunch(executable, stream), "cudaGraphLaunch");
    CHECK(most.download()[0] == 8 * value);
  }
  test::require_success(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
  test::require_success(cudaGraphDestroy(graph), "cudaGraphDestroy");
}
