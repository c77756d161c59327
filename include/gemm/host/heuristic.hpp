// SPDX-License-Identifier: BSL-1.0
//! @file
//! The price of a plan: seconds, from what the plan asks of a device and what was measured of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <gemm/host/access_width.hpp>
#include <gemm/host/compiled_kernel.hpp>
#include <gemm/host/device_info.hpp>
#include <gemm/host/repack_plan.cuh>
#include <gemm/host/split_plan.cuh>
#include <gemm/tables/rates.hpp>

namespace gemm::detail {

/// What a plan asks of a device.
struct plan_load {
  double peak = 1;                  // multiply-adds of a multiprocessor in a second
  double tile = 0, depth = 0;       // elements of C that a block computes, and its k
  double copied = 0;                // elements of A and B that a block copies one by one, for each k
  double blocks = 1;                // tiles times slices
  double resident = 1, slots = 1;   // blocks that a multiprocessor holds, and the device
  double bytes = 0, in_flight = 0;  // of A, B and C once, and those that a block keeps requested
  double slices = 1, slice_bytes = 0;
  std::size_t packed_bytes = 0;
  bool in_cluster = false, stream_k = false;
};

/// Its price, term by term: seconds.
struct plan_price {
  double launch = 0, full_waves = 0, last_wave = 0, memory = 0, reduction = 0, packing = 0;

