// SPDX-License-Identifier: BSL-1.0
//! @file
//! A sum over the blocks of a cluster, with one bug each: planted_cluster_bugs <name>.
//!
//! The exit code is 0 if the result is right, 1 if it is wrong; most bugs end the program before that.

#include <gemm/arch/cluster.cuh>
#include <gemm/arch/shared_load.cuh>
#include <gemm/arch/shared_memory.cuh>

#include "launch.hpp"
#include "planted.hpp"

using gemm::arch::address_in_block;
using gemm::arch::cluster_arrive;
using gemm::arch::cluster_wait;
using gemm::arch::load_cluster;
using selftest::device_array;
using selftest::launch;

namespace {

constexpr unsigned blocks = 4, threads = 64, rounds = 2;
constexpr unsigned part = threads;  // of the tile, for each block to sum up

enum class bug {
  none,
  missing_first_barrier,    // between the blocks' beginning and the first read
  missing_full_barrier,     // between writing and reading, where an earlier barrier says that all blocks live
  missing_empty_barrier,    // between reading and writing again
  missing_last_barrier,     // between reading and the block's end
  missing_wait_for_reader,  // the same, where only one block reads
  missing_arrival,          // of one thread, which waits for others elsewhere
  wait_alone,               // without an arrival
  arrive_twice,             // without a wait between
  rank_past_the_end,        // of the cluster
  read_past_the_end,        // of shared memory
  misaligned_read,          // not at a multiple of 16 bytes
  global_address,           // where one in shared memory is needed
};

struct storage {
  alignas(16) float tile[blocks * part];
};

__device__ void cluster_barrier() {
  cluster_arrive();
  cluster_wait();
}

// Adds to `sum` four elements of the block's part of the tile, from all blocks.
template <bug Bug>
__device__ void sum_up(storage const& shared, float* out, float (&sum)[4]) {
  float const* own = shared.tile + gemm::arch::cluster_rank() * part + threadIdx.x * 4;
  if (Bug == bug::misaligned_read) {
    ++own;
  } else if (Bug == bug::read_past_the_end) {
    own = shared.tile + blocks * part;
  } else if (Bug == bug::global_address) {
    own = out;
  }
  for (unsigned i = 0; i < blocks; ++i) {
    unsigned const rank = Bug == bug::rank_past_the_end ? i + 1 : i;
    float values[4];
    load_cluster(values, address_in_block(gemm::arch::shared_address_of(own), rank));
    for (int lane = 0; lane < 4; ++lane) {
      sum[lane] += values[lane];
    }
  }
}

template <bug Bug>
__global__ void sum_over_cluster(float* out) {
  storage& shared = gemm::arch::dynamic_shared_memory<storage>();
  unsigned const rank = gemm::arch::cluster_rank();
  if (Bug == bug::missing_arrival && rank == 2 && threadIdx.x == 5) {
    __syncthreads();
  }
  if (Bug == bug::wait_alone) {
    cluster_wait();
  }
  bool const reads = threadIdx.x < part / 4 && (Bug != bug::missing_wait_for_reader || rank == 0);
  float sum[4] = {};
  for (unsigned round = 0; round < rounds; ++round) {
    for (unsigned i = threadIdx.x; i < blocks * part; i += threads) {
      shared.tile[i] = float((round + 1) * (rank + 1) * (i + 1));
    }
    if (Bug == bug::arrive_twice) {
      cluster_arrive();
    }
    if (Bug != bug::missing_first_barrier && (Bug != bug::missing_full_barrier || round == 0)) {
      cluster_barrier();
    }
    if (reads) {
      sum_up<Bug>(shared, out, sum);
    }
    if (round < rounds - 1 ? Bug != bug::missing_empty_barrier
                           : Bug != bug::missing_last_barrier && Bug != bug::missing_wait_for_reader) {
      cluster_barrier();
    }
  }
  if (reads) {
    for (unsigned lane = 0; lane < 4; ++lane) {
      out[rank * part + threadIdx.x * 4 + lane] = sum[lane];
    }
  }
}

struct named_kernel {
  char const* name;
  void (*code)(float*);
};

constexpr named_kernel kernels[] = {
    {"no_cluster_bug", sum_over_cluster<bug::none>},
    {"missing_first_barrier", sum_over_cluster<bug::missing_first_barrier>},
    {"missing_full_barrier", sum_over_cluster<bug::missing_full_barrier>},
    {"missing_empty_barrier", sum_over_cluster<bug::missing_empty_barrier>},
    {"missing_last_barrier", sum_over_cluster<bug::missing_last_barrier>},
    {"missing_wait_for_reader", sum_over_cluster<bug::missing_wait_for_reader>},
    {"missing_arrival", sum_over_cluster<bug::missing_arrival>},
    {"wait_alone", sum_over_cluster<bug::wait_alone>},
    {"arrive_twice", sum_over_cluster<bug::arrive_twice>},
    {"rank_past_the_end", sum_over_cluster<bug::rank_past_the_end>},
    {"cluster_read_past_the_end", sum_over_cluster<bug::read_past_the_end>},
    {"misaligned_cluster_read", sum_over_cluster<bug::misaligned_read>},
    {"global_address", sum_over_cluster<bug::global_address>},
};

int run(named_kernel const& kernel) {
  device_array<float> const out(blocks * part);
  dim3 const along_z(1, 1, blocks);
  cudaError_t const error = launch({along_z, threads, sizeof(storage), nullptr, along_z}, kernel.code, out.data());
  constexpr unsigned sum_of_rounds = rounds * (rounds + 1) / 2, sum_of_ranks = blocks * (blocks + 1) / 2;
  return selftest::verdict(error, out, [](std::size_t i) { return float(sum_of_rounds * sum_of_ranks * (i + 1)); });
}

}  // namespace

int main(int argc, char** argv) { return selftest::run_named(kernels, &run, argc, argv); }
