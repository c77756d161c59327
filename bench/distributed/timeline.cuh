// SPDX-License-Identifier: BSL-1.0
//! @file
//! The time line of one all_gather_product(): when tiles end, pieces of shards arrive and ranks meet, by one clock.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <gemm/arch/system_flags.cuh>
#include <gemm/distributed.hpp>
#include <gemm/matrix.hpp>
#include <gemm/policies.cuh>

#include "context.cuh"

namespace bench {

/// Notes when the first element of a tile is stored.
struct note_tiles {
  unsigned long long* times;
  int block_m, block_n, columns;

  __device__ float operator()(float value, std::int64_t row, std::int64_t column) const {
    if (row % block_m == 0 && column % block_n == 0) {
      times[row / block_m * columns + column / block_n] = gemm::arch::nanoseconds();
    }
    return value;
  }
};

constexpr int most_arrivals = 64;

/// What a warp has seen of a rank's signals.
struct seen_signals {
  unsigned long long begin, end, met[gemm::most_peers];
  unsigned long long arrived[gemm::most_peers][most_arrivals];
};

/// A lane a rank, with few enough registers for a product beside it, until every shard of another rank has so many
/// pieces and both meetings are over.
static __global__ void __launch_bounds__(32)
    watch_kernel(gemm::peer_signals const* signals, int rank, int ranks, int pieces, seen_signals* seen) {
  int const lane = static_cast<int>(threadIdx.x);
  auto const load = [](std::uint32_t const* word) { return *static_cast<std::uint32_t const volatile*>(word); };
  unsigned long long const begin = gemm::arch::nanoseconds();
  if (lane == 0) {
    seen->begin = begin;
  }
  if (lane >= ranks) {
    return;
  }
  std::uint32_t const met = load(&signals->met[lane]);
  unsigned found = 0;
  bool first = false, second = false;
  while (gemm::arch::nanoseconds() - begin < 100000000ULL &&
         !(second && (lane == rank || found == static_cast<unsigned>(pieces)))) {
    std::uint32_t const meetings = load(&signals->met[lane]) - met;
    if (meetings >= 1 && !first) {
      seen->met[lane] = gemm::arch::nanoseconds();
      first = true;
    }
    if (meetings >= 2 && !second) {
      second = true;
      if (lane == rank) {
        seen->end = gemm::arch::nanoseconds();
      }
    }
    std::uint32_t const all = static_cast<unsigned>(pieces), here = first ? min(load(&signals->here[lane]), all) : 0;
    for (; found < here && found < most_arrivals; ++found) {
      seen->arrived[lane][found] = gemm::arch::nanoseconds();
    }
  }
}

/// A JSON object of each rank.
inline void print_timeline(rank_context const& own, std::int64_t m, std::int64_t n, std::int64_t k, stopwatch& watch) {
  using policy = gemm::sm90_wgmma_128x256x64_2x1;
  gemm::peers const& all = own.memory->get();
  constexpr int block_m = policy::block_m, block_n = policy::block_n;
  int const rows = static_cast<int>((m + block_m - 1) / block_m),
            columns = static_cast<int>((n + block_n - 1) / block_n);
  auto const tiles = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  unsigned long long* times = nullptr;
  seen_signals* seen = nullptr;
  require(cudaMalloc(&times, tiles * sizeof(*times)), "cudaMalloc");
  require(cudaMalloc(&seen, sizeof(*seen)), "cudaMalloc");
  cudaStream_t side = nullptr;
  require(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), "stream");
  auto const shard = gemm::shard_in_place<bf16>(all, m, k);
  double const row_bytes = static_cast<double>(k) * 2;
  gemm::detail::shard_pieces const pieces =
      gemm::detail::pieces_of_shard(gemm::rows_of_shard(m, all.ranks), row_bytes, gemm::tables::links[0]);
  for (int round = 0; round < 3; ++round) {  // the last one is shown
    require(cudaMemsetAsync(times, 0, tiles * sizeof(*times), own.stream), "memset");
    require(cudaMemsetAsync(seen, 0, sizeof(*seen), own.stream), "memset");
    require(cudaMemsetAsync(all.flags[all.rank]->here, 0, sizeof(all.flags[all.rank]->here), own.stream), "memset");
    require(cudaStreamSynchronize(own.stream), "synchronize");
    watch.meet();
    watch_kernel<<<1, 32, 0, side>>>(all.flags[all.rank], all.rank, all.ranks, pieces.count, seen);
    require(
        gemm::all_gather_product<policy>(gemm::row_major<bf16 const>(shard.data, shard.rows, k, shard.ld),
                                         gemm::col_major<bf16 const>(own.b, k, n), gemm::row_major(own.c, m, n), all,
                                         {.stream = own.stream,
                                          .time_out = 20,
                                          .path = gemm::exchange::peer_memory,
                                          .link = &gemm::tables::links[0]},
                                         note_tiles{times, block_m, block_n, columns}),
        "all_gather_product");
    require(cudaDeviceSynchronize(), "the time line");
    watch.meet();
  }
  std::vector<unsigned long long> of_tiles(tiles);
  seen_signals found{};
  require(cudaMemcpy(of_tiles.data(), times, tiles * sizeof(*times), cudaMemcpyDefault), "copy");
  require(cudaMemcpy(&found, seen, sizeof(found), cudaMemcpyDefault), "copy");
  auto const us = [&](unsigned long long time) { return static_cast<double>(time - found.begin) * 1e-3; };
  for (int rank = 0; rank < own.ranks; ++rank) {
    watch.meet();
    if (rank != own.rank) {
      continue;
    }
    std::printf(
        "{\"timeline\": \"all_gather_product\", \"rank\": %d, \"ranks\": %d, \"m\": %lld, \"n\": %lld, \"k\": "
        "%lld, \"rows_of_tile\": %d, \"columns\": %d, \"end\": %.2f, \"met\": [",
        own.rank, own.ranks, static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k), block_m,
        columns, us(found.end));
    for (int other = 0; other < own.ranks; ++other) {
      std::printf("%s%.2f", other == 0 ? "" : ", ", us(found.met[other]));
    }
    std::printf("], \"arrived\": [");
    for (int other = 0; other < own.ranks; ++other) {
      std::printf("%s[", other == 0 ? "" : ", ");
      for (int piece = 0; piece < pieces.count && other != own.rank; ++piece) {
        std::printf("%s%.2f", piece == 0 ? "" : ", ", us(found.arrived[other][piece]));
      }
      std::printf("]");
    }
    std::printf("], \"tiles\": [");
    for (std::size_t i = 0; i < tiles; ++i) {
      std::printf("%s%.2f", i == 0 ? "" : ", ", us(of_tiles[i]));
    }
    std::printf("]}\n");
    std::fflush(stdout);
  }
  watch.meet();
  require(cudaStreamDestroy(side), "stream");
  require(cudaFree(times), "cudaFree");
  require(cudaFree(seen), "cudaFree");
}

}  // namespace bench
