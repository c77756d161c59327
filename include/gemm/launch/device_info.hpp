// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a choice has to know of the current device, and the rates that were measured of it or of the nearest one.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <string_view>

#include <gemm/extremes.hpp>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/status.hpp>
#include <gemm/tables/all.hpp>
#include <gemm/tables/architecture.hpp>

namespace gemm::detail {

/// A GPU's rates for elements of a type, null where they were not measured.
constexpr tables::device_rates const* rates_in(tables::gpu_table const& t, std::string_view input) {
  for (std::size_t i = 0; i < t.device_count; ++i) {
    if (t.device[i].input == input) {
      return &t.device[i];
    }
  }
  return nullptr;
}

struct device_info {
  int major = 0, minor = 0, multiprocessors = 0;
  int shared_per_block = 0, shared_per_multiprocessor = 0, shared_reserved = 0;  // bytes
  double clock = 0, bandwidth = 0;                                               // Hz, bytes a second, at most
  double l2_bytes = 50 << 20;
  tables::arithmetic arithmetic{};
  tables::gpu_table const* table = tables::all[0];  // of this GPU, or of the nearest one

  /// Those for elements of a type: the table's, else another GPU's, else the first in the table.
  constexpr tables::device_rates const& rates_for(std::string_view input) const {
    tables::device_rates const* found = rates_in(*table, input);
    for (tables::gpu_table const* const other : tables::all) {
      found = found == nullptr ? rates_in(*other, input) : found;
    }
    return found == nullptr ? table->device[0] : *found;
  }
  /// The table that has rates of split terms: the device's, else another GPU's.
  constexpr tables::gpu_table const& table_of_terms() const {
    tables::gpu_table const* found = table;
    for (tables::gpu_table const* const other : tables::all) {
      found = found->terms_count == 0 ? other : found;
    }
    return *found;
  }
  /// Whether the table was measured on another kind of GPU.
  bool predicted() const { return table->multiprocessors != multiprocessors || table->major != major; }
};

/// How far a table's GPU is from a device: another major version counts most, then the minor one, then the size.
constexpr double distance(tables::gpu_table const& t, device_info const& d) {
  auto const apart = [](double x, double y) { return x < y ? y / x - 1 : x / y - 1; };
  return 100 * apart(t.major + 1, d.major + 1) + 10 * apart(t.minor + 1, d.minor + 1) +
         apart(t.multiprocessors, d.multiprocessors > 0 ? d.multiprocessors : 1) +
         apart(t.bandwidth, d.bandwidth > 0 ? d.bandwidth : 1);
}

/// Fills in what follows from the attributes.
inline device_info with_tables(device_info d) {
  d.arithmetic = tables::arithmetic_of(d.major, d.minor);
  for (tables::gpu_table const* const t : tables::all) {
    d.table = distance(*t, d) < distance(*d.table, d) ? t : d.table;
  }
  d.clock = d.clock > 0 ? d.clock : d.table->clock;
  d.bandwidth = d.bandwidth > 0 ? d.bandwidth : d.table->bandwidth;
  return d;
}

/// The current device. Every thread remembers the last one (docs/tuning-notes.md, Launches).
[[gnu::cold]] inline status current_device_info(device_info& result) {
  static thread_local device_info last;
  static thread_local int last_number = -1;
  device_facts const facts = known_facts();
  if (facts.error != cudaSuccess) {
    return no_device(facts.error);
  }
  int const number = facts.number;
  status known;
  if (number != last_number || facts.major != last.major || facts.minor != last.minor ||
      facts.multiprocessors != last.multiprocessors || facts.shared_bytes != last.shared_per_block) {
    device_info now{.major = facts.major,
                    .minor = facts.minor,
                    .multiprocessors = facts.multiprocessors,
                    .shared_per_block = facts.shared_bytes};
    int clock = 0, memory_clock = 0, bus = 0, l2 = 0;  // kHz, kHz, bits, bytes; 0 where a device does not say
    known = device_attribute(now.shared_per_multiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    known = known ? device_attribute(now.shared_reserved, cudaDevAttrReservedSharedMemoryPerBlock) : known;
    static_cast<void>(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, number));
    static_cast<void>(cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, number));
    static_cast<void>(cudaDeviceGetAttribute(&bus, cudaDevAttrGlobalMemoryBusWidth, number));
    static_cast<void>(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, number));
    static_cast<void>(cudaGetLastError());  // must not surface in the caller's next check
    now.clock = 1e3 * clock;
    now.bandwidth = 2e3 * memory_clock * bus / 8;
    now.l2_bytes = l2 > 0 ? l2 : now.l2_bytes;
    last = with_tables(now);
    last_number = number;
  }
  result = last;
  return known;
}

/// Blocks of a kernel on a multiprocessor: as many as its registers and shared memory hold.
inline int resident_of(compiled_kernel const& kernel, device_info const& device) {
  int const by_memory =
      device.shared_per_multiprocessor / (static_cast<int>(kernel.shared_bytes) + device.shared_reserved);
  return greater(1, lesser(kernel.resident, by_memory));
}

}  // namespace gemm::detail
