// SPDX-License-Identifier: BSL-1.0
//! @file
//! The ranks of a product that several GPUs compute together: plain data, filled by <gemm/nccl.hpp> or by the caller.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/cxx20.hpp>

namespace gemm {

/// Ranks that reach each other's memory, at most.
inline constexpr int most_peers = 32;

/// Device memory by which ranks wait for one another: a multiple of 128 bytes, zeroed once before the first call. It
/// counts from call to call and is never reset; after a time-out all ranks zero theirs.
struct alignas(128) peer_signals {
  std::uint32_t meetings;               ///< that the rank has begun
  unsigned long long missing;           ///< what a wait has given up, 0 for nothing; see peer_status()
  alignas(128) std::uint32_t met[32];   ///< by rank: the meetings that it has begun, written by that rank
  alignas(128) std::uint32_t here[32];  ///< by rank: pieces of its shard that are here in the call at hand
  alignas(128) void* results[32];       ///< by rank: where this rank's part of a result goes in its memory
};
static_assert(most_peers == 32);

/// How ranks exchange what a product needs or makes.
enum class exchange : unsigned char {
  automatic,               ///< the cheapest by the price of its steps, of those that other ranks need not know
  peer_memory,             ///< copies or stores in each other's memory, beside one launch
  peer_memory_sequential,  ///< copies in each other's memory before the product of all rows, or after it
  collectives,             ///< NCCL's, shard by shard, each beside the product of another; alike in all ranks
  collectives_sequential,  ///< one of NCCL's before the product of all rows, or after it; alike in all ranks
};

/// A rank's view of all ranks. The same numbers of ranks and bytes in all of them.
struct peers {
  int rank = 0, ranks = 1;               ///< this one, and how many there are
  void* pointers[most_peers] = {};       ///< each rank's shared memory, as this rank's device addresses it
  std::size_t bytes = 0;                 ///< of each of them
  peer_signals* flags[most_peers] = {};  ///< each rank's signals, likewise
};

/// The rows of a matrix that a rank has, of as many each as the first; the last ranks may have fewer, or none.
struct peer_rows {
  std::int64_t first;  ///< of all rows
  std::int64_t count;  ///< 0 or more
};
/// Those that the first rank has.
constexpr std::int64_t rows_of_shard(std::int64_t rows, int ranks) { return (rows + ranks - 1) / ranks; }
/// Those of a rank, of `rows` rows of all.
constexpr peer_rows rows_of_rank(std::int64_t rows, int ranks, int rank) {
  std::int64_t const each = rows_of_shard(rows, ranks), first = each * rank < rows ? each * rank : rows;
  return {first, rows - first < each ? rows - first : each};
}

}  // namespace gemm
