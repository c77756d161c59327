// SPDX-License-Identifier: BSL-1.0
//! @file
//! What calls of several ranks have in common: options, the memory that they need, and what their waits have found.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/arithmetic.hpp>
#include <gemm/block/peer_wait.cuh>
#include <gemm/distributed/exchange_price.hpp>
#include <gemm/distributed/rules.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/peers.hpp>
#include <gemm/status.hpp>
#include <gemm/tables/links.hpp>

namespace gemm {

/// The options of a call that several ranks make. All ranks give the same alpha, beta and time-out.
template <class Scalar>
struct peer_options {
  detail::factor<Scalar> alpha = Scalar(1);  ///< as options::alpha
  detail::factor<Scalar> beta = Scalar(0);   ///< as options::beta
  cudaStream_t stream = nullptr;             ///< where the work is enqueued; its device is the rank's
  gemm::workspace workspace{};               ///< for this call; by default from the library's memory pool
  /// Seconds that a kernel waits for another rank, or its shard, before it gives up; 0: for ever. Then results mean
  /// nothing, peer_status() says for which rank and tile, and all ranks zero their signals before they go on.
  double time_out = 0;
  exchange path = exchange::automatic;       ///< how ranks exchange
  tables::link_rates const* link = nullptr;  ///< what gemm_distributed measured, alike in all ranks; else a table's
  exchange_choice* chosen = nullptr;         ///< where the call says which path it has taken, and why
};

/// Bytes of each rank's memory for all_gather_product() of m x k elements T of A.
template <class T>
constexpr std::size_t all_gather_bytes(std::int64_t m, std::int64_t k) {
  return detail::bytes_of_rows<T>(m, k);
}
/// Bytes of each rank's memory for product_reduce_scatter() of elements In of A and m x n elements Out of C.
template <class In, class Out>
constexpr std::size_t reduce_scatter_bytes(std::int64_t m, std::int64_t n, int ranks) {
  return detail::bytes_of_rows<detail::partial_result<In, Out>>(rows_of_shard(m, ranks), n) *
         static_cast<std::size_t>(ranks);
}
/// Bytes of each rank's memory for product_all_reduce() of the same.
template <class In, class Out>
constexpr std::size_t all_reduce_bytes(std::int64_t m, std::int64_t n, int ranks) {
  return reduce_scatter_bytes<In, Out>(m, n, ranks) + detail::bytes_of_rows<Out>(rows_of_shard(m, ranks), n);
}

/// Where a rank's shard of an m x k matrix A lies in its memory: all_gather_product() copies others there first.
template <class T>
matrix<T, order::row> shard_in_place(peers const& all, std::int64_t m, std::int64_t k) {
  peer_rows const rows = rows_of_rank(m, all.ranks, all.rank);
  std::int64_t const ld = detail::ld_of_shards<T>(k);
  return row_major(static_cast<T*>(all.pointers[all.rank]) + rows.first * ld, rows.count, k, ld);
}

/// What waits of this rank have given up since its signals were zeroed: a cuda_failure that names rank and tile.
/// Waits for the device.
inline status peer_status(peers const& all) {
  if (status const valid = detail::validate_peers(all, 0); !valid) {
    return valid;
  }
  unsigned long long missing = 0;
  cudaError_t const error =
      cudaMemcpy(&missing, &all.flags[all.rank]->missing, sizeof(missing), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // reported here
    return {status_code::cuda_failure, error, "the signals of rank %d cannot be read: %s", all.rank,
            cudaGetErrorString(error)};
  }
  detail::awaited const what = detail::awaited::of(missing);
  if (missing == 0) {
    return {};
  }
  if (what.tile_m == detail::awaited::no_tile) {
    return {status_code::cuda_failure, cudaErrorTimeout, "rank %d waited for rank %d to come, until the time-out",
            all.rank, what.rank};
  }
  return {status_code::cuda_failure,
          cudaErrorTimeout,
          "rank %d waited for the shard of rank %d before tile (%d, %d), until the time-out",
          all.rank,
          what.rank,
          what.tile_m,
          what.tile_n};
}

}  // namespace gemm
