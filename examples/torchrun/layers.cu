// SPDX-License-Identifier: BSL-1.0
//! @file
//! The layers of tensor_parallel.py, for ctypes: memory that the ranks share is torch's, and so is the stream.

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include <gemm/distributed.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/matrix.hpp>
#include <gemm/peers.hpp>
#include <gemm/status.hpp>

namespace {

using bf16 = __nv_bfloat16;

char const* text_of(gemm::status const& status) {
  static thread_local char text[512];
  static_cast<void>(std::snprintf(text, sizeof(text), "%s", status.message()));
  return status ? nullptr : text;
}

}  // namespace

extern "C" {

/// Bytes of each rank's memory, whose first signals_bytes() are zeroed once.
std::size_t signals_bytes() { return sizeof(gemm::peer_signals); }
std::size_t shared_bytes(std::int64_t tokens, std::int64_t hidden, int ranks) {
  std::size_t const gathered = gemm::all_gather_bytes<bf16>(tokens, hidden),
                    summed = gemm::reduce_scatter_bytes<bf16, bf16>(tokens, hidden, ranks);
  return sizeof(gemm::peer_signals) + (gathered > summed ? gathered : summed);
}

/// y = x + gelu(all rows of x w1) w2 for the rank's tokens; null, or what is wrong. Matrices are row-major without
/// gaps: x and y rows_of_rank(tokens) x hidden, w1 hidden x inner, w2 inner x hidden, h tokens x inner.
char const* mlp(int rank, int ranks, void* const* memory, std::size_t bytes, bf16 const* x, bf16 const* w1,
                bf16 const* w2, bf16* h, bf16* y, std::int64_t tokens, std::int64_t hidden, std::int64_t inner,
                cudaStream_t stream) {
  gemm::peers all{.rank = rank, .ranks = ranks, .bytes = bytes - sizeof(gemm::peer_signals)};
  for (int other = 0; other < ranks && other < gemm::most_peers; ++other) {
    all.flags[other] = static_cast<gemm::peer_signals*>(memory[other]);
    all.pointers[other] = static_cast<unsigned char*>(memory[other]) + sizeof(gemm::peer_signals);
  }
  std::int64_t const own = gemm::rows_of_rank(tokens, ranks, rank).count;
  auto const of_x = gemm::row_major(x, own, hidden);
  gemm::peer_options<float> const options{.stream = stream, .time_out = 60};
  gemm::status const first = gemm::all_gather_product(of_x, gemm::row_major(w1, hidden, inner),
                                                      gemm::row_major(h, tokens, inner), all, options, gemm::gelu{});
  return text_of(first ? gemm::product_reduce_scatter(
                             gemm::row_major<bf16 const>(h, tokens, inner), gemm::row_major(w2, inner, hidden),
                             gemm::row_major(y, own, hidden), all, options, gemm::residual(of_x))
                       : first);
}

/// What waits have given up so far; null, or for whom.
char const* waits(int rank, int ranks, void* const* memory) {
  gemm::peers all{.rank = rank, .ranks = ranks};
  for (int other = 0; other < ranks && other < gemm::most_peers; ++other) {
    all.flags[other] = static_cast<gemm::peer_signals*>(memory[other]);
  }
  return text_of(gemm::peer_status(all));
}

}  // extern "C"
