// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is made of A and B before fp16x3 multiplies them: how much, and where it goes.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include <gemm/block/fp16_parts.cuh>
#include <gemm/block/part_formats.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/host/launch.cuh>
#include <gemm/host/tma_operands.cuh>
#include <gemm/kernel/fp16x3_split.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// Whether a policy takes floats apart before its kernel runs.
template <class Policy>
inline constexpr bool splits_floats = requires {
  requires Policy::splits_floats;
};

/// Where an operand's parts go: offsets in the workspace, of bytes.
struct parts_plan {
  std::int64_t matrices = 0, lines = 0;
  bool by_k = false;
  std::size_t parts = 0, exponents = 0, facts = 0, maxima = 0;
  std::int64_t blocks = 0, second_blocks = 0;  // of the passes
};

/// What is made of a problem before it is multiplied, nothing where k is 0.
struct fp16x3_plan {
  parts_plan a, b;
  std::int64_t slab = 0;  // k of those whose greatest elements are looked for together
  int slabs = 0;
  bool long_lines = false;  // more than a warp keeps in registers
  std::size_t refused = 0;  // where it is said whether the product is for another kernel
  std::size_t bytes = 0;    // the greatest number where there are too many
};

/// Adds room for so many bytes, at a multiple of 128, and says where.
inline std::size_t add_room(std::size_t& total, double bytes) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  std::size_t const begin = total;
  total = total == most || bytes > 1e18 ? most : begin + (static_cast<std::size_t>(bytes) + 127) / 128 * 128;
  return begin;
}

/// Parts: the format of the policy's.
template <class Parts, class Problem>
fp16x3_plan plan_fp16x3(Problem const& p) {
  using storage = typename Problem::storage;
  fp16x3_plan plan;
  if (p.k == 0) {
    return plan;
  }
  constexpr std::int64_t most_slabs = 16, least_slab = 64;
  std::int64_t const slabs = tiles(p.k, least_slab);
  plan.slab = tiles(p.k, slabs < most_slabs ? slabs : most_slabs);
  plan.slabs = static_cast<int>(tiles(p.k, plan.slab));
  plan.long_lines = p.k > std::int64_t{32} * split_held;
  std::int64_t const padded = padded_depth(p.k), lines_of_block = plan.long_lines ? 1 : split_warps;
  auto const plan_operand = [&](std::int64_t stride, std::int64_t lines, bool by_k) {
    parts_plan o{.matrices = stride == 0 ? 1 : p.batch_count, .lines = lines, .by_k = by_k};
    double const all = static_cast<double>(o.matrices) * static_cast<double>(lines);
    o.parts = add_room(plan.bytes, all * static_cast<double>(line_of_parts<Parts>(p.k) *
                                                             std::int64_t{sizeof(typename Parts::element)}));
    o.exponents = add_room(plan.bytes, all * sizeof(int));
    o.facts = add_room(plan.bytes, all * sizeof(std::uint32_t));
    o.maxima = add_room(plan.bytes, by_k ? 0 : all * plan.slabs * sizeof(std::uint32_t));
    if (plan.bytes != std::numeric_limits<std::size_t>::max()) {
      o.blocks = by_k ? tiles(o.matrices * lines, lines_of_block) : o.matrices * tiles(lines, split_group) * plan.slabs;
      o.second_blocks = by_k ? 0 : o.matrices * tiles(lines, split_tile) * (padded / split_tile);
    }
    return o;
  };
  plan.a = plan_operand(p.batch_stride_a, p.m, storage::a == major::k);
  plan.b = plan_operand(p.batch_stride_b, p.n, storage::b == major::k);
  plan.refused = add_room(plan.bytes, sizeof(int));
  return plan;
}

/// Whether TMA can load a problem's parts, and one launch each can make them.
template <class Parts, class Problem>
status check_fp16x3(Problem const& p, fp16x3_plan const& plan) {
  constexpr std::int64_t most = 0x7fffffff, most_k = most / Parts::count / chunk_depth * chunk_depth;
  constexpr char const* and_k = Parts::count == 2 ? ", and k 2^30 - 64" : ", and k 715827840";
  if (status const result = check_tma_extents(p, most_k, and_k); !result) {
    return result;
  }
  if (plan.bytes == std::numeric_limits<std::size_t>::max() || plan.a.blocks + plan.b.blocks > most ||
      plan.a.second_blocks + plan.b.second_blocks > most) {
    return {status_code::invalid_argument, cudaSuccess,
            "to take A and B apart takes %.3g blocks, more than the 2^31 - 1 of a grid",
            static_cast<double>(plan.a.blocks + plan.a.second_blocks) +
                static_cast<double>(plan.b.blocks + plan.b.second_blocks)};
  }
  return {};
}

/// Whether the passes read A and B in wide accesses.
template <class Problem>
bool splits_wide(Problem const& p) {
  return allows_vectors<widest<float>>(p.a, p.lda, p.batch_stride_a) &&
         allows_vectors<widest<float>>(p.b, p.ldb, p.batch_stride_b);
}

}  // namespace gemm::detail
