// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is made of A and B before fp16x3 multiplies them: how much, and where it goes.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/emulation/scale.cuh>
#include <gemm/emulation/split_formats.cuh>
#include <gemm/emulation/split_k_major.cuh>
#include <gemm/emulation/split_mn_major.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/launch_rules.hpp>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/options.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Whether a policy splits floats before its kernel runs.
template <class Policy>
inline constexpr bool splits_floats = info_of<Policy>.split_terms;

/// Where an operand's terms go: offsets in the workspace, of bytes, or in the memory where they are already.
struct terms_plan {
  std::int64_t matrices = 0, lines = 0;
  bool by_k = false;
  std::size_t terms = 0, exponents = 0, facts = 0;
  std::size_t maxima = 0;                      // behind the facts, with which the first pass clears them,
  std::size_t cleared_bytes = 0;               // so much together
  std::int64_t blocks = 0, second_blocks = 0;  // of the passes
  int slab = 0;                                // k of a block of the second one
  unsigned char* prepacked = nullptr;

  unsigned char* memory(unsigned char* workspace) const { return prepacked != nullptr ? prepacked : workspace; }
};

/// The memory that has the terms of A, and of B, where they are not made by the call.
struct prepacked_terms {
  gemm::workspace a, b;
};

/// What is made of a problem before it is multiplied, nothing where k is 0.
struct fp16x3_plan {
  terms_plan a, b;
  int lanes = 32;           // threads that share a row which is k-major: as many as hold it in registers
  std::size_t refused = 0;  // where it is said whether the product is for another kernel
  std::size_t keys = 0;     // where terms are equilibrated
  std::size_t bytes = 0;    // the greatest number where there are too many
};

/// Adds so many bytes, at a multiple of 128, and returns their offset.
inline std::size_t add_memory(std::size_t& total, double bytes) {
  constexpr std::size_t most = (std::numeric_limits<std::size_t>::max)();
  std::size_t const begin = total;
  total = total == most || bytes > 1e18 ? most : begin + (static_cast<std::size_t>(bytes) + 127) / 128 * 128;
  return begin;
}

/// What does not depend on the operands, for a k of at least 1.
inline fp16x3_plan plan_depth(std::int64_t k) {
  constexpr int few_lanes = 8;
  fp16x3_plan plan;
  plan.lanes = k <= few_lanes * split_held ? few_lanes : 32;
  while (plan.lanes < split_threads && k > std::int64_t{plan.lanes} * split_held) {
    plan.lanes *= 2;
  }
  return plan;
}

/// How many k a block of split_mn_major.cuh has, of so many groups of rows: as many as its shared memory holds. Less
/// where those would be too few blocks for the device, and more where too many would have to wait for each other.
inline int plan_slab(std::int64_t k, double groups) {
  constexpr std::int64_t enough_blocks = 400, most_slabs = 64;
  std::int64_t slab = slab_held;
  while (slab > split_tile && groups * static_cast<double>(tiles(k, slab)) < enough_blocks) {
    slab -= split_tile;
  }
  std::int64_t const least = padded_depth(tiles(k, most_slabs));
  return static_cast<int>(slab < least ? least : slab);
}

/// Blocks of split_mn_major.cuh for an operand.
inline std::int64_t mn_major_blocks(std::int64_t matrices, std::int64_t lines, std::int64_t k, int slab) {
  return matrices * tiles(lines, split_tile) * tiles(k, slab);
}

