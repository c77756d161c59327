// SPDX-License-Identifier: BSL-1.0
//! @file
//! Batches whose matrices are where an array of pointers in device memory says.
//!
//!     run(pointers(row_major<float const>(nullptr, m, k), of_a, count), b, pointers(row_major<float>(nullptr, m, n),
//!     of_c, count))
#pragma once

#include <cstdint>

#include <gemm/matrix.hpp>

namespace gemm {

/// A matrix of a batch, without its memory, and the memory of each. Made by pointers().
template <class View>
struct pointer_batch : View {
  typename View::element* const* of_matrix;  ///< as many as the batch has matrices; device memory
};

/// A batch of `count` matrices like `like`, whose pointer is ignored: matrix i is at of_matrix[i]. The others of A, B
/// and C may be such batches, too, or strided ones, or A and B one matrix for all.
///
/// The host reads no pointer: the call may be captured into a graph and replayed with others. Each may have its own
/// alignment, of its element at least. Matrices of C must not overlap.
template <class T, order Order>
constexpr pointer_batch<matrix<T, Order>> pointers(matrix<T, Order> like, T* const* of_matrix, std::int64_t count) {
  like.data = nullptr;
  like.batch_count = count;
  like.batch_stride = 0;
  return {like, of_matrix};
}

namespace detail {

template <class>
inline constexpr bool has_pointers = false;
template <class View>
inline constexpr bool has_pointers<pointer_batch<View>> = true;

}  // namespace detail

}  // namespace gemm
