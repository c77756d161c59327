// SPDX-License-Identifier: BSL-1.0
//! @file
//! The calls of <gemm/distributed.hpp> with a communicator's ranks, and what they do where ranks do not reach each
//! other's memory: NCCL's collective of a shard beside the product of the one before.
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
#include <gemm/distributed.hpp>
#include <gemm/distributed/nccl_peers.hpp>
#include <gemm/distributed/rules.hpp>
#include <gemm/distributed/side_stream.hpp>
#include <gemm/distributed/steps.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/matrix.hpp>
#include <gemm/peers.hpp>
#include <gemm/status.hpp>

namespace gemm {

namespace detail {

template <class T>
inline constexpr ncclDataType_t nccl_type = std::is_same_v<T, __half>          ? ncclFloat16
                                            : std::is_same_v<T, __nv_bfloat16> ? ncclBfloat16
                                            : std::is_same_v<T, float>         ? ncclFloat32
                                            : std::is_same_v<T, double>        ? ncclFloat64
                                                                               : ncclInt32;

/// Sends a rank's rows to all others, to the same address of their memory.
template <class T>
status enqueue_broadcast(T* rows, std::size_t count, int root, ncclComm_t communicator, cudaStream_t stream) {
  return count == 0 ? status{}
                    : status_of_nccl("ncclBroadcast", ncclBroadcast(rows, rows, count * sizeof(T), ncclUint8, root,
                                                                    communicator, stream));
}

/// The product of one shard of rows, which are there.
template <class Policy, class Problem>
static status enqueue_shard(Problem const& p, peers const& all, int shard, workspace const& given,
                            cudaStream_t stream) {
  std::int64_t const each = rows_of_shard(p.m, all.ranks);
  auto q = problem_of_shards<shards_of::a>(p, {all.flags[all.rank], each, shard, all.ranks, shard, 0, nullptr});
  q.batch_count = 1;
  planned_product<Policy, decltype(q)> product(q, given, stream);
  status const result = product.status() ? product.prepare() : product.status();
  return result ? product.multiply() : result;
}

/// all_gather_product() by broadcasts, of all ranks in the same order.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue>
static status enqueue_broadcast_product(A a, B b, C c, peers const& all, ncclComm_t communicator, side_stream& side,
                                        peer_options<Scalar> const& opts, Epilogue const& epilogue) {
  using element = typename A::value_type;
  std::int64_t const m = c.rows, ld = ld_of_shards<element>(a.columns);
  auto const whole = gathered(a, all, m);
  auto const p = problem_of_call<Policy>(whole, b, c, options_of(opts), epilogue);
  status result = enqueue_own_shard(a, all, m, opts.stream);
  result = result ? status_of_copy(side.follow(opts.stream)) : result;
  result = result ? prepare_epilogue(epilogue, opts.stream) : result;
  for (int rank = 0; rank < all.ranks && result; ++rank) {
    peer_rows const rows = rows_of_rank(m, all.ranks, rank);
    auto* const from = static_cast<element*>(all.pointers[all.rank]) + rows.first * ld;
    result = enqueue_broadcast(from, static_cast<std::size_t>(rows.count * ld), rank, communicator, side.stream());
    result = result ? status_of_copy(side.lead(opts.stream)) : result;
    result = result && rows.count > 0 ? enqueue_shard<Policy>(p, all, rank, opts.workspace, opts.stream) : result;
  }
  return result;
}

/// The sum of the ranks' products by reductions to the owners of rows, and this rank's rows of C of it.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue>
static status enqueue_reduced_sum(A a, B b, C c, std::int64_t m, peer_rows const& rows_in_c, peers const& all,
                                  ncclComm_t communicator, side_stream& side, peer_options<Scalar> const& opts,
                                  Epilogue const& epilogue) {
  using partial = partial_result<typename A::value_type, typename C::value_type>;
  std::int64_t const ld = ld_of_shards<partial>(c.columns);
  auto* const own = static_cast<partial*>(all.pointers[all.rank]);
  auto const p = problem_of_part<Policy>(a, b, row_major(own, m, c.columns, ld), opts);
  status result;
  for (int rank = 0; rank < all.ranks && result; ++rank) {
    peer_rows const rows = rows_of_rank(m, all.ranks, rank);
    partial* const part = own + rows.first * ld;
    auto const count = static_cast<std::size_t>(rows.count * ld);
    result = rows.count > 0 ? enqueue_shard<Policy>(p, all, rank, opts.workspace, opts.stream) : result;
    result = result ? status_of_copy(side.follow(opts.stream)) : result;
    result = result && count > 0 ? status_of_nccl("ncclReduce", ncclReduce(part, part, count, nccl_type<partial>,
                                                                           ncclSum, rank, communicator, side.stream()))
                                 : result;
  }
  result = result ? status_of_copy(side.lead(opts.stream)) : result;
  peers one{.rank = 0, .ranks = 1};
  one.pointers[0] = own + rows_of_rank(m, all.ranks, all.rank).first * ld;
  return result && rows_in_c.count > 0 ? enqueue_sum_to<Policy>(a, b, c, rows_in_c, one, m, opts, epilogue) : result;
}

/// The ranks as if all had this one's memory, for the rules.
inline peers with_own_memory(nccl_peers const& ranks) {
  peers all = ranks.get();
  for (int rank = 0; rank < all.ranks && rank < most_peers; ++rank) {
    all.pointers[rank] = all.pointers[all.rank];
    all.flags[rank] = all.flags[all.rank];
  }
  return all;
}

/// Calls use(side stream) for the device of a stream.
template <class Use>
static status with_side_stream(cudaStream_t stream, Use const& use) {
  known_device const device(stream);
  if (status const found = device.status(); !found) {
    return found;
  }
  side_stream* const side = side_stream::of_current_device();
  return side == nullptr ? status_of_copy(cudaGetLastError()) : use(*side);
}

}  // namespace detail

/// The same, of a communicator's ranks, as ranks.chosen() says. By collectives results have the bits of NCCL's sums,
/// and a time-out has no effect.
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] static status all_gather_product(A a, B b, C c, nccl_peers const& ranks,
                                               detail::peer_options_for<A> const& opts = {}, Epilogue epilogue = {}) {
  if (ranks.chosen() == exchange::peer_memory) {
    return all_gather_product<Policy>(a, b, c, ranks.get(), opts, epilogue);
  }
  if constexpr (detail::check_shard_types<Policy, A, B, C, Epilogue>()) {
    peers const all = detail::with_own_memory(ranks);
    status const valid = detail::validate_gather(a, b, c, all, opts, epilogue);
    if (!valid || detail::is_empty(c)) {
      return valid;
    }
    return detail::with_side_stream(opts.stream, [&](detail::side_stream& side) {
      return detail::enqueue_broadcast_product<Policy>(a, b, c, all, ranks.communicator(), side, opts, epilogue);
    });
  }
  return {};
}

