// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tests of streams, events and graphs. Nothing here is particular to the CPU device: built by nvcc it passes on a GPU,
//! and that is where the expected errors come from.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstdint>
#include <thread>
#include <vector>

#include "launch.hpp"

using selftest::device_array;
using selftest::launch;

namespace {

__global__ void add(int* value, int number) { *value += number; }

struct stream {
  cudaStream_t handle = nullptr;
  explicit stream(unsigned flags = cudaStreamDefault) { (void)cudaStreamCreateWithFlags(&handle, flags); }
  ~stream() { (void)cudaStreamDestroy(handle); }
  stream(stream const&) = delete;
  stream& operator=(stream const&) = delete;
};

// What is left of a capture in which `call` was made: its error, the capture's state, the error at its end.
struct outcome {
  cudaError_t error;
  cudaStreamCaptureStatus status;
  cudaError_t end;
  friend bool operator==(outcome const&, outcome const&) = default;
};

outcome const harmless = {cudaSuccess, cudaStreamCaptureStatusActive, cudaSuccess};
outcome const unsupported = {cudaErrorStreamCaptureUnsupported, cudaStreamCaptureStatusInvalidated,
                             cudaErrorStreamCaptureInvalidated};
outcome const implicit = {cudaErrorStreamCaptureImplicit, cudaStreamCaptureStatusInvalidated,
                          cudaErrorStreamCaptureInvalidated};

template <class Call>
outcome during_capture(cudaStream_t capturing, cudaStreamCaptureMode mode, Call call) {
  REQUIRE(cudaStreamBeginCapture(capturing, mode) == cudaSuccess);
  outcome result{};
  result.error = call();
  REQUIRE(cudaStreamIsCapturing(capturing, &result.status) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  result.end = cudaStreamEndCapture(capturing, &graph);
  CHECK((graph != nullptr) == (result.end == cudaSuccess));
  if (graph != nullptr) {
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  }
  cudaGetLastError();
  return result;
}

template <class Call>
outcome during_capture(cudaStream_t capturing, Call call) {
  return during_capture(capturing, cudaStreamCaptureModeGlobal, call);
}

}  // namespace

TEST_CASE("work on streams is done when they have been waited for") {
  stream s;
  device_array<int> value(std::vector<int>{1});
  int result = 0;
  CHECK(launch({1, 1, 0, s.handle}, add, value.data(), 2) == cudaSuccess);
  CHECK(cudaMemcpyAsync(&result, value.data(), sizeof(int), cudaMemcpyDeviceToHost, s.handle) == cudaSuccess);
  CHECK(cudaMemsetAsync(value.data(), 0, sizeof(int), s.handle) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.handle) == cudaSuccess);
  CHECK(cudaStreamQuery(s.handle) == cudaSuccess);
  CHECK(result == 3);
  CHECK(value.host()[0] == 0);
  cudaStream_t bad = nullptr;
  CHECK(cudaStreamCreateWithFlags(&bad, 7) == cudaErrorInvalidValue);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_CASE("events measure time") {
  stream s;
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  cudaEvent_t untimed = nullptr;
  float milliseconds = -1;
  REQUIRE(cudaEventCreate(&begin) == cudaSuccess);
  REQUIRE(cudaEventCreate(&end) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
  CHECK(cudaEventRecord(begin, s.handle) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(end, s.handle) == cudaSuccess);
  CHECK(cudaEventRecord(untimed, s.handle) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(nullptr, untimed, 0) == cudaSuccess);
  CHECK(cudaEventSynchronize(end) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess);
  CHECK(milliseconds >= 0);
  CHECK(cudaEventElapsedTime(&milliseconds, begin, untimed) == cudaErrorInvalidResourceHandle);
  for (cudaEvent_t const event : {begin, end, untimed}) {
    CHECK(cudaEventDestroy(event) == cudaSuccess);
  }
  cudaGetLastError();
}

TEST_CASE("a graph repeats what a stream recorded") {
  stream s;
  device_array<int> value(std::vector<int>{0});
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t instance = nullptr;
  {
    int number = 5;
    REQUIRE(cudaStreamBeginCapture(s.handle, cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(launch({1, 1, 0, s.handle}, add, value.data(), number) == cudaSuccess);
    CHECK(launch({1, 1, 0, s.handle}, add, value.data(), 0) == cudaSuccess);
    number = 0;  // arguments are taken by value
    REQUIRE(cudaStreamEndCapture(s.handle, &graph) == cudaSuccess);
  }
  CHECK(value.host()[0] == 0);
  REQUIRE(cudaGraphInstantiate(&instance, graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaGraphLaunch(instance, s.handle) == cudaSuccess);
  CHECK(cudaGraphLaunch(instance, nullptr) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.handle) == cudaSuccess);
  CHECK(value.host()[0] == 10);
  CHECK(cudaGraphExecDestroy(instance) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&instance, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(nullptr, s.handle) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("memory allocated within a capture lives as long as the graph") {
  stream s;
  device_array<int> result(std::vector<int>{0});
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t instance = nullptr;
  int* workspace = nullptr;
  REQUIRE(cudaStreamBeginCapture(s.handle, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaMallocAsync(&workspace, sizeof(int), s.handle) == cudaSuccess);
  CHECK(cudaMemsetAsync(workspace, 0, sizeof(int), s.handle) == cudaSuccess);
  CHECK(launch({1, 1, 0, s.handle}, add, workspace, 7) == cudaSuccess);
  CHECK(cudaMemcpyAsync(result.data(), workspace, sizeof(int), cudaMemcpyDeviceToDevice, s.handle) == cudaSuccess);
  CHECK(cudaFreeAsync(workspace, s.handle) == cudaSuccess);
  CHECK(cudaFreeAsync(result.data(), s.handle) == cudaErrorInvalidValue);
  REQUIRE(cudaStreamEndCapture(s.handle, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&instance, graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  for (int repeat = 0; repeat < 2; ++repeat) {
    CHECK(cudaGraphLaunch(instance, s.handle) == cudaSuccess);
    CHECK(cudaStreamSynchronize(s.handle) == cudaSuccess);
    CHECK(result.host()[0] == 7);
  }
  CHECK(cudaGraphExecDestroy(instance) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("a pool's memory comes from the device's, also during a capture") {
  std::size_t before = 0, taken = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);
  cudaMemPoolProps properties{};
  cudaMemPool_t pool = nullptr;
  CHECK(cudaMemPoolCreate(&pool, &properties) == cudaErrorInvalidValue);
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  std::uint64_t kept = 1;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept) == cudaSuccess);
  void* memory = nullptr;
  REQUIRE(cudaMallocFromPoolAsync(&memory, 1000, pool, nullptr) == cudaSuccess);
  CHECK(cudaMemGetInfo(&taken, &total) == cudaSuccess);
  CHECK(taken == before - 1000);
  std::uint64_t used = 0;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess);
  CHECK(used == total - taken);
  CHECK(cudaFreeAsync(memory, nullptr) == cudaSuccess);

  // A thread that asks for it may do what a capture forbids.
  stream s;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  CHECK(mode == cudaStreamCaptureModeGlobal);
  CHECK(during_capture(s.handle, [&] { return cudaMalloc(&memory, 4); }) == harmless);
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("what a capture forbids ends it") {
  stream s;
  stream other;
  stream independent(cudaStreamNonBlocking);
  device_array<int> value(std::vector<int>{0});
  int local = 0;
  int* memory = nullptr;
  auto const allocate = [&] { return cudaMalloc(&memory, 4); };
  auto const copy = [&] { return cudaMemcpy(value.data(), &local, 4, cudaMemcpyHostToDevice); };
  auto const launch_on = [&](cudaStream_t on) { return launch({1, 1, 0, on}, add, value.data(), 1); };

  CHECK(during_capture(s.handle, [&] { return launch_on(s.handle); }) == harmless);
  CHECK(during_capture(s.handle, [&] { return launch_on(other.handle); }) == harmless);
  CHECK(during_capture(s.handle, [&] { return launch_on(nullptr); }) == implicit);
  CHECK(during_capture(s.handle, copy) == implicit);
  CHECK(during_capture(s.handle, allocate) == unsupported);
  CHECK(during_capture(s.handle, [&] { return cudaMallocAsync(&memory, 4, other.handle); }) == unsupported);
  CHECK(during_capture(s.handle, [] { return cudaDeviceSynchronize(); }) == unsupported);
  CHECK(during_capture(s.handle, [&] { return cudaStreamSynchronize(s.handle); }) == unsupported);
  CHECK(during_capture(s.handle, [&] { return cudaStreamSynchronize(other.handle); }) == unsupported);
  CHECK(during_capture(s.handle, [&] { return cudaStreamQuery(s.handle); }) == unsupported);
  outcome const impossible = {cudaErrorInvalidValue, cudaStreamCaptureStatusInvalidated,
                              cudaErrorStreamCaptureInvalidated};
  CHECK(during_capture(s.handle, [&] { return launch({0, 1, 0, s.handle}, add, value.data(), 1); }) == impossible);
  outcome const twice = {cudaErrorIllegalState, cudaStreamCaptureStatusActive, cudaSuccess};
  CHECK(during_capture(s.handle, [&] { return cudaStreamBeginCapture(s.handle, cudaStreamCaptureModeGlobal); }) ==
        twice);

  // A stream that does not synchronise with the legacy stream, and modes that forbid less
  CHECK(during_capture(independent.handle, [&] { return launch_on(nullptr); }) == harmless);
  CHECK(during_capture(independent.handle, copy) == harmless);
  CHECK(during_capture(s.handle, cudaStreamCaptureModeRelaxed, allocate) == harmless);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(during_capture(s.handle, cudaStreamCaptureModeThreadLocal, allocate) == unsupported);
  auto const elsewhere = [&] {
    cudaError_t error{};
    std::thread([&] { error = allocate(); }).join();
    return error;
  };
  CHECK(during_capture(s.handle, cudaStreamCaptureModeThreadLocal, elsewhere) == harmless);
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(during_capture(s.handle, elsewhere) == unsupported);

  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(s.handle, &graph) == cudaErrorIllegalState);
  cudaGetLastError();
}
