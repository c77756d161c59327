// SPDX-License-Identifier: BSL-1.0
//! @file
//! all_gather_product(): copies of shards beside the product that waits for them.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block/sharded_problem.cuh>
#include <gemm/choose/call.cuh>
#include <gemm/distributed/arguments.hpp>
#include <gemm/distributed/options.hpp>
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

}  // namespace detail

/// C = epilogue(alpha * A B + beta * C), where rank r has the r-th part of A's rows, rows_of_rank(), and all ranks get
/// all rows of C, of their own B. Every rank makes the call, in the same order.
///
/// Copy engines pull the others' shards into this rank's shared memory, m x k elements at the start of `peers`, while
/// one launch multiplies, this rank's rows first: a tile waits for its shard alone.
///
/// As run(): types, bits, capture, no synchronisation, a status that says what is refused; another rank that goes on
/// then waits until its time-out. Results are bitwise those of run() on all of A by the same policy. A_shard may be
/// written again when the stream has done the work.
///
/// Not on several ranks of one GPU at a time whose products fill it: none could go on.
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
    if (!result || detail::is_empty(c)) {
      return result;
    }
    detail::known_device const device(opts.stream);
    result = device.status();
    detail::side_stream* const side = result ? detail::side_stream::of_current_device() : nullptr;
    if (result && side == nullptr) {
      return detail::status_of_copy(cudaGetLastError());
    }
    auto const whole = detail::gathered(a, all, m);
    auto const p = detail::problem_of_shards<detail::shards_of::a>(
        detail::problem_of_call<Policy>(whole, b, c, detail::options_of(opts), epilogue),
        {all.flags[all.rank], rows_of_shard(m, all.ranks), all.rank, all.ranks, all.rank,
         detail::nanoseconds_of(opts.time_out), nullptr});
    detail::planned_product<Policy, std::remove_const_t<decltype(p)>> product(p, opts.workspace, opts.stream);
    result = result ? product.status() : result;
    result = result ? product.prepare() : result;
    result = result ? detail::prepare_epilogue(epilogue, opts.stream) : result;
    result = result ? detail::enqueue_own_shard(a, all, m, opts.stream) : result;
    result = result ? detail::enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
    result = result ? detail::status_of_copy(side->follow(opts.stream)) : result;
    result = result ? detail::enqueue_pulls<typename A::value_type>(all, m, a.columns, *side) : result;
    result = result ? product.multiply() : result;
    result = result ? detail::status_of_copy(side->lead(opts.stream)) : result;
    result = result ? detail::enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
  }
  return result;
}

}  // namespace gemm
