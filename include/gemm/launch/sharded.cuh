// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products whose rows are in shards: their problem, and which plans compute them.
#pragma once

#include <gemm/block/ragged_problem.cuh>
#include <gemm/block/sharded_problem.cuh>
#include <gemm/launch/ragged.cuh>
#include <gemm/launch/repack.cuh>

namespace gemm::detail {

/// The product of all shards.
template <shards_of Of, class Problem>
ragged_problem<sharded<Problem, Of>, false> problem_of_shards(Problem const& p, shard_facts const& facts) {
  ragged_problem<sharded<Problem, Of>, false> q{{p, facts}, {}};
  q.batch_count = facts.ranks;
  return q;
}

}  // namespace gemm::detail
