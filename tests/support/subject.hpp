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

#include "types.hpp"

namespace test {

/// A gemm::matrix whose order is a value.
template <class T>
struct any_matrix {
  T* data = nullptr;
  std::int64_t rows = 0, columns = 0, ld = 1;
  gemm::order layout = gemm::order::row;
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

/// One call of gemm::run on matrices of Types.
template <class Types>
struct call {
  any_matrix<typename Types::input const> a, b;
  any_matrix<typename Types::output> c;
  typename Types::accum alpha = 1, beta = 0;
  cudaStream_t stream = nullptr;
  epilogue_kind epilogue = epilogue_kind::none;
  // Of the chain bias | store | relu | weigh.
  typename Types::input const* bias = nullptr;
  any_matrix<typename Types::output> second{};
};

/// What the properties know of a policy and a product's element types.
template <class Types>
struct subject {
  std::string name;
  int block_m, block_n, block_k;
  int threads;            ///< of a block
  int stages;             ///< 1 where the policy has none
  bool has_chain = true;  ///< whether it is compiled with epilogue_kind::chain
  bool splits_floats;     ///< and adds products of their parts, with the error that fp16x3 says
  gemm::status (*run)(call<Types> const&);
};

/// The list of policies for these types (tests/policies/policy_list.cu).
template <class Types>
std::vector<subject<Types>> const& subjects();

/// The chain is compiled for these orders alone, to bound the number of kernels. C is column-major, so that the
/// epilogue's coordinates are swapped; the kernels see nt. The second output is not of C's order.
inline constexpr gemm::order chain_a = gemm::order::column, chain_b = gemm::order::row, chain_c = gemm::order::column,
                             chain_second = gemm::order::row;

}  // namespace test
