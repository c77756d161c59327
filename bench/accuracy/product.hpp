// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of several kinds of elements, the same in double, and the error of a result.
#pragma once

#include <cublas_v2.h>

#include <cstdint>

#include "../support/cuda.hpp"

namespace bench {

/// Kinds of elements, of A and B alike. Exponents are those of float; types of a smaller range have smaller ones.
enum class elements {
  uniform,   ///< in [-1, 1): signs cancel, and errors are small
  positive,  ///< in [0, 1): nothing cancels, and what leans to one side adds up
  wide,      ///< in [-1, 1) times 2^-20 to 2^20: few products make the sum
  normal,
  scaled_lines,   ///< uniform, rows of A and columns of B times 2^-40 to 2^40
  scaled_k,       ///< uniform, columns of A times 2^-12 to 2^12 and rows of B divided by that
  scaled_k_far,   ///< by 2^-30 to 2^30
  cancelling,     ///< in [0, 1), the second half of k the first with A's sign turned, but for 2^-12
  near_overflow,  ///< uniform, A up to the greatest number and B down to 2^-24
  denormal,       ///< uniform times 2^-128 and 2^10
};
inline constexpr char const* element_kinds[] = {"uniform",       "positive", "wide",         "normal",
                                                "scaled_lines",  "scaled_k", "scaled_k_far", "cancelling",
                                                "near_overflow", "denormal"};

/// Errors of all elements of C in units of 2^-24 |A| |B|; of an even number the lower median.
struct errors {
  double most, median;
  double of_bound;  ///< the largest ratio to gemm::error_bound
};

/// A, m x k, row-major, and B, k x n, column-major, of T, with C = A B in double, by cuBLAS, and |A| |B|. T: float,
/// __half, __nv_bfloat16 or __nv_fp8_e4m3.
template <class T>
class exact_product {
 public:
  exact_product(cublasHandle_t handle, elements kind, int m, int n, int k);

  int m() const { return m_; }
  int n() const { return n_; }
  int k() const { return k_; }
  T const* a() const { return a_.template as<T>(); }
  T const* b() const { return b_.template as<T>(); }
  template <class Out = float>
  Out* c() const {
    static_assert(sizeof(Out) <= sizeof(float));
    return c_.template as<Out>();
  }

  /// Fills C with NaN.
  void clear() const;

  /// The errors of C, of float, or for e4m3 also of __nv_bfloat16; the largest is NaN where C has a NaN.
  /// @param promotion  that of gemm::error_bound
  template <class Out = float>
  errors measure(std::int64_t promotion = 0) const;

 private:
  int m_, n_, k_;
  device_memory a_, b_, c_, exact_, magnitude_;
};

using float_product = exact_product<float>;

}  // namespace bench
