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
  std::uint64_t time_out;
  void* const* results;
};

/// The product of all shards.
template <shards_of Of, class Problem>
ragged_problem<sharded<Problem, Of>, false> problem_of_shards(Problem const& p, shard_facts const& facts) {
  ragged_problem<sharded<Problem, Of>, false> q{
      {p, facts.signals, facts.rows, facts.rank, facts.ranks, facts.first, facts.time_out, facts.results}, {}};
  q.batch_count = facts.ranks;
  return q;
}

}  // namespace gemm::detail
