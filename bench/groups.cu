// SPDX-License-Identifier: BSL-1.0
//! @file
//! The calls that groups.py times, for a shared library, of bfloat16: ragged rows and the gradients of their weights,
//! and the dense products of as many rows.

#include <cuda_bf16.h>

#include <cstdint>

#include <gemm/gemm.cuh>

#include "groups_result.hpp"

namespace {

using bench::at;
using bench::named;
using bench::result_of;
using bf16 = __nv_bfloat16;

/// The views of a call: A rows x k, each B k x n with k along memory, C rows x n.
struct views {
  gemm::matrix<bf16 const, gemm::order::row> a;
  gemm::matrix<bf16 const, gemm::order::column> b;
  gemm::matrix<bf16, gemm::order::row> c;
};

views views_of(void const* a, void const* b, void* c, std::int64_t rows, std::int64_t n, std::int64_t k) {
  return {gemm::row_major(static_cast<bf16 const*>(a), rows, k), gemm::col_major(static_cast<bf16 const*>(b), k, n),
          gemm::row_major(static_cast<bf16*>(c), rows, n)};
}

/// The views of a gradient: X^T k x rows, dY rows x n, dW k x n.
struct gradient_views {
  gemm::matrix<bf16 const, gemm::order::column> x;
  gemm::matrix<bf16 const, gemm::order::row> dy;
  gemm::matrix<bf16, gemm::order::row> dw;
};

gradient_views gradient_of(void const* x, void const* dy, void* dw, std::int64_t rows, std::int64_t n, std::int64_t k) {
  return {gemm::col_major(static_cast<bf16 const*>(x), k, rows), gemm::row_major(static_cast<bf16 const*>(dy), rows, n),
          gemm::row_major(static_cast<bf16*>(dw), k, n)};
}

std::int32_t const no_ends[1] = {};

}  // namespace

extern "C" int groups_ragged(void const* a, void const* b, void* c, std::int32_t const* ends, std::int64_t groups,
                             std::int64_t rows, std::int64_t n, std::int64_t k, void* stream, char* message) {
  views const v = views_of(a, b, c, rows, n, k);
  gemm::options<float> const opts{.stream = static_cast<cudaStream_t>(stream)};
  return result_of(gemm::run(gemm::ragged_rows(v.a, ends, groups), gemm::batched(v.b, groups),
                             gemm::ragged_rows(v.c, ends, groups), opts),
                   message);
}

extern "C" int groups_dense(void const* a, void const* b, void* c, std::int64_t rows, std::int64_t n, std::int64_t k,
                            void* stream, char* message) {
  views const v = views_of(a, b, c, rows, n, k);
  return result_of(gemm::run(v.a, v.b, v.c, gemm::options<float>{.stream = static_cast<cudaStream_t>(stream)}),
                   message);
}

/// The policy that the first call takes.
extern "C" char const* groups_policy(std::int64_t groups, std::int64_t rows, std::int64_t n, std::int64_t k) {
  views const v = views_of(at(1), at(2), at(3), rows, n, k);
  return named(gemm::chosen(gemm::ragged_rows(v.a, no_ends, groups), gemm::batched(v.b, groups),
                            gemm::ragged_rows(v.c, no_ends, groups)));
}

extern "C" int gradient_ragged(void const* x, void const* dy, void* dw, std::int32_t const* ends, std::int64_t groups,
                               std::int64_t rows, std::int64_t n, std::int64_t k, void* stream, char* message) {
  gradient_views const v = gradient_of(x, dy, dw, rows, n, k);
  gemm::options<float> const opts{.stream = static_cast<cudaStream_t>(stream)};
  return result_of(gemm::run(gemm::ragged_columns(v.x, ends, groups), gemm::ragged_rows(v.dy, ends, groups),
                             gemm::batched(v.dw, groups), opts),
                   message);
}

extern "C" int gradient_dense(void const* x, void const* dy, void* dw, std::int64_t rows, std::int64_t n,
                              std::int64_t k, void* stream, char* message) {
  gradient_views const v = gradient_of(x, dy, dw, rows, n, k);
  return result_of(gemm::run(v.x, v.dy, v.dw, gemm::options<float>{.stream = static_cast<cudaStream_t>(stream)}),
                   message);
}

