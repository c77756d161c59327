// SPDX-License-Identifier: BSL-1.0
//! @file
//! The sum of the ranks' products, each part of which is stored where the owner of its rows adds it: by the product's
//! tiles, or by copies after it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/block/sharded_problem.cuh>
#include <gemm/choose/call.cuh>
#include <gemm/distributed/arguments.hpp>
#include <gemm/distributed/exchange_price.hpp>
#include <gemm/distributed/options.hpp>
#include <gemm/distributed/paths.cuh>
#include <gemm/distributed/planned_product.cuh>
#include <gemm/distributed/rules.hpp>
#include <gemm/distributed/side_stream.hpp>
#include <gemm/distributed/steps.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/kernel/add_partials.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/launch/make_problem.hpp>
#include <gemm/launch/scratch.cuh>
#include <gemm/launch/sharded.cuh>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/peers.hpp>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

template <class A, class C>
using partial_result_of = partial_result<typename A::value_type, typename C::value_type>;

/// Bytes that a rank has for each other one of an m x n sum.
template <class A, class C>
double bytes_of_part(std::int64_t m, std::int64_t n, int ranks) {
  return static_cast<double>(bytes_of_rows<partial_result_of<A, C>>(rows_of_shard(m, ranks), n));
}
/// Bytes from the start of each rank's memory to this one's part of that rank's rows.
template <class A, class C>
std::size_t slot_of_rank(std::int64_t m, std::int64_t n, peers const& all) {
  return bytes_of_rows<partial_result_of<A, C>>(rows_of_shard(m, all.ranks), n) * static_cast<std::size_t>(all.rank);
}

/// The rank's part of a sum: its product alone, as `partial_result`, to a matrix of that.
template <class Policy, class A, class B, class Partial, class Scalar>
auto problem_of_part(A a, B b, matrix<Partial, order::row> const& to, peer_options<Scalar> const& opts) {
  options<Scalar> const own{.alpha = opts.alpha == Scalar(0) ? Scalar(0) : Scalar(1), .stream = opts.stream};
  a.factor = 1;
  b.factor = 1;
  return problem_of_call<Policy>(a, b, to, own, identity{});
}

/// The rank's rows of C as the sum of all parts is stored to them.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue>
auto problem_of_sum(A a, B const& b, C const& c, peer_options<Scalar> const& opts, Epilogue const& epilogue) {
  a.rows = c.rows;
  Scalar const alpha = with_factors(options_of(opts), a, b).alpha;
  auto whole = problem_of_call<Policy>(a, b, c, options_of(opts), epilogue);
  whole.alpha = alpha == Scalar(0) ? alpha_of_nothing(Scalar(opts.beta)) : alpha;  // though this rank's k may be 0
  return whole;
}

/// Has the kernel that adds parts loaded.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue>
static status load_sum_to(A const& a, B const& b, C const& c, peer_options<Scalar> const& opts,
                          Epilogue const& epilogue) {
  using problem = decltype(problem_of_sum<Policy>(a, b, c, opts, epilogue));
  return load_kernel(&add_partials_kernel<problem, partial_result_of<A, C>>);
}

/// Adds the ranks' parts of rows from `skipped` on, of those that begin at rows.first in C.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue>
static status enqueue_sum_to(A const& a, B const& b, C const& c, peer_rows const& rows, std::int64_t skipped, peers all,
                             std::int64_t each, own_part<partial_result_of<A, C>> own, peer_options<Scalar> const& opts,
                             Epilogue const& epilogue) {
  using partial = partial_result_of<A, C>;
  if (rows.count <= skipped) {
    return {};
  }
  std::int64_t const offset = skipped * ld_of_shards<partial>(c.columns);
  all.pointers[all.rank] = static_cast<partial*>(all.pointers[all.rank]) + offset;
  own.data = own.data == nullptr ? nullptr : own.data + offset;
  return enqueue_sum<partial>(problem_of_sum<Policy>(a, b, c, opts, epilogue), all, each,
                              {rows.first + skipped, rows.count - skipped}, own, opts.stream);
}

