// SPDX-License-Identifier: BSL-1.0
//! @file
//! A product whose rows are in shards, one a rank: those of A arrive while it is computed, or those of C belong to
//! other ranks. Its products are the shards (block/ragged_problem.cuh), in the order of the ranks from `first` on.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/system_flags.cuh>
#include <gemm/block/peer_wait.cuh>
#include <gemm/peers.hpp>
#include <gemm/ragged.hpp>

namespace gemm::detail {

/// What the shards are of: rows of A that are being copied, or rows of C in their owner's memory.
enum class shards_of : unsigned char { a, c };

/// What a product knows of its shards.
struct shard_facts {
  peer_signals* signals;   // the rank's own
  std::int64_t rows;       // of a shard, but for the last ones
  int rank, ranks, first;  // the shard whose tiles come first
  int piece;               // 2^piece rows are copied together, of A's shards
  std::int64_t own_rows;   // of the rank's own shard, of C's shards; the rest has a launch of its own
  std::uint64_t time_out;  // nanoseconds, or 0
  void* const* results;    // on the host: as peer_signals::results will be, of C's shards
};

template <class Problem, shards_of Of>
struct sharded : Problem, shard_facts {
  static constexpr shards_of shards = Of;

  using common = Problem;
  template <class Other>
  sharded<Other, Of> around(Other const& p) const {
    return {p, *this};
  }
};

template <class Problem>
concept is_sharded = requires {
  Problem::shards;
};
template <class Problem>
concept awaits_a = is_sharded<Problem> && Problem::shards == shards_of::a;
template <class Problem>
concept scatters_c = is_sharded<Problem> && Problem::shards == shards_of::c;

/// The rows of a shard.
template <is_sharded Problem>
__host__ __device__ line_range range_of_shard(Problem const& p, int shard, std::int64_t rows) {
  std::int64_t const first = shard * p.rows;
  std::int64_t end = first + p.rows;
  if constexpr (scatters_c<Problem>) {
    end = shard == p.rank ? first + p.own_rows : end;
  }
  return {first < rows ? first : rows, end < rows ? end : rows};
}

/// The product at a position in the order in which tiles are numbered.
template <class Problem>
__host__ __device__ int product_at([[maybe_unused]] Problem const& p, int position) {
  if constexpr (is_sharded<Problem>) {
    int const shard = p.first + position;
    return shard < p.ranks ? shard : shard - p.ranks;
  } else {
    return position;
  }
}

/// As peer_signals::here says it of a shard whose pieces are all there.
inline constexpr std::uint32_t whole_shard = 0xffff;

/// Waits for the pieces of A's shard that a tile of so many rows needs, by each thread that loads of it. `here`: the
/// shard and pieces that the thread knows to be there, 0 at first.
template <awaits_a Problem>
__device__ void wait_for_shard(Problem const& p, std::uint32_t& here, int shard, int tile_m, int tile_n, int extent) {
  if (shard == p.rank) {
    return;
  }
  auto const last_row = static_cast<unsigned>(tile_m + 1) * static_cast<unsigned>(extent) - 1;
  std::uint32_t const pieces = (last_row >> p.piece) + 1, of_shard = static_cast<unsigned>(shard) << 16U,
                      wanted = of_shard + pieces;
  if (here >= wanted && here - of_shard <= whole_shard) {
    return;
  }
  wait_for_peer(*p.signals, &p.signals->here[shard], pieces, p.time_out, {shard, tile_m, tile_n});
  arch::fence_proxy_async_global();
  here = wanted;
}

}  // namespace gemm::detail
