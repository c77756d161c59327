// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules of a call whose numbers of rows, columns or k lie in device memory, and what it costs: as a batch of
//! products of the mean number.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <gemm/block/sharded_problem.cuh>
#include <gemm/choose/arguments.hpp>
#include <gemm/choose/plan.hpp>
#include <gemm/choose/plan_load.hpp>
#include <gemm/choose/plan_memo.hpp>
#include <gemm/choose/plan_rules.hpp>
#include <gemm/epilogue/accum_factors.hpp>
#include <gemm/extremes.hpp>
#include <gemm/kernel/zero_rest.cuh>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_kernel.cuh>
#include <gemm/launch/ragged.cuh>
#include <gemm/plain_view.hpp>
#include <gemm/ragged.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

template <class A>
requires has_ranges<A>
struct scalar_of<A> : scalar_of<plain_view_of<A>> {
};

/// The rules of two views that share their ranges.
template <class First, class Second>
status validate_ranges(char const* names, First const& first, Second const& second) {
  using wide = long long;
  if (second.groups < 0 || second.groups > 0x7fffffff) {
    return broken_rule("there are %lld groups, need 0 to 2^31 - 1", wide{second.groups});
  }
  if (second.groups > 0 && second.ranges.data == nullptr) {
    return broken_rule("the %s of %lld groups are null", second.ranges.counted ? "counts" : "ends",
                       wide{second.groups});
  }
  if (!(first.ranges == second.ranges) || first.groups != second.groups) {
    return broken_rule("%s have groups of their own, %lld and %lld, need the same ends or counts", names,
                       wide{first.groups}, wide{second.groups});
  }
  if (0 > second.ranges.expected) {  // not `expected < 0`: reference.hpp has such a template
    return broken_rule("expected is %lld, needs the rows of a product, or 0 where they are not known",
                       wide{second.ranges.expected});
  }
  std::int64_t const batches[] = {view_of(plain_view(first)).batch_count, view_of(plain_view(second)).batch_count};
  if (!second.ranges.counted && (batches[0] != 1 || batches[1] != 1)) {
    return broken_rule("ragged %s have batches of %lld and %lld, need one matrix each", names, wide{batches[0]},
                       wide{batches[1]});
  }
  return {};
}

/// The rules of an operand that has a matrix for each group, or one for all, and of the tiles of a ragged C.
template <class View, class C>
status validate_products(char const* name, View const& of_groups, C const& c) {
  using wide = long long;
  std::int64_t const batch = view_of(of_groups).batch_count;
  if (batch != c.groups && batch != 1) {
    return broken_rule("%s has a batch of %lld, needs 1 or the %lld groups of C", name, wide{batch}, wide{c.groups});
  }
  std::int64_t const along = is_ragged<C> ? c.rows : c.columns, others = is_ragged<C> ? c.columns : c.rows;
  double const lines = static_cast<double>(along) / 16 * (c.ranges.counted ? static_cast<double>(c.groups) : 1);
  if ((lines + static_cast<double>(c.groups)) * (static_cast<double>(others) / 16 + 1) >= 0x1p32) {
    return broken_rule("C has %lld rows and %lld columns in %lld groups, more than 2^32 tiles of 16 x 16", wide{c.rows},
                       wide{c.columns}, wide{c.groups});
  }
  return {};
}

/// The rules of groups, whichever sides they have.
template <class A, class B, class C>
status validate_groups(A const& a, B const& b, C const& c) {
  if constexpr (has_ragged_rows<A, B, C>) {
    status const result = validate_ranges("A and C", a, c);
    return result ? validate_products("B", b, c) : result;
  } else if constexpr (has_ragged_columns<A, B, C>) {
    status const result = validate_ranges("B and C", b, c);
    return result ? validate_products("A", a, c) : result;
  } else if constexpr (has_ragged_k<A, B, C>) {
    status const result = validate_ranges("A and B", a, b);
    return result && c.batch_count != a.groups
               ? broken_rule("C has a batch of %lld, needs one of the %lld groups of A and B",
                             static_cast<long long>(c.batch_count), static_cast<long long>(a.groups))
               : result;
  }
  return {};
}

/// Zeroes the rest of C, where the options ask for it.
template <class Problem>
status enqueue_rest(Problem const&, bool, cudaStream_t) {
  return {};
}
template <class Problem, bool OfColumns>
static status enqueue_rest(ragged_problem<Problem, OfColumns> const& p, bool zero_rest, cudaStream_t stream) {
  using word = copied_word<sizeof(typename Problem::output)>;
  constexpr std::int64_t most_rows = 4096, most_matrices = 65535;
  if (!zero_rest) {
    return {};
  }
  std::int64_t const columns = is_gated<Problem> ? p.n / 2 : p.n;
  rest_of_c<word> const rest{reinterpret_cast<word*>(p.c.data), p.m, columns, p.c.ld, p.c.batch_stride, p.ranges,
                             static_cast<int>(p.batch_count)};
  dim3 const grid(static_cast<unsigned>(lesser(p.m, most_rows)),
                  static_cast<unsigned>(p.ranges.counted ? lesser(p.batch_count, most_matrices) : 1));
  launch_kind const kind{.dependent = current_code().dependent_launch};
  return status_of_launch("the rest of C",
                          launch(&zero_rest_kernel<word, OfColumns>, grid, zero_rest_threads, 0, stream, rest, kind));
}

/// Products that the call makes, as epilogues and scales count them.
template <class C>
std::int64_t products_of(C const& c) {
  if constexpr (has_ranges<C>) {
    return c.groups;
  } else {
    return c.batch_count;
  }
}

