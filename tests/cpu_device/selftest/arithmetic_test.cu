// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tests of the functions of a single thread, and that the toolkit's half-precision headers go with the stand-in.

#include <cuda_fp16.h>  // before the stand-in, as a kernel's header may have it

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "launch.hpp"

#include <cuda_bf16.h>  // and behind it

using selftest::device_array;
using selftest::launch;

namespace {

__global__ void add_neighbour(__half* halves, __nv_bfloat16* brains) {
  unsigned const lane = threadIdx.x;
  halves[lane] = __hadd(halves[lane], __shfl_xor_sync(0xffffffffu, halves[lane], 1));
  brains[lane] = __float2bfloat16(__bfloat162float(__shfl_down_sync(0xffffffffu, brains[lane], 1)));
}

__global__ void compute(float const* in, double* out) {
  out[0] = fmaf(__ldg(in), in[1], 1.0f);
  out[1] = fma(double(in[0]), 2.0, 1.0);
  out[2] = min(in[0], in[1]) + max(3, 4);
  out[3] = __int_as_float(__float_as_int(in[0]) + 1);
  out[4] = __longlong_as_double(__double_as_longlong(1.0) + 1);
  out[5] = warpSize;
}

}  // namespace

TEST_CASE("half-precision numbers are exchanged and added") {
  std::vector<__half> halves;
  std::vector<__nv_bfloat16> brains;
  for (int i = 0; i < 32; ++i) {
    halves.push_back(__float2half(float(i)));
    brains.push_back(__float2bfloat16(float(i)));
  }
  device_array<__half> half_memory(halves);
  device_array<__nv_bfloat16> brain_memory(brains);
  REQUIRE(launch({1, 32}, add_neighbour, half_memory.data(), brain_memory.data()) == cudaSuccess);
  for (int i = 0; i < 32; ++i) {
    CHECK(__half2float(half_memory.host()[std::size_t(i)]) == float(i + (i ^ 1)));
    CHECK(__bfloat162float(brain_memory.host()[std::size_t(i)]) == float(i < 31 ? i + 1 : i));
  }
}

TEST_CASE("arithmetic functions have their CUDA names") {
  device_array<float> const in(std::vector<float>{2, 5});
  device_array<double> out(6);
  REQUIRE(launch({1, 1}, compute, static_cast<float const*>(in.data()), out.data()) == cudaSuccess);
  CHECK(out.host() == std::vector<double>{11, 5, 6, std::nextafter(2.0f, 3.0f), std::nextafter(1.0, 2.0), 32});
}

TEST_CASE("min and max convert mixed types and prefer numbers to NaN") {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(min(nan, 1.0f) == 1);
  CHECK(min(1.0f, nan) == 1);
  CHECK(max(nan, 1.0f) == 1);
  CHECK(max(1.0f, nan) == 1);
  CHECK(min(-1, 2ll) == -1);
  CHECK(max(-1, 2u) == 0xffffffffu);  // as unsigned numbers
}
