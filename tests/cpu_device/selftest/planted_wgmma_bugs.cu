// SPDX-License-Identifier: BSL-1.0
//! @file
//! A warpgroup that multiplies one matrix after the other in the same memory, with one bug each: planted_wgmma_bugs
//! <name>.
//!
//! The exit code is 0 if the result is right, 1 if it is wrong; most bugs end the program before that.

#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/wgmma.cuh>

#include "launch.hpp"
#include "planted.hpp"

using selftest::device_array;
using selftest::launch;

namespace {

constexpr int rows = 64, columns = 64, depth = 64, turns = 3;

enum class bug {
  none,
  missing_commit,       // a wait that knows of no group
  weak_wait,            // for all groups but the last
  early_write,          // overwrites what its own may still read
  other_matrix,         // not the same for all threads
  unfinished,           // returns without waiting
  early_exit,           // a thread that returns first
  misaligned_matrix,    // not at a multiple of 1024
  part_of_a_warpgroup,  // launched with too few threads
};

struct storage {
  __half a[rows * depth], b[columns * depth];
};

template <bug Bug>
__device__ void multiply(float (&sum)[32], storage& shared) {
  int const skip = Bug == bug::misaligned_matrix ? 8 : 0;
  auto const a = gemm::arch::describe_matrix<false>(shared.a + skip, 1024, 0);
  auto const b = gemm::arch::describe_matrix<false>(shared.b, 1024, 0);
  gemm::arch::wgmma_fence();
  for (int k = 0; k < depth; k += 16) {
    bool const odd = Bug == bug::other_matrix && threadIdx.x == 77 && k == 32;
    gemm::arch::wgmma<gemm::arch::wgmma_f16, false, false>(sum, gemm::arch::advanced(a, odd ? 0 : k * 2),
                                                           gemm::arch::advanced(b, k * 2), true);
  }
}

// Adds up the products of matrices whose elements are all 1, then all 2, and so on.
template <bug Bug>
__global__ void sum_of_products(float* out) {
  auto& shared = gemm::arch::dynamic_shared_memory<storage>();
  float sum[32] = {};
  if (Bug == bug::early_exit && threadIdx.x == 77) {
    return;
  }
  for (int turn = 0; turn < turns; ++turn) {
    for (int i = static_cast<int>(threadIdx.x); i < rows * depth; i += 128) {
      shared.a[i] = shared.b[i] = __half(static_cast<float>(turn + 1));
    }
    if (Bug != bug::early_exit) {
      __syncthreads();
    }
    multiply<Bug>(sum, shared);
    if (Bug != bug::missing_commit) {
      gemm::arch::wgmma_commit_group();
    }
    if (Bug == bug::weak_wait) {
      gemm::arch::wgmma_wait_group<1>();
    } else if (Bug != bug::early_write && Bug != bug::unfinished) {
      gemm::arch::wgmma_wait_group<0>();
    }
    __syncthreads();
  }
  if (Bug == bug::early_write) {
    gemm::arch::wgmma_wait_group<0>();
  }
  for (int i = 0; i < 32; ++i) {
    out[threadIdx.x * 32 + static_cast<unsigned>(i)] = sum[i];
  }
}

struct planted_bug {
  char const* name;
  void (*code)(float*);
  unsigned threads = 128;
};

constexpr planted_bug bugs[] = {
    {"no_wgmma_bug", sum_of_products<bug::none>},
    {"missing_commit", sum_of_products<bug::missing_commit>},
    {"weak_wgmma_wait", sum_of_products<bug::weak_wait>},
    {"early_write", sum_of_products<bug::early_write>},
    {"other_matrix", sum_of_products<bug::other_matrix>},
    {"unfinished_wgmma", sum_of_products<bug::unfinished>},
    {"exit_before_wgmma", sum_of_products<bug::early_exit>},
    {"misaligned_matrix", sum_of_products<bug::misaligned_matrix>},
    {"part_of_a_warpgroup", sum_of_products<bug::part_of_a_warpgroup>, 96},
};

int run(planted_bug const& planted) {
  float expected = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    expected += static_cast<float>(turn * turn * depth);
  }
  device_array<float> const out(128 * 32);
  cudaError_t const error = launch({1, planted.threads, sizeof(storage)}, planted.code, out.data());
  return selftest::verdict(error, out, [&](std::size_t) { return expected; });
}

}  // namespace

int main(int argc, char** argv) { return selftest::run_named(bugs, &run, argc, argv); }
