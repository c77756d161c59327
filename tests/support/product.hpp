// SPDX-License-Identifier: BSL-1.0
//! @file
//! One product, computed by a policy and checked: what most properties are made of.
#pragma once

#include <cstdint>
#include <string>

#include <gemm/random.hpp>
#include <gemm/status.hpp>

#include "checker.hpp"
#include "host_matrix.hpp"
#include "subject.hpp"

namespace test {

/// What the elements of A and B are.
enum class data_kind {
  integers,      ///< from -8 to 8: sums are exact
  uniform,       ///< in [-1, 1), or all of int8
  zero_lines,    ///< uniform, but some rows of A and columns of B are 0: so are those of C, exactly
  scaled_lines,  ///< rows of A and columns of B scaled by powers of two from 2^-30 to 2^30 (Demmel's grading inputs)
  wide,          ///< exponents from -15 to 15 inside every row and column
  cancelling,    ///< each row of A holds pairs that nearly cancel
};               // with half, exponents from -5 to 5; in int8, from -7 to 0 of 127
inline constexpr int data_kinds = 6;

/// How A, B and C are batched.
enum class batch_kind {
  single,
  strided,      ///< batch_count of each
  broadcast_a,  ///< batch_count of B and C, one A
  broadcast_b,  ///< batch_count of A and C, one B with stride 0
};
inline constexpr int batch_kinds = 4;

/// A product to test; the defaults are the plainest one.
struct product {
  std::int64_t m = 0, n = 0, k = 0;
  placement a{}, b{}, c{};
  double alpha = 1, beta = 0;  ///< towards 0 to an integer where the product's are
  data_kind data = data_kind::integers;
  batch_kind batch = batch_kind::single;
  std::int64_t batch_count = 3;
  epilogue_kind epilogue = epilogue_kind::none;
  std::uint64_t seed = 1;

  std::int64_t batches_of_a() const;
  std::int64_t batches_of_b() const;
  std::int64_t batches_of_c() const;
  std::string describe() const;
};

/// The three matrices of a product on the host, filled.
template <class Types>
struct operands {
  host_matrix<typename Types::input> a, b;
  host_matrix<typename Types::output> c;

  explicit operands(product const& p)
      : a(p.m, p.k, p.batches_of_a(), p.a), b(p.k, p.n, p.batches_of_b(), p.b), c(p.m, p.n, p.batches_of_c(), p.c) {
    fill(p);
  }
  /// Fills them as the product says; C where it is read.
  void fill(product const& p);
};

/// Computes a product and checks it: the result against the reference, the operands and all memory round the matrices
/// for not being written. Empty if all is well, else what is wrong.
template <class Types>
std::string check_product(subject<Types> const& s, product const& p, cudaStream_t stream = nullptr);

/// Computes a product on given operands and returns C with the memory round it. Throws where the call fails.
template <class Types>
host_matrix<typename Types::output> compute(subject<Types> const& s, product const& p, operands<Types> const& on,
                                            cudaStream_t stream = nullptr);

}  // namespace test
