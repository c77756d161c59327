// SPDX-License-Identifier: BSL-1.0
//! @file
//! Two blocks that load half of each tile for both of them, with one bug each: planted_multicast_bugs <name>.
//!
//! The exit code is 0 if the result is right, 1 if it is wrong; most bugs end the program before that.

#include <gemm/arch/cluster.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/launch/tensor_map.hpp>

#include "launch.hpp"
#include "planted.hpp"

using selftest::device_array;
using selftest::launch;

namespace {

constexpr unsigned blocks = 2;
constexpr int rows = 8, columns = 32, tiles = 5, half = rows / 2;

enum class bug {
  none,
  missing_first_barrier,  // between the initialisation of mbarriers and what comes from afar
  missing_last_wait,      // for the other block's last arrival, before the end
  relaxed_last_barrier,   // instead of that
  missing_arrival,        // at the other block, which may then overwrite what this one has not read
  missing_block,          // one that does not get its half
  block_past_the_end,     // of the cluster
};

struct storage {
  alignas(128) float tile[rows][columns];
  gemm::arch::mbarrier full, empty;
};

template <bug Bug>
__device__ void produce(storage& shared, CUtensorMap const& map) {
  unsigned const rank = gemm::arch::cluster_rank();
  unsigned const to = Bug == bug::missing_block ? 1U << rank : Bug == bug::block_past_the_end ? 0b111U : 0b11U;
  for (int tile = 0; tile < tiles; ++tile) {
    gemm::arch::mbarrier_wait_parity(shared.empty, static_cast<unsigned>(tile % 2) ^ 1);
    gemm::arch::mbarrier_arrive_expect_tx(shared.full, sizeof(shared.tile));
    int const first = static_cast<int>(rank) * half;
    gemm::arch::tma_load_multicast(&shared.tile[first][0], map, shared.full, 0, tile * rows + first, 0, to);
  }
}

// Sums each column of the matrix, in both blocks.
template <bug Bug>
__global__ void ring(CUtensorMap const __grid_constant__ map, float* out) {
  auto& shared = gemm::arch::dynamic_shared_memory<storage>();
  if (threadIdx.x == 0) {
    gemm::arch::mbarrier_init(shared.full, 1);
    gemm::arch::mbarrier_init(shared.empty, Bug == bug::missing_arrival ? 1 : blocks);
    gemm::arch::fence_mbarrier_init();
  }
  if (Bug == bug::missing_first_barrier) {
    __syncthreads();
  } else {
    gemm::arch::cluster_arrive();
    gemm::arch::cluster_wait();
  }
  if (threadIdx.x == 32) {
    produce<Bug>(shared, map);
    if (Bug != bug::missing_last_wait && Bug != bug::relaxed_last_barrier) {
      gemm::arch::mbarrier_wait_parity(shared.empty, (tiles % 2) ^ 1);
    }
  } else if (threadIdx.x < 32) {
    float sum = 0;
    for (int tile = 0; tile < tiles; ++tile) {
      gemm::arch::mbarrier_wait_parity(shared.full, static_cast<unsigned>(tile % 2));
      for (int row = 0; row < rows; ++row) {
        sum += shared.tile[row][threadIdx.x];
      }
      __syncwarp();
      if (threadIdx.x < blocks && (Bug != bug::missing_arrival || threadIdx.x == gemm::arch::cluster_rank())) {
        gemm::arch::mbarrier_arrive_in_block(shared.empty, threadIdx.x);
      }
    }
    out[gemm::arch::cluster_rank() * columns + threadIdx.x] = sum;
  }
  if (Bug == bug::relaxed_last_barrier) {
    gemm::arch::cluster_arrive_relaxed();
    gemm::arch::cluster_wait();
  }
}

struct planted_bug {
  char const* name;
  void (*code)(CUtensorMap, float*);
};

constexpr planted_bug bugs[] = {
    {"no_multicast_bug", ring<bug::none>},
    {"multicast_before_barrier", ring<bug::missing_first_barrier>},
    {"end_before_arrival", ring<bug::missing_last_wait>},
    {"relaxed_last_barrier", ring<bug::relaxed_last_barrier>},
    {"missing_remote_arrival", ring<bug::missing_arrival>},
    {"missing_block", ring<bug::missing_block>},
    {"block_past_the_end", ring<bug::block_past_the_end>},
};

int run(planted_bug const& planted) {
  std::vector<float> values, sums(columns);
  for (int i = 0; i < tiles * rows * columns; ++i) {
    values.push_back(float(i % 97));
    sums[std::size_t(i % columns)] += values.back();
  }
  device_array<float> const in(values);
  device_array<float> const out(blocks * columns);
  CUtensorMap map;
  gemm::status const encoded = gemm::detail::encode_tensor_map<float>(map, {.data = in.data(),
                                                                            .inner = columns,
                                                                            .outer = tiles * rows,
                                                                            .ld = columns,
                                                                            .box_inner = columns,
                                                                            .box_outer = half});
  dim3 const along_z(1, 1, blocks);
  cudaError_t const error =
      encoded ? launch({along_z, 64, sizeof(storage), nullptr, along_z}, planted.code, map, out.data())
              : cudaErrorInvalidValue;
  return selftest::verdict(error, out, [&](std::size_t i) { return sums[i % columns]; });
}

}  // namespace

int main(int argc, char** argv) { return selftest::run_named(bugs, &run, argc, argv); }
