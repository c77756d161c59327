// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products whose rows are in shards: their problem, and which plans compute them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block/sharded_problem.cuh>
#include <gemm/launch/ragged.cuh>
#include <gemm/launch/repack.cuh>
#include <gemm/launch/repack_plan.cuh>

namespace gemm::detail {

/// What a product knows of its shards.
struct shard_facts {
  peer_signals* signals;
  std::int64_t rows;
  int rank, ranks, first;
  int piece;
  std::uint64_t time_out;
  void* const* results;
};

template <shards_of Of, class Problem>
sharded<Problem, Of> with_shards(Problem const& p, shard_facts const& facts) {
  return {p,           facts.signals, facts.rows,     facts.rank,   facts.ranks,
          facts.first, facts.piece,   facts.time_out, facts.results};
}

/// The product of all shards.
template <shards_of Of, class Problem>
ragged_problem<sharded<Problem, Of>, false> problem_of_shards(Problem const& p, shard_facts const& facts) {
  ragged_problem<sharded<Problem, Of>, false> q{with_shards<Of>(p, facts), {}};
  q.batch_count = facts.ranks;
  return q;
}

template <class Policy, class Problem, shards_of Of>
auto problem_of_packed(sharded<Problem, Of> const& p, repack_plan const& plan, void* memory) {
  return with_shards<Of>(problem_of_packed<Policy>(static_cast<Problem const&>(p), plan, memory),
                         {p.signals, p.rows, p.rank, p.ranks, p.first, p.piece, p.time_out, p.results});
}

}  // namespace gemm::detail
