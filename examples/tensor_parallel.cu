// SPDX-License-Identifier: BSL-1.0
//! @file
//! A two-layer MLP over the GPUs of a host, a process each: W1 cut by columns, W2 by rows, tokens by rank. Each rank
//! checks its tokens against the same layers on its GPU alone.
//!
//!     tensor_parallel [ranks [tokens [hidden [intermediate]]]]
//!
//!     H = gelu(all_gather(X) W1)        the rank's columns of H
//!     Y = X + reduce_scatter(H W2)      the rank's tokens of Y

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <nccl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <gemm/distributed.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/gemm.cuh>
#include <gemm/nccl.hpp>
#include <gemm/random.hpp>

#include "device_memory.hpp"
#include "support/count_devices.hpp"

namespace {

using bf16 = __nv_bfloat16;

struct sizes {
  int ranks;
  std::int64_t tokens, hidden, intermediate;
};

void require(gemm::status const& status) {
  if (!status) {
    std::fprintf(stderr, "%s\n", status.message());
    std::exit(1);
  }
}
void require(ncclResult_t result) {
  if (result != ncclSuccess) {
    std::fprintf(stderr, "NCCL: %s\n", ncclGetErrorString(result));
    std::exit(1);
  }
}

__global__ void fill(bf16* to, std::int64_t count, float scale, std::uint64_t seed) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    to[i] = __float2bfloat16(scale * gemm::uniform_from<float>(gemm::random_bits(seed, static_cast<std::uint64_t>(i))));
  }
}

/// A random matrix without gaps, the same in all ranks.
class matrix_memory {
 public:
  matrix_memory(std::int64_t rows, std::int64_t columns, float scale, std::uint64_t seed)
      : rows_(rows), columns_(columns), memory_(static_cast<std::size_t>(rows * columns)) {
    fill<<<1024, 256>>>(memory_.data(), rows * columns, scale, seed);
    example::require(cudaGetLastError());
  }
  auto view() const { return part(0, rows_, 0, columns_); }
  gemm::matrix<bf16, gemm::order::row> part(std::int64_t row, std::int64_t rows, std::int64_t column,
                                            std::int64_t columns) const {
    return gemm::row_major(memory_.data() + row * columns_ + column, rows, columns, columns_);
  }
  std::vector<bf16> values() const { return memory_.values(); }

 private:
  std::int64_t rows_, columns_;
  example::device_memory<bf16> memory_;
};

// example-begin layers
using rows = gemm::matrix<bf16, gemm::order::row>;

/// Y = X + gelu(X W1) W2 for the rank's tokens. It has columns of W1 and as many rows of W2; H has all tokens.
gemm::status mlp(rows x, rows w1, rows w2, rows h, rows y, gemm::nccl_peers const& ranks, cudaStream_t stream) {
  gemm::peer_options<float> const options{.stream = stream, .time_out = 60};
  gemm::status const first = gemm::all_gather_product(x, w1, h, ranks, options, gemm::gelu{});
  return first ? gemm::product_reduce_scatter(h, w2, y, ranks, options, gemm::residual(x)) : first;
}
// example-end

