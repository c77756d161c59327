// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tests of the options: the device that is presented, and what is particular to the CPU device.

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string>

#include "launch.hpp"

using selftest::launch;

namespace {

__global__ void nothing() {}

int attribute(cudaDeviceAttr name) {
  int value = -1;
  CHECK(cudaDeviceGetAttribute(&value, name, 0) == cudaSuccess);
  return value;
}

}  // namespace

TEST_CASE("the device presents itself like an sm_90 part") {
  cudaDeviceProp properties{};
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(std::string(properties.name) == "CPU device");
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == 9);
  CHECK(attribute(cudaDevAttrComputeCapabilityMinor) == 0);
  CHECK(attribute(cudaDevAttrMultiProcessorCount) == 132);
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlock) == 48 * 1024);
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) == 227 * 1024);
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) == 228 * 1024);
  CHECK(attribute(cudaDevAttrMaxThreadsPerMultiProcessor) == 2048);
  CHECK(attribute(cudaDevAttrMaxRegistersPerMultiprocessor) == 65536);
  CHECK(attribute(cudaDevAttrClusterLaunch) == 1);
  CHECK(properties.major == 9);
  CHECK(properties.sharedMemPerBlockOptin == 227 * 1024);
}

TEST_CASE("a test can pretend another device") {
  {
    cpu_device::scoped_options with;
    with->device.compute_capability_major = 7;
    with->device.compute_capability_minor = 5;
    with->device.shared_memory_per_block_optin = 64 * 1024;
    with->device.multiprocessors = 40;
    CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == 7);
    CHECK(attribute(cudaDevAttrMultiProcessorCount) == 40);
    CHECK(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 65537) == cudaErrorInvalidValue);
    cudaFuncAttributes attributes{};
    CHECK(cudaFuncGetAttributes(&attributes, nothing) == cudaSuccess);
    CHECK(attributes.binaryVersion == 75);
    CHECK(attribute(cudaDevAttrClusterLaunch) == 0);
    CHECK(launch({2, 1, 0, nullptr, 2}, nothing) == cudaErrorNotSupported);
  }
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == 9);
  cudaGetLastError();
}

TEST_CASE("global memory is limited") {
  cpu_device::scoped_options with;
  with->device.global_memory = 1000;
  void* first = nullptr;
  void* second = nullptr;
  CHECK(cudaMalloc(&first, 600) == cudaSuccess);
  CHECK(cudaMallocAsync(&second, 600, nullptr) == cudaErrorMemoryAllocation);
  CHECK(cudaFree(first) == cudaSuccess);
  CHECK(cudaMallocAsync(&second, 600, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(second, nullptr) == cudaSuccess);
  cudaGetLastError();
}
