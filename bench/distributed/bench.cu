// SPDX-License-Identifier: BSL-1.0
//! @file
//! Times of products of several GPUs of this host beside cuBLAS and then NCCL: a process a GPU, a JSON object a line.
//!
//!     gemm_distributed [ranks [calls of changing sizes [calls]]]     "calls": nothing else

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <nccl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <gemm/distributed.hpp>
#include <gemm/matrix.hpp>
#include <gemm/nccl.hpp>
#include <gemm/run.cuh>

#include "../../examples/support/count_devices.hpp"

namespace {

using bf16 = __nv_bfloat16;

void require(bool good, char const* what, char const* why) {
  if (!good) {
    std::fprintf(stderr, "%s: %s\n", what, why);
    std::exit(1);
  }
}
void require(cudaError_t error, char const* what) { require(error == cudaSuccess, what, cudaGetErrorString(error)); }
void require(ncclResult_t result, char const* what) {
  require(result == ncclSuccess, what, ncclGetErrorString(result));
}
void require(cublasStatus_t status, char const* what) {
  require(status == CUBLAS_STATUS_SUCCESS, what, cublasGetStatusString(status));
}
void require(gemm::status const& status, char const* what) {
  require(static_cast<bool>(status), what, status.message());
}

__global__ void fill_kernel(bf16* to, std::size_t count, unsigned seed) {
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
__global__ void compare_kernel(bf16 const* a, bf16 const* b, std::size_t count, int* greatest,
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

struct shape {
  std::int64_t m, n, k;  // of all ranks
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
    constexpr int rounds = 7;
    std::vector<std::vector<double>> all(contenders.size());
    std::vector<int> calls(contenders.size());
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      static_cast<void>(slowest(own, contenders[i], 2));
      double const once = slowest(own, contenders[i], 3);
      calls[i] = std::clamp(static_cast<int>(0.015 / once), 3, 60);
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

 private:
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

  shared_state& shared_;
  int ranks_;
};

void print(char const* what, shape const& s, int ranks, std::vector<double> const& seconds, difference const& d,
           difference const& by) {
  std::printf(
      "{\"product\": \"%s\", \"ranks\": %d, \"m\": %lld, \"n\": %lld, \"k\": %lld, \"gemm_us\": %.2f, \"plain_us\": "
      "%.2f, "
      "\"cublas_us\": %.2f, \"nccl_us\": %.2f, \"run_us\": %.2f, \"collectives_us\": %.2f, \"ratio\": %.3f, "
      "\"difference\": %g, \"differ\": "
      "%llu, \"collectives_difference\": %g}\n",
      what, ranks, static_cast<long long>(s.m), static_cast<long long>(s.n), static_cast<long long>(s.k),
      seconds[0] * 1e6, seconds[1] * 1e6, seconds[2] * 1e6, seconds[3] * 1e6, seconds[4] * 1e6, seconds[5] * 1e6,
      seconds[1] / seconds[0], static_cast<double>(d.greatest), d.differ, static_cast<double>(by.greatest));
  std::fflush(stdout);
}

/// Columns of B are cut: n of all ranks.
void time_all_gather(rank_context const& own, shape const& s, stopwatch& watch) {
  std::int64_t const n = s.n / own.ranks, m = s.m / own.ranks, count = m * s.k;
  gemm::peers const& all = own.memory->get();
  auto const place = gemm::shard_in_place<bf16>(all, s.m, s.k);
  own.fill(own.a, count, static_cast<unsigned>(own.rank));
  own.fill(own.b, n * s.k, 100U + static_cast<unsigned>(own.rank));
  require(
      cudaMemcpy2DAsync(place.data, static_cast<std::size_t>(place.ld) * 2, own.a, static_cast<std::size_t>(s.k) * 2,
                        static_cast<std::size_t>(s.k) * 2, static_cast<std::size_t>(m), cudaMemcpyDefault, own.stream),
      "copy");
  auto const of_b = gemm::col_major<bf16 const>(own.b, s.k, n);
  auto const gather = [&] {
    require(
        ncclAllGather(own.a, own.gathered, static_cast<std::size_t>(count), ncclBfloat16, own.communicator, own.stream),
        "ncclAllGather");
  };
  auto const seconds = watch.seconds(
      own,
      {[&] {
         require(gemm::all_gather_product(gemm::row_major<bf16 const>(place.data, m, s.k, place.ld), of_b,
                                          gemm::row_major(own.c, s.m, n), all, {.stream = own.stream, .time_out = 20}),
                 "all_gather_product");
       },
       [&] {
         gather();
         own.multiply(own.gathered, own.other, s.m, n, s.k);
       },
       [&] { own.multiply(own.gathered, own.other, s.m, n, s.k); }, gather,
       [&] {
         require(gemm::run(gemm::row_major<bf16 const>(own.gathered, s.m, s.k), of_b,
                           gemm::row_major(own.other, s.m, n), {.stream = own.stream}),
                 "run");
       },
       [&] {
         require(own.memory->choose(gemm::exchange::collectives), "choose");
         require(gemm::all_gather_product(gemm::row_major<bf16 const>(place.data, m, s.k, place.ld), of_b,
                                          gemm::row_major(own.reduced, s.m, n), *own.memory, {.stream = own.stream}),
                 "all_gather_product by collectives");
       }});
  own.multiply(own.gathered, own.other, s.m, n, s.k);
  difference const d = own.compare(own.c, own.other, s.m * n), by = own.compare(own.reduced, own.other, s.m * n);
  require(gemm::peer_status(all), "peer_status");
  if (own.rank == 0) {
    print("all_gather_product", s, own.ranks, seconds, d, by);
  }
  watch.meet();
}

/// k is cut: that of all ranks.
void time_reduce_scatter(rank_context const& own, shape const& s, stopwatch& watch) {
  std::int64_t const k = s.k / own.ranks, m = s.m / own.ranks;
  gemm::peers const& all = own.memory->get();
  own.fill(own.a, s.m * k, static_cast<unsigned>(own.rank));
  own.fill(own.b, s.n * k, 100U + static_cast<unsigned>(own.rank));
  auto const of_a = gemm::row_major<bf16 const>(own.a, s.m, k);
  auto const of_b = gemm::col_major<bf16 const>(own.b, k, s.n);
  auto const scatter = [&] {
    require(ncclReduceScatter(own.gathered, own.other, static_cast<std::size_t>(m * s.n), ncclBfloat16, ncclSum,
                              own.communicator, own.stream),
            "ncclReduceScatter");
  };
  auto const plain = [&] {
    own.multiply(own.a, own.gathered, s.m, s.n, k);
    scatter();
  };
  auto const seconds = watch.seconds(
      own,
      {[&] {
         require(gemm::product_reduce_scatter(of_a, of_b, gemm::row_major(own.c, m, s.n), all,
                                              {.stream = own.stream, .time_out = 20}),
                 "product_reduce_scatter");
       },
       plain, [&] { own.multiply(own.a, own.gathered, s.m, s.n, k); }, scatter,
       [&] { require(gemm::run(of_a, of_b, gemm::row_major(own.gathered, s.m, s.n), {.stream = own.stream}), "run"); },
       [&] {
         require(own.memory->choose(gemm::exchange::collectives), "choose");
         require(gemm::product_reduce_scatter(of_a, of_b, gemm::row_major(own.reduced, m, s.n), *own.memory,
                                              {.stream = own.stream}),
                 "product_reduce_scatter by collectives");
       }});
  plain();
  difference const d = own.compare(own.c, own.other, m * s.n), by = own.compare(own.reduced, own.other, m * s.n);
  require(gemm::peer_status(all), "peer_status");
  if (own.rank == 0) {
    print("product_reduce_scatter", s, own.ranks, seconds, d, by);
  }
  watch.meet();
}

/// k is cut: that of all ranks, which get all of C.
void time_all_reduce(rank_context const& own, shape const& s, stopwatch& watch) {
  std::int64_t const k = s.k / own.ranks;
  gemm::peers const& all = own.memory->get();
  own.fill(own.a, s.m * k, static_cast<unsigned>(own.rank));
  own.fill(own.b, s.n * k, 100U + static_cast<unsigned>(own.rank));
  auto const of_a = gemm::row_major<bf16 const>(own.a, s.m, k);
  auto const of_b = gemm::col_major<bf16 const>(own.b, k, s.n);
  auto const reduce = [&] {
    require(ncclAllReduce(own.gathered, own.other, static_cast<std::size_t>(s.m * s.n), ncclBfloat16, ncclSum,
                          own.communicator, own.stream),
            "ncclAllReduce");
  };
  auto const plain = [&] {
    own.multiply(own.a, own.gathered, s.m, s.n, k);
    reduce();
  };
  auto const run = [&] {
    require(gemm::run(of_a, of_b, gemm::row_major(own.gathered, s.m, s.n), {.stream = own.stream}), "run");
  };
  auto const seconds =
      watch.seconds(own, {[&] {
                            require(gemm::product_all_reduce(of_a, of_b, gemm::row_major(own.c, s.m, s.n), all,
                                                             {.stream = own.stream, .time_out = 20}),
                                    "product_all_reduce");
                          },
                          plain, [&] { own.multiply(own.a, own.gathered, s.m, s.n, k); }, reduce, run,
                          [&] {
                            require(own.memory->choose(gemm::exchange::collectives), "choose");
                            require(gemm::product_all_reduce(of_a, of_b, gemm::row_major(own.reduced, s.m, s.n),
                                                             *own.memory, {.stream = own.stream}),
                                    "product_all_reduce by collectives");
                          }});
  plain();
  difference const d = own.compare(own.c, own.other, s.m * s.n), by = own.compare(own.reduced, own.other, s.m * s.n);
  require(gemm::peer_status(all), "peer_status");
  if (own.rank == 0) {
    print("product_all_reduce", s, own.ranks, seconds, d, by);
  }
  watch.meet();
}

/// The same call out of a graph, many times: whether all results have the bits of the first.
void check_graph(rank_context const& own, shape const& s, stopwatch& watch) {
  constexpr int launches = 50;
  std::int64_t const k = s.k / own.ranks, m = s.m / own.ranks;
  gemm::peers const& all = own.memory->get();
  own.fill(own.a, s.m * k, static_cast<unsigned>(own.rank));
  own.fill(own.b, s.n * k, 7U + static_cast<unsigned>(own.rank));
  auto const call = [&] {
    require(gemm::product_reduce_scatter(gemm::row_major<bf16 const>(own.a, s.m, k),
                                         gemm::col_major<bf16 const>(own.b, k, s.n), gemm::row_major(own.c, m, s.n),
                                         all, {.stream = own.stream, .time_out = 20}),
            "product_reduce_scatter");
    require(
        gemm::all_gather_product(gemm::row_major<bf16 const>(own.c, m, s.n), gemm::col_major<bf16 const>(own.b, s.n, k),
                                 gemm::row_major(own.gathered, s.m, k), all, {.stream = own.stream, .time_out = 20}),
        "all_gather_product");
  };
  call();
  require(cudaStreamSynchronize(own.stream), "synchronize");
  require(
      cudaMemcpyAsync(own.other, own.gathered, static_cast<std::size_t>(s.m * k) * 2, cudaMemcpyDefault, own.stream),
      "copy");
  require(cudaStreamSynchronize(own.stream), "synchronize");
  watch.meet();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  require(cudaStreamBeginCapture(own.stream, cudaStreamCaptureModeThreadLocal), "begin of the capture");
  call();
  require(cudaStreamEndCapture(own.stream, &graph), "end of the capture");
  require(cudaGraphInstantiate(&executable, graph, 0), "instantiation");
  unsigned long long differ = 0;
  for (int i = 0; i < launches; ++i) {
    watch.meet();
    require(cudaMemsetAsync(own.gathered, 0xff, static_cast<std::size_t>(s.m * k) * 2, own.stream), "memset");
    require(cudaGraphLaunch(executable, own.stream), "launch of the graph");
    differ += own.compare(own.gathered, own.other, s.m * k).differ;
  }
  require(gemm::peer_status(all), "peer_status");
  require(cudaGraphExecDestroy(executable), "graph");
  require(cudaGraphDestroy(graph), "graph");
  std::printf("{\"graph\": %d, \"rank\": %d, \"launches\": %d, \"differ\": %llu}\n", own.ranks, own.rank, launches,
              differ);
  std::fflush(stdout);
  watch.meet();
}

/// Calls of changing sizes without a pause between them.
void check_many(rank_context const& own, int calls, stopwatch& watch) {
  gemm::peers const& all = own.memory->get();
  own.fill(own.a, 4096 * 1024, static_cast<unsigned>(own.rank));
  own.fill(own.b, 4096 * 1024, 7U);
  unsigned seed = 1;
  for (int i = 0; i < calls; ++i) {
    seed = seed * 1664525U + 1013904223U;
    std::int64_t const m = 1 + (seed >> 8U) % 2048, n = 8 + (seed >> 20U) % 512, k = 8 + (seed >> 12U) % 512;
    std::int64_t const rows = gemm::rows_of_rank(m, own.ranks, own.rank).count;
    gemm::peer_options<float> const options{.stream = own.stream, .time_out = 20};
    require(i % 2 == 0 ? gemm::all_gather_product(gemm::row_major<bf16 const>(own.a, rows, k),
                                                  gemm::col_major<bf16 const>(own.b, k, n),
                                                  gemm::row_major(own.c, m, n), all, options)
                       : gemm::product_reduce_scatter(gemm::row_major<bf16 const>(own.a, m, k),
                                                      gemm::col_major<bf16 const>(own.b, k, n),
                                                      gemm::row_major(own.c, rows, n), all, options),
            "a call");
  }
  require(gemm::peer_status(all), "peer_status");
  std::printf("{\"calls\": %d, \"ranks\": %d, \"rank\": %d}\n", calls, own.ranks, own.rank);
  std::fflush(stdout);
  watch.meet();
}

/// 8192 x 8192 x 29568 of the published overlaps, the layers of a model of 70 x 10^9 parameters, and squares.
shape const of_gather[] = {{8192, 29568, 8192}, {8192, 57344, 8192}, {8192, 10240, 8192},  {4096, 28672, 8192},
                           {1024, 28672, 8192}, {2048, 28672, 8192}, {16384, 28672, 8192}, {4096, 8192, 4096}};
shape const of_scatter[] = {{8192, 8192, 29568}, {8192, 8192, 28672}, {8192, 8192, 8192},   {4096, 8192, 28672},
                            {1024, 8192, 28672}, {2048, 8192, 28672}, {16384, 8192, 28672}, {4096, 4096, 8192}};

shape const of_reduce[] = {{8192, 8192, 29568}, {1024, 8192, 28672}, {4096, 4096, 8192}};

int run_rank(int rank, int ranks, shared_state& shared, int many, bool times) {
  stopwatch watch(shared, ranks);
  require(cudaSetDevice(rank), "cudaSetDevice");
  if (rank == 0) {
    require(ncclGetUniqueId(&shared.id), "ncclGetUniqueId");
  }
  watch.meet();
  ncclComm_t communicator = nullptr;
  require(ncclCommInitRank(&communicator, ranks, shared.id, rank), "ncclCommInitRank");
  rank_context own{.rank = rank, .ranks = ranks, .communicator = communicator};
  std::size_t const bytes = std::size_t{1} << 30U;
  require(cudaStreamCreateWithFlags(&own.stream, cudaStreamNonBlocking), "stream");
  require(cublasCreate(&own.cublas), "cublasCreate");
  require(cublasSetStream(own.cublas, own.stream), "cublasSetStream");
  require(cudaEventCreate(&own.begin), "event");
  require(cudaEventCreate(&own.end), "event");
  for (bf16** memory : {&own.a, &own.b, &own.c, &own.other, &own.gathered, &own.reduced}) {
    require(cudaMalloc(memory, bytes), "cudaMalloc");
  }
  require(cudaMalloc(&own.greatest, sizeof(int)), "cudaMalloc");
  require(cudaMalloc(&own.differ, sizeof(unsigned long long)), "cudaMalloc");
  gemm::nccl_peers memory;
  require(memory.open(communicator, bytes), "nccl_peers");
  own.memory = &memory;
  watch.meet();
  check_many(own, many, watch);
  if (times) {
    check_graph(own, {2048, 2048, 4096}, watch);
    for (shape const& s : of_gather) {
      time_all_gather(own, s, watch);
    }
    for (shape const& s : of_scatter) {
      time_reduce_scatter(own, s, watch);
    }
    for (shape const& s : of_reduce) {
      time_all_reduce(own, s, watch);
    }
  }
  require(cudaDeviceSynchronize(), "synchronize");
  watch.meet();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int const devices = example::count_devices();
  int const ranks = argc > 1 ? std::atoi(argv[1]) : devices, many = argc > 2 ? std::atoi(argv[2]) : 1000;
  bool const times = argc <= 3;
  require(ranks >= 1 && ranks <= devices && ranks <= gemm::most_peers, "ranks", "needs 1 to the number of devices");
  void* const memory = mmap(nullptr, sizeof(shared_state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  require(memory != MAP_FAILED, "mmap", "no memory");
  auto& shared = *static_cast<shared_state*>(memory);
  pthread_barrierattr_t attributes;
  require(pthread_barrierattr_init(&attributes) == 0 &&
              pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0 &&
              pthread_barrier_init(&shared.barrier, &attributes, static_cast<unsigned>(ranks)) == 0,
          "pthread_barrier_init", "failed");
  std::vector<pid_t> processes;
  for (int rank = 1; rank < ranks; ++rank) {
    pid_t const child = fork();
    if (child == 0) {
      std::exit(run_rank(rank, ranks, shared, many, times));
    }
    processes.push_back(child);
  }
  int failed = run_rank(0, ranks, shared, many, times);
  for (pid_t const process : processes) {
    int result = 0;
    waitpid(process, &result, 0);
    failed += WIFEXITED(result) && WEXITSTATUS(result) == 0 ? 0 : 1;
  }
  return failed == 0 ? 0 : 1;
}
