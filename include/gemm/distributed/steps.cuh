// SPDX-License-Identifier: BSL-1.0
//! @file
//! The steps that calls of several ranks are made of: meet, copy shards, add parts.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/block/sharded_problem.cuh>
#include <gemm/distributed/exchange_price.hpp>
#include <gemm/distributed/load_kernel.cuh>
#include <gemm/distributed/rules.hpp>
#include <gemm/distributed/side_stream.hpp>
#include <gemm/extremes.hpp>
#include <gemm/kernel/add_partials.cuh>
#include <gemm/kernel/meet_peers.cuh>
#include <gemm/launch/access_width.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_kernel.cuh>
#include <gemm/launch/stream_write.hpp>
#include <gemm/peers.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

inline status status_of_copy(cudaError_t error) {
  if (error == cudaSuccess) {
    return {};
  }
  static_cast<void>(cudaGetLastError());  // reported here
  return {status_code::cuda_failure, error, "a shard was not copied: %s", cudaGetErrorString(error)};
}

inline std::uint64_t nanoseconds_of(double seconds) {
  return seconds > 0 ? static_cast<std::uint64_t>(seconds * 1e9) + 1 : 0;
}

/// The streams of all ranks meet. `results`: bytes from the start of each rank's memory to this rank's part there.
static inline status enqueue_meeting(peers const& all, double time_out, std::size_t results, cudaStream_t stream) {
  peer_meeting meeting{
      .rank = all.rank, .ranks = all.ranks, .time_out = nanoseconds_of(time_out), .flags = {}, .results = {}};
  for (int rank = 0; rank < all.ranks; ++rank) {
    meeting.flags[rank] = all.flags[rank];
    meeting.results[rank] = static_cast<unsigned char*>(all.pointers[rank]) + results;
  }
  status const result = load_kernel(&meet_peers_kernel<peer_meeting>);
  if (!result) {
    return result;
  }
  return status_of_launch("the meeting of the ranks",
                          launch(&meet_peers_kernel<peer_meeting>, dim3(1), most_peers, 0, stream, meeting));
}

/// Copies rows that lie apart; none if there are none.
template <class T>
status enqueue_rows(T* to, std::int64_t ld_to, T const* from, std::int64_t ld_from, std::int64_t rows,
                    std::int64_t length, cudaStream_t stream) {
  if (rows == 0 || length == 0) {
    return {};
  }
  constexpr std::size_t size = sizeof(T);
  auto const bytes = [](std::int64_t elements) { return static_cast<std::size_t>(elements) * size; };
  bool const together = ld_to == ld_from;
  return status_of_copy(together
                            ? cudaMemcpyAsync(to, from, bytes((rows - 1) * ld_to + length), cudaMemcpyDefault, stream)
                            : cudaMemcpy2DAsync(to, bytes(ld_to), from, bytes(ld_from), bytes(length),
                                                static_cast<std::size_t>(rows), cudaMemcpyDefault, stream));
}

/// Pulls the others' shards of rows to where they belong, the next rank's first, piece by piece. `say`: how many of a
/// shard's pieces are here, after each.
template <class T>
status enqueue_pulls(peers const& all, std::int64_t rows, std::int64_t length, std::int64_t piece, bool say,
                     cudaStream_t stream) {
  std::int64_t const ld = ld_of_shards<T>(length);
  status result;
  for (int i = 1; i < all.ranks && result; ++i) {
    int const rank = (all.rank + i) % all.ranks;
    peer_rows const shard = rows_of_rank(rows, all.ranks, rank);
    std::uint32_t here = 0;
    for (std::int64_t first = 0; first < shard.count && result; first += piece) {
      here = first + piece < shard.count ? here + 1 : whole_shard;
      auto const of_rank = [&](int owner) { return static_cast<T*>(all.pointers[owner]) + (shard.first + first) * ld; };
      result =
          enqueue_rows<T>(of_rank(all.rank), ld, of_rank(rank), ld, lesser(piece, shard.count - first), length, stream);
      result = result && say ? enqueue_write(stream, &all.flags[all.rank]->here[rank], here) : result;
    }
  }
  return result;
}

/// Where the rank's own part of its rows lies, if not in its memory.
template <class Partial>
struct own_part {
  Partial const* data = nullptr;
  int rank = -1;
};

/// Adds the ranks' parts of rows of C from `first` on.
template <class Partial, class Problem>
static status enqueue_sum(Problem p, peers const& all, std::int64_t each, peer_rows const& rows,
                          own_part<Partial> const& own, cudaStream_t stream) {
  constexpr std::int64_t most_blocks = 1 << 16;
  if (rows.count == 0) {
    return {};
  }
  p.vector_c = stores_vectors(p);
  std::int64_t const ld = ld_of_shards<Partial>(p.n), pieces = rows.count * tiles(p.n, widest<Partial>);
  partial_sums<Problem, Partial> const parts{.whole = p,
                                             .data = static_cast<Partial const*>(all.pointers[all.rank]),
                                             .own = own.data,
                                             .ld = ld,
                                             .stride = each * ld,
                                             .first = rows.first,
                                             .rows = rows.count,
                                             .ranks = all.ranks,
                                             .own_rank = own.rank};
  dim3 const grid(static_cast<unsigned>(lesser(tiles(pieces, partials_threads), most_blocks)));
  return status_of_launch("the reduction of the ranks' parts",
                          launch(&add_partials_kernel<Problem, Partial>, grid, partials_threads, 0, stream, parts));
}

}  // namespace gemm::detail
