// SPDX-License-Identifier: BSL-1.0
//! @file
//! The rules that one view must keep by itself, be it an operand of run() or a matrix that an epilogue holds.
#pragma once

#include <cstdint>
#include <type_traits>

#include <gemm/element_memory.hpp>
#include <gemm/matrix.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// A view without its types, so that the rules are compiled once.
struct view_facts {
  char const* name;     ///< "A"
  char const* ld_name;  ///< "lda"
  bool row_major;
  int element_bits;
  void const* data;
  std::int64_t rows, columns, ld, step, batch_count, batch_stride;
  bool scaled = false;  ///< has a factor other than 1
};

template <class T, order Order>
view_facts facts_of(char const* name, char const* ld_name, matrix<T, Order> const& m) {
  return {name,   ld_name,       Order == order::row, element_bits<std::remove_cv_t<T>>,
          m.data, m.rows,        m.columns,           m.ld,
          m.step, m.batch_count, m.batch_stride,      m.factor != 1};
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
  if (double const bytes = elements * v.element_bits / 8; bytes >= 0x1p62) {
    return broken_rule("%s spans %.3g bytes (%lld lines of %s = %lld), more than can be addressed", v.name, bytes,
                       wide{lines}, v.ld_name, wide{v.ld});
  }
  int const element_bytes = v.element_bits < 8 ? 1 : v.element_bits / 8;
  if (reinterpret_cast<std::uintptr_t>(v.data) % static_cast<unsigned>(element_bytes) != 0) {
    return broken_rule("%s's pointer %p is not a multiple of its element's %d bytes", v.name, v.data, element_bytes);
  }
  int const in_byte = 8 / v.element_bits;
  if (in_byte > 1 && ((lines > 1 && v.ld % in_byte != 0) || (v.batch_count > 1 && v.batch_stride % in_byte != 0))) {
    return broken_rule("%s is %lld and the batch stride of %s %lld, need multiples of %d: lines begin with a byte",
                       v.ld_name, wide{v.ld}, v.name, wide{v.batch_stride}, in_byte);
  }
  return {};
}

/// Whether x * step, for an x of 0 to `most`, is `least` to `greatest` modulo `modulus`, both below it. As many steps
/// as Euclid's algorithm has. `most` times `step` must fit into an int64.
inline bool has_multiple(std::int64_t step, std::int64_t modulus, std::int64_t least, std::int64_t greatest,
                         std::int64_t most) {
  step %= modulus;
  while (least > 0) {
    if (step * most < least) {
      return false;
    }
    std::int64_t const x = (least - 1) / step + 1;
    if (x * step <= greatest) {
      return x <= most;
    }
    // No multiple lies between them. One lies behind y times the modulus if that is, modulo step, within step -
    // greatest and step - least.
    most = (step * most - least) / modulus;
    std::int64_t const from = step - greatest % step, to = step - least % step, rest = modulus % step;
    modulus = step, step = rest, least = from, greatest = to;
  }
  return true;
}

/// The rules of a view that is written: no factor, and no element in two matrices of the batch, which may interleave.
/// For a view that validate_view() has passed, with elements.
inline status validate_written(view_facts const& v) {
  using wide = long long;
  if (v.scaled) {
    return broken_rule("%s has a factor, needs none to be written: scale by alpha, beta or the epilogue", v.name);
  }
  std::int64_t const length = v.row_major ? v.columns : v.rows, lines = v.row_major ? v.rows : v.columns,
                     stride = v.batch_stride < 0 ? -v.batch_stride : v.batch_stride,
                     last = (lines - 1) * v.ld + length - 1;  // element of a matrix
  if (v.batch_count < 2 || stride > last) {
    return {};
  }
  // Two meet, d apart, where d * stride is no more than `last` and less than `length` above or below a multiple of ld.
  std::int64_t const others = stride == 0 || last / stride >= v.batch_count ? v.batch_count - 1 : last / stride,
                     least = (v.ld - (stride + length - 1) % v.ld) % v.ld, greatest = least + 2 * (length - 1);
  if (greatest >= v.ld || has_multiple(stride, v.ld, least, greatest, others - 1)) {
    return broken_rule("%s has a batch of %lld with stride %lld, needs a stride that keeps the results apart", v.name,
                       wide{v.batch_count}, wide{v.batch_stride});
  }
  return {};
}

}  // namespace gemm::detail
