// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products that differ in all their sizes, each of matrices that an array of views in device memory has.
//!
//!     run(grouped(row_major<float const>(nullptr, m, k), views_a, count), grouped(..., views_b, count),
//!         grouped(row_major<float>(nullptr, m, n), views_c, count))
#pragma once

#include <cstdint>

#include <gemm/matrix.hpp>

namespace gemm {

/// A view of matrices that differ. Made by grouped().
template <class View>
struct grouped_matrices : View {
  View const* of_product;  ///< one for each product; device memory
};

/// The A, B or C of `count` products whose sizes differ. All three of a call are grouped, and product g is
/// C[g] = epilogue(alpha A[g] B[g] + beta C[g]), with the views of these numbers.
///
/// The views lie in device memory: a kernel or a copy writes them, run() reads none. So a call may be captured into a
/// graph and replayed with others. A view counts with its pointer, rows, columns, ld and factor: the other members are
/// not read. Any size, 0 included, ld and alignment of elements are computed. m and n are those of C[g], k that of
/// A[g]. A and B must have as many rows and columns as that says, and an ld must be as long as its rows: nothing checks
/// it. Matrices of C must not overlap. In all there are fewer than 2^32 tiles of 16 x 16 elements.
///
/// On sm_90a aligned products may be computed by other instructions than misaligned ones, whose bits then differ.
///
/// An epilogue is given the product as its batch; what it reads must be as long as the largest product.
///
/// @param typical  sizes and ld that are typical, 1 or more, by which `automatic` chooses; its pointer is ignored
/// @param of_product  the views of all products
/// @param count  how many products there are
template <class T, order Order>
constexpr grouped_matrices<matrix<T, Order>> grouped(matrix<T, Order> typical, matrix<T, Order> const* of_product,
                                                     std::int64_t count) {
  typical.data = nullptr;
  typical.batch_count = count;
  typical.batch_stride = 0;
  return {typical, of_product};
}

namespace detail {

template <class>
inline constexpr bool is_grouped = false;
template <class View>
inline constexpr bool is_grouped<grouped_matrices<View>> = true;

}  // namespace detail

}  // namespace gemm
