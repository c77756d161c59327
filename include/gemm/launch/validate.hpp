// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules that the arguments of a call must keep, checked before anything is launched.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gemm/options.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

/// The views against each other. `reads_operands`: whether A and B are read, if C has elements.
[[gnu::noinline]] inline status validate_views(view_facts const& a, view_facts const& b, view_facts const& c,
                                               bool reads_operands) {
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
      return broken_rule("%s has a batch of %lld, needs %lld, the batch of C, or 1", v->name, wide{v->batch_count},
                         wide{c.batch_count});
    }
  }
  bool const empty = c.rows == 0 || c.columns == 0 || c.batch_count == 0;
  if (status result = empty ? status{} : validate_written(c); !result) {
    return result;
  }
  if (!empty && c.data == nullptr) {
    return broken_rule("C is null, needs memory for %lld x %lld elements", wide{c.rows}, wide{c.columns});
  }
  if (!empty && reads_operands) {
    for (view_facts const* v : {&a, &b}) {
      if (v->data == nullptr) {
        return broken_rule("%s is null, needs %lld x %lld elements", v->name, wide{v->rows}, wide{v->columns});
      }
      if (v->data == c.data) {
        return broken_rule("C's pointer %p is also %s's, needs memory of its own: %s is read while C is written",
                           c.data, v->name, v->name);
      }
    }
  }
  return {};
}

/// The workspace against what the policy asks for. None at all is allowed: the call then allocates its own.
[[gnu::noinline]] inline status validate_workspace(workspace const& given, std::size_t needed) {
  if (given.data == nullptr && given.bytes > 0) {
    return broken_rule("the workspace is null, but has %zu bytes", given.bytes);
  }
  if (reinterpret_cast<std::uintptr_t>(given.data) % 16 != 0) {
    return broken_rule("the workspace's pointer %p is not a multiple of 16 bytes", given.data);
  }
  if (given.data != nullptr && given.bytes < needed) {
    return broken_rule("the workspace has %zu bytes, needs %zu", given.bytes, needed);
  }
  return {};
}

}  // namespace gemm::detail
