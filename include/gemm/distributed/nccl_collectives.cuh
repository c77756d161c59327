// SPDX-License-Identifier: BSL-1.0
//! @file
//! What calls of several ranks do where ranks do not reach each other's memory: NCCL's collective of a shard beside the
//! product of another, or one collective before the product of all rows, or after it.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/block/sharded_problem.cuh>
#include <gemm/choose/call.cuh>
#include <gemm/distributed/all_gather.cuh>
#include <gemm/distributed/nccl_window.cuh>
#include <gemm/distributed/options.hpp>
#include <gemm/distributed/planned_product.cuh>
#include <gemm/distributed/rules.hpp>
#include <gemm/distributed/scattered_sum.cuh>
#include <gemm/distributed/side_stream.hpp>
#include <gemm/distributed/steps.cuh>
#include <gemm/launch/sharded.cuh>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/peers.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

template <class T>
inline constexpr ncclDataType_t nccl_type = std::is_same_v<T, __half>          ? ncclFloat16
                                            : std::is_same_v<T, __nv_bfloat16> ? ncclBfloat16
                                            : std::is_same_v<T, float>         ? ncclFloat32
                                            : std::is_same_v<T, double>        ? ncclFloat64
                                                                               : ncclInt32;

/// Sends each rank's rows to all others, to the same address of their memory.
template <class T>
status enqueue_broadcast(T* rows, std::size_t count, int root, ncclComm_t communicator, cudaStream_t stream) {
  return count == 0 ? status{}
                    : status_of_nccl("ncclBroadcast", ncclBroadcast(rows, rows, count * sizeof(T), ncclUint8, root,
                                                                    communicator, stream));
}
/// All ranks' rows of a matrix of m rows, by one collective: as many of each, or a group of broadcasts.
template <class T>
status enqueue_all_gather(T* rows, std::int64_t m, std::int64_t ld, peers const& all, ncclComm_t communicator,
                          cudaStream_t stream) {
  std::int64_t const each = rows_of_shard(m, all.ranks);
  if (m == each * all.ranks) {
    auto const count = static_cast<std::size_t>(each * ld);
    return status_of_nccl("ncclAllGather", ncclAllGather(rows + static_cast<std::int64_t>(all.rank) * each * ld, rows,
                                                         count * sizeof(T), ncclUint8, communicator, stream));
  }
  status result = status_of_nccl("ncclGroupStart", ncclGroupStart());
  for (int rank = 0; rank < all.ranks && result; ++rank) {
    peer_rows const part = rows_of_rank(m, all.ranks, rank);
    result = enqueue_broadcast(rows + part.first * ld, static_cast<std::size_t>(part.count * ld), rank, communicator,
                               stream);
  }
  status const ended = status_of_nccl("ncclGroupEnd", ncclGroupEnd());
  return result ? ended : result;
}

/// The product of one shard of rows, which are there.
template <class Policy, class Problem>
static status enqueue_shard(Problem const& p, peers const& all, int shard, workspace const& given,
                            cudaStream_t stream) {
  std::int64_t const each = rows_of_shard(p.m, all.ranks);
  auto q =
      problem_of_shards<shards_of::a>(p, {all.flags[all.rank], each, shard, all.ranks, shard, 0, each, 0, nullptr});
  q.batch_count = 1;
  planned_product<Policy, decltype(q)> product(q, given, stream);
  status const result = product.status() ? product.prepare() : product.status();
  return result ? product.multiply() : result;
}
/// That of all rows, which are there.
template <class Policy, class Problem>
static status enqueue_whole(Problem const& p, workspace const& given, cudaStream_t stream) {
  planned_product<Policy, Problem> product(p, given, stream);
  return product.status() ? product.multiply() : product.status();
}

