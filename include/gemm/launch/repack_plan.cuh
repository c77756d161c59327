// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is packed for loads of 16 bytes, by TMA or cp.async: which operands, and where their copies lie.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>

#include <gemm/block/own_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/launch/access_width.hpp>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device_info.hpp>
#include <gemm/launch/launch_rules.hpp>
#include <gemm/launch/split_plan.cuh>
#include <gemm/launch/tensor_map.hpp>
#include <gemm/launch/tma_operands.cuh>
#include <gemm/status.hpp>

namespace gemm::detail {

/// The copy of an operand: `matrices` of them, none where the operand stays where it is.
struct packed_copy {
  std::int64_t matrices = 0, lines = 0, length = 0, ld = 0;
  std::int64_t stride = 0, gap = 0;            // from matrix to matrix; in squares, after 32 elements of a row
  std::size_t bytes = 0;                       // a multiple of 128
  std::int64_t tiles_along = 0, tiles_of = 0;  // that blocks copy: of a row, of a matrix

  double all_blocks() const { return static_cast<double>(matrices) * static_cast<double>(tiles_of); }
  std::int64_t blocks() const { return matrices * tiles_of; }  // where a grid has so many
};

/// What of a problem is packed: into the workspace, A before B.
struct repack_plan {
  packed_copy a, b;
  std::size_t bytes = 0;
  bool early = false;  // the product's blocks may start while those that pack leave
};

/// Whether the host has pointers to where products begin.
template <class Problem>
inline constexpr bool may_read_wide = !has_own_problems<Problem>;

/// Whether the policy's kernel reads A and B, or their copies, in wide accesses, as far as it ever does. Decided once
/// for the launch: one misaligned operand costs the other its wide accesses, too.
template <class Problem>
static bool reads_wide(compiled_kernel const& kernel, Problem const& p, repack_plan const& packing = {}) {
  return may_read_wide<Problem> && (!kernel.copies_narrow_on_sm90a || !current_code().tma) &&
         (packing.a.matrices > 0 || allows_vectors(kernel.wide_access_a, p.a)) &&
         (packing.b.matrices > 0 || allows_vectors(kernel.wide_access_b, p.b));
}

/// The sum of sizes, or the largest that there is.
inline std::size_t saturated_sum(std::size_t x, std::size_t y) {
  constexpr std::size_t most = (std::numeric_limits<std::size_t>::max)();  // which no device has
  return x < most - y ? x + y : most;
}

template <class T>
[[gnu::noinline]] packed_copy plan_copy(std::int64_t matrices, std::int64_t lines, std::int64_t length) {
  constexpr auto element = static_cast<std::int64_t>(sizeof(T));
  std::int64_t const unit = length * element < 1024 ? 16 : 128, ld = tiles(length * element, unit) * (unit / element);
  std::int64_t const along = tiles(length, repack_tile<T>);
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
          .tiles_of = tiles(lines, repack_tile<T>) * along};
}

/// The same rows in whole squares (block/smem_transpose.cuh).
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

/// Seconds that a kernel takes longer because it transposes B in shared memory, once for each row of tiles.
template <class Problem>
double seconds_of_smem_transpose(compiled_kernel const& kernel, Problem const& p, tables::device_rates const& rates) {
  return static_cast<double>(tiles(p.m, kernel.block_m)) * static_cast<double>(p.n) * static_cast<double>(p.k) *
         static_cast<double>(p.batch_count) / rates.smem_transpose;
}

/// Whether the kernel loads A, or B, as it lies in memory: by TMA, or by copies of 16 bytes.
template <class Problem>
bool loads_a(compiled_kernel const& kernel, Problem const& p) {
  return kernel.uses_tma() ? tma_can_load(matrices_of_a(kernel, p)) : allows_vectors(kernel.wide_access_a, p.a);
}
template <class Problem>
bool loads_b(compiled_kernel const& kernel, Problem const& p) {
  return kernel.uses_tma() ? tma_can_load(matrices_of_b(kernel, p)) : allows_vectors(kernel.wide_access_b, p.b);
}

/// What of a problem a kernel cannot load as it lies in memory, nothing where k is 0: then it loads nothing. A B that
/// the kernel can transpose itself is packed where that takes less time, or TMA cannot load it as it is.
template <class Problem>
[[gnu::noinline]] repack_plan plan_repack(compiled_kernel const& kernel, Problem const& p) {
  using element_a = typename Problem::element_a;
  using element_b = typename Problem::element_b;
  using own = typename Problem::storage;
  bool const a_by_k = (own::a == major::k) != kernel.transposes_a,
             b_by_k = (own::b == major::k) != kernel.transposes_b;  // of copies
  bool const packs = p.k > 0 && check_tma_extents(p);               // what TMA has no coordinates for is refused
  repack_plan plan;
  if (packs && (kernel.transposes_a || !loads_a(kernel, p))) {
    std::int64_t const matrices = p.a.batch_stride == 0 ? 1 : p.batch_count;
    plan.a = plan_copy<element_a>(matrices, a_by_k ? p.m : p.k, a_by_k ? p.k : p.m);
  }
  plan.bytes = plan.a.bytes;
  bool const b_as_stored = loads_b(kernel, p);
  repack_plan without_b = plan;
  if (packs && (kernel.transposes_b || !b_as_stored)) {
    std::int64_t const matrices = p.b.batch_stride == 0 ? 1 : p.batch_count;
    plan.b = plan_copy<element_b>(matrices, b_by_k ? p.n : p.k, b_by_k ? p.k : p.n);
    plan.b = kernel.smem_transposes ? in_squares<element_b>(plan.b) : plan.b;
    plan.bytes = saturated_sum(plan.a.bytes, plan.b.bytes);
  }
  if (kernel.smem_transposes && p.k > 0 && b_as_stored) {
    device_info device;
    static_cast<void>(current_device_info(device));
    tables::device_rates const& rates = device.rates_for(kernel.input);
    if (seconds_of_smem_transpose(kernel, p, rates) + rates.packing_seconds(without_b.bytes) <
        rates.packing_seconds(plan.bytes)) {
      return without_b;
    }
  }
  return plan;
}

/// Whether a problem that is packed by this plan can be loaded, and one launch can pack it.
template <class Problem>
[[gnu::noinline]] status check_repack(Problem const& p, repack_plan const& plan) {
  status const result = check_tma_extents(p);
  return result ? check_memory("pack A and B", plan.bytes, plan.a.all_blocks() + plan.b.all_blocks()) : result;
}

}  // namespace gemm::detail