/// A rank's process. 0 where its tokens are right.
int run_rank(sizes const& s, int rank, ncclUniqueId const& id) {
  example::require(cudaSetDevice(rank));
  ncclComm_t communicator = nullptr;
  require(ncclCommInitRank(&communicator, s.ranks, id, rank));
  std::size_t const bytes[] = {gemm::all_gather_bytes<bf16>(s.tokens, s.hidden),
                               gemm::reduce_scatter_bytes<bf16, bf16>(s.tokens, s.hidden, s.ranks)};
  gemm::nccl_peers memory;
  require(memory.open(communicator, bytes[0] > bytes[1] ? bytes[0] : bytes[1]));

  gemm::peer_rows const tokens = gemm::rows_of_rank(s.tokens, s.ranks, rank),
                        own = gemm::rows_of_rank(s.intermediate, s.ranks, rank);
  float const scale = 1 / std::sqrt(static_cast<float>(s.hidden));
  matrix_memory const x(s.tokens, s.hidden, 1, 1), w1(s.hidden, s.intermediate, scale, 2),
      w2(s.intermediate, s.hidden, scale, 3), h(s.tokens, own.count, 0, 0), y(tokens.count, s.hidden, 0, 0),
      whole_h(s.tokens, s.intermediate, 0, 0), whole_y(s.tokens, s.hidden, 0, 0);
  auto const own_x = x.part(tokens.first, tokens.count, 0, s.hidden);
  example::require(cudaDeviceSynchronize());

  cudaStream_t stream = nullptr;
  example::require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  require(mlp(own_x, w1.part(0, s.hidden, own.first, own.count), w2.part(own.first, own.count, 0, s.hidden), h.view(),
              y.view(), memory, stream));
  require(gemm::run(x.view(), w1.view(), whole_h.view(), {.stream = stream}, gemm::gelu{}));
  require(gemm::run(whole_h.view(), w2.view(), whole_y.view(), {.stream = stream}, gemm::residual(x.view())));
  example::require(cudaStreamSynchronize(stream));
  require(gemm::peer_status(memory.get()));

  std::vector<bf16> const found = y.values(), expected = whole_y.values();
  double greatest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    double const right = __bfloat162float(expected[static_cast<std::size_t>(tokens.first * s.hidden) + i]),
                 difference = std::abs(__bfloat162float(found[i]) - right) / (1 + std::abs(right));
    greatest = difference <= greatest ? greatest : difference;  // or NaN
  }
  constexpr double most = 0.03;  // parts are rounded to bfloat16, and so is their sum
  bool const right = greatest < most;
  std::printf("rank %d of %d: tokens %lld to %lld %s\n", rank, s.ranks, static_cast<long long>(tokens.first),
              static_cast<long long>(tokens.first + tokens.count), right ? "agree" : "DIFFER");
  example::require(cudaStreamDestroy(stream));
  require(ncclCommDestroy(communicator));
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  auto const argument = [&](int i, std::int64_t otherwise) {
    return argc > i ? static_cast<std::int64_t>(std::atoll(argv[i])) : otherwise;
  };
  int const devices = example::count_devices();
  sizes const s{static_cast<int>(argument(1, devices)), argument(2, 2048), argument(3, 4096), argument(4, 14336)};
  if (s.ranks < 1 || s.ranks > devices || s.tokens < 1 || s.hidden < 1 || s.intermediate < s.ranks) {
    std::fprintf(stderr, "ranks is %d, needs 1 to the %d GPUs; tokens, hidden and intermediate are 1 or more\n",
                 s.ranks, devices);
    return 1;
  }
  std::vector<pid_t> processes;
  std::vector<int> pipes;
  for (int rank = 0; rank < s.ranks; ++rank) {
    int ends[2] = {};
    if (rank > 0 && pipe(ends) != 0) {
      return 1;
    }
    pid_t const child = rank > 0 ? fork() : 0;
    if (rank > 0 && child == 0) {
      ncclUniqueId id;
      bool const told = read(ends[0], &id, sizeof(id)) == static_cast<ssize_t>(sizeof(id));
      std::exit(told ? run_rank(s, rank, id) : 1);
    }
    if (rank > 0) {
      processes.push_back(child);
      pipes.push_back(ends[1]);
    }
  }
  ncclUniqueId id;
  require(ncclGetUniqueId(&id));
  for (int const to : pipes) {
    if (write(to, &id, sizeof(id)) != static_cast<ssize_t>(sizeof(id))) {
      return 1;
    }
  }
  int failed = run_rank(s, 0, id);
  for (pid_t const process : processes) {
    int result = 0;
    waitpid(process, &result, 0);
    failed += WIFEXITED(result) && WEXITSTATUS(result) == 0 ? 0 : 1;
  }
  return failed == 0 ? 0 : 1;
}
