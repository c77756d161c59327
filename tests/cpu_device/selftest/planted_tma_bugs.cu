// SPDX-License-Identifier: BSL-1.0
//! @file
//! A ring of stages between a producer and a consumer warp, with one bug each: planted_tma_bugs <name>.
//!
//! The exit code is 0 if the result is right, 1 if it is wrong; most bugs end the program before that.

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/setmaxnreg.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/launch/tensor_map.hpp>

#include "launch.hpp"
#include "planted.hpp"

using selftest::device_array;
using selftest::launch;

namespace {

constexpr int stages = 2, rows = 8, columns = 32, tiles = 7;

enum class bug {
  none,
  missing_full_wait,       // reads what may not have landed
  missing_empty_wait,      // overwrites what may not have been read
  missing_expect,          // a phase that does not know of its bytes
  wrong_bytes,             // a phase that expects fewer than come
  wrong_parity,            // waits for the phase after the one it wants
  missing_fence,           // between initialisation and copies
  missing_sync,            // between initialisation and others
  uninitialized,           // no initialisation at all
  overwritten,             // by somebody's stores
  twice_initialized,       // without an end in between
  extra_arrival,           // while a phase only waits for bytes
  misaligned_destination,  // not at a multiple of 128 bytes
  misaligned_column,       // not at a multiple of 16 bytes of the tensor's rows
  box_past_the_end,        // of shared memory
  endless_polling,         // with the wrong function
  unused_load,             // nobody waits for it
  divergent_registers,     // not the whole warp gives up its registers
};

struct storage {
  alignas(128) float tile[stages][rows][columns];
  gemm::arch::mbarrier full[stages], empty[stages];
};

template <bug Bug>
__device__ void produce(storage& shared, CUtensorMap const& map) {
  constexpr unsigned bytes = sizeof(shared.tile[0]);
  for (int tile = 0; tile < tiles; ++tile) {
    int const stage = tile % stages;
    unsigned const phase = tile / stages % 2;
    if (Bug != bug::missing_empty_wait) {
      mbarrier_wait_parity(shared.empty[stage], phase ^ 1);
    }
    if (Bug == bug::missing_expect) {
      mbarrier_arrive(shared.full[stage]);
    } else {
      mbarrier_arrive_expect_tx(shared.full[stage], Bug == bug::wrong_bytes ? bytes - 16 : bytes);
    }
    if (Bug == bug::extra_arrival) {
      mbarrier_arrive(shared.full[stage]);
    }
    float* to = &shared.tile[stage][0][0];
    to += Bug == bug::misaligned_destination ? 4 : Bug == bug::box_past_the_end ? stages * rows * columns : 0;
    tma_load(to, map, shared.full[stage], Bug == bug::misaligned_column ? 1 : 0, tile * rows, 0);
  }
  if (Bug == bug::unused_load) {
    tma_load(&shared.tile[0][0][0], map, shared.full[0], 0, 0, 0);
  }
}

template <bug Bug>
__device__ float consume(storage& shared) {
  unsigned const lane = threadIdx.x % 32;
  float sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    int const stage = tile % stages;
    unsigned const phase = tile / stages % 2;
    if (Bug == bug::endless_polling) {
      while (!mbarrier_try_wait_parity(shared.full[stage], phase)) {
      }
    } else if (Bug != bug::missing_full_wait) {
      mbarrier_wait_parity(shared.full[stage], Bug == bug::wrong_parity ? phase ^ 1 : phase);
    }
    for (int row = 0; row < rows; ++row) {
      sum += shared.tile[stage][row][lane];
    }
    __syncwarp();
    if (lane == 0) {
      mbarrier_arrive(shared.empty[stage]);
    }
  }
  return sum;
}

// Sums each column of the matrix.
template <bug Bug>
__global__ void ring(CUtensorMap const __grid_constant__ map, float* out) {
  storage& shared = gemm::arch::dynamic_shared_memory<storage>();
  if (threadIdx.x == 0 && Bug != bug::uninitialized) {
    for (int stage = 0; stage < stages; ++stage) {
      mbarrier_init(shared.full[stage], 1);
      mbarrier_init(shared.empty[stage], 1);
    }
    if (Bug == bug::twice_initialized) {
      mbarrier_init(shared.full[0], 1);
    }
    if (Bug != bug::missing_fence) {
      gemm::arch::fence_mbarrier_init();
    }
    if (Bug == bug::overwritten) {
      std::memset(static_cast<void*>(shared.full), 0, sizeof(shared.full));
    }
  }
  if (Bug != bug::missing_sync) {
    __syncthreads();
  }
  if (threadIdx.x >= 32) {
    if (Bug != bug::divergent_registers || threadIdx.x == 32) {
      gemm::arch::setmaxnreg_dec<24>();
    }
    if (threadIdx.x == 32) {
      produce<Bug>(shared, map);
    }
    return;
  }
  gemm::arch::setmaxnreg_inc<240>();
  out[blockIdx.x * columns + threadIdx.x] = consume<Bug>(shared);
}

using kernel = void (*)(CUtensorMap, float*);

struct planted_bug {
  char const* name;
  kernel code;
  std::size_t elements_too_few = 0;  // in the tensor's memory
};

constexpr planted_bug bugs[] = {
    {"no_ring_bug", ring<bug::none>},
    {"missing_full_wait", ring<bug::missing_full_wait>},
    {"missing_empty_wait", ring<bug::missing_empty_wait>},
    {"missing_expect", ring<bug::missing_expect>},
    {"wrong_bytes", ring<bug::wrong_bytes>},
    {"wrong_parity", ring<bug::wrong_parity>},
    {"missing_fence", ring<bug::missing_fence>},
    {"missing_sync", ring<bug::missing_sync>},
    {"uninitialized", ring<bug::uninitialized>},
    {"overwritten", ring<bug::overwritten>},
    {"twice_initialized", ring<bug::twice_initialized>},
    {"extra_arrival", ring<bug::extra_arrival>},
    {"misaligned_destination", ring<bug::misaligned_destination>},
    {"misaligned_column", ring<bug::misaligned_column>},
    {"box_past_the_end", ring<bug::box_past_the_end>},
    {"endless_polling", ring<bug::endless_polling>},
    {"unused_load", ring<bug::unused_load>},
    {"divergent_registers", ring<bug::divergent_registers>},
    {"tensor_past_the_end", ring<bug::none>, 1},
};

int run(planted_bug const& planted) {
  std::vector<float> values, sums(columns);
  for (int i = 0; i < tiles * rows * columns; ++i) {
    values.push_back(float(i % 97));
    sums[std::size_t(i % columns)] += values.back();
  }
  values.resize(values.size() - planted.elements_too_few);
  device_array<float> const in(values);
  device_array<float> const out(2 * columns);
  CUtensorMap map;
  gemm::status const encoded = gemm::detail::encode_tensor_map<float>(map, {.data = in.data(),
                                                                            .inner = columns,
                                                                            .outer = tiles * rows,
                                                                            .ld = columns,
                                                                            .box_inner = columns,
                                                                            .box_outer = rows});
  cudaError_t const error =
      encoded ? launch({2, 64, sizeof(storage)}, planted.code, map, out.data()) : cudaErrorInvalidValue;
  return selftest::verdict(error, out, [&](std::size_t i) { return sums[i % columns]; });
}

}  // namespace

int main(int argc, char** argv) { return selftest::run_named(bugs, &run, argc, argv); }
