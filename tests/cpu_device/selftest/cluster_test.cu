// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tests of clusters: ranks, the barrier, reads of other blocks' shared memory.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstdint>
#include <gemm/arch/cluster.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <vector>

#include "launch.hpp"

using cpu_device::run_order;
using gemm::arch::address_in_block;
using gemm::arch::cluster_arrive;
using gemm::arch::cluster_wait;
using gemm::arch::load_cluster;
using selftest::device_array;
using selftest::launch;

namespace {

constexpr unsigned threads = 48;  // the second warp is not whole

// In clusters of 3 x 1 x 2 blocks.
__global__ void note_places(uint3* blocks, unsigned* sizes) {
  unsigned const cluster = (blockIdx.z / 2 * gridDim.y + blockIdx.y) * (gridDim.x / 3) + blockIdx.x / 3;
  unsigned const size = gemm::arch::cluster_size();
  blocks[cluster * size + gemm::arch::cluster_rank()] = blockIdx;
  sizes[cluster * size + gemm::arch::cluster_rank()] = size;
}

template <class T>
struct storage {
  alignas(16) T values[threads * 4];
};

// In each round every block writes numbers, and sums up what all have written, each thread 16 bytes of it.
template <class T>
__global__ void sum_over_cluster(int rounds, T* out) {
  constexpr unsigned width = 16 / sizeof(T);
  storage<T>& shared = gemm::arch::dynamic_shared_memory<storage<T>>();
  unsigned const first = threadIdx.x * width;
  gemm::arch::shared_address const own = gemm::arch::shared_address_of(&shared.values[first]);
  unsigned const block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  for (int round = 0; round < rounds; ++round) {
    for (unsigned i = threadIdx.x; i < threads * width; i += threads) {
      shared.values[i] = T(int(i) + round * int(gemm::arch::cluster_rank()));
    }
    cluster_arrive();
    cluster_wait();
    T sum[width] = {};
    for (unsigned rank = 0; rank < gemm::arch::cluster_size(); ++rank) {
      T values[width];
      load_cluster(values, address_in_block(own, rank));
      for (unsigned i = 0; i < width; ++i) {
        sum[i] += values[i];
      }
    }
    for (unsigned i = 0; i < width; ++i) {
      out[block * threads * width + first + i] = sum[i];
    }
    cluster_arrive();
    cluster_wait();
  }
}

// What a thread may do between its arrival and its wait is what concerns nobody else. Some threads return without an
// arrival, others after one.
__global__ void return_early(int* out) {
  int& given = gemm::arch::dynamic_shared_memory<storage<int>>().values[4 * threadIdx.x];
  unsigned const rank = gemm::arch::cluster_rank();
  if (rank == 1 && threadIdx.x >= 32) {
    return;
  }
  given = int(100 * rank + threadIdx.x);
  cluster_arrive();
  out[rank * threads + threadIdx.x] = -1;
  if (rank == 0 && threadIdx.x == 7) {
    return;
  }
  cluster_wait();
  if (threadIdx.x < 32) {
    int received[4];
    load_cluster(received, address_in_block(gemm::arch::shared_address_of(&given), 1 - rank));
    out[rank * threads + threadIdx.x] = received[0];
  }
  cluster_arrive();
  cluster_wait();
}

}  // namespace

TEST_CASE("a block's rank in its cluster counts x first, then y, then z") {
  dim3 const grid(6, 2, 4);
  constexpr unsigned size = 6;
  device_array<uint3> blocks(48);
  device_array<unsigned> sizes(48);
  REQUIRE(launch({grid, 1, 0, nullptr, dim3(3, 1, 2)}, note_places, blocks.data(), sizes.data()) == cudaSuccess);
  CHECK(sizes.host() == std::vector<unsigned>(48, size));
  std::vector<uint3> const got = blocks.host();
  for (unsigned i = 0; i < 48; ++i) {
    unsigned const cluster = i / size;
    unsigned const rank = i % size;
    CHECK(got[i].x == cluster % 2 * 3 + rank % 3);
    CHECK(got[i].y == cluster / 2 % 2);
    CHECK(got[i].z == cluster / 4 * 2 + rank / 3);
  }
}

TEMPLATE_TEST_CASE("blocks of a cluster read what the others have written", "", float, double, std::int32_t) {
  cpu_device::scoped_options with;
  with->order = GENERATE(run_order::forward, run_order::reverse, run_order::random);
  dim3 const cluster = GENERATE(dim3(1), dim3(1, 3), dim3(2, 1, 2));
  int const rounds = 3;
  unsigned const width = 16 / sizeof(TestType);
  unsigned const size = cluster.x * cluster.y * cluster.z;
  dim3 const grid(cluster.x, 2 * cluster.y, cluster.z);
  device_array<TestType> out(2 * size * threads * width);
  REQUIRE(launch({grid, threads, sizeof(storage<TestType>), nullptr, cluster}, sum_over_cluster<TestType>, rounds,
                 out.data()) == cudaSuccess);
  std::vector<TestType> const got = out.host();
  int wrong = 0;
  for (unsigned i = 0; i < got.size(); ++i) {
    unsigned const element = i % (threads * width);
    wrong += got[i] != TestType(size * element + unsigned(rounds - 1) * size * (size - 1) / 2);
  }
  CHECK(wrong == 0);
}

TEST_CASE("threads that have returned count as arrived at the cluster's barrier") {
  cpu_device::scoped_options with;
  with->order = GENERATE(run_order::forward, run_order::reverse, run_order::random);
  device_array<int> out(std::vector<int>(2 * threads, -2));
  REQUIRE(launch({2, threads, sizeof(storage<int>), nullptr, 2}, return_early, out.data()) == cudaSuccess);
  std::vector<int> const got = out.host();
  for (unsigned i = 0; i < threads; ++i) {
    CHECK(got[i] == (i >= 32 || i == 7 ? -1 : int(100 + i)));
    CHECK(got[threads + i] == (i >= 32 ? -2 : int(i)));
  }
}

TEST_CASE("launches with clusters of any size follow one another, in a graph too") {
  constexpr unsigned size = 8 * threads * 4;
  device_array<float> out(size);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  for (unsigned const cluster : {1u, 8u, 2u, 8u}) {
    CHECK(launch({8, threads, sizeof(storage<float>), stream, cluster}, sum_over_cluster<float>, 1, out.data()) ==
          cudaSuccess);
  }
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphLaunch(executable, stream) == cudaSuccess);
  CHECK(out.host()[size - 1] == 8 * (threads * 4 - 1));
  CHECK(cudaGraphExecDestroy(executable) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}
