// SPDX-License-Identifier: BSL-1.0
//! @file
//! A warp that stores tile after tile by TMA from one buffer, with one bug each: planted_store_bugs <name>.
//!
//! The exit code is 0 if the result is right, 1 if it is wrong; most bugs end the program before that.

#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/arch/tma_store.cuh>
#include <gemm/launch/tensor_map.hpp>

#include "launch.hpp"
#include "planted.hpp"

using selftest::device_array;
using selftest::launch;

namespace {

constexpr int rows = 8, columns = 32, tiles = 5;

enum class bug {
  none,
  missing_read_wait,    // writes the buffer again, which may not have been read
  missing_store_sync,   // stores what the other lanes may not have written
  missing_commit,       // waits for a group that the store is not in
  missing_last_wait,    // ends with a store that may not have read its memory
  misaligned_source,    // not at a multiple of 128 bytes
  misaligned_x,         // not at a multiple of 16 bytes of the tensor's rows
  before_the_first,     // begins before the tensor's first row
  source_past_the_end,  // of shared memory
};

struct storage {
  alignas(128) float tile[rows][columns];
};

template <bug Bug>
__global__ void fill(CUtensorMap const __grid_constant__ map) {
  storage& shared = gemm::arch::dynamic_shared_memory<storage>();
  for (int tile = 0; tile < tiles; ++tile) {
    if (Bug != bug::missing_read_wait) {
      gemm::arch::bulk_wait_group_read<0>();
    }
    __syncwarp();
    for (int row = 0; row < rows; ++row) {
      shared.tile[row][threadIdx.x] = float(((tile * rows + row) * columns + int(threadIdx.x)) % 97);
    }
    gemm::arch::fence_proxy_async();
    if (Bug != bug::missing_store_sync) {
      __syncwarp();
    }
    if (threadIdx.x == 0) {
      float* from = &shared.tile[0][0];
      from += Bug == bug::misaligned_source ? 4 : Bug == bug::source_past_the_end ? columns : 0;
      int const y = tile * rows - (Bug == bug::before_the_first ? 1 : 0);
      gemm::arch::tma_store(map, Bug == bug::misaligned_x ? 1 : 0, y, 0, from);
      if (Bug != bug::missing_commit) {
        gemm::arch::bulk_commit_group();
      }
    }
  }
  if (Bug != bug::missing_last_wait) {
    gemm::arch::bulk_wait_group_read<0>();
  }
}

using kernel = void (*)(CUtensorMap);

struct planted_bug {
  char const* name;
  kernel code;
  std::size_t elements_too_few = 0;  // in the tensor's memory
};

constexpr planted_bug bugs[] = {
    {"no_store_bug", fill<bug::none>},
    {"missing_read_wait", fill<bug::missing_read_wait>},
    {"missing_store_sync", fill<bug::missing_store_sync>},
    {"missing_store_commit", fill<bug::missing_commit>},
    {"missing_last_wait", fill<bug::missing_last_wait>},
    {"misaligned_source", fill<bug::misaligned_source>},
    {"misaligned_x", fill<bug::misaligned_x>},
    {"before_the_first", fill<bug::before_the_first>},
    {"source_past_the_end", fill<bug::source_past_the_end>},
    {"stored_past_the_end", fill<bug::none>, 1},
};

int run(planted_bug const& planted) {
  device_array<float> const out(tiles * rows * columns - planted.elements_too_few);
  CUtensorMap map;
  gemm::status const encoded = gemm::detail::encode_tensor_map<float>(map, {.data = out.data(),
                                                                            .inner = columns,
                                                                            .outer = tiles * rows,
                                                                            .ld = columns,
                                                                            .box_inner = columns,
                                                                            .box_outer = rows});
  cudaError_t const error = encoded ? launch({1, 32, sizeof(storage)}, planted.code, map) : cudaErrorInvalidValue;
  return selftest::verdict(error, out, [](std::size_t i) { return float(i % 97); });
}

}  // namespace

int main(int argc, char** argv) { return selftest::run_named(bugs, &run, argc, argv); }