  constexpr double arithmetic() const { return full_waves + last_wave; }
  constexpr double seconds() const { return launch + (std::max)(arithmetic(), memory) + reduction + packing; }
};

/// A multiprocessor takes h (overhead + tile depth / (peak min(h alone, full))) for h blocks at a time, and longer
/// where they copy element by element. Blocks come in waves of as many as the device holds, and the last wave is spread
/// over its multiprocessors. Memory takes no less than A, B and C take once, more where too few bytes are in flight.
inline plan_price price_of(plan_load const& x, tables::kernel_rates const& r, tables::device_rates const& d,
                           double bandwidth, int multiprocessors) {
  auto const seconds = [&](double h) {
    return h * (r.overhead + x.copied * x.depth * d.element_copy +
                x.tile * x.depth / (x.peak * (std::min)(h * r.alone, (std::max)(r.full, r.alone))));
  };
  plan_price price{.launch = d.launch};
  double const waves = std::floor(x.blocks / x.slots), rest = x.blocks - waves * x.slots;
  price.full_waves = waves * seconds(x.resident);
  if (x.stream_k) {  // the rest is cut: it takes its part of a wave, but no less than a slice does
    double const of_rest = rest > 0 ? (std::max)(rest / x.slots, 1 / x.slices) : 0;
    price.last_wave = (waves > 0 ? of_rest : 1) * seconds(x.resident);
    price.reduction = d.stream_k;
  } else if (rest > 0) {
    price.last_wave = seconds(std::ceil(rest / multiprocessors));
  }
  double const requested = (std::min)(x.blocks, x.slots) * x.in_flight / (d.in_flight * multiprocessors);
  price.memory = r.overhead + x.bytes / (d.reached_bandwidth * bandwidth * (std::min)(requested, 1.0));
  if (x.in_cluster) {
    price.reduction = d.cluster + d.cluster_slice * x.slices;
  } else if (x.slices > 1 && !x.stream_k) {
    price.reduction = d.second_kernel + 2 * x.slice_bytes / d.workspace_bandwidth;
  }
  price.packing = seconds_of_packing(x.packed_bytes, d);
  return price;
}

/// A policy's row in a table: for elements of its type, else of another (half is as bfloat16, the first in the tables).
inline tables::policy_rates const* row_of(tables::gpu_table const& table, compiled_kernel const& of) {
  tables::policy_rates const* found = nullptr;
  for (std::size_t i = 0; i < table.policy_count; ++i) {
    tables::policy_rates const& row = table.policies[i];
    if (row.policy == of.direct_name && (row.input == of.input || found == nullptr)) {
      found = &row;
    }
  }
  return found;
}

/// What middling kernels reach, of a policy without a row.
inline constexpr tables::policy_rates middling{};

/// A policy's row: of the device's table, else of another GPU's, one of the right type before others. The device's
/// rates of the row's type were solved with it.
inline tables::policy_rates const& rates_of(device_info const& device, compiled_kernel const& of) {
  tables::policy_rates const* found = row_of(*device.table, of);
  for (tables::gpu_table const* const other : tables::all) {
    if (found == nullptr || found->input != of.input) {
      tables::policy_rates const* const row = row_of(*other, of);
      found = row != nullptr && (found == nullptr || row->input == of.input) ? row : found;
    }
  }
  return found == nullptr ? middling : *found;
}

/// Whether a kernel's rates were measured on this kind of GPU, with elements of its type.
inline bool is_measured(device_info const& device, compiled_kernel const& of) {
  tables::policy_rates const* const row = row_of(*device.table, of);
  return !device.predicted() && row != nullptr && row->input == of.input;
}

/// Blocks of a kernel on a multiprocessor: as many as its registers and shared memory hold.
inline int resident_of(compiled_kernel const& of, device_info const& device, bool in_cluster) {
  int const by_registers = in_cluster ? of.resident_in_cluster : of.resident;
  int const by_memory = device.shared_per_multiprocessor / (static_cast<int>(of.shared_bytes) + device.shared_reserved);
  return (std::max)(1, (std::min)(by_registers, by_memory));
}

/// Multiply-adds of a multiprocessor in a second.
inline double peak_of(compiled_kernel const& of, device_info const& device) {
  tables::arithmetic const& a = device.arithmetic;
  double const simt = of.integers ? a.i8 : of.accum_bytes == 8 ? a.f64 : a.f32;
  double const tensor = of.accum_bytes == 8   ? a.mma_f64
                        : of.input_bytes == 4 ? a.mma_tf32
                        : of.input_bytes == 2 ? a.mma_16
                        : of.integers         ? a.mma_8
                                              : a.mma_fp8;
  return device.clock * (of.op == math_op::simt ? simt : tensor);
}

template <class Problem>
double tiles_of(compiled_kernel const& of, Problem const& p) {  // of whole clusters
  return static_cast<double>(tiles(p.m, of.block_m * of.cluster_m)) *
         static_cast<double>(tiles(p.n, of.block_n * of.cluster_n)) * of.cluster_blocks() *
         static_cast<double>(tiles(p.batch_count, of.products));
}

/// Rows of A and columns of B of a tile that kernels of mma.sync copy element by element: those that cp.async, which
/// copies at least 4 bytes from a multiple of 4, cannot.
template <class Problem>
double copied_of(compiled_kernel const& of, Problem const& p, repack_plan const& packing) {
  constexpr int width = sizeof(typename Problem::input) < 4 ? 4 / sizeof(typename Problem::input) : 1;
  auto const copied = [](packed_copy const& copy, bool wide, int of_tile) {
    return copy.matrices > 0 || wide ? 0 : of_tile;
  };
  return of.op != math_op::mma ? 0
                               : copied(packing.a, allows_vectors<width>(p.a), of.block_m) +
                                     copied(packing.b, allows_vectors<width>(p.b), of.block_n);
}

template <class Problem>
[[gnu::cold]] plan_load load_of(compiled_kernel const& of, Problem const& p, split_plan const& split,
                                repack_plan const& packing, device_info const& device) {
  double const m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k),
               batch = static_cast<double>(p.batch_count);
  bool const in_cluster = split.by == reduction::cluster, stream_k = split.by == reduction::last_arriver;
  double const slices = split.slices, cut = stream_k ? 1 : slices;
  int const resident = resident_of(of, device, in_cluster);
  double const whole = of.is_skinny() ? (std::max)(k / cut, of.block_k / 2.0) : cut > 1 ? double{1} * split.depth : k;
  return {
      .peak = peak_of(of, device),
      .tile = of.elements(),
      .depth = whole,
      .copied = copied_of(of, p, packing),
      .blocks = tiles_of(of, p) * cut,
      .resident = double{1} * resident,
      .slots = tables::cluster_slots(in_cluster ? split.slices : of.cluster_blocks(), resident, device.multiprocessors),
      .bytes = batch * ((m * k + k * n) * sizeof(typename Problem::input) + m * n * sizeof(typename Problem::output)),
      .in_flight = of.is_skinny() || of.shared_bytes == 0 ? device.rates_for(of.input).thread_in_flight * of.threads
                                                          : static_cast<double>(of.shared_bytes),
      .slices = slices,
      .slice_bytes = batch * m * n * slices * sizeof(typename Problem::accum),
      .packed_bytes = packing.bytes,
      .in_cluster = in_cluster,
      .stream_k = stream_k};
}

/// The class of a problem's operands in the tables, as the kernel finds them: where a second kernel adds slices, that
/// one stores C, and a B that is transposed by a pass is k-major.
template <class Problem>
int operand_class(compiled_kernel const& of, Problem const& p, split_plan const& split, repack_plan const& packing) {
  constexpr int width = widest<typename Problem::input>;
  bool const in_workspace = split.slices > 1 && split.by == reduction::workspace;
  bool const aligned = of.uses_tma() ? in_workspace || allows_vectors<widest<typename Problem::output>>(p.c)
                                     : (packing.a.matrices > 0 || allows_vectors<width>(p.a)) &&
                                           (packing.b.matrices > 0 || allows_vectors<width>(p.b));
  return (Problem::storage::b == major::k || of.transposes_b ? 2 : 0) + (aligned ? 1 : 0);
}

inline plan_price price_of(plan_load const& x, tables::policy_rates const& r, int operands, device_info const& device) {
  return price_of(x, r.of[operands], device.rates_for(r.input), device.bandwidth, device.multiprocessors);
}

}  // namespace gemm::detail
