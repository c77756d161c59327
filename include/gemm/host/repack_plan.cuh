// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is packed for TMA: which operands, where their copies lie, and how much of k the policy's own kernel packs.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <gemm/block/panel_packing.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/host/launch_rules.hpp>
#include <gemm/host/policy_facts.hpp>
#include <gemm/host/row_classes.cuh>
#include <gemm/host/split_plan.cuh>
#include <gemm/host/tensor_map.hpp>
#include <gemm/host/tma_operands.cuh>
#include <gemm/kernel/persistent.cuh>
#include <gemm/kernel/realign.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// The copy of an operand: `matrices` of them, none where the operand stays where it is.
struct packed_copy {
  std::int64_t matrices = 0, lines = 0, length = 0, ld = 0;
  std::int64_t stride = 0, gap = 0;            // from matrix to matrix; in squares, after 32 elements of a line
  std::size_t bytes = 0;                       // a multiple of 128
  std::int64_t tiles_along = 0, tiles_of = 0;  // that blocks copy: of a line, of a matrix

  double all_blocks() const { return static_cast<double>(matrices) * static_cast<double>(tiles_of); }
  std::int64_t blocks() const { return matrices * tiles_of; }  // where a grid has so many
};

/// What of a problem is packed: into the workspace, A before B.
struct repack_plan {
  packed_copy a, b;
  std::size_t bytes = 0;
  std::int64_t first_k = 0;   // from where on the policy's kernel may pack while it multiplies,
  std::int64_t counters = 0;  // with so many behind the copies; none where it may not
  int row_classes = 0;        // in which TMA brings A's rows instead
  double turning = 0;         // seconds that it takes to turn B meanwhile instead

  std::size_t counter_bytes() const { return static_cast<std::size_t>(tiles(counters * 4, 128) * 128); }
  std::size_t copied_bytes() const { return bytes - counter_bytes(); }
};

/// The sum of sizes, or the largest that there is.
inline std::size_t saturated_sum(std::size_t x, std::size_t y) {
  constexpr std::size_t most = (std::numeric_limits<std::size_t>::max)();  // which no device has
  return x < most - y ? x + y : most;
}

/// Whether a policy's copies are made by realign_kernel, which turns nothing.
template <class Policy, class Problem>
inline constexpr bool realigns = takes_any_storage<Policy> && !turns_any<Policy, Problem>;

template <class T>
[[gnu::noinline]] packed_copy plan_copy(bool realigns, std::int64_t matrices, std::int64_t lines, std::int64_t length) {
  constexpr auto element = static_cast<std::int64_t>(sizeof(T));
  std::int64_t const unit = length * element < 1024 ? 16 : 128, ld = tiles(length * element, unit) * (unit / element);
  std::int64_t const along = tiles(length, repack_tile);
  double const bytes =
      static_cast<double>(matrices) * static_cast<double>(lines) * static_cast<double>(ld) * double{sizeof(T)};
  return {.matrices = matrices,
          .lines = lines,
          .length = length,
          .ld = ld,
          .stride = lines * ld,
          .bytes = bytes < 1e18 ? static_cast<std::size_t>(tiles(matrices * lines * ld * element, 128) * 128)
                                : (std::numeric_limits<std::size_t>::max)(),
          .tiles_along = along,
          .tiles_of =
              realigns ? tiles(lines * tiles(length, widest<T>), realign_pieces) : tiles(lines, repack_tile) * along};
}

/// The same lines in whole squares (block/turned_squares.cuh).
template <class T>
packed_copy in_squares(packed_copy copy) {
  std::int64_t const columns = square_columns(copy.length);
  copy.ld = square_side;
  copy.gap = square_column_stride(copy.lines) - square_side;
  copy.stride = columns * square_column_stride(copy.lines);
  double const bytes = static_cast<double>(copy.matrices) * static_cast<double>(copy.stride) * double{sizeof(T)};
  copy.bytes = bytes < 1e18 ? static_cast<std::size_t>(copy.matrices * copy.stride) * sizeof(T)
                            : (std::numeric_limits<std::size_t>::max)();
  return copy;
}

