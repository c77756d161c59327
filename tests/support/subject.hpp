// SPDX-License-Identifier: BSL-1.0
//! @file
//! A policy and one call of gemm::run without their types: the properties are compiled once, not once for each policy.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

#include <gemm/matrix.hpp>
#include <gemm/status.hpp>

namespace test {

/// A gemm::matrix whose order is a value.
template <class T>
struct any_matrix {
  T* data;
  std::int64_t rows, columns, ld;
  gemm::order layout;
  std::int64_t batch_count = 1, batch_stride = 0;

  template <gemm::order Order>
  gemm::matrix<T, Order> as() const {
    return {.data = data,
            .rows = rows,
            .columns = columns,
            .ld = ld,
            .batch_count = batch_count,
            .batch_stride = batch_stride};
  }
};

/// The epilogues that the properties use.
enum class epilogue_kind { none, chain };

/// The user's functor of the chain: depends on the place, and differently on row and column.
struct weigh {
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t row, std::int64_t column) const {
    return value * V(row % 3 + 1) - V(column % 5);
  }
};

template <class T>
struct call {
  any_matrix<T const> a, b;
  any_matrix<T> c;
  T alpha = 1, beta = 0;
  cudaStream_t stream = nullptr;
  epilogue_kind epilogue = epilogue_kind::none;
  T const* bias = nullptr;  ///< of the chain bias | relu | weigh
};

/// What the properties know of a policy and an element type.
template <class T>
struct subject {
  std::string name;
  int block_m, block_n, block_k;
  int threads;  ///< of a block
  int stages;   ///< 1 where the policy has none
  gemm::status (*run)(call<T> const&);
};

/// The list of policies (tests/policies/policy_list.cu).
template <class T>
std::vector<subject<T>> const& subjects();

/// The chain is compiled for these orders alone, to bound the number of kernels. C is column-major, so that the
/// epilogue's coordinates are swapped; the kernels see nt.
inline constexpr gemm::order chain_a = gemm::order::column, chain_b = gemm::order::row, chain_c = gemm::order::column;

}  // namespace test
