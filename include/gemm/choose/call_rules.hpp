// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules that the values of a call must keep, whatever its views have in device memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gemm/emulation/prepacked_call.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/epilogue/gated.hpp>
#include <gemm/grouped.hpp>
#include <gemm/indexed.hpp>
#include <gemm/launch/make_problem.hpp>
#include <gemm/launch/validate.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/plain_view.hpp>
#include <gemm/pointers.hpp>
#include <gemm/ragged.hpp>
#include <gemm/scales.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

/// Products that the call makes, as epilogues and scales count them.
template <class C>
std::int64_t products_of(C const& c) {
  if constexpr (has_ranges<C>) {
    return c.groups;
  } else {
    return c.batch_count;
  }
}

template <class C>
bool is_empty(C const& c) {
  return c.rows == 0 || c.columns == 0 || c.batch_count == 0 || products_of(c) == 0;
}

/// The facts of a view, and of one whose matrices device memory says those of the array.
template <class View>
view_facts facts_of_given(char const* name, char const* ld_name, View const& given) {
  view_facts facts = facts_of(name, ld_name, view_of(plain_view(given)));
  if constexpr (has_pointers<View> || is_grouped<View>) {
    double const length = static_cast<double>(facts.row_major ? facts.rows : facts.columns);
    if constexpr (has_pointers<View>) {
      facts.data = given.of_matrix;
    } else {
      facts.data = given.of_product;
    }
    facts.batch_stride = length * static_cast<double>(facts.ld) < 0x1p62 && length > 0 && facts.ld > 0
                             ? (facts.row_major ? facts.rows : facts.columns) * facts.ld
                             : std::int64_t{1} << 62;
  }
  return facts;
}

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

/// The rules of groups, whichever sides they have, and of arrays of views, short of those that a batch keeps.
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
  } else if constexpr (is_grouped<C>) {
    using wide = long long;
    if (c.batch_count < 0 || c.batch_count > 0x7fffffff) {
      return broken_rule("there are %lld products, need 0 to 2^31 - 1", wide{c.batch_count});
    }
    if (a.batch_count != c.batch_count || b.batch_count != c.batch_count) {
      return broken_rule("A has %lld views, B %lld and C %lld, need one for each product", wide{a.batch_count},
                         wide{b.batch_count}, wide{c.batch_count});
    }
    if (c.rows < 1 || c.columns < 1 || a.columns < 1) {
      return broken_rule("typical products are %lld x %lld with a k of %lld, need 1 or more", wide{c.rows},
                         wide{c.columns}, wide{a.columns});
    }
  }
  return {};
}

/// The rules of a view with an index.
template <class View>
status validate_index(char const* name, View const& given) {
  if constexpr (is_indexed<View>) {
    using wide = long long;
    auto const& m = view_of(plain_view(given));
    if (m.batch_count != 1) {
      return broken_rule("%s is a batch of %lld, needs one matrix: its rows have an index", name, wide{m.batch_count});
    }
    if (m.rows > 0 && given.index == nullptr) {
      return broken_rule("the index of %s's rows is null, needs %lld numbers", name, wide{m.rows});
    }
    if (reinterpret_cast<std::uintptr_t>(given.index) % alignof(std::int32_t) != 0) {
      return broken_rule("the index of %s's rows has the pointer %p, no multiple of 4 bytes", name,
                         static_cast<void const*>(given.index));
    }
  }
  return {};
}

/// The rules of indices and gates. B's columns become those of C, if they are twice as many.
template <class A, class C, class Scalar, class Epilogue>
status validate_indexed(A const& a, view_facts& of_b, C const& c, options<Scalar> const& opts, Epilogue const&) {
  using wide = long long;
  status result = validate_index("A", a);
  result = result ? validate_index("C", c) : result;
  if (result && is_indexed<C> && opts.zero_rest) {
    return broken_rule("%s is set, but C is scattered: which rows are the rest is not known", "zero_rest");
  }
  if constexpr (has_gate<Epilogue>) {
    result = result ? validate_view(of_b) : result;
    if (result && opts.beta != Scalar(0)) {
      return broken_rule("beta is %g, needs 0: gated makes one column of C of two of the product",
                         static_cast<double>(opts.beta));
    }
    if (result && c.columns >= 0 && of_b.columns != 2 * c.columns) {
      return broken_rule("B has %lld columns, needs %lld: gated makes one column of C (n = %lld) of two",
                         wide{of_b.columns}, 2 * wide{c.columns}, wide{c.columns});
    }
    of_b.columns = c.columns;
  }
  return result;
}

/// The rules of an epilogue: before a gate C has twice the columns.
template <class Epilogue>
status check_call_epilogue(Epilogue const& epilogue, std::int64_t rows, std::int64_t columns, std::int64_t products) {
  if constexpr (has_gate<Epilogue>) {
    auto const parts = split_at_gate(epilogue);
    status result = check_epilogue(parts.before, rows, 2 * columns, products);
    result = result ? check_epilogue(parts.activation, rows, columns, products) : result;
    return result ? check_epilogue(parts.after, rows, columns, products) : result;
  } else {
    return check_epilogue(epilogue, rows, columns, products);
  }
}

/// The rules of an operand's scales, if it has some.
template <class M>
status validate_scales(char const* name, M const& m) {
  if constexpr (is_scaled<M>) {
    return m.scales.check(name, m.view.rows, m.view.columns, m.view.batch_count);
  } else {
    return {};
  }
}

/// The rules that values must keep, checked before anything else is done with them.
template <class A, class B, class C, class Scalar, class Epilogue>
status validate_call(A const& given_a, B const& given_b, C const& c, options<Scalar> const& given,
                     Epilogue const& epilogue) {
  auto const& a = view_of(plain_view(given_a));
  auto const& b = view_of(plain_view(given_b));
  bool const reads = reads_operands(with_factors(given, a, b).alpha, a.columns);
  view_facts of_a = facts_of_given("A", "lda", given_a), of_b = facts_of_given("B", "ldb", given_b);
  status result = validate_groups(given_a, given_b, c);
  result = result ? validate_indexed(given_a, of_b, c, given, epilogue) : result;
  if (given.zero_rest && !has_ranges<C>) {
    return broken_rule("%s is set, needs a ragged or masked view of C", "zero_rest");
  }
  if (has_ranges<C> && result) {
    view_facts& of_products = is_ragged<C> ? of_b : of_a;
    result = validate_view(of_products);
    of_products.batch_count = c.batch_count;  // one matrix has the rows of all products
  }
  result = result ? validate_views(of_a, of_b, facts_of_given("C", "ldc", c), reads) : result;
  result = result ? validate_workspace(given.workspace, 0) : result;
  if (result && !is_empty(c)) {
    result = check_call_epilogue(epilogue, c.rows, c.columns, products_of(c));
    result = result && a.columns > 0 ? check_factors<Scalar>(given.alpha, a, b) : result;
    result = result && reads ? validate_prepacked("A", given_a) : result;
    result = result && reads ? validate_prepacked("B", given_b) : result;
    result = result && reads ? validate_scales("A", plain_view(given_a)) : result;
    result = result && reads ? validate_scales("B", plain_view(given_b)) : result;
  }
  return result;
}

}  // namespace gemm::detail
