// SPDX-License-Identifier: BSL-1.0
//! @file
//! Kernels with one bug each, to see that the device or a sanitizer says so: planted_bugs <name>.
//!
//! The exit code is 0 if the result is right, 1 if it is wrong; most bugs end the program before that.

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/named_barrier.cuh>
#include <gemm/arch/shared_memory.cuh>

#include "launch.hpp"
#include "planted.hpp"

using gemm::arch::dynamic_shared_memory;
using selftest::device_array;
using selftest::launch;

namespace {

constexpr unsigned threads = 64;

struct storage {
  alignas(16) float rows[8][8];  // one float for each thread
};

__device__ void reverse(storage& shared, float const* in, float* out, bool with_barrier) {
  float* const values = &shared.rows[0][0];
  values[threadIdx.x] = in[threadIdx.x];
  if (with_barrier) {
    __syncthreads();
  }
  out[threadIdx.x] = values[threads - 1 - threadIdx.x];
}

__global__ void no_bug(float const* in, float* out) { reverse(dynamic_shared_memory<storage>(), in, out, true); }

__global__ void missing_barrier(float const* in, float* out) {
  reverse(dynamic_shared_memory<storage>(), in, out, false);
}

// The second warp counts on others to come than the first.
__global__ void named_barrier_counts(float const* in, float* out) {
  gemm::arch::named_barrier_sync(1, threadIdx.x < 32 ? 64 : 32);
  out[threadIdx.x] = in[threads - 1 - threadIdx.x];
}

// The second warp never comes.
__global__ void missing_warp(float const* in, float* out) {
  if (threadIdx.x < 32) {
    gemm::arch::named_barrier_sync(1, 64);
  }
  out[threadIdx.x] = in[threads - 1 - threadIdx.x];
}

// The usual one in a loop over tiles: nobody waits for the readers before the memory is written again.
__global__ void missing_second_barrier(float const* in, float* out) {
  storage& shared = dynamic_shared_memory<storage>();
  reverse(shared, in, out, true);
  (&shared.rows[0][0])[threadIdx.x] = -1;
  __syncthreads();
}

__global__ void racing_blocks(float const* in, float* out) {
  // Every block writes the whole result, and the same values: no comparison of results can tell.
  reverse(dynamic_shared_memory<storage>(), in, out, true);
}

__global__ void early_exit(float const* in, float* out) {
  if (threadIdx.x == 40) {
    return;
  }
  reverse(dynamic_shared_memory<storage>(), in, out, true);
}

__global__ void divergent_barrier(float const* in, float* out) {
  if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    __syncthreads();
  }
  reverse(dynamic_shared_memory<storage>(), in, out, true);
}

__global__ void divergent_shuffle(float const* in, float* out) {
  float value = in[threads - 1 - threadIdx.x];
  if (threadIdx.x % 32 < 16) {
    value = __shfl_sync(0xffffffffu, value, int(threadIdx.x));
  } else {
    value = __shfl_sync(0xffffffffu, value, int(threadIdx.x));
  }
  out[threadIdx.x] = value;
}

__global__ void mixed_shuffles(float const* in, float* out) {
  float const value = in[threads - 1 - threadIdx.x];
  unsigned const all = 0xffffffffu;
  out[threadIdx.x] = threadIdx.x % 2 == 0 ? __shfl_sync(all, value, 0) : __shfl_up_sync(all, double(value), 0);
}

__global__ void foreign_mask(float const* in, float* out) {
  out[threadIdx.x] = __shfl_sync(0x0000ffffu, in[threads - 1 - threadIdx.x], int(threadIdx.x));
}

__global__ void exit_before_shuffle(float const* in, float* out) {
  if (threadIdx.x != 7) {
    out[threadIdx.x] = __shfl_sync(0xffffffffu, in[threads - 1 - threadIdx.x], int(threadIdx.x));
  }
}

__global__ void deadlock(float const* in, float* out) {
  if (threadIdx.x == 3) {
    __syncwarp();
  }
  reverse(dynamic_shared_memory<storage>(), in, out, true);
}

// Copies the input through shared memory, four floats a thread; `pending` says how many groups the threads do not wait
// for before the barrier.
template <int Pending>
__global__ void copy_and_reverse(float const* in, float* out) {
  float* const values = &dynamic_shared_memory<storage>().rows[0][0];
  if (threadIdx.x < threads / 4) {
    gemm::arch::cp_async<16>(values + 4 * threadIdx.x, in + 4 * threadIdx.x);
    gemm::arch::cp_async_commit_group();
    gemm::arch::cp_async_wait_group<Pending>();
  }
  __syncthreads();
  out[threadIdx.x] = values[threads - 1 - threadIdx.x];
}

