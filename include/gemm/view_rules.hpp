// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules that one view must keep by itself, be it an operand of run() or a matrix that an epilogue holds.
#pragma once

#include <cstdint>

#include <gemm/matrix.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// A view without its types, so that the rules are compiled once.
struct view_facts {
  char const* name;     ///< "A"
  char const* ld_name;  ///< "lda"
  bool row_major;
  int element_bytes;
  void const* data;
  std::int64_t rows, columns, ld, step, batch_count, batch_stride;
};

template <class T, order Order>
view_facts facts_of(char const* name, char const* ld_name, matrix<T, Order> const& m) {
  return {name,   ld_name,       Order == order::row, static_cast<int>(sizeof(T)), m.data, m.rows, m.columns, m.ld,
          m.step, m.batch_count, m.batch_stride};
}

/// A broken rule: the message names the argument, its value and what it should be.
template <class... Values>
status broken_rule(char const* format, Values... values) {
  return {status_code::invalid_argument, cudaSuccess, format, values...};
}

/// Everything but whether the pointer may be null, which depends on whether it is used.
inline status validate_view(view_facts const& v) {
  using wide = long long;  // printf's type for std::int64_t
  if (v.rows < 0 || v.columns < 0) {
    return broken_rule("%s is %lld x %lld, needs sizes of 0 or more", v.name, wide{v.rows}, wide{v.columns});
  }
  if (v.step != 1) {
    return broken_rule("the elements of a %s of %s are %lld apart, need to be neighbours (use %s, or copy)",
                       v.row_major ? "row" : "column", v.name, wide{v.step}, v.row_major ? "col_major" : "row_major");
  }
  std::int64_t const length = v.row_major ? v.columns : v.rows, lines = v.row_major ? v.rows : v.columns;
  if (v.ld < (length > 1 ? length : 1)) {
    return broken_rule("%s is %lld, needs at least %lld, the %s of %s (%lld x %lld, %s-major)", v.ld_name, wide{v.ld},
                       wide{length > 1 ? length : 1}, v.row_major ? "columns" : "rows", v.name, wide{v.rows},
                       wide{v.columns}, v.row_major ? "row" : "column");
  }
  if (v.batch_count < 0) {
    return broken_rule("%s has a batch of %lld, needs 0 or more", v.name, wide{v.batch_count});
  }
  double const stride = v.batch_stride < 0 ? -static_cast<double>(v.batch_stride) : static_cast<double>(v.batch_stride);
  double const elements =
      static_cast<double>(lines) * static_cast<double>(v.ld) + static_cast<double>(v.batch_count) * stride;
  if (elements * v.element_bytes >= 0x1p62) {
    return broken_rule("%s spans %.3g bytes (%lld lines of %s = %lld), more than can be addressed", v.name,
                       elements * v.element_bytes, wide{lines}, v.ld_name, wide{v.ld});
  }
  if (reinterpret_cast<std::uintptr_t>(v.data) % static_cast<unsigned>(v.element_bytes) != 0) {
    return broken_rule("%s's pointer %p is not a multiple of its element's %d bytes", v.name, v.data, v.element_bytes);
  }
  return {};
}

/// Whether matrices of a batch that is written lie apart, as far as neighbours tell: others may meet where those that
/// are neighbours lie between each other's lines. For a view that validate_view() has passed, with elements.
inline status validate_apart(view_facts const& v) {
  using wide = long long;
  std::int64_t const length = v.row_major ? v.columns : v.rows, lines = v.row_major ? v.rows : v.columns;
  std::int64_t const stride = v.batch_stride < 0 ? -v.batch_stride : v.batch_stride;
  if (v.batch_count > 1) {
    // The next matrix begins in this one's line `line`, or in the gap behind it.
    std::int64_t const line = stride / v.ld, within = stride % v.ld;
    if ((line < lines && within < length) || (line + 1 < lines && v.ld - within < length)) {
      return broken_rule("%s has a batch of %lld with stride %lld, needs a stride that keeps the results apart", v.name,
                         wide{v.batch_count}, wide{v.batch_stride});
    }
  }
  return {};
}

}  // namespace gemm::detail
