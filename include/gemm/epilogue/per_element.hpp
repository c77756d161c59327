// SPDX-License-Identifier: BSL-1.0
//! @file
//! Epilogues with a matrix of C's shape: residual and second output.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/epilogue/compose.hpp>
#include <gemm/epilogue/elementwise.hpp>
#include <gemm/matrix.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm {

namespace detail {

/// The address of an element; a batch of one serves every product.
template <class T, order Order>
__host__ __device__ T* element_at(matrix<T, Order> const& m, std::int64_t row, std::int64_t column,
                                  std::int64_t batch) {
  std::int64_t const first = m.batch_count == 1 ? 0 : batch * m.batch_stride;
  return m.data + first + (Order == order::row ? row * m.ld + column : column * m.ld + row);
}

/// The rules of a matrix of C's shape.
inline status validate_companion(view_facts const& v, std::int64_t rows, std::int64_t columns) {
  using wide = long long;
  if (status result = validate_view(v); !result) {
    return result;
  }
  if (v.rows != rows || v.columns != columns) {
    return broken_rule("%s is %lld x %lld, needs the shape of C, %lld x %lld", v.name, wide{v.rows}, wide{v.columns},
                       wide{rows}, wide{columns});
  }
  if (v.data == nullptr) {
    return broken_rule("%s is null, needs %lld x %lld elements", v.name, wide{rows}, wide{columns});
  }
  return {};
}

template <class T, order Order>
struct residual_of {
  using own_epilogue = void;
  matrix<T, Order> from;
  widened<std::remove_const_t<T>> factor;

  template <class V>
  __host__ __device__ auto operator()(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    using type = combined<V, std::remove_const_t<T>>;
    return multiply_add(static_cast<type>(factor), static_cast<type>(widen(*element_at(from, row, column, batch))),
                        static_cast<type>(value));
  }

  status check(std::int64_t rows, std::int64_t columns, std::int64_t batch_count) const {
    status result = validate_companion(facts_of("the residual", "the residual's ld", from), rows, columns);
    if (result && from.batch_count != batch_count && from.batch_count != 1) {
      return broken_rule("the residual has a batch of %lld, needs %lld, the batch of C, or 1",
                         static_cast<long long>(from.batch_count), static_cast<long long>(batch_count));
    }
    return result;
  }
};

template <class T, order Order>
struct stored_to {
  using own_epilogue = void;
  matrix<T, Order> to;

  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    *element_at(to, row, column, batch) = convert<T>(value);
    return value;
  }

  status check(std::int64_t rows, std::int64_t columns, std::int64_t batch_count) const {
    view_facts const facts = facts_of("the second output", "the second output's ld", to);
    status result = validate_companion(facts, rows, columns);
    if (result && to.batch_count != batch_count) {
      return broken_rule("the second output has a batch of %lld, needs %lld, the batch of C",
                         static_cast<long long>(to.batch_count), static_cast<long long>(batch_count));
    }
    return result ? validate_written(facts) : result;
  }
};

}  // namespace detail

/// Adds factor * r(row, column). The matrix has C's shape, any order and element type, and a batch of 1 or C's; its
/// view's factor counts as well. It may be C itself, the same memory with the same layout: each element is read before
/// it is written, by one thread. A call refuses other shapes, a null pointer and other batches.
template <class T, order Order>
detail::residual_of<T, Order> residual(matrix<T, Order> const& r,
                                       std::type_identity_t<detail::widened<std::remove_const_t<T>>> factor = 1) {
  return {r, detail::multiply(r.factor, factor)};
}

/// Stores the value at this point to a second output of C's shape and batch, rounded as C's elements are, and passes it
/// on: `bias(b) | store(before) | gelu{}` keeps what a backward pass needs. The memory must not overlap A, B or C. A
/// call refuses other shapes, a null pointer and other batches.
template <class T, order Order>
auto store(matrix<T, Order> const& second) {
  static_assert(!std::is_const_v<T>,
                "gemm: the second output is written, its elements must not be const. Make its view of a T*.");
  if constexpr (!std::is_const_v<T>) {
    return detail::stored_to<T, Order>{second};
  } else {
    return identity{};  // so that this is the one error
  }
}

}  // namespace gemm