__global__ void missing_barrier_before_refill(float const* in, float* out) {
  float* const values = &dynamic_shared_memory<storage>().rows[0][0];
  values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  gemm::arch::cp_async<4>(values + threadIdx.x, in);  // the others have yet to read it
  gemm::arch::cp_async_commit_group();
  out[threadIdx.x] = values[threads - 1 - threadIdx.x];
  __syncthreads();
  gemm::arch::cp_async_wait_group<0>();
}

__global__ void misaligned_copy(float const* in, float* out) {
  float* const values = &dynamic_shared_memory<storage>().rows[0][0];
  gemm::arch::cp_async<16>(values, in + 1);
  gemm::arch::cp_async_commit_group();
  gemm::arch::cp_async_wait_group<0>();
  out[threadIdx.x] = values[0];
}

__global__ void copy_to_global(float const* in, float* out) { gemm::arch::cp_async<16>(out, in); }

__global__ void copy_past_the_end(float const* in, float* out) {
  float* const values = &dynamic_shared_memory<storage>().rows[0][0];
  if (threadIdx.x == 0) {
    gemm::arch::cp_async<16>(values, in + threads);
    gemm::arch::cp_async_commit_group();
    gemm::arch::cp_async_wait_group<0>();
  }
  out[threadIdx.x] = values[0];
}

__global__ void read_past_the_end(float const* in, float* out) { out[threadIdx.x] = in[threadIdx.x + 1]; }

__global__ void shared_overrun(float const* in, float* out) {
  float* const values = &dynamic_shared_memory<storage>().rows[0][0];
  values[threadIdx.x + 1] = in[threadIdx.x];
  out[threadIdx.x] = values[threadIdx.x + 1];
}

__global__ void index_past_a_row(float const* in, float* out) {
  storage& shared = dynamic_shared_memory<storage>();
  shared.rows[threadIdx.x / 8][threadIdx.x % 8 + 1] = in[threadIdx.x];
  out[threadIdx.x] = shared.rows[0][0];
}

__global__ void misaligned_vector(float const* in, float* out) {
  out[threadIdx.x] = reinterpret_cast<float4 const*>(in + 1)->x;
}

__global__ void trap(float const*, float*) { __trap(); }

using kernel = void (*)(float const*, float*);

struct bug {
  char const* name;
  kernel code;
  unsigned blocks = 1;
  std::size_t shared_bytes = sizeof(storage);
};

constexpr bug bugs[] = {
    {"no_bug", no_bug},
    {"missing_barrier", missing_barrier},
    {"missing_second_barrier", missing_second_barrier},
    {"named_barrier_counts", named_barrier_counts},
    {"missing_warp", missing_warp},
    {"racing_blocks", racing_blocks, 2},
    {"early_exit", early_exit},
    {"divergent_barrier", divergent_barrier},
    {"divergent_shuffle", divergent_shuffle},
    {"mixed_shuffles", mixed_shuffles},
    {"foreign_mask", foreign_mask},
    {"exit_before_shuffle", exit_before_shuffle},
    {"deadlock", deadlock},
    {"weak_wait", copy_and_reverse<1>},
    {"right_wait", copy_and_reverse<0>},
    {"missing_barrier_before_refill", missing_barrier_before_refill},
    {"misaligned_copy", misaligned_copy},
    {"copy_to_global", copy_to_global},
    {"copy_past_the_end", copy_past_the_end},
    {"read_past_the_end", read_past_the_end},
    {"shared_overrun", shared_overrun},
    {"launch_too_small", no_bug, 1, sizeof(storage) - 1},
    {"index_past_a_row", index_past_a_row},
    {"misaligned_vector", misaligned_vector},
    {"trap", trap},
};

int run(bug const& planted) {
  std::vector<float> values;
  for (unsigned i = 0; i < threads; ++i) {
    values.push_back(float(i));
  }
  device_array<float> const in(values);
  device_array<float> const out(threads);
  cudaError_t const error = launch({planted.blocks, threads, planted.shared_bytes}, planted.code,
                                   static_cast<float const*>(in.data()), out.data());
  return selftest::verdict(error, out, [&](std::size_t i) { return values[threads - 1 - i]; });
}

}  // namespace

int main(int argc, char** argv) { return selftest::run_named(bugs, &run, argc, argv); }
