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
  std::int64_t const first = shard * p.rows, end = first + p.rows;
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

/// Waits for the shard of A that a tile needs, by each thread that loads of it.
template <awaits_a Problem>
__device__ void wait_for_shard(Problem const& p, int shard, int tile_m, int tile_n) {
  if (shard != p.rank) {
    wait_for_peer(*p.signals, &p.signals->here[shard], 1, p.time_out, {shard, tile_m, tile_n});
    arch::fence_proxy_async_global();
  }
}

}  // namespace gemm::detail
