// SPDX-License-Identifier: BSL-1.0
//! @file
//! Launch bounds: how many blocks of a kernel share a multiprocessor.
#pragma once

#include <type_traits>

#include <gemm/policy.hpp>

namespace gemm::detail {

/// Bytes of the next tiles that wait in a thread's registers, where elements are widened.
template <class Policy, class In, class Accum>
inline constexpr int waiting_bytes =
    std::is_same_v<In, Accum> ? 0 : Policy::info.waiting_elements* static_cast<int>(sizeof(In)) / Policy::threads;

/// Blocks of a kernel that should share a multiprocessor: as many as its 65536 registers hold, for a thread's
/// accumulators, fragments and addresses. A launch bound tells the compiler, which otherwise leaves too few registers
/// for a second block (docs/tuning-notes.md, block_tile_2d).
template <class Policy, class Problem>
inline constexpr int resident_blocks = [] {
  constexpr int accumulators = Policy::accumulators * static_cast<int>(sizeof(typename Problem::accum)) / 4;
  constexpr int usual = accumulators == 1    ? 32
                        : accumulators <= 8  ? 64
                        : accumulators <= 16 ? 80
                        : accumulators <= 64 ? 128
                                             : 256;
  constexpr int waiting = waiting_bytes<Policy, typename Problem::element_a, typename Problem::accum> / 4;
  constexpr int registers = waiting > 8 ? usual + 40 : usual;  // the next step that warps are allotted in
  constexpr int blocks = 65536 / (registers * Policy::threads);
  return blocks < 1 ? 1 : blocks;
}();

}  // namespace gemm::detail