/// What a plan depends on besides: the rows that are expected.
template <class Problem, bool OfColumns>
std::int64_t expected_lines(ragged_problem<Problem, OfColumns> const& p) {
  return p.ranges.expected;
}

/// A product of as many rows, or columns, as the others on average, or as expected.
template <class Problem, bool OfColumns>
struct mean_product : Problem {};
template <class Problem, bool OfColumns>
mean_product<Problem, OfColumns> mean_product_of(ragged_problem<Problem, OfColumns> const& p) {
  mean_product<Problem, OfColumns> mean{p};
  std::int64_t& lines = OfColumns ? mean.n : mean.m;
  std::int64_t const expected = p.ranges.expected;
  lines = !p.ranges.counted ? greater(tiles(lines, p.batch_count), std::int64_t{1})
          : expected > 0    ? lesser(lines, expected)
                            : lines;
  return mean;
}

/// Of shards the host knows the rows: a batch of as many products.
template <class Problem, shards_of Of>
sharded<Problem, Of> mean_product_of(ragged_problem<sharded<Problem, Of>, false> const& p) {
  sharded<Problem, Of> mean = p;
  mean.m = p.rows;
  return mean;
}

/// Tiles of a product, of whose last one there is half on average.
template <class Problem, bool OfColumns>
double tiles_of(compiled_kernel const& kernel, mean_product<Problem, OfColumns> const& p) {
  double const of_m = static_cast<double>(p.m) / (kernel.block_m * kernel.cluster_m),
               of_n = static_cast<double>(p.n) / (kernel.block_n * kernel.cluster_n), ragged = OfColumns ? of_n : of_m;
  return greater(ragged + 0.5, 1.0) * std::ceil(OfColumns ? of_m : of_n) * kernel.cluster_blocks() *
         static_cast<double>(p.batch_count);
}
template <class Problem, bool OfColumns>
double tiles_of(compiled_kernel const& kernel, ragged_problem<Problem, OfColumns> const& p) {
  return tiles_of(kernel, mean_product_of(p));
}
/// The part of the cache lines that the L2 misses. Blocks of many waves drift apart, more so where products have unlike
/// rows. Then the operands of a product are read again, if the L2 cannot hold them (docs/tuning-notes.md, For ragged
/// rows).
template <class Mean>
double missed_lines(Mean const& p, double waves, device_info const& device) {
  constexpr double together = 125, apart = 500, most = 0.7;
  double const lines = static_cast<double>(p.m) + static_cast<double>(p.n),
               bytes = lines * static_cast<double>(p.k) * element_bits<typename Mean::element_a> / 8,
               drift = (waves - together) / (apart - together), overflow = 2 * bytes / device.l2_bytes - 1.5;
  return most * greater(0.0, lesser(1.0, drift)) * greater(0.0, lesser(1.0, overflow));
}
template <class Problem, bool OfColumns>
[[gnu::cold]] plan_load load_of(compiled_kernel const& kernel, ragged_problem<Problem, OfColumns> const& p,
                                split_plan const& split, repack_plan const& packing, device_info const& device) {
  auto const mean = mean_product_of(p);
  plan_load load = load_of(kernel, mean, split, packing, device);
  load.missed = missed_lines(mean, load.waves, device);
  return load;
}

/// A product of as much k as the others.
template <class Problem>
Problem mean_product_of(ragged_k_problem<Problem> const& p) {
  Problem mean = p;
  mean.k = tiles(p.k, p.batch_count);
  return mean;
}
template <class Problem>
[[gnu::cold]] plan_load load_of(compiled_kernel const& kernel, ragged_k_problem<Problem> const& p,
                                split_plan const& split, repack_plan const& packing, device_info const& device) {
  return load_of(kernel, mean_product_of(p), split, packing, device);
}
template <class Problem>
bool adds_too_long(compiled_kernel const& kernel, ragged_k_problem<Problem> const& p, split_plan const& split) {
  return adds_too_long(kernel, mean_product_of(p), split);
}

template <class Problem, bool OfColumns>
[[gnu::cold]] bool eligible(compiled_kernel const& kernel, ragged_problem<Problem, OfColumns> const& p,
                            repack_plan const& packing) {
  return !(kernel.uses_tma() && begins_at_any_element(p)) &&
         eligible<ragged_problem<Problem, OfColumns>>(kernel, p, packing);
}
template <class Problem, bool OfColumns>
status check_plan(call_plan const& plan, ragged_problem<Problem, OfColumns> const& p) {
  if (plan.kernel->uses_tma() && begins_at_any_element(p)) {
    std::string_view const name = plan.kernel->name;
    return broken_rule(
        "%s lie along memory, where groups begin at any element, and %.*s loads by TMA: use automatic, sm80_mma or "
        "pipelined",
        OfColumns != p.swapped_ab ? "the columns of B" : "the rows of A", static_cast<int>(name.size()), name.data());
  }
  return check_plan<ragged_problem<Problem, OfColumns>>(plan, p);
}

/// No tuned plan of a batch is that of ragged rows.
template <class Problem, bool OfColumns>
tuned_problem key_of(ragged_problem<Problem, OfColumns> const& p) {
  tuned_problem key = key_of(static_cast<Problem const&>(p));
  key.storage = "ragged";
  return key;
}
template <class Problem>
tuned_problem key_of(ragged_k_problem<Problem> const& p) {
  tuned_problem key = key_of(static_cast<Problem const&>(p));
  key.storage = "ragged k";
  return key;
}

}  // namespace gemm::detail
