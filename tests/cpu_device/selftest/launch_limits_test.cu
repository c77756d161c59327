// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tests of launch limits, attributes, errors and memory calls. Nothing here is particular to the CPU device: built by
//! nvcc it passes on an sm_90 GPU, and that is where the expected errors come from.

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "launch.hpp"

using selftest::device_array;
using selftest::launch;

namespace {

__global__ void nothing() {}
__global__ void opted_in() {}
__global__ void limited() {}

}  // namespace

TEST_CASE("a launch with an impossible geometry fails") {
  CHECK(launch({1, 1024}, nothing) == cudaSuccess);
  CHECK(launch({1, dim3(1, 1, 64)}, nothing) == cudaSuccess);
  CHECK(launch({dim3(1, 65535), 1}, nothing) == cudaSuccess);

  CHECK(launch({0, 1}, nothing) == cudaErrorInvalidValue);
  CHECK(launch({1, 0}, nothing) == cudaErrorInvalidValue);
  CHECK(launch({1, 1025}, nothing) == cudaErrorInvalidValue);
  CHECK(launch({1, dim3(32, 33)}, nothing) == cudaErrorInvalidValue);
  CHECK(launch({1, dim3(1, 1, 65)}, nothing) == cudaErrorInvalidValue);
  CHECK(launch({dim3(1, 65536), 1}, nothing) == cudaErrorInvalidValue);
  CHECK(launch({dim3(1, 1, 65536), 1}, nothing) == cudaErrorInvalidValue);
  CHECK(launch({dim3(2147483648u), 1}, nothing) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("a launch with an impossible cluster fails") {
  auto const clusters_of = [](dim3 cluster, dim3 grid) { return launch({grid, 1, 0, nullptr, cluster}, nothing); };
  CHECK(clusters_of(2, 4) == cudaSuccess);
  CHECK(clusters_of(7, 14) == cudaSuccess);
  CHECK(clusters_of(dim3(1, 1, 8), dim3(3, 3, 8)) == cudaSuccess);
  CHECK(clusters_of(dim3(2, 2, 2), dim3(2, 4, 6)) == cudaSuccess);

  CHECK(clusters_of(2, 3) == cudaErrorInvalidClusterSize);
  CHECK(clusters_of(dim3(1, 1, 2), dim3(2, 2, 3)) == cudaErrorInvalidClusterSize);
  CHECK(clusters_of(dim3(0), 2) == cudaErrorInvalidClusterSize);
  CHECK(clusters_of(16, 10) == cudaErrorInvalidClusterSize);
  // More than 8 blocks would need cudaFuncAttributeNonPortableClusterSizeAllowed.
  CHECK(clusters_of(9, 9) == cudaErrorInvalidClusterSize);
  CHECK(clusters_of(dim3(4, 4), dim3(4, 4)) == cudaErrorInvalidClusterSize);
  CHECK(clusters_of(2, dim3(0)) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("more than 48 KiB of dynamic shared memory need opting in, kernel by kernel") {
  CHECK(launch({1, 1, 48 * 1024}, nothing) == cudaSuccess);
  CHECK(launch({1, 1, 48 * 1024 + 1}, nothing) == cudaErrorInvalidValue);

  auto const attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  CHECK(cudaFuncSetAttribute(opted_in, attribute, 232448) == cudaSuccess);
  CHECK(launch({1, 1, 232448}, opted_in) == cudaSuccess);
  CHECK(launch({1, 1, 48 * 1024 + 1}, nothing) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(opted_in, attribute, 232449) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(opted_in, attribute, -1) == cudaErrorInvalidValue);
  CHECK(launch({1, 1, 232448}, opted_in) == cudaSuccess);
  CHECK(launch({1, 1, 232449}, opted_in) == cudaErrorInvalidValue);

  // What is set is a limit even below 48 KiB.
  CHECK(cudaFuncSetAttribute(limited, attribute, 100) == cudaSuccess);
  CHECK(launch({1, 1, 101}, limited) == cudaErrorInvalidValue);
  cudaFuncAttributes attributes{};
  CHECK(cudaFuncGetAttributes(&attributes, limited) == cudaSuccess);
  CHECK(attributes.maxDynamicSharedSizeBytes == 100);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  CHECK(cudaFuncSetAttribute(limited, cudaFuncAttributePreferredSharedMemoryCarveout, 100) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(limited, cudaFuncAttributePreferredSharedMemoryCarveout, 101) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("a failed call is the host thread's last error until it is asked for") {
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(launch({0, 1}, nothing) == cudaErrorInvalidValue);
  REQUIRE(launch({1, 1}, nothing) == cudaSuccess);
  std::thread([] { CHECK(cudaPeekAtLastError() == cudaSuccess); }).join();
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(std::string(cudaGetErrorName(cudaErrorInvalidValue)) == "cudaErrorInvalidValue");
  CHECK(std::string(cudaGetErrorString(cudaErrorInvalidValue)) == "invalid argument");
  CHECK(std::string(cudaGetErrorName(cudaError_t(12345))) == "unrecognized error code");
}

TEST_CASE("the occupancy follows from threads and shared memory") {
  auto const blocks = [](int threads, std::size_t shared_bytes) {
    int count = -1;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, opted_in, threads, shared_bytes) == cudaSuccess);
    return count;
  };
  REQUIRE(cudaFuncSetAttribute(opted_in, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448) == cudaSuccess);
  CHECK(blocks(1, 0) == 32);
  CHECK(blocks(33, 1) == 32);
  CHECK(blocks(128, 0) == 16);
  CHECK(blocks(1024, 40000) == 2);
  CHECK(blocks(128, 40000) == 5);
  CHECK(blocks(128, 100000) == 2);
  CHECK(blocks(1025, 0) == 0);
  CHECK(blocks(32, 300000) == 0);
  int count = -1;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, nothing, 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, nothing, 128, 60000) == cudaSuccess);
  CHECK(count == 0);
  cudaGetLastError();
}

TEST_CASE("memory is allocated, copied and freed") {
  int* memory = nullptr;
  CHECK(cudaMalloc(&memory, 0) == cudaSuccess);
  CHECK(memory == nullptr);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  int local = 0;
  CHECK(cudaFree(&local) == cudaErrorInvalidValue);
  CHECK(cudaMalloc(&memory, std::size_t(1) << 50) == cudaErrorMemoryAllocation);

  REQUIRE(cudaMalloc(&memory, 4 * sizeof(int)) == cudaSuccess);
  CHECK(cudaFree(memory + 1) == cudaErrorInvalidValue);
  int const rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  int back[4] = {};
  std::size_t const pitch = 2 * sizeof(int);
  CHECK(cudaMemcpy2D(memory, pitch, rows, sizeof(rows[0]), pitch, 2, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2D(memory, 4, rows, 12, 8, 2, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemset(memory + 3, 0xff, sizeof(int)) == cudaSuccess);
  CHECK(cudaMemcpy(back, memory, sizeof(back), cudaMemcpyDefault) == cudaSuccess);
  CHECK(std::vector<int>(back, back + 4) == std::vector<int>{1, 2, 4, -1});
  CHECK(cudaMemcpy(back, nullptr, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(cudaMemcpy(back, memory, 4, cudaMemcpyKind(9)) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemset(nullptr, 0, 4) == cudaErrorInvalidValue);
  CHECK(cudaFree(memory) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("there is a device, and what it does not have is an error") {
  int value = 0;
  REQUIRE(cudaGetDeviceCount(&value) == cudaSuccess);
  CHECK(cudaSetDevice(value) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0) == cudaSuccess);
  CHECK(value == 32);
  CHECK(cudaDeviceGetAttribute(&value, cudaDeviceAttr(9999), 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99) == cudaErrorInvalidDevice);
  cudaDeviceProp properties{};
  CHECK(cudaGetDeviceProperties(&properties, 99) == cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(properties.sharedMemPerBlock == 48 * 1024);
  cudaGetLastError();
}