/// The waves of a product of shards by its plan; none where it has no price.
template <class Problem>
shard_waves waves_of_shards(call_plan const& plan, Problem const& p) {
  compiled_kernel const& kernel = *plan.kernel;
  std::int64_t const rows = std::int64_t{kernel.block_m} * kernel.cluster_m,
                     row_blocks = tiles(p.n, std::int64_t{kernel.block_n} * kernel.cluster_n) * kernel.cluster_blocks();
  auto const blocks = static_cast<double>(tiles(p.rows, rows) * row_blocks * p.ranks);
  return plan.waves > 0 ? shard_waves{blocks, blocks / plan.waves, row_blocks, rows} : shard_waves{};
}

/// What follows a product of shards whose last own rows are left: their product, while the sum of the rows before them
/// is computed. Others' parts of all rows are here when the ranks meet.
template <class Policy, class A, class B, class C, class Last, class Scalar, class Epilogue>
static status enqueue_early_sum(A const& a, B const& b, C const& c, planned_product<Policy, Last>& last,
                                peer_rows const& rows, std::int64_t early, peers const& all, std::int64_t each,
                                side_stream& side, peer_options<Scalar> const& opts, Epilogue const& epilogue) {
  peer_options<Scalar> in_flight = opts;
  in_flight.stream = side.stream();
  status result = status_of_copy(side.follow(opts.stream));
  result = result ? last.multiply() : result;
  result = result ? enqueue_meeting(all, opts.time_out, 0, side.stream()) : result;
  result =
      result ? enqueue_sum_to<Policy>(a, b, c, {rows.first, early}, 0, all, each, {}, in_flight, epilogue) : result;
  result = result ? status_of_copy(side.lead(opts.stream)) : result;
  return result ? enqueue_sum_to<Policy>(a, b, c, rows, early, all, each, {}, opts, epilogue) : result;
}

/// The rank's product, stored part by part where the owners of the rows add them, and the sum of this rank's rows,
/// which are those of `c` from rows.first on. `last_rows` are the own ones from one on. The views have been checked;
/// `c` is not empty.
template <class Policy, class A, class B, class C, class Problem, class LastRows, class Scalar, class Epilogue>
static status enqueue_stored_sum(A const& a, B const& b, C const& c, Problem const& p, LastRows const& last_rows,
                                 peer_rows const& rows, peers const& all, side_stream& side,
                                 peer_options<Scalar> const& opts, Epilogue const& epilogue) {
  planned_product<Policy, Problem> product(p, opts.workspace, opts.stream);
  if (!product.status()) {
    return product.status();
  }
  std::int64_t const own = rows_of_rank(p.m, all.ranks, all.rank).count,
                     early = rows_before_sum(own, waves_of_shards(product.plan(), p), link_of(opts).last_wave);
  std::size_t const slot = slot_of_rank<A, C>(p.m, p.n, all);
  if (opts.chosen != nullptr) {
    opts.chosen->summed_early = early < own ? early : 0;
  }
  status result = load_sum_to<Policy>(a, b, c, opts, epilogue);
  result = result ? product.prepare() : result;
  result = result ? prepare_epilogue(epilogue, opts.stream) : result;
  if (result && early < own) {
    auto const of_last = last_rows(early);
    planned_product<Policy, std::remove_const_t<decltype(of_last)>> last(of_last, opts.workspace, opts.stream);
    product.end_own_shard(early);
    result = last.status();
    result = result ? last.prepare() : result;
    result = result ? enqueue_meeting(all, opts.time_out, slot, opts.stream) : result;
    result = result ? product.multiply() : result;
    return result ? enqueue_early_sum<Policy>(a, b, c, last, rows, early, all, p.rows, side, opts, epilogue) : result;
  }
  result = result ? enqueue_meeting(all, opts.time_out, slot, opts.stream) : result;
  result = result ? product.multiply() : result;
  result = result ? enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
  return result ? enqueue_sum_to<Policy>(a, b, c, rows, 0, all, p.rows, {}, opts, epilogue) : result;
}