extern "C" char const* gradient_policy(std::int64_t groups, std::int64_t rows, std::int64_t n, std::int64_t k) {
  gradient_views const v = gradient_of(at(1), at(2), at(3), rows, n, k);
  return named(gemm::chosen(gemm::ragged_columns(v.x, no_ends, groups), gemm::ragged_rows(v.dy, no_ends, groups),
                            gemm::batched(v.dw, groups)));
}

/// The same with k along memory: X^T k x rows and dY^T n x rows, both by rows.
extern "C" int gradient_along(void const* x, void const* dy, void* dw, std::int32_t const* ends, std::int64_t groups,
                              std::int64_t rows, std::int64_t n, std::int64_t k, void* stream, char* message) {
  gemm::options<float> const opts{.stream = static_cast<cudaStream_t>(stream)};
  return result_of(gemm::run(gemm::ragged_columns(gemm::row_major(static_cast<bf16 const*>(x), k, rows), ends, groups),
                             gemm::ragged_rows(gemm::col_major(static_cast<bf16 const*>(dy), rows, n), ends, groups),
                             gemm::batched(gemm::row_major(static_cast<bf16*>(dw), k, n), groups), opts),
                   message);
}

/// Writes the views of groups of `counts` rows: those of A, of B and of C, one array after the other. Returns the bytes
/// of an array.
extern "C" std::int64_t views_of_groups(void* to, void const* a, void const* b, void* c, std::int64_t const* counts,
                                        std::int64_t groups, std::int64_t n, std::int64_t k) {
  auto* const of_a = static_cast<gemm::matrix<bf16 const, gemm::order::row>*>(to);
  auto* const of_b = reinterpret_cast<gemm::matrix<bf16 const, gemm::order::column>*>(of_a + groups);
  auto* const of_c = reinterpret_cast<gemm::matrix<bf16, gemm::order::row>*>(of_b + groups);
  for (std::int64_t group = 0, row = 0; to != nullptr && group < groups; row += counts[group++]) {
    of_a[group] = gemm::row_major(static_cast<bf16 const*>(a) + row * k, counts[group], k);
    of_b[group] = gemm::col_major(static_cast<bf16 const*>(b) + group * n * k, k, n);
    of_c[group] = gemm::row_major(static_cast<bf16*>(c) + row * n, counts[group], n);
  }
  return groups * static_cast<std::int64_t>(sizeof(*of_a));
}

/// The policy that groups_views takes.
extern "C" char const* views_policy(std::int64_t groups, std::int64_t rows, std::int64_t n, std::int64_t k) {
  views const v = views_of(nullptr, nullptr, nullptr, rows / groups, n, k);
  return named(
      gemm::chosen(gemm::grouped(v.a, static_cast<gemm::matrix<bf16 const, gemm::order::row> const*>(at(1)), groups),
                   gemm::grouped(v.b, static_cast<gemm::matrix<bf16 const, gemm::order::column> const*>(at(2)), groups),
                   gemm::grouped(v.c, static_cast<gemm::matrix<bf16, gemm::order::row> const*>(at(3)), groups)));
}

/// `views`: as above, in device memory.
extern "C" int groups_views(void const* views, std::int64_t groups, std::int64_t rows, std::int64_t n, std::int64_t k,
                            void* stream, char* message) {
  auto* const of_a = static_cast<gemm::matrix<bf16 const, gemm::order::row> const*>(views);
  auto* const of_b = reinterpret_cast<gemm::matrix<bf16 const, gemm::order::column> const*>(of_a + groups);
  auto* const of_c = reinterpret_cast<gemm::matrix<bf16, gemm::order::row> const*>(of_b + groups);
  gemm::options<float> const opts{.stream = static_cast<cudaStream_t>(stream)};
  return result_of(gemm::run(gemm::grouped(gemm::row_major<bf16 const>(nullptr, rows / groups, k), of_a, groups),
                             gemm::grouped(gemm::col_major<bf16 const>(nullptr, k, n), of_b, groups),
                             gemm::grouped(gemm::row_major<bf16>(nullptr, rows / groups, n), of_c, groups), opts),
                   message);
}
