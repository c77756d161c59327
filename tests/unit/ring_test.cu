// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a warp-specialised kernel is made of: a producer and consumers with a ring of stages between them.

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <vector>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/setmaxnreg.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/tensor_map.hpp>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

constexpr int stages = 3, ring_rows = 32, ring_columns = 32, ring_tiles = 10;
constexpr int consumer_warps = 8;

struct ring_storage {
  alignas(128) float tile[stages][ring_rows][ring_columns];
  gemm::arch::mbarrier full[stages], empty[stages];
};

struct ring {
  CUtensorMap map;
  float* sums;
};

/// The last warpgroup's first thread loads tile after tile; the others add the tiles up, element by element.
__global__ void __launch_bounds__(384, 1) add_tiles(ring const __grid_constant__ what) {
  auto& shared = gemm::arch::dynamic_shared_memory<ring_storage>();
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < stages; ++stage) {
      gemm::arch::mbarrier_init(shared.full[stage], 1);
      gemm::arch::mbarrier_init(shared.empty[stage], consumer_warps);
    }
    gemm::arch::fence_mbarrier_init();
  }
  __syncthreads();

  int stage = 0;
  unsigned phase = 0;
  auto const advance = [&] {
    if (++stage == stages) {
      stage = 0;
      phase ^= 1;
    }
  };
  if (threadIdx.x >= consumer_warps * 32) {
    gemm::arch::setmaxnreg_dec<40>();
    if (threadIdx.x == consumer_warps * 32) {
      for (int tile = 0; tile < ring_tiles; ++tile, advance()) {
        gemm::arch::mbarrier_wait_parity(shared.empty[stage], phase ^ 1);
        gemm::arch::mbarrier_arrive_expect_tx(shared.full[stage], sizeof(shared.tile[0]));
        gemm::arch::tma_load(shared.tile[stage], what.map, shared.full[stage], 0, tile * ring_rows,
                             static_cast<int>(blockIdx.x));
      }
    }
    return;
  }
  gemm::arch::setmaxnreg_inc<232>();
  float sums[ring_rows / consumer_warps] = {};
  for (int tile = 0; tile < ring_tiles; ++tile, advance()) {
    if (!gemm::arch::mbarrier_try_wait_parity(shared.full[stage], phase)) {
      gemm::arch::mbarrier_wait_parity(shared.full[stage], phase);
    }
    for (int i = 0; i < ring_rows / consumer_warps; ++i) {
      sums[i] += shared.tile[stage][threadIdx.x / 32 + i * consumer_warps][threadIdx.x % 32];
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
      gemm::arch::mbarrier_arrive(shared.empty[stage]);
    }
  }
  for (int i = 0; i < ring_rows / consumer_warps; ++i) {
    std::size_t const row = blockIdx.x * ring_rows + threadIdx.x / 32 + static_cast<unsigned>(i) * consumer_warps;
    what.sums[row * ring_columns + threadIdx.x % 32] = sums[i];
  }
}

}  // namespace

TEST_CASE("a producer and consumers pass tiles through a ring of stages", "[sanitizer]") {
  test::need_sm90a();
  constexpr int batches = 2, rows = ring_rows * ring_tiles - 5;  // the last tile is ragged
  std::vector<float> values, expected(batches * ring_rows * ring_columns);
  for (std::size_t i = 0; i < std::size_t{batches} * rows * ring_columns; ++i) {
    values.push_back(static_cast<float>(i % 101 + 1));
    std::size_t const row = i / ring_columns % rows, batch = i / ring_columns / rows;
    expected[(batch * ring_rows + row % ring_rows) * ring_columns + i % ring_columns] += values.back();
  }
  test::device_array<float> const in(values), sums(expected.size());
  ring what{};
  gemm::status const encoded = gemm::detail::encode_tensor_map<float>(what.map, {.data = in.data(),
                                                                                 .inner = ring_columns,
                                                                                 .outer = rows,
                                                                                 .batches = batches,
                                                                                 .ld = ring_columns,
                                                                                 .batch_stride = rows * ring_columns,
                                                                                 .box_inner = ring_columns,
                                                                                 .box_outer = ring_rows});
  REQUIRE(encoded);
  what.sums = sums.data();
  test::require_success(gemm::detail::launch(add_tiles, dim3(batches), 384, sizeof(ring_storage), nullptr, what),
                        "add_tiles");
  CHECK(sums.download() == expected);
}
