// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of the compiled library whose sizes lie in device memory: views as those of gemm/ragged.hpp.
#pragma once

#include <gemm/gemm.h>
#include <gemm/compiled/views.hpp>

#include <cstdint>
#include <cstdio>
#include <type_traits>

namespace gemm {
#if defined(GEMM_DETAIL_HEADERS)
namespace compiled {
#else
inline namespace compiled {
#endif
namespace detail {

/// A view of which products have some rows or columns. Index: that of the numbers in device memory.
template <class View, class Index>
View with_ranges(View view, ranges::kind_type kind, Index const* ends, std::int64_t count) {
  static_assert(std::is_base_of<operand, View>::value, "gemm: ragged views are made of row_major() and its like.");
  static_assert(std::is_same<Index, std::int32_t>::value || std::is_same<Index, std::int64_t>::value,
                "gemm: ends and counts are std::int32_t or std::int64_t in device memory.");
  view.ranges.kind = kind;
  view.ranges.bytes = sizeof(Index);
  view.ranges.ends = ends;
  view.ranges.count = count;
  return view;
}

/// The gemm_group_kind of views; negative where they do not belong together.
inline std::int32_t group_kind(ranges const& a, ranges const& b, ranges const& c) {
  struct {
    ranges::kind_type a, b, c;
    gemm_group_kind kind;
  } const all[] = {{ranges::none, ranges::none, ranges::none, GEMM_NO_GROUPS},
                   {ranges::rows, ranges::none, ranges::rows, GEMM_RAGGED_ROWS},
                   {ranges::masked_rows, ranges::none, ranges::masked_rows, GEMM_MASKED_ROWS},
                   {ranges::none, ranges::columns, ranges::columns, GEMM_RAGGED_COLUMNS},
                   {ranges::columns, ranges::rows, ranges::none, GEMM_RAGGED_K}};
  for (auto const& row : all) {
    if (row.a == a.kind && row.b == b.kind && row.c == c.kind) {
      return static_cast<std::int32_t>(row.kind);
    }
  }
  return -1;
}

/// Sets the groups of a call. False, with a message in the status: its views do not belong together.
inline bool set_groups(gemm_call& call, ranges const& a, ranges const& b, ranges const& c, gemm_status& result) {
  call.group_kind = group_kind(a, b, c);
  ranges const &one = a.kind != ranges::none ? a : b, &other = c.kind != ranges::none ? c : b;
  char const* wrong = nullptr;
  if (call.group_kind < 0) {
    wrong =
        "two of A, B and C are ragged, or masked, together: A and C by rows, B and C by columns, or for a ragged k A "
        "by "
        "columns and B by rows";
  } else if (one.ends != other.ends || one.count != other.count || one.bytes != other.bytes) {
    wrong = "two views have groups of their own, need the same ends or counts";
  }
  if (wrong != nullptr) {
    result.code = GEMM_INVALID_ARGUMENT;
    std::snprintf(result.message, sizeof(result.message), "%s", wrong);
    return false;
  }
  call.group_bytes = one.bytes;
  call.group_count = one.count;
  call.group_ends = one.ends;
  return true;
}

}  // namespace detail

/// A and C of products with rows of their own, or B of those with a k of their own: see ragged_rows() in
/// gemm/ragged.hpp.
///
/// @param all  the rows of all products; no batch
/// @param ends  `groups` numbers of std::int32_t or std::int64_t in device memory
/// @param groups  how many products there are
template <class View, class Index>
View ragged_rows(View const& all, Index const* ends, std::int64_t groups) {
  return detail::with_ranges(all, detail::ranges::rows, ends, groups);
}

/// B and C of products with columns of their own, or A of those with a k of their own; otherwise as ragged_rows().
template <class View, class Index>
View ragged_columns(View const& all, Index const* ends, std::int64_t groups) {
  return detail::with_ranges(all, detail::ranges::columns, ends, groups);
}

/// A and C of a batch, of whose matrices only the first rows are multiplied: counts[g] of matrix g.
template <class View, class Index>
View masked(View const& batch, Index const* counts) {
  return detail::with_ranges(batch, detail::ranges::masked_rows, counts, batch.descriptor.batch_count);
}

}  // namespace compiled
}  // namespace gemm