/// The same where the product is stored in `local` first, and copied to the owners after it, the next rank's rows
/// first.
template <class Policy, class A, class B, class C, class Problem, class Scalar, class Epilogue>
static status enqueue_copied_sum(A const& a, B const& b, C const& c, Problem const& p, peer_rows const& rows,
                                 peers const& all, workspace const& rest, peer_options<Scalar> const& opts,
                                 Epilogue const& epilogue) {
  using partial = partial_result_of<A, C>;
  partial const* const local = p.c.data;
  planned_product<Policy, Problem> product(p, rest, opts.stream);
  status result = product.status();
  result = result ? product.prepare() : result;
  result = result ? load_sum_to<Policy>(a, b, c, opts, epilogue) : result;
  result = result ? prepare_epilogue(epilogue, opts.stream) : result;
  result = result ? product.multiply() : result;
  result = result ? enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
  for (int i = 1; i < all.ranks && result; ++i) {
    int const owner = (all.rank + i) % all.ranks;
    peer_rows const part = rows_of_rank(p.m, all.ranks, owner);
    auto* const to = reinterpret_cast<partial*>(static_cast<unsigned char*>(all.pointers[owner]) +
                                                slot_of_rank<A, C>(p.m, p.n, all));
    result = enqueue_rows<partial>(to, p.c.ld, local + part.first * p.c.ld, p.c.ld, part.count, p.n, opts.stream);
  }
  result = result ? enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
  own_part<partial> const own{local + rows_of_rank(p.m, all.ranks, all.rank).first * p.c.ld, all.rank};
  return result ? enqueue_sum_to<Policy>(a, b, c, rows, 0, all, rows_of_shard(p.m, all.ranks), own, opts, epilogue)
                : result;
}

/// One of these paths.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue>
static status enqueue_scattered_sum(A a, B b, C c, std::int64_t m, peer_rows const& rows, peers const& all,
                                    peer_options<Scalar> const& opts, Epilogue const& epilogue) {
  using partial = partial_result_of<A, C>;
  std::int64_t const each = rows_of_shard(m, all.ranks), ld = ld_of_shards<partial>(c.columns);
  std::size_t const own_slot = slot_of_rank<A, C>(m, c.columns, all);
  void* results[most_peers] = {};
  for (int rank = 0; rank < all.ranks; ++rank) {
    results[rank] = static_cast<unsigned char*>(all.pointers[rank]) + own_slot;
  }
  auto const to = row_major(static_cast<partial*>(results[all.rank]), m, c.columns, ld);
  auto p = problem_of_part<Policy>(a, b, to, opts);
  auto const q =
      problem_of_shards<shards_of::c>(p, {all.flags[all.rank], each, all.rank, all.ranks, (all.rank + 1) % all.ranks, 0,
                                          each, nanoseconds_of(opts.time_out), results});
  std::size_t const local = (bytes_of_rows<partial>(m, c.columns) + 1023) & ~std::size_t{1023};
  double const shard = bytes_of_part<A, C>(m, c.columns, all.ranks);
  exchange_load const load{.ranks = all.ranks, .shard = shard, .sum = shard * (all.ranks + 1)};
  bool const fits = opts.workspace.data == nullptr || opts.workspace.bytes >= local,
             sequential = is_sequential<Policy>(q, p, load, link_of(opts), opts);
  if (!sequential || (!fits && opts.path == exchange::automatic)) {
    side_stream* const side = side_stream::of_current_device();
    auto const last_rows = [&](std::int64_t first) {
      peer_rows const own = rows_of_rank(m, all.ranks, all.rank);
      auto last = p;
      last.m = own.count - first;
      last.a.data += (A::layout == order::row ? a.ld : 1) * (own.first + first);
      last.c.data += first * ld;
      return last;
    };
    return side == nullptr ? status_of_copy(cudaGetLastError())
                           : enqueue_stored_sum<Policy>(a, b, c, q, last_rows, rows, all, *side, opts, epilogue);
  }
  if (!fits) {
    return broken_rule("workspace.bytes is %zu, needs %zu for the rank's part", opts.workspace.bytes, local);
  }
  scratch const memory(opts.workspace, local, opts.stream);
  if (memory.error() != cudaSuccess) {
    return status_of_copy(memory.error());
  }
  p.c.data = static_cast<partial*>(memory.data());
  workspace rest;
  if (opts.workspace.data != nullptr) {
    rest = {static_cast<unsigned char*>(opts.workspace.data) + local, opts.workspace.bytes - local};
  }
  return enqueue_copied_sum<Policy>(a, b, c, p, rows, all, rest, opts, epilogue);
}

}  // namespace gemm::detail
