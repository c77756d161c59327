// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules that the arguments of a call must keep, checked before anything is launched.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// A view without its types, so that the rules are compiled once.
struct view_facts {
  char name;
  bool row_major;
  int element_bytes;
  void const* data;
  std::int64_t rows, columns, ld, step, batch_count, batch_stride;
};

template <class T, order Order>
view_facts facts_of(char name, matrix<T, Order> const& m) {
  return {name,          Order == order::row, static_cast<int>(sizeof(T)), m.data, m.rows, m.columns, m.ld, m.step,
          m.batch_count, m.batch_stride};
}

/// A broken rule: the message names the argument, its value and what it should be.
template <class... Values>
status broken_rule(char const* format, Values... values) {
  return {status_code::invalid_argument, cudaSuccess, format, values...};
}

/// One view by itself.
inline status validate_view(view_facts const& v) {
  using wide = long long;  // printf's type for std::int64_t
  if (v.rows < 0 || v.columns < 0) {
    return broken_rule("%c is %lld x %lld, needs sizes of 0 or more", v.name, wide{v.rows}, wide{v.columns});
  }
  if (v.step != 1) {
    return broken_rule("the elements of a %s of %c are %lld apart, need to be neighbours (use %s, or copy)",
                       v.row_major ? "row" : "column", v.name, wide{v.step}, v.row_major ? "col_major" : "row_major");
  }
  std::int64_t const length = v.row_major ? v.columns : v.rows, lines = v.row_major ? v.rows : v.columns;
  if (v.ld < (length > 1 ? length : 1)) {
    return broken_rule("ld%c is %lld, needs at least %lld, the %s of %c (%lld x %lld, %s-major)", v.name - 'A' + 'a',
                       wide{v.ld}, wide{length > 1 ? length : 1}, v.row_major ? "columns" : "rows", v.name,
                       wide{v.rows}, wide{v.columns}, v.row_major ? "row" : "column");
  }
  if (v.batch_count < 0) {
    return broken_rule("%c has a batch of %lld, needs 0 or more", v.name, wide{v.batch_count});
  }
  double const stride = v.batch_stride < 0 ? -static_cast<double>(v.batch_stride) : static_cast<double>(v.batch_stride);
  double const elements =
      static_cast<double>(lines) * static_cast<double>(v.ld) + static_cast<double>(v.batch_count) * stride;
  if (elements * v.element_bytes >= 0x1p62) {
    return broken_rule("%c spans %.3g bytes (%lld lines of ld%c = %lld), more than can be addressed", v.name,
                       elements * v.element_bytes, wide{lines}, v.name - 'A' + 'a', wide{v.ld});
  }
  if (reinterpret_cast<std::uintptr_t>(v.data) % static_cast<unsigned>(v.element_bytes) != 0) {
    return broken_rule("%c's pointer %p is not a multiple of its element's %d bytes", v.name, v.data, v.element_bytes);
  }
  return {};
}

/// The views against each other. `reads_operands` is false where alpha is 0.
inline status validate_views(view_facts const& a, view_facts const& b, view_facts const& c, bool reads_operands) {
  using wide = long long;
  for (view_facts const* v : {&a, &b, &c}) {
    if (status result = validate_view(*v); !result) {
      return result;
    }
  }
  if (a.rows != c.rows) {
    return broken_rule("A has %lld rows, needs m = %lld, the rows of C", wide{a.rows}, wide{c.rows});
  }
  if (b.rows != a.columns) {
    return broken_rule("B has %lld rows, needs k = %lld, the columns of A", wide{b.rows}, wide{a.columns});
  }
  if (b.columns != c.columns) {
    return broken_rule("B has %lld columns, needs n = %lld, the columns of C", wide{b.columns}, wide{c.columns});
  }
  for (view_facts const* v : {&a, &b}) {
    if (v->batch_count != c.batch_count && v->batch_count != 1) {
      return broken_rule("%c has a batch of %lld, needs %lld, the batch of C, or 1", v->name, wide{v->batch_count},
                         wide{c.batch_count});
    }
  }
  bool const empty = c.rows == 0 || c.columns == 0 || c.batch_count == 0;
  if (!empty && c.batch_count > 1 && c.batch_stride == 0) {
    return broken_rule("C has a batch of %lld with stride 0, needs a stride that keeps the results apart",
                       wide{c.batch_count});
  }
  if (!empty && c.data == nullptr) {
    return broken_rule("C is null, needs memory for %lld x %lld elements", wide{c.rows}, wide{c.columns});
  }
  if (!empty && reads_operands && a.columns > 0) {
    for (view_facts const* v : {&a, &b}) {
      if (v->data == nullptr) {
        return broken_rule("%c is null, needs %lld x %lld elements", v->name, wide{v->rows}, wide{v->columns});
      }
    }
  }
  return {};
}

/// The workspace against what the policy asks for. None at all is allowed: the call then allocates its own.
inline status validate_workspace(workspace const& given, std::size_t needed) {
  if (given.data == nullptr && given.bytes > 0) {
    return broken_rule("the workspace is null, but has %zu bytes", given.bytes);
  }
  if (given.data != nullptr && given.bytes < needed) {
    return broken_rule("the workspace has %zu bytes, needs %zu", given.bytes, needed);
  }
  return {};
}

}  // namespace gemm::detail
