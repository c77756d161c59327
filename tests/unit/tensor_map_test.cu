// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is said of a matrix before TMA is asked to load it, and of the device.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstdint>
#include <string>

#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/device.hpp>
#include <gemm/launch/tensor_map.hpp>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

using gemm::detail::tma_matrices;
using gemm::detail::tma_swizzle;

/// A legal description, to be spoilt in one place.
tma_matrices<float> legal() {
  alignas(16) static float const memory[1] = {};
  return {.data = memory,
          .inner = 40,
          .outer = 21,
          .batches = 2,
          .ld = 44,
          .batch_stride = 1000,
          .box_inner = 32,
          .box_outer = 8,
          .swizzle = tma_swizzle::bytes_128};
}

}  // namespace

TEST_CASE("what TMA cannot load is known before, with a reason") {
  CHECK(tma_can_load(legal()));
  auto spoilt = legal();
  std::string reason;
  SECTION("pointer") {
    spoilt.data = reinterpret_cast<float const*>(reinterpret_cast<std::uintptr_t>(spoilt.data) + 4);
    reason = "the pointer must be a multiple of 16 bytes";
  }
  SECTION("extent") {
    using of = tma_matrices<float>;
    spoilt.*GENERATE(&of::inner, &of::outer, &of::batches) = GENERATE(std::int64_t{0}, std::int64_t{1} << 31);
    reason = "every extent must be from 1 to 2^31 - 1";
  }
  SECTION("leading dimension") {
    spoilt.ld = GENERATE(std::int64_t{43}, std::int64_t{0}, std::int64_t{-44}, std::int64_t{1} << 38);
    reason = "the leading dimension must be a multiple of 16 bytes below 2^40";
  }
  SECTION("batch stride") {
    spoilt.batch_stride = GENERATE(std::int64_t{1001}, std::int64_t{0}, std::int64_t{-1000}, std::int64_t{1} << 38);
    reason = "the batch stride must be a multiple of 16 bytes below 2^40, and not 0";
  }
  SECTION("box") {
    spoilt.swizzle = tma_swizzle::none;
    using of = tma_matrices<float>;
    spoilt.*GENERATE(&of::box_inner, &of::box_outer) = GENERATE(0, -4, 260);
    reason = "the box must have 1 to 256 elements each way, and lines of a multiple of 16 bytes";
  }
  SECTION("swizzle") {
    spoilt.swizzle = GENERATE(tma_swizzle::bytes_32, tma_swizzle::bytes_64);
    reason = "the box must be as wide as the swizzle";
  }
  CHECK_FALSE(tma_can_load(spoilt));
  CUtensorMap map;
  gemm::status const status = gemm::detail::encode_tensor_map(map, spoilt);
  CHECK(status.code() == gemm::status_code::invalid_argument);
  CHECK(status.message() == "TMA cannot load a matrix: " + reason);
}

TEST_CASE("strides that mean nothing are no obstacle") {
  test::device_array<float> const memory(64);
  auto what = legal();
  what.data = memory.data();
  what.outer = 1;
  what.ld = 43;
  what.batches = 1;
  what.batch_stride = GENERATE(0, 7);
  CHECK(tma_can_load(what));
  CUtensorMap map;
  test::need_sm90a();
  CHECK(gemm::detail::encode_tensor_map(map, what));
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("sm_90a code runs on compute capability 9.0 alone") {
  CHECK(gemm::detail::current_code().tma);
  cpu_device::scoped_options with;
  with->device.compute_capability_major = GENERATE(8, 10);
  CHECK_FALSE(gemm::detail::current_code().tma);
}

TEST_CASE("a call asks for its device once, and the next one anew") {
  auto const multiprocessors = [] {
    int value = 0;
    CHECK(gemm::detail::device_attribute(value, cudaDevAttrMultiProcessorCount));
    return value;
  };
  cpu_device::scoped_options with;
  with->device.multiprocessors = 3;
  {
    gemm::detail::known_device const known(nullptr);
    with->device.multiprocessors = 5;
    CHECK(multiprocessors() == 3);
    {
      gemm::detail::known_device const within(nullptr);
      CHECK(multiprocessors() == 5);
    }
    CHECK(multiprocessors() == 3);
  }
  CHECK(multiprocessors() == 5);
}
#endif
