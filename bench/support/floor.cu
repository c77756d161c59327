// SPDX-License-Identifier: BSL-1.0
//! @file
//! Reads memory by bulk copies into a ring of pieces in shared memory: the same number of bytes on every
//! multiprocessor.

#include "floor.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cuda/ptx>
#include <utility>
#include <vector>

#include <gemm/arch/dependent_launch.cuh>
#include <gemm/arch/mbarrier.cuh>

namespace bench {

namespace {

constexpr int threads = 128;
constexpr std::int64_t cache_line = 128;  // where a block's bytes begin and end

/// How the kernel reads: pieces of a ring, and blocks that share a multiprocessor.
struct ring {
  int bytes, pieces, resident;
};
constexpr ring rings[] = {{16384, 4, 1}, {16384, 6, 2}, {32768, 3, 1}, {32768, 3, 2}, {32768, 6, 1}};

/// What is read, in cache lines, and where a word of it goes that is never there.
struct reading_order {
  unsigned char const* data;
  std::int64_t lines;
  ring how;
  unsigned* never;
};

template <bool Early>
__global__ void __launch_bounds__(threads) read_kernel(reading_order const order) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  constexpr int most_pieces = 6;
  constexpr std::uint32_t seen = 16;  // of so many bytes a thread looks at the first four
  extern __shared__ __align__(128) unsigned char pieces[];
  __shared__ gemm::arch::mbarrier full[most_pieces];
  if (threadIdx.x == 0) {
    for (gemm::arch::mbarrier& barrier : full) {
      gemm::arch::mbarrier_init(barrier, 1);
    }
    gemm::arch::fence_mbarrier_init();
  }
  __syncthreads();
  gemm::arch::launch_dependents();
  if constexpr (!Early) {
    gemm::arch::wait_for_dependency();
  }
  std::int64_t const begin = order.lines * blockIdx.x / gridDim.x * cache_line,
                     end = order.lines * (blockIdx.x + 1) / gridDim.x * cache_line;
  auto const bytes_at = [&](std::int64_t at) {
    return static_cast<std::uint32_t>(end - at < order.how.bytes ? end - at : order.how.bytes);
  };
  auto const load = [&](std::int64_t at, int piece) {
    gemm::arch::mbarrier_arrive_expect_tx(full[piece], bytes_at(at));
    cuda::ptx::cp_async_bulk(cuda::ptx::space_cluster, cuda::ptx::space_global, pieces + piece * order.how.bytes,
                             order.data + at, bytes_at(at), &full[piece].state);
  };
  std::int64_t const ahead = std::int64_t{order.how.pieces} * order.how.bytes;
  if (threadIdx.x == 0) {
    for (int piece = 0; piece < order.how.pieces && begin + std::int64_t{piece} * order.how.bytes < end; ++piece) {
      load(begin + std::int64_t{piece} * order.how.bytes, piece);
    }
  }
  unsigned found = 0, phase = 0;
  int piece = 0;
  for (std::int64_t at = begin; at < end; at += order.how.bytes) {
    gemm::arch::mbarrier_wait_parity(full[piece], phase);
    for (std::uint32_t byte = threadIdx.x * seen; byte < bytes_at(at); byte += threads * seen) {
      found ^= *reinterpret_cast<unsigned const*>(pieces + piece * order.how.bytes + byte);
    }
    __syncthreads();
    if (threadIdx.x == 0 && at + ahead < end) {
      load(at + ahead, piece);
    }
    piece = piece + 1 == order.how.pieces ? 0 : piece + 1;
    phase ^= piece == 0 ? 1U : 0U;
  }
  gemm::arch::wait_for_dependency();  // so that who waits for this one has waited for the one before
  if (found == 0x7fc1a53bU) {
    *order.never = found;
  }
#else
  static_cast<void>(order);
#endif
}

gemm::status enqueue_read(bool early, ring const& how, int multiprocessors, product const& p, std::size_t bytes) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(multiprocessors * how.resident));
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = static_cast<std::size_t>(how.bytes) * static_cast<std::size_t>(how.pieces);
  config.stream = p.stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  reading_order const order{static_cast<unsigned char const*>(p.a), static_cast<std::int64_t>(bytes / cache_line), how,
                            static_cast<unsigned*>(p.workspace.data)};
  cudaError_t const error = cudaLaunchKernelEx(&config, early ? read_kernel<true> : read_kernel<false>, order);
  return error == cudaSuccess ? gemm::status{}
                              : gemm::status{gemm::status_code::cuda_failure, error, "a kernel that reads: %s",
                                             cudaGetErrorString(error)};
}

int attribute_of_device(cudaDeviceAttr which) {
  int device = 0, value = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&value, which, device), "an attribute of the device");
  return value;
}

}  // namespace

contender floor_of_reading(std::string name, bool early, workload& w, stopwatch const& watch) {
  std::size_t const bytes = w.bytes_of_operands();
  if (attribute_of_device(cudaDevAttrComputeCapabilityMajor) < 9) {
    throw unsupported("the floor is measured by copies of sm_90");
  }
  if (bytes < std::size_t{1} << 20) {
    throw unsupported("operands of less than 1 MiB");
  }
  int const multiprocessors = attribute_of_device(cudaDevAttrMultiProcessorCount);
  contender best{.name = std::move(name), .dtype = w.problem().dtype, .run = {}, .reads_only = true};
  double best_seconds = 0;
  for (ring const& how : rings) {
    require(cudaFuncSetAttribute(early ? read_kernel<true> : read_kernel<false>,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, how.bytes * how.pieces),
            "shared memory of a kernel that reads");
    contender candidate = best;
    candidate.run = [early, how, multiprocessors, bytes](product const& p) {
      return enqueue_read(early, how, multiprocessors, p, bytes);
    };
    pace paced = watch.pace_of(candidate, w);
    std::vector<double> seconds;
    for (int sample = 0; sample < 3; ++sample) {
      seconds.push_back(watch.sample(candidate, w, paced));
    }
    if (!best.run || median(seconds) < best_seconds) {
      best_seconds = median(seconds);
      best.run = candidate.run;
    }
  }
  return best;
}

}  // namespace bench
