// SPDX-License-Identifier: BSL-1.0
//! @file
//! The calls of e4m3 that groups.py times: ragged rows with a scale for each row and column, or for blocks of 1 x 128
//! of A and 128 x 128 of B; masked batches with those of blocks; and the dense products of as many rows. C is of
//! bfloat16.

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <cstdint>

#include <gemm/gemm.cuh>

#include "groups_result.hpp"

namespace {

using bench::at;
using bench::named;
using bench::result_of;
using bf16 = __nv_bfloat16;
using e4m3 = __nv_fp8_e4m3;

std::int32_t const no_ends[1] = {};

/// What a call multiplies: A rows x k, B k x n of each group with k along memory, and their scales. A masked batch has
/// so many rows in each group.
struct operands {
  void const *a, *b;
  void* c;
  void const *of_a, *of_b;
  std::int64_t groups, rows, n, k;

  auto view_a() const { return gemm::row_major(static_cast<e4m3 const*>(a), rows, k); }
  auto view_b() const { return gemm::col_major(static_cast<e4m3 const*>(b), k, n); }
  auto view_c() const { return gemm::row_major(static_cast<bf16*>(c), rows, n); }
  float const* scales_a() const { return static_cast<float const*>(of_a); }
  float const* scales_b() const { return static_cast<float const*>(of_b); }
  std::int64_t depth() const { return (k + 127) / 128; }
  auto blocks_of_a() const { return gemm::row_major(scales_a(), rows, depth()); }
  auto blocks_of_b() const { return gemm::col_major(scales_b(), depth(), (n + 127) / 128); }
};

/// call(A, B, C) with ragged views and a scale for each line.
template <class Call>
auto with_lines(operands const& of, std::int32_t const* ends, Call const& call) {
  return call(gemm::ragged_rows(gemm::scaled(of.view_a(), gemm::per_row(of.scales_a(), of.rows)), ends, of.groups),
              gemm::scaled(gemm::batched(of.view_b(), of.groups), gemm::per_column(of.scales_b(), of.n, of.n)),
              gemm::ragged_rows(of.view_c(), ends, of.groups));
}

auto blocks_of_groups(operands const& of) {
  return gemm::scaled(gemm::batched(of.view_b(), of.groups),
                      gemm::per_block<128, 128>(gemm::batched(of.blocks_of_b(), of.groups)));
}

/// The same with scales of blocks.
template <class Call>
auto with_blocks(operands const& of, std::int32_t const* ends, Call const& call) {
  return call(gemm::ragged_rows(gemm::scaled(of.view_a(), gemm::per_block<1, 128>(of.blocks_of_a())), ends, of.groups),
              blocks_of_groups(of), gemm::ragged_rows(of.view_c(), ends, of.groups));
}

/// The same with masked views.
template <class Call>
auto with_masks(operands const& of, std::int32_t const* counts, std::int64_t expected, Call const& call) {
  gemm::masked_options const known{.expected = expected};
  return call(gemm::masked(gemm::scaled(gemm::batched(of.view_a(), of.groups),
                                        gemm::per_block<1, 128>(gemm::batched(of.blocks_of_a(), of.groups))),
                           counts, known),
              blocks_of_groups(of), gemm::masked(gemm::batched(of.view_c(), of.groups), counts, known));
}

/// Runs with the views that it is given.
auto running(void* stream) {
  return [=](auto const& a, auto const& b, auto const& c) {
    return gemm::run(a, b, c, gemm::options<float>{.stream = static_cast<cudaStream_t>(stream)});
  };
}
auto choosing() {
  return [](auto const& a, auto const& b, auto const& c) { return gemm::chosen(a, b, c); };
}

operands unread(std::int64_t groups, std::int64_t rows, std::int64_t n, std::int64_t k) {
  return {at(1), at(2), at(3), at(4), at(5), groups, rows, n, k};
}

}  // namespace

extern "C" int lines_ragged(void const* a, void const* b, void* c, void const* of_a, void const* of_b,
                            std::int32_t const* ends, std::int64_t groups, std::int64_t rows, std::int64_t n,
                            std::int64_t k, void* stream, char* message) {
  return result_of(with_lines({a, b, c, of_a, of_b, groups, rows, n, k}, ends, running(stream)), message);
}
extern "C" int lines_dense(void const* a, void const* b, void* c, void const* of_a, void const* of_b, std::int64_t rows,
                           std::int64_t n, std::int64_t k, void* stream, char* message) {
  operands const of{a, b, c, of_a, of_b, 1, rows, n, k};
  return result_of(running(stream)(gemm::scaled(of.view_a(), gemm::per_row(of.scales_a(), rows)),
                                   gemm::scaled(of.view_b(), gemm::per_column(of.scales_b(), n)), of.view_c()),
                   message);
}
extern "C" char const* lines_policy(std::int64_t groups, std::int64_t rows, std::int64_t n, std::int64_t k) {
  return named(with_lines(unread(groups, rows, n, k), no_ends, choosing()));
}

extern "C" int blocks_ragged(void const* a, void const* b, void* c, void const* of_a, void const* of_b,
                             std::int32_t const* ends, std::int64_t groups, std::int64_t rows, std::int64_t n,
                             std::int64_t k, void* stream, char* message) {
  return result_of(with_blocks({a, b, c, of_a, of_b, groups, rows, n, k}, ends, running(stream)), message);
}
extern "C" int blocks_dense(void const* a, void const* b, void* c, void const* of_a, void const* of_b,
                            std::int64_t rows, std::int64_t n, std::int64_t k, void* stream, char* message) {
  operands const of{a, b, c, of_a, of_b, 1, rows, n, k};
  return result_of(running(stream)(gemm::scaled(of.view_a(), gemm::per_block<1, 128>(of.blocks_of_a())),
                                   gemm::scaled(of.view_b(), gemm::per_block<128, 128>(of.blocks_of_b())), of.view_c()),
                   message);
}
extern "C" char const* blocks_policy(std::int64_t groups, std::int64_t rows, std::int64_t n, std::int64_t k) {
  return named(with_blocks(unread(groups, rows, n, k), no_ends, choosing()));
}

/// `rows`: of each group, of which `expected` are multiplied on average.
extern "C" int masked_blocks(void const* a, void const* b, void* c, void const* of_a, void const* of_b,
                             std::int32_t const* counts, std::int64_t groups, std::int64_t rows, std::int64_t n,
                             std::int64_t k, std::int64_t expected, void* stream, char* message) {
  return result_of(with_masks({a, b, c, of_a, of_b, groups, rows, n, k}, counts, expected, running(stream)), message);
}
extern "C" char const* masked_policy(std::int64_t groups, std::int64_t rows, std::int64_t n, std::int64_t k,
                                     std::int64_t expected) {
  return named(with_masks(unread(groups, rows, n, k), no_ends, expected, choosing()));
}
