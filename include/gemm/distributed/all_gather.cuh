// SPDX-License-Identifier: BSL-1.0
//! @file
//! all_gather_product(): copies of shards beside the product that waits for them, or before it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

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
#include <gemm/launch/device.hpp>
#include <gemm/launch/sharded.cuh>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/peers.hpp>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>

namespace gemm {

namespace detail {

/// All rows of A in this rank's memory, once they are there.
template <class A>
auto gathered(A const& a, peers const& all, std::int64_t m) {
  using element = typename A::value_type;
  auto whole =
      row_major(static_cast<element const*>(all.pointers[all.rank]), m, a.columns, ld_of_shards<element>(a.columns));
  whole.factor = a.factor;
  return whole;
}

/// The rules of a product of gathered rows.
template <class A, class B, class C, class Scalar, class Epilogue>
status validate_gather(A const& a, B const& b, C const& c, peers const& all, peer_options<Scalar> const& opts,
                       Epilogue const& epilogue) {
  std::int64_t const m = c.rows, k = a.columns;
  status result = validate_view(facts_of("C", "ldc", c));
  result = result ? validate_view(facts_of("A", "lda", a)) : result;
  result = result ? validate_one("A", a.batch_count) : result;
  result = result ? validate_one("C", c.batch_count) : result;
  result = result ? validate_peers(all, all_gather_bytes<typename A::value_type>(m, k)) : result;
  result = result ? validate_shard("A", a.rows, m, all) : result;
  result = result ? validate_time_out(opts.time_out) : result;
  if (result && a.data == nullptr && a.rows > 0 && k > 0) {
    return broken_rule("A's pointer is null, needs %lld x %lld elements", static_cast<long long>(a.rows),
                       static_cast<long long>(k));
  }
  return result ? validate_call(gathered(a, all, m), b, c, options_of(opts), epilogue) : result;
}

/// Copies the rank's rows of A to where they are gathered, unless they are there.
template <class A>
status enqueue_own_shard(A const& a, peers const& all, std::int64_t m, cudaStream_t stream) {
  using element = typename A::value_type;
  auto const shard = shard_in_place<element>(all, m, a.columns);
  bool const in_place = a.data == shard.data && (a.ld == shard.ld || a.rows <= 1);
  return in_place ? status{} : enqueue_rows<element>(shard.data, shard.ld, a.data, a.ld, a.rows, a.columns, stream);
}

/// The rank's part in the exchange, and its product: beside the copies, which a stream of their own makes, or after
/// them.
template <class Policy, class A, class Problem, class Scalar, class Epilogue>
static status enqueue_gather(A const& a, Problem const& p, peers const& all, side_stream* side,
                             peer_options<Scalar> const& opts, Epilogue const& epilogue) {
  using element = typename A::value_type;
  planned_product<Policy, Problem> product(p, opts.workspace, opts.stream);
  status result = product.status();
  result = result ? product.prepare() : result;
  result = result ? prepare_epilogue(epilogue, opts.stream) : result;
  result = result ? enqueue_own_shard(a, all, p.m, opts.stream) : result;
  result = result ? enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
  if constexpr (is_sharded<Problem>) {
    result = result ? status_of_copy(side->follow(opts.stream)) : result;
    result =
        result ? enqueue_pulls<element>(all, p.m, a.columns, std::int64_t{1} << p.piece, true, side->stream()) : result;
    result = result ? product.multiply() : result;
    result = result ? status_of_copy(side->lead(opts.stream)) : result;
  } else {
    result = result ? enqueue_pulls<element>(all, p.m, a.columns, p.m, false, opts.stream) : result;
    result = result ? product.multiply() : result;
  }
  return result ? enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
}

/// That of a rank that has no columns of B: others need its rows of A.
template <class A, class Scalar>
static status enqueue_gather_for_others(A const& a, peers const& all, std::int64_t m,
                                        peer_options<Scalar> const& opts) {
  status result = enqueue_own_shard(a, all, m, opts.stream);
  result = result ? enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
  return result ? enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
}

}  // namespace detail

/// C = epilogue(alpha * A B + beta * C), where rank r has the r-th part of A's rows, rows_of_rank(), and all ranks get
/// all rows of C, of their own B. Every rank makes the call, in the same order.
///
/// Copy engines pull the others' shards into this rank's shared memory, m x k elements at the start of `peers`, while
/// one launch multiplies, this rank's rows first: a tile waits for its piece of a shard alone. Where the price says
/// that it is cheaper, the product follows the copies.
///
/// As run(): types, bits, capture, no synchronisation, a status that says what is refused; another rank that goes on
/// then waits until its time-out. Results are bitwise those of run() on all of A by the same policy. A_shard may be
/// written again when the stream has done the work.
///
/// Not on several ranks of one GPU at a time whose products fill it: none could go on. Nor before all their kernels are
/// loaded: the first launch of one may wait for the kernels that run.
///
/// @param a  rows_of_rank(m, ranks, rank).count x k, row-major; not copied where it is shard_in_place()
/// @param b  k x n, the rank's own
/// @param c  m x n, row-major, the rank's own
/// @param all  the ranks, with all_gather_bytes() of memory
/// @param opts  see peer_options
/// @param epilogue  applied to each element of C
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] static status all_gather_product(A a, B b, C c, peers const& all,
                                               detail::peer_options_for<A> const& opts = {}, Epilogue epilogue = {}) {
  status result;
  if constexpr (detail::check_shard_types<Policy, A, B, C, Epilogue>()) {
    static_assert(A::layout == order::row, "gemm: ranks gather the rows of A. Use gemm::row_major.");
    std::int64_t const m = c.rows;
    result = detail::validate_gather(a, b, c, all, opts, epilogue);
    result = result ? detail::validate_driver() : result;
    result = result ? detail::validate_path(opts.path) : result;
    if (!result || m == 0) {
      return result;
    }
    detail::known_device const device(opts.stream);
    result = device.status();
    if (!result || c.columns == 0) {
      return result ? detail::enqueue_gather_for_others(a, all, m, opts) : result;
    }
    detail::side_stream* const side = detail::side_stream::of_current_device();
    if (side == nullptr) {
      return detail::status_of_copy(cudaGetLastError());
    }
    using element = typename A::value_type;
    tables::link_rates const& link = detail::link_of(opts);
    std::int64_t const rows = rows_of_shard(m, all.ranks);
    double const row_bytes = static_cast<double>(detail::bytes_of_rows<element>(1, a.columns));
    detail::shard_pieces const pieces = detail::pieces_of_shard(rows, row_bytes, link);
    auto const p =
        detail::problem_of_call<Policy>(detail::gathered(a, all, m), b, c, detail::options_of(opts), epilogue);
    auto const q = detail::problem_of_shards<detail::shards_of::a>(
        p, {all.flags[all.rank], rows, all.rank, all.ranks, all.rank, pieces.shift, rows,
            detail::nanoseconds_of(opts.time_out), nullptr});
    detail::exchange_load const load{
        .ranks = all.ranks, .shard = static_cast<double>(rows) * row_bytes, .pieces = pieces.count};
    bool const sequential = detail::is_sequential<Policy>(q, p, load, link, opts);
    result = sequential ? detail::enqueue_gather<Policy>(a, p, all, side, opts, epilogue)
                        : detail::enqueue_gather<Policy>(a, q, all, side, opts, epilogue);
  }
  return result;
}

}  // namespace gemm
