// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules of a call that several ranks make, and the memory that it needs of each.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/launch/stream_write.hpp>
#include <gemm/matrix.hpp>
#include <gemm/peers.hpp>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

/// Elements between rows in the ranks' memory: no row shares a cache line with another, which may not be there yet.
template <class T>
constexpr std::int64_t ld_of_shards(std::int64_t length) {
  constexpr std::int64_t line = 128 / static_cast<std::int64_t>(sizeof(T));
  return length < 1 ? line : (length + line - 1) / line * line;
}

/// Bytes of so many rows there.
template <class T>
constexpr std::size_t bytes_of_rows(std::int64_t rows, std::int64_t length) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(ld_of_shards<T>(length)) * sizeof(T);
}

/// What a rank's part of a sum is stored as: C's element, as a collective would add it; of integers and of fp8 wider.
template <class In, class Out>
using partial_result = std::conditional_t<std::is_same_v<accumulator<In>, float>,
                                          std::conditional_t<(sizeof(Out) > 1), Out, float>, accumulator<In>>;

/// The rules of the ranks. `needed`: bytes of each one's memory.
inline status validate_peers(peers const& all, std::size_t needed) {
  if (all.ranks < 1 || all.ranks > most_peers) {
    return broken_rule("peers.ranks is %d, needs 1 to %d", all.ranks, most_peers);
  }
  if (all.rank < 0 || all.rank >= all.ranks) {
    return broken_rule("peers.rank is %d, needs 0 to %d", all.rank, all.ranks - 1);
  }
  if (all.bytes < needed) {
    return broken_rule("peers.bytes is %zu, needs %zu", all.bytes, needed);
  }
  for (int rank = 0; rank < all.ranks; ++rank) {
    auto const flags = reinterpret_cast<std::uintptr_t>(all.flags[rank]),
               memory = reinterpret_cast<std::uintptr_t>(all.pointers[rank]);
    if (flags == 0 || flags % alignof(peer_signals) != 0) {
      return broken_rule("peers.flags[%d] is %p, needs a multiple of 128 bytes", rank,
                         static_cast<void const*>(all.flags[rank]));
    }
    if ((needed > 0 && memory == 0) || memory % 128 != 0) {
      return broken_rule("peers.pointers[%d] is %p, needs a multiple of 128 bytes", rank, all.pointers[rank]);
    }
  }
  return {};
}

/// The rule of a time-out.
inline status validate_time_out(double seconds) {
  if (!(seconds >= 0 && seconds <= 1e9)) {
    return broken_rule("time_out is %g seconds, needs 0 to 10^9", seconds);
  }
  return {};
}

/// The rule of a matrix that has a rank's rows of `rows`.
inline status validate_shard(char const* name, std::int64_t found, std::int64_t rows, peers const& all) {
  std::int64_t const needed = rows_of_rank(rows, all.ranks, all.rank).count;
  if (found != needed) {
    return broken_rule("%s has %lld rows, needs %lld: rank %d of %d has these of %lld", name,
                       static_cast<long long>(found), static_cast<long long>(needed), all.rank, all.ranks,
                       static_cast<long long>(rows));
  }
  return {};
}

/// The rule of matrices that ranks share: no batches.
inline status validate_one(char const* name, std::int64_t batch_count) {
  return batch_count == 1 ? status{}
                          : broken_rule("%s is a batch of %lld, needs one matrix: ranks share its rows", name,
                                        static_cast<long long>(batch_count));
}

/// The rule of the driver, for copies beside a product.
inline status validate_driver() {
  if (stream_write() == nullptr) {
    return {status_code::unsupported_device, cudaSuccess, "the driver has no cuStreamWriteValue32 of CUDA 11.7"};
  }
  return {};
}

}  // namespace gemm::detail
