// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the processes of gemm_distributed have: a GPU each, memory, a clock of the slowest.
#pragma once

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <nccl.h>
#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <gemm/nccl.hpp>
#include <gemm/peers.hpp>
#include <gemm/status.hpp>

namespace bench {

using bf16 = __nv_bfloat16;

inline void require(bool good, char const* what, char const* why) {
  if (!good) {
    std::fprintf(stderr, "%s: %s\n", what, why);
    std::exit(1);
  }
}
inline void require(cudaError_t error, char const* what) {
  require(error == cudaSuccess, what, cudaGetErrorString(error));
}
inline void require(ncclResult_t result, char const* what) {
  require(result == ncclSuccess, what, ncclGetErrorString(result));
}
inline void require(cublasStatus_t status, char const* what) {
  require(status == CUBLAS_STATUS_SUCCESS, what, cublasGetStatusString(status));
}
inline void require(gemm::status const& status, char const* what) {
  require(static_cast<bool>(status), what, status.message());
}

static __global__ void fill_kernel(bf16* to, std::size_t count, unsigned seed) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    unsigned x = static_cast<unsigned>(i) * 2654435761U + seed * 97U;
    x ^= x >> 15U;
    x *= 2246822519U;
    x ^= x >> 13U;
    to[i] = __float2bfloat16(static_cast<float>(x & 0xffffU) / 32768.0F - 1.0F);
  }
}

/// The greatest difference, and how many elements differ in their bits.
static __global__ void compare_kernel(bf16 const* a, bf16 const* b, std::size_t count, int* greatest,
                                      unsigned long long* differ) {
  float most = 0;
  unsigned long long bits = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    float const d = fabsf(__bfloat162float(a[i]) - __bfloat162float(b[i]));
    most = fmaxf(most, d == d ? d : INFINITY);
    bits += __bfloat16_as_ushort(a[i]) != __bfloat16_as_ushort(b[i]) ? 1 : 0;
  }
  atomicMax(greatest, __float_as_int(most));
  atomicAdd(differ, bits);
}

struct difference {
  float greatest;
  unsigned long long differ;
};

/// What a thread has of its GPU.
struct rank_context {
  int rank, ranks;
  ncclComm_t communicator;
  cublasHandle_t cublas = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  bf16 *a = nullptr, *b = nullptr, *c = nullptr, *other = nullptr, *gathered = nullptr, *reduced = nullptr;
  gemm::nccl_peers* memory = nullptr;
  int* greatest = nullptr;
  unsigned long long* differ = nullptr;

  void fill(bf16* to, std::int64_t count, unsigned seed) const {
    fill_kernel<<<1024, 256, 0, stream>>>(to, static_cast<std::size_t>(count), seed);
  }
  difference compare(bf16 const* x, bf16 const* y, std::int64_t count) const {
    difference result{};
    require(cudaMemsetAsync(greatest, 0, sizeof(*greatest), stream), "memset");
    require(cudaMemsetAsync(differ, 0, sizeof(*differ), stream), "memset");
    compare_kernel<<<1024, 256, 0, stream>>>(x, y, static_cast<std::size_t>(count), greatest, differ);
    require(cudaMemcpyAsync(&result.greatest, greatest, sizeof(float), cudaMemcpyDeviceToHost, stream), "copy");
    require(cudaMemcpyAsync(&result.differ, differ, sizeof(*differ), cudaMemcpyDeviceToHost, stream), "copy");
    require(cudaStreamSynchronize(stream), "compare");
    return result;
  }
  /// C m x n = A m x k times B, whose columns lie along memory.
  void multiply(bf16 const* of_a, bf16* of_c, std::int64_t m, std::int64_t n, std::int64_t k) const {
    float const one = 1, zero = 0;
    require(
        cublasGemmEx(cublas, CUBLAS_OP_T, CUBLAS_OP_N, static_cast<int>(n), static_cast<int>(m), static_cast<int>(k),
                     &one, b, CUDA_R_16BF, static_cast<int>(k), of_a, CUDA_R_16BF, static_cast<int>(k), &zero, of_c,
                     CUDA_R_16BF, static_cast<int>(n), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
  }
};

/// What the processes share.
struct shared_state {
  pthread_barrier_t barrier;
  ncclUniqueId id;
  double of_rank[gemm::most_peers];
};

/// Seconds of the slowest rank, the median of rounds.
class stopwatch {
 public:
  explicit stopwatch(shared_state& shared, int ranks) : shared_(shared), ranks_(ranks) {}

  void meet() { static_cast<void>(pthread_barrier_wait(&shared_.barrier)); }
  std::vector<double> seconds(rank_context const& own, std::vector<std::function<void()>> const& contenders) {
    constexpr int rounds = 5;
    std::vector<std::vector<double>> all(contenders.size());
    std::vector<int> calls(contenders.size());
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      static_cast<void>(slowest(own, contenders[i], 1));
      double const once = slowest(own, contenders[i], 2);
      calls[i] = std::clamp(static_cast<int>(0.008 / once), 2, 40);
    }
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < contenders.size(); ++i) {
        all[i].push_back(slowest(own, contenders[i], calls[i]));
      }
    }
    std::vector<double> result;
    for (std::vector<double>& of_contender : all) {
      std::sort(of_contender.begin(), of_contender.end());
      result.push_back(of_contender[of_contender.size() / 2]);
    }
    return result;
  }

  /// Of one call among so many, by the slowest rank.
  double slowest(rank_context const& own, std::function<void()> const& call, int calls) {
    require(cudaStreamSynchronize(own.stream), "synchronize");
    meet();
    require(cudaEventRecord(own.begin, own.stream), "record");
    for (int i = 0; i < calls; ++i) {
      call();
    }
    require(cudaEventRecord(own.end, own.stream), "record");
    require(cudaEventSynchronize(own.end), "a product");
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, own.begin, own.end), "elapsed");
    shared_.of_rank[own.rank] = static_cast<double>(milliseconds) * 1e-3 / calls;
    meet();
    double const most = *std::max_element(shared_.of_rank, shared_.of_rank + ranks_);
    meet();
    return most;
  }

 private:
  shared_state& shared_;
  int ranks_;
};

}  // namespace bench
