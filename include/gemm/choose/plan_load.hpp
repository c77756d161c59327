// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a plan asks of a device, and the rates that it is priced by.
#pragma once

#include <cmath>
#include <cstdint>

#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/choose/price.hpp>
#include <gemm/extremes.hpp>
#include <gemm/launch/access_width.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device_info.hpp>
#include <gemm/launch/launch_plan.cuh>
#include <gemm/launch/occupancy.hpp>
#include <gemm/launch/repack_plan.cuh>
#include <gemm/launch/split_plan.cuh>
#include <gemm/tables/architecture.hpp>
#include <gemm/tables/rates.hpp>

namespace gemm::detail {

/// A policy's row in a table: for elements of its type, else of another (half is as bfloat16, the first in the tables).
inline tables::policy_rates const* row_of(tables::gpu_table const& table, compiled_kernel const& kernel) {
  tables::policy_rates const* found = nullptr;
  for (std::size_t i = 0; i < table.policy_count; ++i) {
    tables::policy_rates const& row = table.policies[i];
    if (row.policy == kernel.direct_name && (row.input == kernel.input || found == nullptr)) {
      found = &row;
    }
  }
  return found;
}

/// What is predicted of a policy without a row: what middling kernels reach. Of mma.sync, what follows from the rows of
/// others: a ring of few stages waits for memory in each step, large tiles reach more and take longer to store. Of few
/// rows, which memory bounds, a block alone reads at most three times its share of the bandwidth. Promoted tiles of
/// wgmma are as the others.
inline tables::policy_rates rates_without_row(device_info const& device, compiled_kernel const& kernel) {
  constexpr double latency = 0.87e-6, large = 128 * 128, few = 32;
  tables::policy_rates rates{};
  rates.input = kernel.input;
  if (kernel.op == math_op::wgmma && kernel.promotion > 0) {
    rates.full = 0.9;
    rates.step = 0.2e-6;
  }
  if (kernel.op == math_op::mma) {
    rates.full = kernel.elements() >= large ? 0.9 : kernel.elements() > large / 4 ? 0.75 : 0.6;
    double const bytes = (kernel.block_m + kernel.block_n) * kernel.block_k * double{1} * kernel.input_bytes;
    double const reading = bytes * device.multiprocessors / (3 * device.bandwidth);
    rates.step = greater(latency / greater(1, kernel.stages - 1), kernel.block_m <= few ? reading : 0.0);
    rates.fixed = 0.9e-6;
    rates.memory[tables::uncut] = rates.memory[tables::by_second_kernel] = kernel.block_m <= few ? 0.92 : 0.95;
    rates.store[tables::aligned] = 1.5e-6 + 4e-6 * kernel.elements() / large;
    rates.store[tables::in_pairs] = rates.store[tables::singly] = 2e-6 + 11e-6 * kernel.elements() / large;
    rates.store[tables::as_slice] = 1.8e-6 + 1.5e-6 * kernel.elements() / large;
  }
  return rates;
}

/// A policy's row: of the device's table, else of another GPU's, one of the right type before others. The device's
/// rates of the row's type were solved with it.
inline tables::policy_rates rates_of(device_info const& device, compiled_kernel const& kernel) {
  tables::policy_rates const* found = row_of(*device.table, kernel);
  for (tables::gpu_table const* const other : tables::all) {
    if (found == nullptr || found->input != kernel.input) {
      tables::policy_rates const* const row = row_of(*other, kernel);
      found = row != nullptr && (found == nullptr || row->input == kernel.input) ? row : found;
    }
  }
  return found == nullptr ? rates_without_row(device, kernel) : *found;
}

/// Whether a kernel's rates were measured on this kind of GPU, with elements of its type.
inline bool is_measured(device_info const& device, compiled_kernel const& kernel) {
  tables::policy_rates const* const row = row_of(*device.table, kernel);
  return !device.predicted() && row != nullptr && row->input == kernel.input;
}

/// Multiply-adds of a multiprocessor in a second.
inline double peak_of(compiled_kernel const& kernel, device_info const& device) {
  tables::arithmetic const& a = device.arithmetic;
  double const simt = kernel.integers ? a.i8 : kernel.accum_bytes == 8 ? a.f64 : a.f32;
  tables::tensor_rates const& rates = kernel.op == math_op::wgmma ? a.wgmma : a.mma;
  double const tensor = kernel.accum_bytes == 8   ? rates.f64
                        : kernel.input_bytes == 4 ? rates.tf32
                        : kernel.input_bytes == 2 ? rates.of_16_bits
                        : kernel.integers         ? rates.int8
                                                  : rates.fp8;
  return device.clock * (kernel.op == math_op::simt ? simt : tensor);
}

/// Counts the rows of A, or the columns of B, of a tile that are copied in pieces of less than 16 bytes. Those of
/// mma.sync that begin at no multiples of 4 bytes are copied element by element: cp.async cannot.
template <class T>
void add_narrow(plan_load& load, compiled_kernel const& kernel, strided<T> const& from, packed_copy const& copy,
                int of_tile) {
  constexpr int four_bytes = sizeof(T) < 4 ? 4 / static_cast<int>(sizeof(T)) : 1;
  if (kernel.uses_tma() || copy.matrices > 0 || allows_vectors<widest<T>>(from)) {
    return;
  }
  bool const by_element = kernel.op == math_op::mma && !allows_vectors<four_bytes>(from);
  (by_element ? load.single : load.narrow) += of_tile;
}

/// Adds the cache lines of an operand that a block asks for in a step of k; a cluster shares them. `by_k`: k runs along
/// them as they are loaded; `rows`: of A, or columns of B, in a tile.
template <class T>
void add_cache_lines(plan_load& load, compiled_kernel const& kernel, strided<T> const& from, packed_copy const& copy,
                     bool by_k, double rows, int sharing) {
  constexpr double line = 128, size = element_bits<T> / 8.0;
  double const length = by_k ? double{1} * kernel.block_k : rows, count = by_k ? rows : double{1} * kernel.block_k;
  std::int64_t const ld = copy.matrices > 0 ? copy.ld : from.ld;
  double const lines = count * std::ceil(length * size / line) * kernel.products / sharing;
  load.cache_lines += lines;
  load.split_cache_lines += ld * element_bits<T> % 1024 != 0 ? lines : 0;
}

/// How a plan's blocks store their tiles. Of transposed fragments no row is stored in vectors.
template <class Problem>
tables::stores stores_of(compiled_kernel const& kernel, Problem const& p, split_plan const& split) {
  if (split.mode == reduction::workspace) {
    return tables::as_slice;
  }
  int const alignment = allows_vectors<widest<typename Problem::output>>(p.c)    ? (kernel.transposed_fragments ? 1 : 0)
                        : allows_vectors<2>(p.c) && !kernel.transposed_fragments ? 1
                                                                                 : 2;
  return static_cast<tables::stores>((split.mode == reduction::cluster ? tables::cluster_aligned : 0) + alignment);
}

template <class Problem>
[[gnu::cold]] plan_load load_of(compiled_kernel const& kernel, Problem const& p, split_plan const& split,
                                repack_plan const& packing, device_info const& device) {
  using own = typename Problem::storage;
  double const m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k),
               batch = static_cast<double>(p.batch_count);
  bool const in_cluster = split.mode == reduction::cluster, stream_k = split.mode == reduction::last_arriver;
  double const slices = split.slices, cut = split.blocks_of_tile();
  int const resident = resident_of(kernel, device), clustered = in_cluster ? split.slices : kernel.cluster_blocks();
  plan_load load{
      .peak = peak_of(kernel, device),
      .tile = kernel.elements(),
      .block_k = double{1} * kernel.block_k,
      .blocks = tiles_of(kernel, p) * cut,
      .resident = double{1} * resident,
      .slots = tables::cluster_slots(clustered, resident, device.multiprocessors),
      .bytes = batch *
               (m * k * element_bits<typename Problem::element_a> + k * n * element_bits<typename Problem::element_b> +
                m * n * element_bits<typename Problem::output>) /
               8,
      .slices = slices,
      .packed_bytes = packing.bytes,
      .cut = split.mode == reduction::workspace ? tables::by_second_kernel
             : in_cluster                       ? tables::by_cluster
             : stream_k                         ? tables::by_last_blocks
                                                : tables::uncut,
      .store = stores_of(kernel, p, split)};
  load.slice_bytes = slices > 1 ? batch * m * n * slices * sizeof(typename Problem::accum) : 0;
  // A skinny kernel's threads take what there is of k.
  load.steps = kernel.is_skinny() ? greater(k / cut / kernel.block_k, 0.5)
                                  : std::ceil((cut > 1 ? double{1} * split.depth : k) / kernel.block_k);
  load.packs_narrow = (packing.a.matrices > 0 && !allows_vectors<widest<typename Problem::element_a>>(p.a)) ||
                      (packing.b.matrices > 0 && !allows_vectors<widest<typename Problem::element_b>>(p.b));
  add_narrow(load, kernel, p.a, packing.a, kernel.block_m);
  add_narrow(load, kernel, p.b, packing.b, kernel.block_n);
  bool const transposed_a = kernel.transposes_a && packing.a.matrices > 0,
             transposed_b = kernel.transposes_b && packing.b.matrices > 0;
  add_cache_lines(load, kernel, p.a, packing.a, (own::a == major::k) != transposed_a,
                  lesser(m, double{1} * kernel.block_m), kernel.cluster_n);
  add_cache_lines(load, kernel, p.b, packing.b, (own::b == major::k) != transposed_b,
                  lesser(n, double{1} * kernel.block_n), kernel.cluster_m);
  load.waves = std::floor(load.blocks / load.slots);
  double const left = load.blocks - load.waves * load.slots;
  if (stream_k) {  // the first slices of the last tiles are the longest
    load.rest = left > 0 ? (double{1} * split.depth + split.first_longer) / k : 0;
    load.fullest = left > 0 ? 1 : 0;
  } else if (left > 0) {
    int const each = blocks_each(left, clustered, resident, device.multiprocessors);
    load.fullest = each > 0 ? each : resident;
  } else if (load.waves > 0) {
    load.waves -= 1;
    load.fullest = load.resident;
  }
  return load;
}

/// The largest part of its peak that a kernel is predicted to reach on a GPU that was not measured.
inline constexpr double most_predicted = 0.9;

inline plan_price price_of(plan_load load, tables::policy_rates const& r, device_info const& device) {
  load.peak *= device.predicted() ? lesser(r.full, most_predicted) / r.full : 1;
  return price_of(load, r, device.rates_for(r.input), device.bandwidth);
}

}  // namespace gemm::detail