/// Whether a policy's kernel can pack panels while it multiplies.
template <class Policy>
inline constexpr bool packs_panels = requires {
  requires Policy::packing_warps >
  0;
}
&&!is_persistent<Policy>;

/// Has the policy's kernel pack what of a problem's k comes after first_k, a multiple of a tile's depth.
template <class Problem>
void leave_panels(Problem const& p, std::int64_t first_k, repack_plan& plan) {
  plan.first_k = first_k;
  plan.counters = 1 + tiles(p.k - first_k, panel_depth);
  plan.bytes = saturated_sum(plan.bytes, plan.counter_bytes());
}

/// From where on the policy's kernel had best pack a problem's k itself: p.k, where it should not.
///
/// Not before its first tiles have been multiplied for as long as it takes until the first panel is packed. And not
/// more than its warps can pack while the first blocks go through k: others then wait. Nor if it is so little that a
/// launch before packs it as fast. The figures are an H200's.
template <class Problem>
[[gnu::noinline]] std::int64_t first_k_of_panels(policy_facts const& of, Problem const& p, repack_plan const& plan) {
  constexpr double multiply_adds = 2.15e11, packed_by_block = 1.1e9, first_panel = 12e-6;  // a second; bytes; seconds
  constexpr double little = 12e6;
  constexpr int multiprocessors = 132;
  double const seconds_of_k = static_cast<double>(of.most_resident) * of.block_m * of.block_n / multiply_adds;
  std::int64_t const before = tiles(static_cast<std::int64_t>(first_panel / seconds_of_k), panel_depth) * panel_depth;

  double const lines =
      (plan.a.matrices > 0 ? static_cast<double>(p.m) : 0.0) + (plan.b.matrices > 0 ? static_cast<double>(p.n) : 0.0);
  double const bytes_of_k = lines * sizeof(typename Problem::input), k = static_cast<double>(p.k);
  double const tiles_of_c = static_cast<double>(tiles(p.m, of.block_m)) * static_cast<double>(tiles(p.n, of.block_n));
  double const blocks = std::min<double>(tiles_of_c, of.most_resident * multiprocessors);
  if (p.batch_count != 1 || p.k <= before || k * bytes_of_k < little || lines * k > 1e12) {
    return p.k;
  }
  double const left =
      (std::min)(k - static_cast<double>(before), seconds_of_k * k * blocks * packed_by_block / bytes_of_k);
  std::int64_t const first = tiles(p.k - static_cast<std::int64_t>(left), of.block_k) * of.block_k;
  return left * bytes_of_k < little / 2 ? p.k : first;
}

/// How long it takes to pack operands: a launch, and their way through the L2 and back; of what is packed `meanwhile`
/// the time that it takes from those that multiply. The figures are an H200's.
inline double seconds_of_packing(policy_facts const& of, repack_plan const& plan, std::int64_t k, bool meanwhile) {
  constexpr double l2_bandwidth = 4.2e12, beside = 8e12;
  double const launch = of.tensor ? 2.5e-6 : 2.87e-6;
  double const before = meanwhile ? static_cast<double>(plan.first_k) / static_cast<double>(k) : 1;
  return plan.bytes == 0
             ? 0
             : launch + static_cast<double>(plan.bytes) * (2 * before / l2_bandwidth + (1 - before) / beside);
}

/// Has TMA bring A's rows class by class, and no kernel pack them, if that takes longer than what blocks multiply in
/// vain where a class's last tile has few rows, and than they wait for these rows.
template <class Problem>
void leave_rows(policy_facts const& of, Problem const& p, repack_plan& plan) {
  Problem q = p;
  q.row_classes = row_classes_of(of, p);
  if (q.row_classes == 0 || plan.a.matrices == 0) {
    return;
  }
  repack_plan other = plan;
  other.a = {};
  other.bytes = plan.b.bytes;
  other.first_k = other.counters = 0;
  other.row_classes = q.row_classes;
  constexpr double multiply_adds = 2.7e13;  // a second
  double const added = static_cast<double>(tiles_along_m(of, q) - tiles_along_m(of, p)) * of.block_m +
                       static_cast<double>(p.m) * slower_by_classes(of);
  double const in_vain =
      added * static_cast<double>(p.n) * static_cast<double>(p.k) * static_cast<double>(p.batch_count) / multiply_adds;
  if (seconds_of_packing(of, other, p.k, false) + in_vain < seconds_of_packing(of, plan, p.k, plan.counters > 0)) {
    plan = other;
  }
}

