// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products that several GPUs compute together, each by the same call: a layer that is cut among them.
//!
//!     all_gather_product(A_shard, B, C, peers)         C = all rows of A times the rank's B; columns of B are cut
//!     product_reduce_scatter(A, B, C_shard, peers)     the rank's rows of the sum of all ranks' A B; k is cut
//!     product_all_reduce(A, B, C, peers)               all rows of that sum
//!
//! Not part of <gemm/gemm.cuh>. The ranks are GPUs that reach each other's memory; <gemm/nccl.hpp> fills `peers`.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/arithmetic.hpp>
#include <gemm/choose/arguments.hpp>
#include <gemm/choose/call.cuh>
#include <gemm/choose/type_rules.hpp>
#include <gemm/distributed/rules.hpp>
#include <gemm/distributed/side_stream.hpp>
#include <gemm/distributed/steps.cuh>
#include <gemm/element.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/launch/sharded.cuh>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/peers.hpp>
#include <gemm/policies.cuh>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>

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

namespace detail {

template <class A>
using peer_options_for = std::type_identity_t<peer_options<typename scalar_of<A>::type>>;

template <class Scalar>
options<Scalar> options_of(peer_options<Scalar> const& given) {
  return {.alpha = given.alpha, .beta = given.beta, .stream = given.stream, .workspace = given.workspace};
}

/// The rules that types must keep: of plain matrices, those of run(), and of shards.
template <class Policy, class A, class B, class C, class Epilogue>
constexpr bool check_shard_types() {
  constexpr bool matrices = is_matrix<A> && is_matrix<B> && is_matrix<C>;
  static_assert(matrices, "gemm: ranks share plain matrices, without scales, ragged rows, pointers or terms.");
  if constexpr (matrices) {
    constexpr bool by_row = C::layout == order::row;
    static_assert(by_row, "gemm: ranks share the rows of C. Use gemm::row_major.");
    constexpr bool follows = [] {
      if constexpr (policy<Policy>) {
        return follows_ranges<Policy> && !Policy::info.is_split();
      } else {
        return !std::is_same_v<Policy, fp32_emulated>;
      }
    }();
    static_assert(!by_row || follows,
                  "gemm: products of several ranks need automatic, sm80_mma, pipelined or persistent sm90_wgmma, not "
                  "split. Use one of these.");
    if constexpr (by_row && follows) {
      return check_types<Policy, A, B, C, Epilogue>();
    }
  }
  return false;
}

}  // namespace detail

/// C = epilogue(alpha * A B + beta * C), where rank r has the r-th part of A's rows, rows_of_rank(), and all ranks get
/// all rows of C, of their own B. Every rank makes the call, in the same order.
///
/// Copy engines pull the others' shards into this rank's shared memory, m x k elements at the start of `peers`, while
/// one launch multiplies, this rank's rows first: a tile waits for its shard alone. What is there stays there.
///
/// As run(): types, bits, capture, no synchronisation, a status that says what is refused; another rank that goes on
/// then waits until its time-out. Results are bitwise those of run() on all of A by the same policy. A_shard may be
/// written again when the stream has done the work.
///
/// Not on several ranks of one GPU at a time whose products fill it: no rank would find room to go on.
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
    using element = typename A::value_type;
    std::int64_t const m = c.rows, k = a.columns, ld = detail::ld_of_shards<element>(k);
    result = detail::validate_view(detail::facts_of("C", "ldc", c));
    result = result ? detail::validate_view(detail::facts_of("A", "lda", a)) : result;
    result = result ? detail::validate_one("A", a.batch_count) : result;
    result = result ? detail::validate_one("C", c.batch_count) : result;
    result = result ? detail::validate_peers(all, all_gather_bytes<element>(m, k)) : result;
    result = result ? detail::validate_shard("A", a.rows, m, all) : result;
    result = result ? detail::validate_time_out(opts.time_out) : result;
    result = result ? detail::validate_driver() : result;
    if (result && a.data == nullptr && a.rows > 0 && k > 0) {
      return detail::broken_rule("A's pointer is null, needs %lld x %lld elements", static_cast<long long>(a.rows),
                                 static_cast<long long>(k));
    }
    auto whole = row_major(static_cast<element const*>(result ? all.pointers[all.rank] : nullptr), m, k, ld);
    whole.factor = a.factor;
    auto const own = detail::options_of(opts);
    result = result ? detail::validate_call(whole, b, c, own, epilogue) : result;
    if (!result || detail::is_empty(c)) {
      return result;
    }
    detail::known_device const device(opts.stream);
    result = device.status();
    detail::side_stream* const side = result ? detail::side_stream::of_current_device() : nullptr;
    if (result && side == nullptr) {
      return detail::status_of_copy(cudaGetLastError());
    }
    auto const p = detail::problem_of_shards<detail::shards_of::a>(
        detail::problem_of_call<Policy>(whole, b, c, own, epilogue),
        {all.flags[all.rank], rows_of_shard(m, all.ranks), all.rank, all.ranks, all.rank,
         detail::nanoseconds_of(opts.time_out), nullptr});
    detail::planned_product<Policy, std::remove_const_t<decltype(p)>> product(p, opts.workspace, opts.stream);
    result = result ? product.status() : result;
    auto const place = shard_in_place<element>(all, m, k);
    bool const in_place = a.data == place.data && (a.ld == place.ld || a.rows <= 1);
    result = result && !in_place
                 ? detail::enqueue_rows<element>(place.data, place.ld, a.data, a.ld, a.rows, k, opts.stream)
                 : result;
    result = result ? detail::enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
    result = result ? detail::status_of_copy(side->follow(opts.stream)) : result;
    result = result ? detail::enqueue_pulls<element>(all, m, k, *side) : result;
    result = result ? detail::prepare_epilogue(epilogue, opts.stream) : result;
    result = result ? product.enqueue() : result;
    result = result ? detail::status_of_copy(side->lead(opts.stream)) : result;
    result = result ? detail::enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
  }
  return result;
}