/// all_gather_product() by collectives, of all ranks in the same order.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue>
static status enqueue_collected_product(A a, B b, C c, peers const& all, ncclComm_t communicator, bool sequential,
                                        side_stream& side, peer_options<Scalar> const& opts, Epilogue const& epilogue) {
  using element = typename A::value_type;
  std::int64_t const m = c.rows, ld = ld_of_shards<element>(a.columns);
  auto* const rows = static_cast<element*>(all.pointers[all.rank]);
  auto const p = problem_of_call<Policy>(gathered(a, all, m), b, c, options_of(opts), epilogue);
  status result = enqueue_own_shard(a, all, m, opts.stream);
  result = result && c.columns > 0 ? prepare_epilogue(epilogue, opts.stream) : result;
  if (sequential) {
    result = result ? enqueue_all_gather(rows, m, ld, all, communicator, opts.stream) : result;
    return result && c.columns > 0 ? enqueue_whole<Policy>(p, opts.workspace, opts.stream) : result;
  }
  result = result ? status_of_copy(side.follow(opts.stream)) : result;
  for (int rank = 0; rank < all.ranks && result; ++rank) {
    peer_rows const part = rows_of_rank(m, all.ranks, rank);
    result = enqueue_broadcast(rows + part.first * ld, static_cast<std::size_t>(part.count * ld), rank, communicator,
                               side.stream());
    result = result ? status_of_copy(side.lead(opts.stream)) : result;
    result = result && part.count > 0 && c.columns > 0
                 ? enqueue_shard<Policy>(p, all, rank, opts.workspace, opts.stream)
                 : result;
  }
  return result;
}

/// The rank's product in its memory, of which each owner's rows are reduced to it: shard by shard, or all at once.
template <class Policy, class Partial, class Problem>
static status enqueue_reductions(Problem const& p, peers const& all, ncclComm_t communicator, bool sequential,
                                 side_stream& side, workspace const& given, cudaStream_t stream) {
  auto* const own = static_cast<Partial*>(all.pointers[all.rank]);
  std::int64_t const each = rows_of_shard(p.m, all.ranks), ld = p.c.ld;
  constexpr ncclDataType_t type = nccl_type<Partial>;
  status result;
  if (sequential) {  // rows behind the last ones are added, too, and not read
    auto const count = static_cast<std::size_t>(each * ld);
    result = enqueue_whole<Policy>(p, given, stream);
    return result ? status_of_nccl("ncclReduceScatter",
                                   ncclReduceScatter(own, own + static_cast<std::int64_t>(all.rank) * each * ld, count,
                                                     type, ncclSum, communicator, stream))
                  : result;
  }
  for (int rank = 0; rank < all.ranks && result; ++rank) {
    peer_rows const rows = rows_of_rank(p.m, all.ranks, rank);
    Partial* const part = own + rows.first * ld;
    auto const count = static_cast<std::size_t>(rows.count * ld);
    result = rows.count > 0 ? enqueue_shard<Policy>(p, all, rank, given, stream) : result;
    result = result ? status_of_copy(side.follow(stream)) : result;
    result = result && count > 0 ? status_of_nccl("ncclReduce", ncclReduce(part, part, count, type, ncclSum, rank,
                                                                           communicator, side.stream()))
                                 : result;
  }
  return result ? status_of_copy(side.lead(stream)) : result;
}

/// The sum of the ranks' products by collectives, and this rank's rows of C of it.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue>
static status enqueue_reduced_sum(A a, B b, C c, std::int64_t m, peer_rows const& rows_in_c, peers const& all,
                                  ncclComm_t communicator, bool sequential, side_stream& side,
                                  peer_options<Scalar> const& opts, Epilogue const& epilogue) {
  using partial = partial_result_of<A, C>;
  std::int64_t const ld = ld_of_shards<partial>(c.columns);
  auto* const own = static_cast<partial*>(all.pointers[all.rank]);
  auto const p = problem_of_part<Policy>(a, b, row_major(own, m, c.columns, ld), opts);
  status result =
      enqueue_reductions<Policy, partial>(p, all, communicator, sequential, side, opts.workspace, opts.stream);
  peers one{.rank = 0, .ranks = 1};
  one.pointers[0] = own + rows_of_rank(m, all.ranks, all.rank).first * ld;
  result = result ? prepare_epilogue(epilogue, opts.stream) : result;
  return result ? enqueue_sum_to<Policy>(a, b, c, rows_in_c, 0, one, m, {}, opts, epilogue) : result;
}

}  // namespace gemm::detail