/// The problem as it is once what is packed of it has been.
template <class Problem>
Problem with_row_classes(Problem p, repack_plan const& plan) {
  p.row_classes = plan.row_classes;
  return p;
}

/// Seconds that a policy's kernel takes longer because it turns B, by an H200: 2000^3 in persistent 128 x 64 374, not
/// 355 us; where groups share tiles, for the last ones in clusters more (320x4096x4096: 274, with B packed 247) than
/// for all.
template <class Problem>
double seconds_of_turning(policy_facts const& of, Problem const& p) {
  double const one = of.block_m > of.block_n ? 3.4e12 : 6.2e12, more = of.most_resident * 8.4e11 + 1.7e12;
  return static_cast<double>(tiles(p.m, of.block_m)) * static_cast<double>(p.n) * static_cast<double>(p.k) *
         static_cast<double>(p.batch_count) / (of.groups == 1 ? one : more);
}

/// What TMA needs packed of a problem, nothing where k is 0: then it loads nothing. A B that the kernel can turn itself
/// is packed where that takes less time, or TMA cannot load it as it is.
template <class Problem>
[[gnu::noinline]] repack_plan plan_repack(policy_facts const& of, Problem const& p) {
  using input = typename Problem::input;
  using own = typename Problem::storage;
  bool const a_by_k = (own::a == major::k) != of.turns_a, b_by_k = (own::b == major::k) != of.turns_b;  // of copies
  bool const packs = p.k > 0 && check_tma_extents(p);  // what TMA has no coordinates for is refused
  repack_plan plan;
  if (packs && (of.turns_a || !tma_can_load(matrices_of_a(of, p)))) {
    std::int64_t const matrices = p.batch_stride_a == 0 ? 1 : p.batch_count;
    plan.a = plan_copy<input>(of.realigns, matrices, a_by_k ? p.m : p.k, a_by_k ? p.k : p.m);
  }
  plan.bytes = plan.a.bytes;
  bool const loads_b = tma_can_load(matrices_of_b(of, p));
  repack_plan without_b = plan;
  if (packs && (of.turns_b || !loads_b)) {
    std::int64_t const matrices = p.batch_stride_b == 0 ? 1 : p.batch_count;
    plan.b = plan_copy<input>(of.realigns, matrices, b_by_k ? p.n : p.k, b_by_k ? p.k : p.n);
    plan.b = of.turns_squares ? in_squares<input>(plan.b) : plan.b;
    plan.bytes = saturated_sum(plan.a.bytes, plan.b.bytes);
  }
  if (of.packs_panels) {
    std::int64_t const first = first_k_of_panels(of, p, plan);
    if (first < p.k) {
      leave_panels(p, first, plan);
    }
  }
  if (of.turns_squares) {
    without_b.turning = seconds_of_turning(of, p);
    if (p.k > 0 && loads_b &&
        without_b.turning + seconds_of_packing(of, without_b, p.k, false) <
            seconds_of_packing(of, plan, p.k, plan.counters > 0)) {
      return without_b;
    }
  }
  leave_rows(of, p, plan);
  return plan;
}

/// Whether the policy's kernel packs what of k a launch before has not, while it multiplies: where the first blocks go
/// through k from the begin on, and not slices of it at a time.
inline bool packs_meanwhile(repack_plan const& packing, split_plan const& split) {
  return packing.counters > 0 && (split.slices == 1 || split.first_tile_n > 0);
}

/// Whether TMA can load a problem that is packed by this plan, and one launch can pack it.
template <class Problem>
[[gnu::noinline]] status check_repack(Problem const& p, repack_plan const& plan) {
  status const result = check_tma_extents(p);
  return result ? check_room("pack A and B", plan.bytes, plan.a.all_blocks() + plan.b.all_blocks()) : result;
}

}  // namespace gemm::detail