namespace detail {

/// The rank's product, stored part by part where the owners of the rows add them, and the sum of this rank's rows,
/// which are those of `c` from rows.first on. The views have been checked; `c` is not empty.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue>
static status enqueue_scattered_sum(A a, B b, C c, std::int64_t m, peer_rows const& rows, peers const& all,
                                    peer_options<Scalar> const& opts, Epilogue const& epilogue) {
  using output = typename C::value_type;
  using partial = partial_result<typename A::value_type, output>;
  std::int64_t const each = rows_of_shard(m, all.ranks), n = c.columns, ld = ld_of_shards<partial>(n);
  std::size_t const slot = static_cast<std::size_t>(each * ld) * sizeof(partial);
  Scalar const alpha = with_factors(options_of(opts), a, b).alpha;
  a.factor = 1;
  b.factor = 1;
  options<Scalar> const of_parts{.alpha = alpha == Scalar(0) ? Scalar(0) : Scalar(1), .stream = opts.stream};
  void* results[most_peers] = {};
  for (int rank = 0; rank < all.ranks; ++rank) {
    results[rank] = static_cast<unsigned char*>(all.pointers[rank]) + slot * static_cast<std::size_t>(all.rank);
  }
  auto* const own = static_cast<partial*>(results[all.rank]);
  auto const p =
      problem_of_shards<shards_of::c>(problem_of_call<Policy>(a, b, row_major(own, m, n, ld), of_parts, identity{}),
                                      {all.flags[all.rank], each, all.rank, all.ranks, (all.rank + 1) % all.ranks,
                                       nanoseconds_of(opts.time_out), results});
  planned_product<Policy, std::remove_const_t<decltype(p)>> product(p, opts.workspace, opts.stream);
  status result = product.status();
  result =
      result ? enqueue_meeting(all, opts.time_out, slot * static_cast<std::size_t>(all.rank), opts.stream) : result;
  result = result ? product.enqueue() : result;
  result = result ? enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
  result = result ? prepare_epilogue(epilogue, opts.stream) : result;
  if (result && rows.count > 0) {
    A like = a;
    like.rows = c.rows;
    auto whole = problem_of_call<Policy>(like, b, c, options_of(opts), epilogue);
    whole.alpha = alpha == Scalar(0) ? alpha_of_nothing(Scalar(opts.beta)) : alpha;
    result = enqueue_sum<partial>(whole, all, each, rows, opts.stream);
  }
  return result;
}

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

}  // namespace detail

/// The rank's rows, rows_of_rank(), of epilogue(alpha * (A_0 B_0 + A_1 B_1 + ...) + beta * C), where A_r and B_r are
/// rank r's: its part of k. Every rank makes the call, in the same order; k may differ, and be 0.
///
/// Tiles are stored in their owners' memory as they are finished, those of the next rank first, rounded to C's element
/// (of int8 to int32, for a C of fp8 to float). The owner adds them in the order of the ranks, so that results are
/// bitwise the same from run to run, and applies alpha, beta and the epilogue once, with rows of C_shard.
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
    int const ranks = all.ranks > 0 ? all.ranks : 1;
    auto const bytes = reduce_scatter_bytes<typename A::value_type, typename C::value_type>(a.rows, c.columns, ranks);
    result = detail::validate_sum(a, b, c, all, bytes, opts, epilogue);
    result = result ? detail::validate_shard("C", c.rows, a.rows, all) : result;
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
    int const ranks = all.ranks > 0 ? all.ranks : 1;
    result =
        detail::validate_sum(a, b, c, all, all_reduce_bytes<input, output>(c.rows, c.columns, ranks), opts, epilogue);
    if (result && a.rows != c.rows) {
      return detail::broken_rule("A has %lld rows, needs %lld, those of C", static_cast<long long>(a.rows),
                                 static_cast<long long>(c.rows));
    }
    if (!result || detail::is_empty(c)) {
      return result;
    }
    detail::known_device const device(opts.stream);
    peer_rows const own = rows_of_rank(c.rows, ranks, all.rank);
    result = device.status();
    result = result ? detail::enqueue_scattered_sum<Policy>(a, b, c, c.rows, own, all, opts, epilogue) : result;
    std::size_t const behind = reduce_scatter_bytes<input, output>(c.rows, c.columns, ranks);
    std::int64_t const ld = detail::ld_of_shards<output>(c.columns);
    auto const sums = [&](int rank) {
      return reinterpret_cast<output*>(static_cast<unsigned char*>(all.pointers[rank]) + behind);
    };
    auto const rows_in_c = [&](peer_rows const& rows) { return c.data + rows.first * c.ld; };
    result = result ? detail::enqueue_rows<output>(sums(all.rank), ld, rows_in_c(own), c.ld, own.count, c.columns,
                                                   opts.stream)
                    : result;
    result = result ? detail::enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
    for (int i = 1; i < ranks && result; ++i) {
      int const rank = (all.rank + i) % ranks;
      peer_rows const rows = rows_of_rank(c.rows, ranks, rank);
      result = detail::enqueue_rows<output>(rows_in_c(rows), c.ld, sums(rank), ld, rows.count, c.columns, opts.stream);
    }
    result = result ? detail::enqueue_meeting(all, opts.time_out, 0, opts.stream) : result;
  }
  return result;
}

}  // namespace gemm
