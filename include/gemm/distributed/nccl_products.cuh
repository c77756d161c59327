// SPDX-License-Identifier: BSL-1.0
//! @file
//! The calls of <gemm/distributed.hpp> with a communicator's ranks.
#pragma once

#include <cuda_runtime.h>
#include <nccl.h>

#include <cstddef>
#include <cstdint>

#include <gemm/choose/call.cuh>
#include <gemm/distributed.hpp>
#include <gemm/distributed/exchange_price.hpp>
#include <gemm/distributed/nccl_collectives.cuh>
#include <gemm/distributed/nccl_peers.hpp>
#include <gemm/distributed/options.hpp>
#include <gemm/distributed/paths.cuh>
#include <gemm/distributed/rules.hpp>
#include <gemm/distributed/scattered_sum.cuh>
#include <gemm/distributed/side_stream.hpp>
#include <gemm/distributed/steps.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/peers.hpp>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>
#include <gemm/tables/links.hpp>

namespace gemm {

namespace detail {

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

/// Whether a call takes ranks' memory; else `sequential` says how its collectives go, of so many bytes of a shard.
/// Ranks that do not reach each other must agree, so that the default is a matter of these bytes.
template <class Scalar>
static status choose_path(nccl_peers const& ranks, double shard, peer_options<Scalar> const& opts, bool& by_memory,
                          bool& sequential) {
  bool const any = opts.path == exchange::automatic;
  by_memory = any ? ranks.reach() : opts.path == exchange::peer_memory || opts.path == exchange::peer_memory_sequential;
  if (by_memory) {
    return ranks.reach() ? status{}
                         : status{status_code::unsupported_device, cudaSuccess,
                                  "path is peer_memory, needs ranks that reach each other"};
  }
  exchange const path =
      any ? choose_collectives(shard, opts.link != nullptr ? *opts.link : tables::network) : opts.path;
  sequential = path == exchange::collectives_sequential;
  tell_choice({.path = path, .why = any ? "ranks do not reach each other's memory" : "the options name it"}, opts);
  return {};
}

}  // namespace detail

/// The same, of a communicator's ranks: by collectives where they do not reach each other's memory, or where the
/// options name them. Then results have the bits of NCCL's sums, and a time-out has no effect.
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] static status all_gather_product(A a, B b, C c, nccl_peers const& ranks,
                                               detail::peer_options_for<A> const& opts = {}, Epilogue epilogue = {}) {
  if constexpr (detail::check_shard_types<Policy, A, B, C, Epilogue>()) {
    bool by_memory = false, sequential = false;
    peers const all = detail::with_own_memory(ranks);
    std::int64_t const rows = rows_of_shard(c.rows, all.ranks);
    auto const shard = static_cast<double>(detail::bytes_of_rows<typename A::value_type>(rows, a.columns));
    status result = detail::choose_path(ranks, shard, opts, by_memory, sequential);
    if (result && by_memory) {
      return all_gather_product<Policy>(a, b, c, ranks.get(), opts, epilogue);
    }
    result = result ? detail::validate_gather(a, b, c, all, opts, epilogue) : result;
    if (!result || c.rows == 0) {
      return result;
    }
    return detail::with_side_stream(opts.stream, [&](detail::side_stream& side) {
      return detail::enqueue_collected_product<Policy>(a, b, c, all, ranks.communicator(), sequential, side, opts,
                                                       epilogue);
    });
  }
  return {};
}

/// The same, of a communicator's ranks.
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] static status product_reduce_scatter(A a, B b, C c, nccl_peers const& ranks,
                                                   detail::peer_options_for<A> const& opts = {},
                                                   Epilogue epilogue = {}) {
  if constexpr (detail::check_shard_types<Policy, A, B, C, Epilogue>()) {
    bool by_memory = false, sequential = false;
    peers const all = detail::with_own_memory(ranks);
    double const shard = detail::bytes_of_part<A, C>(a.rows, c.columns, all.ranks);
    status valid = detail::choose_path(ranks, shard, opts, by_memory, sequential);
    if (valid && by_memory) {
      return product_reduce_scatter<Policy>(a, b, c, ranks.get(), opts, epilogue);
    }
    valid = valid ? detail::validate_scatter(a, b, c, all, opts, epilogue) : valid;
    if (!valid || a.rows == 0 || c.columns == 0) {
      return valid;
    }
    return detail::with_side_stream(opts.stream, [&](detail::side_stream& side) {
      return detail::enqueue_reduced_sum<Policy>(a, b, c, a.rows, {0, c.rows}, all, ranks.communicator(), sequential,
                                                 side, opts, epilogue);
    });
  }
  return {};
}

/// The same, of a communicator's ranks.
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] static status product_all_reduce(A a, B b, C c, nccl_peers const& ranks,
                                               detail::peer_options_for<A> const& opts = {}, Epilogue epilogue = {}) {
  if constexpr (detail::check_shard_types<Policy, A, B, C, Epilogue>()) {
    using output = typename C::value_type;
    bool by_memory = false, sequential = false;
    peers const all = detail::with_own_memory(ranks);
    double const shard = detail::bytes_of_part<A, C>(c.rows, c.columns, all.ranks);
    status valid = detail::choose_path(ranks, shard, opts, by_memory, sequential);
    if (valid && by_memory) {
      return product_all_reduce<Policy>(a, b, c, ranks.get(), opts, epilogue);
    }
    valid = valid ? detail::validate_all_reduce(a, b, c, all, opts, epilogue) : valid;
    if (!valid || detail::is_empty(c)) {
      return valid;
    }
    return detail::with_side_stream(opts.stream, [&](detail::side_stream& side) {
      ncclComm_t const communicator = ranks.communicator();
      std::int64_t const m = c.rows, n = c.columns, ld = detail::ld_of_shards<output>(n);
      auto* const memory = static_cast<output*>(all.pointers[all.rank]);  // the parts are not needed any more
      peer_rows const own = rows_of_rank(m, all.ranks, all.rank);
      status result =
          detail::enqueue_reduced_sum<Policy>(a, b, c, m, own, all, communicator, sequential, side, opts, epilogue);
      auto const in_c = [&](peer_rows const& rows) { return c.data + rows.first * c.ld; };
      auto const shared = [&](peer_rows const& rows) { return memory + rows.first * ld; };
      result =
          result ? detail::enqueue_rows<output>(shared(own), ld, in_c(own), c.ld, own.count, n, opts.stream) : result;
      result = result ? detail::enqueue_all_gather(memory, m, ld, all, communicator, opts.stream) : result;
      for (int i = 1; i < all.ranks && result; ++i) {
        peer_rows const rows = rows_of_rank(m, all.ranks, (all.rank + i) % all.ranks);
        result = detail::enqueue_rows<output>(in_c(rows), c.ld, shared(rows), ld, rows.count, n, opts.stream);
      }
      return result;
    });
  }
  return {};
}

}  // namespace gemm
