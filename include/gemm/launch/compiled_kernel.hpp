// SPDX-License-Identifier: BSL-1.0
//! @file
//! A kernel as the host sees it: numbers, without its policy's type. So the model, the plans and the launches are
//! compiled once for all policies, not once for each.
#pragma once

#include <cstddef>
#include <string_view>

#include <gemm/kernel_info.hpp>
#include <gemm/launch/tensor_map.hpp>

namespace gemm::detail {

/// The box of one load of an operand's tile: so many elements along and across its rows.
struct operand_box {
  bool by_row = false;  // k runs along rows
  int inner = 0, outer = 0;
  tma_swizzle swizzle = tma_swizzle::none;
  int most = 0, step = 0, steps = 1;  // see swizzled_tile: loaded of a tile in parts, and of one that ends before

  constexpr int loaded_of(int within) const {
    int const needed = (within + step * steps - 1) / (step * steps) * step;
    return needed < most ? needed : most;
  }
};

/// A policy's kernel for problems of some types, without the policy's type; compiled_kernel_of has it.
struct compiled_kernel : kernel_info {
  std::string_view name{}, direct_name{};  // with `repacked`, and without
  std::string_view input{};                // its element type
  int input_bytes = 0, accum_bytes = 0;    // of the wider operand's element, of an accumulator
  bool integers = false;                   // are multiplied
  int block_m = 0, block_n = 0, block_k = 0, threads = 0;
  std::size_t shared_bytes = 0;  // of a block
  int resident = 0;              // blocks that a multiprocessor holds

  bool transposes_a = false, transposes_b = false;  // by a pass over them
  bool smem_transposes = false;
  bool transposed_fragments = false;  // of slices, which are of C's transpose
  bool loads_as_stored = false;       // as they are stored
  bool slices_in_fragments = false;
  bool has_registers = true;  // for the problem's epilogue
  bool copies_narrow_on_sm90a = false;
  int wide_access_a = 1, wide_access_b = 1;  // elements

  operand_box a{}, b{};

  constexpr double elements() const { return double{1} * block_m * block_n * products; }
};

}  // namespace gemm::detail
