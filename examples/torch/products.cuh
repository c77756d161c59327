// SPDX-License-Identifier: BSL-1.0
//! @file
//! The calls of gemm::run(). Each is compiled by a source of its own, which setup.py and CMakeLists.txt write.
#pragma once

#include <type_traits>

#include <gemm/gemm.cuh>

#include "products.hpp"

namespace gemm_torch {

template <class T, gemm::order Order>
gemm::matrix<T, Order> view(operand const& m) {
  return {.data = static_cast<T*>(m.data),
          .rows = m.rows,
          .columns = m.columns,
          .ld = m.ld,
          .batch_count = m.batch_count,
          .batch_stride = m.batch_stride};
}

template <class T, gemm::order A, gemm::order B, class Epilogue>
gemm::status run(call const& arguments, Epilogue epilogue) {
  using scalar = std::conditional_t<std::is_same_v<T, double>, double, float>;
  auto const a = view<T const, A>(arguments.a);
  auto const b = view<T const, B>(arguments.b);
  auto const c = view<T, gemm::order::row>(arguments.c);
  gemm::options<scalar> options{.alpha = static_cast<scalar>(arguments.alpha),
                                .beta = static_cast<scalar>(arguments.beta),
                                .stream = arguments.stream,
                                .constant_b = arguments.constant_b};
  if (std::size_t const bytes = gemm::workspace_size(a, b, c, options, epilogue); bytes > 0) {
    options.workspace = {arguments.allocate(bytes), bytes};
  }
  return gemm::run(a, b, c, options, epilogue);
}

template <class T, gemm::order A, gemm::order B>
gemm::status product(call const& arguments) {
  return run<T, A, B>(arguments, gemm::identity{});
}

/// gemm::bias, or nothing where there is none, so that both are one kernel.
template <class Bias>
struct optional {
  Bias bias;

  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t row, std::int64_t column) const {
    return bias.data == nullptr ? value : bias(value, row, column);
  }
};

template <class T, class Activation>
gemm::status linear(call const& arguments) {
  optional const bias{gemm::bias(static_cast<T const*>(arguments.bias))};
  return run<T, gemm::order::row, gemm::order::column>(arguments, bias | Activation{});
}

}  // namespace gemm_torch