/// The same, of a communicator's ranks.
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] static status product_reduce_scatter(A a, B b, C c, nccl_peers const& ranks,
                                                   detail::peer_options_for<A> const& opts = {},
                                                   Epilogue epilogue = {}) {
  if (ranks.chosen() == exchange::peer_memory) {
    return product_reduce_scatter<Policy>(a, b, c, ranks.get(), opts, epilogue);
  }
  if constexpr (detail::check_shard_types<Policy, A, B, C, Epilogue>()) {
    peers const all = detail::with_own_memory(ranks);
    status const valid = detail::validate_scatter(a, b, c, all, opts, epilogue);
    if (!valid || a.rows == 0 || c.columns == 0) {
      return valid;
    }
    return detail::with_side_stream(opts.stream, [&](detail::side_stream& side) {
      return detail::enqueue_reduced_sum<Policy>(a, b, c, a.rows, {0, c.rows}, all, ranks.communicator(), side, opts,
                                                 epilogue);
    });
  }
  return {};
}

/// The same, of a communicator's ranks.
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] static status product_all_reduce(A a, B b, C c, nccl_peers const& ranks,
                                               detail::peer_options_for<A> const& opts = {}, Epilogue epilogue = {}) {
  if (ranks.chosen() == exchange::peer_memory) {
    return product_all_reduce<Policy>(a, b, c, ranks.get(), opts, epilogue);
  }
  if constexpr (detail::check_shard_types<Policy, A, B, C, Epilogue>()) {
    using output = typename C::value_type;
    peers const all = detail::with_own_memory(ranks);
    status const valid = detail::validate_all_reduce(a, b, c, all, opts, epilogue);
    if (!valid || detail::is_empty(c)) {
      return valid;
    }
    return detail::with_side_stream(opts.stream, [&](detail::side_stream& side) {
      ncclComm_t const communicator = ranks.communicator();
      std::int64_t const m = c.rows, n = c.columns, ld = detail::ld_of_shards<output>(n);
      auto* const memory = static_cast<output*>(all.pointers[all.rank]);  // the parts are not needed any more
      peer_rows const own = rows_of_rank(m, all.ranks, all.rank);
      status result = detail::enqueue_reduced_sum<Policy>(a, b, c, m, own, all, communicator, side, opts, epilogue);
      auto const in_c = [&](peer_rows const& rows) { return c.data + rows.first * c.ld; };
      auto const shared = [&](peer_rows const& rows) { return memory + rows.first * ld; };
      result =
          result ? detail::enqueue_rows<output>(shared(own), ld, in_c(own), c.ld, own.count, n, opts.stream) : result;
      for (int rank = 0; rank < all.ranks && result; ++rank) {
        peer_rows const rows = rows_of_rank(m, all.ranks, rank);
        result = detail::enqueue_broadcast(shared(rows), static_cast<std::size_t>(rows.count * ld), rank, communicator,
                                           opts.stream);
        if (result && rank != all.rank) {
          result = detail::enqueue_rows<output>(in_c(rows), c.ld, shared(rows), ld, rows.count, n, opts.stream);
        }
      }
      return result;
    });
  }
  return {};
}

}  // namespace gemm
