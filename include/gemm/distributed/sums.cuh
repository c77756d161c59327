// SPDX-License-Identifier: BSL-1.0
//! @file
//! product_reduce_scatter() and product_all_reduce(): products stored where their rows are added.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include <gemm/choose/call.cuh>
#include <gemm/distributed/arguments.hpp>
#include <gemm/distributed/options.hpp>
#include <gemm/distributed/paths.cuh>
#include <gemm/distributed/rules.hpp>
#include <gemm/distributed/scattered_sum.cuh>
#include <gemm/distributed/steps.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/peers.hpp>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm {

namespace detail {

/// The rules of such a sum, of m rows, whose C has this rank's or all of them.
template <class A, class B, class C, class Scalar, class Epilogue>
status validate_sum(A a, B const& b, C const& c, peers const& all, std::size_t needed, peer_options<Scalar> const& opts,
                    Epilogue const& epilogue) {
  status result = validate_view(facts_of("A", "lda", a));
  result = result ? validate_one("A", a.batch_count) : result;
  result = result ? validate_one("C", c.batch_count) : result;
  result = result ? validate_peers(all, needed) : result;
  result = result ? validate_time_out(opts.time_out) : result;
  a.rows = c.rows;
  return result ? validate_call(a, b, c, options_of(opts), epilogue) : result;
}

/// Those of product_reduce_scatter() and of product_all_reduce().
template <class A, class B, class C, class Scalar, class Epilogue>
status validate_scatter(A const& a, B const& b, C const& c, peers const& all, peer_options<Scalar> const& opts,
                        Epilogue const& epilogue) {
  int const ranks = all.ranks > 0 ? all.ranks : 1;
  auto const bytes = reduce_scatter_bytes<typename A::value_type, typename C::value_type>(a.rows, c.columns, ranks);
  status const result = validate_sum(a, b, c, all, bytes, opts, epilogue);
  return result ? validate_shard("C", c.rows, a.rows, all) : result;
}
template <class A, class B, class C, class Scalar, class Epilogue>
status validate_all_reduce(A const& a, B const& b, C const& c, peers const& all, peer_options<Scalar> const& opts,
                           Epilogue const& epilogue) {
  int const ranks = all.ranks > 0 ? all.ranks : 1;
  auto const bytes = all_reduce_bytes<typename A::value_type, typename C::value_type>(c.rows, c.columns, ranks);
  status const result = validate_sum(a, b, c, all, bytes, opts, epilogue);
  return result && a.rows != c.rows ? broken_rule("A has %lld rows, needs %lld, those of C",
                                                  static_cast<long long>(a.rows), static_cast<long long>(c.rows))
                                    : result;
}

}  // namespace detail

/// The rank's rows, rows_of_rank(), of epilogue(alpha * (A_0 B_0 + A_1 B_1 + ...) + beta * C), where A_r and B_r are
/// rank r's: its part of k. Every rank makes the call, in the same order; k may differ, and be 0.
///
/// Tiles are stored in their owners' memory as they are finished, those of the next rank first, rounded to C's element
/// (of int8 to int32, for a C of fp8 to float), or copied there after the product where that is cheaper. The owner adds
/// them in the order of the ranks, so that results are bitwise the same from run to run, and applies alpha, beta and
/// the epilogue once, with rows of C_shard.
///
/// What all_gather_product() says of streams, statuses and ranks holds here.
///
/// @param a  m x k, the rank's own, of any order
/// @param b  k x n, the rank's own
/// @param c  rows_of_rank(m, ranks, rank).count x n, row-major
/// @param all  the ranks, with reduce_scatter_bytes() of memory
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] static status product_reduce_scatter(A a, B b, C c, peers const& all,
                                                   detail::peer_options_for<A> const& opts = {},
                                                   Epilogue epilogue = {}) {
  status result;
  if constexpr (detail::check_shard_types<Policy, A, B, C, Epilogue>()) {
    result = detail::validate_scatter(a, b, c, all, opts, epilogue);
    result = result ? detail::validate_path(opts.path) : result;
    if (result && a.rows > 0 && c.columns > 0) {
      detail::known_device const device(opts.stream);
      result = device.status();
      result =
          result ? detail::enqueue_scattered_sum<Policy>(a, b, c, a.rows, {0, c.rows}, all, opts, epilogue) : result;
    }
  }
  return result;
}

/// All rows of the sum, in all ranks: product_reduce_scatter(), whose epilogue is given rows of C, and then copies of
/// the others' rows.
///
/// @param c  m x n, row-major, the rank's own
/// @param all  the ranks, with all_reduce_bytes() of memory
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] static status product_all_reduce(A a, B b, C c, peers const& all,
                                               detail::peer_options_for<A> const& opts = {}, Epilogue epilogue = {}) {
  status result;
  if constexpr (detail::check_shard_types<Policy, A, B, C, Epilogue>()) {
    using input = typename A::value_type;
    using output = typename C::value_type;
    result = detail::validate_all_reduce(a, b, c, all, opts, epilogue);
    result = result ? detail::validate_path(opts.path) : result;
    if (!result || detail::is_empty(c)) {
      return result;
    }
    detail::known_device const device(opts.stream);
    peer_rows const own = rows_of_rank(c.rows, all.ranks, all.rank);
    result = device.status();
    result = result ? detail::enqueue_scattered_sum<Policy>(a, b, c, c.rows, own, all, opts, epilogue) : result;
    std::size_t const behind = reduce_scatter_bytes<input, output>(c.rows, c.columns, all.ranks);
    std::int64_t const ld = detail::ld_of_shards<output>(c.columns);
    auto const reduced = [&](int rank) {
      return reinterpret_cast<output*>(static_cast<unsigned char*>(all.pointers[rank]) + behind);
    };
    auto const rows_in_c = [&](peer_rows const& rows) { return c.data + rows.first * c.ld; };
    result = result ? detail::enqueue_rows<output>(reduced(all.rank), ld, rows_in_c(own), c.ld, own.count, c.columns,
                                                   opts.stream)
                    : result;
    result = result ? detail::enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
    for (int i = 1; i < all.ranks && result; ++i) {
      int const rank = (all.rank + i) % all.ranks;
      peer_rows const rows = rows_of_rank(c.rows, all.ranks, rank);
      result =
          detail::enqueue_rows<output>(rows_in_c(rows), c.ld, reduced(rank), ld, rows.count, c.columns, opts.stream);
    }
    result = result ? detail::enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
  }
  return result;
}

}  // namespace gemm