/// Adds memory for an operand's Terms, of that format.
template <class Terms>
terms_plan plan_operand(fp16x3_plan& plan, std::int64_t k, std::int64_t matrices, std::int64_t lines, bool by_k) {
  std::int64_t const lines_of_block = split_threads / plan.lanes;
  terms_plan o{.matrices = matrices, .lines = lines, .by_k = by_k};
  double const all = static_cast<double>(o.matrices) * static_cast<double>(lines);
  o.terms =
      add_memory(plan.bytes, all * static_cast<double>(line_of_terms<Terms>(k)) * sizeof(typename Terms::element));
  o.exponents = add_memory(plan.bytes, all * sizeof(int));
  o.facts = add_memory(plan.bytes, all * sizeof(std::uint32_t));
  double const groups = static_cast<double>(matrices) * static_cast<double>(tiles(lines, split_tile));
  o.slab = by_k ? 0 : plan_slab(k, groups);
  std::int64_t const slabs = by_k ? 0 : tiles(k, o.slab);
  o.maxima =
      add_memory(plan.bytes, slabs <= 1 ? 0 : groups * static_cast<double>(slabs) * split_tile * sizeof(std::uint32_t));
  if (plan.bytes == (std::numeric_limits<std::size_t>::max)()) {
    return o;
  }
  if (by_k) {
    o.blocks = tiles(o.matrices * lines, lines_of_block);
    return o;
  }
  o.cleared_bytes = plan.bytes - o.facts;
  o.blocks = tiles(static_cast<std::int64_t>(o.cleared_bytes), split_threads * std::int64_t{16});
  o.second_blocks = mn_major_blocks(matrices, lines, k, o.slab);
  return o;
}

/// The plan of one operand by itself, which is its `a`.
template <class Terms>
fp16x3_plan plan_alone(std::int64_t k, std::int64_t matrices, std::int64_t lines, bool by_k) {
  fp16x3_plan plan = plan_depth(k);
  plan.a = plan_operand<Terms>(plan, k, matrices, lines, by_k);
  return plan;
}

/// An operand whose terms are in such memory already.
template <class Terms>
terms_plan plan_prepacked(gemm::workspace const& memory, std::int64_t k, std::int64_t matrices, std::int64_t lines,
                          bool by_k) {
  terms_plan o = plan_alone<Terms>(k, matrices, lines, by_k).a;
  o.blocks = o.second_blocks = 0;
  o.prepacked = static_cast<unsigned char*>(memory.data);
  return o;
}

/// Whether TMA can load the terms of a problem's operands.
template <class Terms, class Problem>
status check_terms_extents(Problem const& p) {
  constexpr char const* and_k = Terms::count == 2 ? ", and k 2^30 - 64" : ", and k 715827840";
  return check_tma_extents(p, most_depth<Terms>, and_k);
}

/// Empty for what check_terms_extents() refuses, too, with which its numbers could overflow.
template <class Terms, class Problem>
fp16x3_plan plan_fp16x3(Problem const& p, prepacked_terms const& prepacked = {}) {
  using storage = typename Problem::storage;
  if (p.k == 0 || !check_terms_extents<Terms>(p)) {
    return {};
  }
  fp16x3_plan plan = plan_depth(p.k);
  auto const planned = [&](gemm::workspace const& memory, std::int64_t stride, std::int64_t lines, bool by_k) {
    std::int64_t const matrices = stride == 0 ? 1 : p.batch_count;
    return memory.data != nullptr ? plan_prepacked<Terms>(memory, p.k, matrices, lines, by_k)
                                  : plan_operand<Terms>(plan, p.k, matrices, lines, by_k);
  };
  plan.a = planned(prepacked.a, p.a.batch_stride, p.m, storage::a == major::k);
  plan.b = planned(prepacked.b, p.b.batch_stride, p.n, storage::b == major::k);
  plan.refused = add_memory(plan.bytes, sizeof(int));
  return plan;
}

/// Whether TMA can load a problem's terms, and one launch each can make them.
template <class Terms, class Problem>
status check_fp16x3(Problem const& p, fp16x3_plan const& plan) {
  if (status const result = check_terms_extents<Terms>(p); !result) {
    return result;
  }
  double const first = static_cast<double>(plan.a.blocks) + static_cast<double>(plan.b.blocks);
  double const second = static_cast<double>(plan.a.second_blocks) + static_cast<double>(plan.b.second_blocks);
  return check_memory("split A and B into terms", plan.bytes, first > second ? first : second);
}

/// Whether the passes read what they split in wide accesses.
template <class Problem>
bool splits_wide(Problem const& p, fp16x3_plan const& plan) {
  return (plan.a.prepacked != nullptr || allows_vectors<widest<float>>(p.a)) &&
         (plan.b.prepacked != nullptr || allows_vectors<widest<float>>(p.b));
}

}  // namespace gemm::detail
