// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a choice depends on, to remember it by.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gemm/emulation/split_plan.hpp>
#include <gemm/host/compiled_code.cuh>

namespace gemm::detail {

/// What a choice depends on, apart from types.
struct choice_key {
  std::int64_t m = 0, n = 0, k = 0, batch = 0;  // no problem without an element
  std::int64_t lda = 0, ldb = 0, ldc = 0, batch_stride_a = 0, batch_stride_b = 0, batch_stride_c = 0;
  unsigned misaligned_a = 0, misaligned_b = 0, misaligned_c = 0;  // bytes from a multiple of 16
  int multiprocessors = 0;
  bool sm90a = false;
  std::size_t limit = 0;
  bool prepacked_a = false, prepacked_b = false, reads_c = false;

  bool operator==(choice_key const&) const = default;

  /// A place in the memo: problems of other shapes, strides or alignments rarely share one. Unsigned, so that no size
  /// overflows.
  std::size_t hash() const {
    std::size_t result = 0;
    for (std::int64_t const part :
         {m, n, k, batch, lda, ldb, ldc, std::int64_t{misaligned_a} + misaligned_b * 16 + misaligned_c * 256}) {
      result = (result ^ static_cast<std::size_t>(part)) * 0x9e3779b97f4a7c15u;
      result ^= result >> 29;
    }
    return result;
  }
};

template <class Problem>
choice_key choice_key_of(Problem const& p, int multiprocessors, std::size_t limit, prepacked_parts const& prepacked) {
  auto const misaligned = [](void const* data) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(data) % 16);
  };
  return {p.m,
          p.n,
          p.k,
          p.batch_count,
          p.a.ld,
          p.b.ld,
          p.c.ld,
          p.a.batch_stride,
          p.b.batch_stride,
          p.c.batch_stride,
          misaligned(p.a.data),
          misaligned(p.b.data),
          misaligned(p.c.data),
          multiprocessors,
          has_sm90a_code(),
          limit,
          prepacked.a.data != nullptr,
          prepacked.b.data != nullptr,
          p.beta != typename Problem::accum(0)};
}

}  // namespace gemm::detail
