// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of matrices that nobody reads or writes: their sizes, strides and alignment count.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include <gemm/gemm.cuh>

#include "elements.hpp"

namespace tools {

/// Calls action(storage) with gemm::nn, nt, tn or tt, by its name.
template <class Action>
decltype(auto) with_storage(std::string_view name, Action action) {
  return name == "nn"   ? action(gemm::nn{})
         : name == "nt" ? action(gemm::nt{})
         : name == "tn" ? action(gemm::tn{})
                        : action(gemm::tt{});
}

/// A matrix at an address, aligned as that is.
template <gemm::order Order, class T>
auto unread_matrix(std::uintptr_t address, std::int64_t rows, std::int64_t columns, std::int64_t batch) {
  auto* const data = reinterpret_cast<T*>(address);
  if constexpr (Order == gemm::order::row) {
    return gemm::batched(gemm::row_major(data, rows, columns), batch);
  } else {
    return gemm::batched(gemm::col_major(data, rows, columns), batch);
  }
}

/// A, B and a row-major C of an element and a storage, as run() takes them.
template <class Element, class Storage>
struct unread_product {
  using input = typename Element::input;
  static constexpr gemm::order order_a = Storage::a == gemm::major::k ? gemm::order::row : gemm::order::column,
                               order_b = Storage::b == gemm::major::mn ? gemm::order::row : gemm::order::column;

  std::int64_t m, n, k, batch = 1;

  auto a() const { return operand<order_a>(1 << 12, m, k); }
  auto b() const { return operand<order_b>(2 << 12, k, n); }
  auto c() const { return unread_matrix<gemm::order::row, typename Element::output>(3 << 12, m, n, batch); }

 private:
  template <gemm::order Order>
  auto operand(std::uintptr_t address, std::int64_t rows, std::int64_t columns) const {
    if constexpr (std::is_same_v<input, gemm::tf32>) {
      return gemm::as_tf32(unread_matrix<Order, float const>(address, rows, columns, batch));
    } else {
      return unread_matrix<Order, input const>(address, rows, columns, batch);
    }
  }
};

}  // namespace tools
