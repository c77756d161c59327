// SPDX-License-Identifier: BSL-1.0
//! @file
//! What blocks of a cluster do for one another without reading: loads for several of them, and arrivals from afar.

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>
#include <vector>

#include <gemm/arch/cluster.cuh>
#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/tensor_map.hpp>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

constexpr int rows = 4, columns = 32, rounds = 3;
constexpr unsigned blocks = 3, loader = 1, others = 0b101;

struct storage {
  alignas(128) float tile[rows][columns];
  gemm::arch::mbarrier full, empty;
};

struct task {
  CUtensorMap map;
  float* out;  // [block][round][rows][columns]
  bool once;
};

/// One block loads tile after tile for the others, which tell it when they have copied one.
__global__ void __launch_bounds__(64) load_for_others(task const __grid_constant__ what) {
  auto& shared = gemm::arch::dynamic_shared_memory<storage>();
  unsigned const rank = gemm::arch::cluster_rank();
  if (threadIdx.x == 0) {
    gemm::arch::mbarrier_init(shared.full, 1);
    gemm::arch::mbarrier_init(shared.empty, (blocks - 1) * 2);  // warps
    gemm::arch::fence_mbarrier_init();
  }
  gemm::arch::cluster_arrive();
  gemm::arch::cluster_wait();
  for (unsigned round = 0; round < rounds; ++round) {
    if (rank == loader) {
      if (threadIdx.x == 0) {
        gemm::arch::mbarrier_wait_parity(shared.empty, (round & 1) ^ 1);
        int const row = static_cast<int>(round) * rows;
        if (what.once) {
          gemm::arch::tma_load_multicast_once(&shared.tile[0][0], what.map, shared.full, 0, row, 0, others);
        } else {
          gemm::arch::tma_load_multicast(&shared.tile[0][0], what.map, shared.full, 0, row, 0, others);
        }
      }
    } else {
      if (threadIdx.x == 0) {
        gemm::arch::mbarrier_arrive_expect_tx(shared.full, sizeof(shared.tile));
      }
      gemm::arch::mbarrier_wait_parity(shared.full, round & 1);
      for (unsigned i = threadIdx.x; i < rows * columns; i += blockDim.x) {
        what.out[(rank * rounds + round) * rows * columns + i] = shared.tile[i / columns][i % columns];
      }
      __syncwarp();
      if (threadIdx.x % 32 == 0) {
        gemm::arch::mbarrier_arrive_in_block(shared.empty, loader);
      }
    }
  }
  if (rank == loader && threadIdx.x == 0) {
    gemm::arch::mbarrier_wait_parity(shared.empty, (rounds & 1) ^ 1);  // for the last arrivals, which need its memory
  }
}

}  // namespace

TEST_CASE("a block loads for others of its cluster, and they tell it what they have read", "[sanitizer]") {
  test::need_sm90a();
  bool const once = GENERATE(false, true);
  std::vector<float> values;
  for (int i = 0; i < rounds * rows * columns; ++i) {
    values.push_back(static_cast<float>(i + 1));
  }
  test::device_array<float> const in(values);
  test::device_array<float> const out(std::vector<float>(blocks * values.size(), -1.0F));
  task what{};
  gemm::status const encoded = gemm::detail::encode_tensor_map<float>(what.map, {.data = in.data(),
                                                                                 .inner = columns,
                                                                                 .outer = rounds * rows,
                                                                                 .ld = columns,
                                                                                 .box_inner = columns,
                                                                                 .box_outer = rows});
  REQUIRE(encoded);
  what.out = out.data();
  what.once = once;
  test::require_success(gemm::detail::launch(load_for_others, dim3(1, 1, blocks), 64, sizeof(storage), nullptr, what,
                                             {.cluster = blocks}),
                        "load_for_others");
  std::vector<float> const got = out.download();
  for (unsigned rank = 0; rank < blocks; ++rank) {
    auto const begin = got.begin() + static_cast<std::ptrdiff_t>(rank * values.size());
    std::vector<float> const part(begin, begin + static_cast<std::ptrdiff_t>(values.size()));
    CHECK(part == (rank == loader ? std::vector<float>(values.size(), -1.0F) : values));
  }
}
