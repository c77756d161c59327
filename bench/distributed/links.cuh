// SPDX-License-Identifier: BSL-1.0
//! @file
//! The links between the GPUs of a host, measured: a row of include/gemm/tables/links.hpp.
#pragma once

#include <cuda_runtime.h>
#include <nccl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include <gemm/distributed/steps.cuh>
#include <gemm/matrix.hpp>
#include <gemm/run.cuh>
#include <gemm/tables/links.hpp>

#include "context.cuh"

namespace bench {

static __global__ void store_kernel(uint4* to, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    to[i] = uint4{1, 2, 3, 4};
  }
}
static __global__ void nothing_kernel() {}

/// Every rank does the same at the same time; times are of the slowest.
class links {
 public:
  links(rank_context const& own, stopwatch& watch) : own_(own), watch_(watch) {}

  gemm::tables::link_rates measure() {
    gemm::tables::link_rates row{.gpu = {}};
    row.copy = bandwidth([&](std::size_t bytes) { pull(bytes); });
    row.copy_start = of_one(50, [&] { pull_and_say(); });
    row.store = stores(multiprocessors());
    row.meeting = of_one(50, [&] { meet(); });
    row.sum_start = of_one(50, [&] { nothing_kernel<<<1, 32, 0, own_.stream>>>(); });
    double const others = own_.ranks - 1;
    row.collective = others * bandwidth([&](std::size_t bytes) { gather(bytes); });
    row.collective_start = of_one(20, [&] { gather(1024); });
    row.collective_share = share_of_collectives();
    return row;
  }

  /// Bytes a second that so many blocks store into the next rank's memory.
  double stores(int blocks) {
    return bandwidth([&](std::size_t bytes) {
      store_kernel<<<static_cast<unsigned>(blocks), 1024, 0, own_.stream>>>(static_cast<uint4*>(of_next()), bytes / 16);
    });
  }
  int multiprocessors() const {
    int device = 0, count = 0;
    require(cudaGetDevice(&device), "cudaGetDevice");
    require(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "multiprocessors");
    return count;
  }

 private:
  void* of_next() const { return own_.memory->get().pointers[(own_.rank + 1) % own_.ranks]; }
  void pull(std::size_t bytes) const {
    require(cudaMemcpyAsync(own_.a, of_next(), bytes, cudaMemcpyDefault, own_.stream), "copy");
  }
  void pull_and_say() const {
    pull(4096);
    require(gemm::detail::enqueue_write(own_.stream, &own_.memory->get().flags[own_.rank]->here[0], 0), "write");
  }
  void meet() const { require(gemm::detail::enqueue_meeting(own_.memory->get(), 20, 0, own_.stream), "meeting"); }
  void gather(std::size_t bytes) const {
    require(ncclAllGather(own_.a, own_.gathered, bytes, ncclUint8, own_.communicator, own_.stream), "ncclAllGather");
  }

  template <class Call>
  double of_one(int calls, Call const& call) {
    static_cast<void>(watch_.slowest(own_, call, calls));
    return watch_.slowest(own_, call, calls);
  }
  /// By the difference of two sizes, which have the same start.
  template <class Call>
  double bandwidth(Call const& call) {
    constexpr std::size_t few = std::size_t{16} << 20U, many = std::size_t{128} << 20U;
    double const of_few = of_one(10, [&] { call(few); }), of_many = of_one(10, [&] { call(many); });
    return static_cast<double>(many - few) / std::max(of_many - of_few, 1e-9);
  }

  /// The part of a product's multiprocessors that collectives beside it take.
  double share_of_collectives() {
    constexpr std::int64_t size = 8192;
    cudaStream_t side = nullptr;
    require(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), "stream");
    auto const product = [&] {
      require(
          gemm::run(gemm::row_major<bf16 const>(own_.b, size, size), gemm::col_major<bf16 const>(own_.b, size, size),
                    gemm::row_major(own_.c, size, size), {.stream = own_.stream}),
          "run");
    };
    double const alone = of_one(5, product);
    watch_.meet();
    for (int i = 0; i < 60; ++i) {  // for longer than the products
      require(ncclAllGather(own_.a, own_.gathered, std::size_t{64} << 20U, ncclUint8, own_.communicator, side),
              "ncclAllGather");
    }
    double const together = watch_.slowest(own_, product, 5);
    require(cudaStreamSynchronize(side), "synchronize");
    require(cudaStreamDestroy(side), "stream");
    return std::max(0.0, 1 - alone / together);
  }

  rank_context const& own_;
  stopwatch& watch_;
};

inline void print(gemm::tables::link_rates const& row, char const* gpu, int ranks) {
  std::printf(
      "{\"links\": \"%s\", \"ranks\": %d, \"copy\": %.4g, \"copy_start\": %.3g, \"store\": %.4g, \"meeting\": %.3g, "
      "\"sum_start\": %.3g, \"collective\": %.4g, \"collective_start\": %.3g, \"collective_share\": %.3g, \"row\": "
      "\"{.gpu = '%s', .copy = %.3g, .copy_start = %.2g, .store = %.3g, .meeting = %.2g, .sum_start = %.2g, "
      ".collective = %.3g, .collective_start = %.2g, .collective_share = %.2g}\"}\n",
      gpu, ranks, row.copy, row.copy_start, row.store, row.meeting, row.sum_start, row.collective, row.collective_start,
      row.collective_share, gpu, row.copy, row.copy_start, row.store, row.meeting, row.sum_start, row.collective,
      row.collective_start, row.collective_share);
  std::fflush(stdout);
}

}  // namespace bench
