// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of floats of several kinds, the same in double, and how far a result is from that.
#pragma once

#include <cublas_v2.h>

#include "../support/cuda.hpp"

namespace bench {

/// Kinds of elements, of A and B alike.
enum class elements {
  uniform,   ///< in [-1, 1): signs cancel, and errors are small
  positive,  ///< in [0, 1): nothing cancels, and what leans to one side adds up
  wide,      ///< in [-1, 1) times 2^-20 to 2^20: few products make the sum
  normal,
  scaled_lines,   ///< uniform, rows of A and columns of B times 2^-40 to 2^40
  scaled_k_12,    ///< uniform, columns of A times 2^-12 to 2^12 and rows of B divided by that
  scaled_k_30,    ///< by 2^-30 to 2^30
  cancelling,     ///< in [0, 1), the second half of k the first with A's sign turned, but for 2^-12
  near_overflow,  ///< uniform, A up to the greatest float and B down to 2^-24
  denormal,       ///< uniform times 2^-128 and 2^10
};

/// Errors of all elements of C in units of 2^-24 |A| |B|; of an even number the lower median.
struct errors {
  double most, median;
};

/// A, m x k, row-major, and B, k x n, column-major, with C = A B in double, by cuBLAS, and |A| |B|.
class float_product {
 public:
  float_product(cublasHandle_t handle, elements kind, int m, int n, int k);

  int m() const { return m_; }
  int n() const { return n_; }
  int k() const { return k_; }
  float const* a() const { return a_.as<float>(); }
  float const* b() const { return b_.as<float>(); }
  float* c() const { return c_.as<float>(); }

  /// Fills C with NaN.
  void clear() const;

  /// How far C is from the product; the largest is NaN where some of it is.
  errors measure() const;

 private:
  int m_, n_, k_;
  device_memory a_, b_, c_, exact_, magnitude_;
};

}  // namespace bench
