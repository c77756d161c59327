// SPDX-License-Identifier: BSL-1.0
//! @file
//! What can be said of a kernel without running it: occupancy, waves, and the least time that its work takes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <gemm/tables/architecture.hpp>

#include "../support/gpus.hpp"

namespace explain {

/// What products are summed in, which says how fast.
enum class sums { f32, f64, i32 };

/// What one GPU offers. Rates are those of the whole device.
struct device_limits {
  std::string name;
  int multiprocessors = 0;
  int registers = 65536;                ///< of a multiprocessor, 32 bits each
  int threads = 2048;                   ///< resident on a multiprocessor at most
  int blocks = 32;                      ///< likewise
  int shared_bytes = 0;                 ///< of a multiprocessor
  int shared_bytes_per_block = 0;       ///< that a block may ask for
  int reserved_shared_bytes = 1024;     ///< that the system takes for each block besides
  double clock = 0;                     ///< Hz
  double flops_f32 = 0, flops_f64 = 0;  ///< a second, without tensor cores
  double ops_i32 = 0;                   ///< likewise, of 32-bit integers
  double bandwidth = 0;                 ///< of DRAM, bytes a second
  bool has_wgmma = false;               ///< whether it is of compute capability 9.0
};

/// Rates as measured for the benchmarks (bench/README.md, "Flags"): a loop of multiply-adds, and a copy.
inline device_limits h200() {
  return {.name = "NVIDIA H200",
          .multiprocessors = 132,
          .shared_bytes = 228 * 1024,
          .shared_bytes_per_block = 227 * 1024,
          .clock = 1.98e9,
          .flops_f32 = 65.2e12,
          .flops_f64 = 32.6e12,
          .ops_i32 = 32.6e12,
          .bandwidth = 4.27e12,
          .has_wgmma = true};
}

/// Rates by the data sheet.
inline device_limits limits_of(tools::gpu const& g) {
  gemm::tables::arithmetic const& lanes = gemm::tables::arithmetic_of(g.major, g.minor);
  double const clock = 1e6 * g.clock_mhz, twice_a_clock = 2 * clock * g.multiprocessors;
  return {.name = std::string(g.name),
          .multiprocessors = g.multiprocessors,
          .threads = g.threads(),
          .blocks = g.blocks(),
          .shared_bytes = g.shared_kib * 1024,
          .shared_bytes_per_block = (g.shared_kib - 1) * 1024,
          .clock = clock,
          .flops_f32 = twice_a_clock * lanes.f32,
          .flops_f64 = twice_a_clock * lanes.f64,
          .ops_i32 = twice_a_clock * lanes.i8,
          .bandwidth = 2e6 * g.memory_mhz * g.bus_bits / 8,
          .has_wgmma = g.major == 9};
}

/// The GPU of that option; an H200 as measured.
inline device_limits limits_of(std::string_view option) {
  return option == "h200" ? h200() : limits_of(tools::gpu_of(option));
}

/// What one block of a kernel takes.
struct kernel_needs {
  int threads = 0;
  int registers = 0;  ///< of a thread
  int shared_bytes = 0;
};

/// How many blocks of a kernel a multiprocessor holds at a time, by each of its resources.
struct occupancy {
  int by_registers = 0, by_threads = 0, by_shared_memory = 0, by_blocks = 0;
  int blocks = 0;  ///< the least of these
  int warps = 0, most_warps = 0;

  double share() const { return static_cast<double>(warps) / most_warps; }

  /// All that allow no more than `blocks`, such as "registers and threads".
  std::string limited_by() const {
    std::string names;
    auto const add = [&](int by, char const* name) {
      if (by == blocks) {
        names += (names.empty() ? "" : " and ") + std::string(name);
      }
    };
    add(by_registers, "registers");
    add(by_threads, "threads");
    add(by_shared_memory, "shared memory");
    add(by_blocks, "block slots");
    return names;
  }
};

constexpr int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

/// The rules of sm_80 to sm_120: a warp's registers come in units of 256 and from one of four partitions, which share
/// the multiprocessor's equally; a block's shared memory comes in units of 128 bytes, with what the system reserves on
/// top. No shared memory sets no limit.
inline occupancy occupancy_of(device_limits const& device, kernel_needs const& kernel) {
  constexpr int warp = 32, register_unit = 256, partitions = 4, shared_unit = 128;
  int const warps = round_up(kernel.threads, warp) / warp;
  int const registers_of_warp = round_up(std::max(kernel.registers, 1) * warp, register_unit);
  int const shared = round_up(kernel.shared_bytes, shared_unit) + device.reserved_shared_bytes;

  occupancy result;
  result.by_blocks = device.blocks;
  result.by_threads = device.threads / (warps * warp);
  result.by_registers = device.registers / partitions / registers_of_warp * partitions / warps;
  result.by_shared_memory = kernel.shared_bytes > device.shared_bytes_per_block ? 0 : device.shared_bytes / shared;
  result.blocks = std::min({result.by_registers, result.by_threads, result.by_shared_memory, result.by_blocks});
  result.warps = result.blocks * warps;
  result.most_warps = device.threads / warp;
  return result;
}

/// How often the blocks of a launch fill the device.
struct waves {
  std::int64_t blocks = 0;  ///< of the launch
  std::int64_t slots = 0;   ///< blocks that run at the same time

  double count() const { return slots > 0 ? static_cast<double>(blocks) / static_cast<double>(slots) : 0; }

  /// How much of the device the last wave uses, 1 if all of it.
  double last() const {
    std::int64_t const rest = slots > 0 ? blocks % slots : 0;
    return rest > 0 ? static_cast<double>(rest) / static_cast<double>(slots) : 1;
  }
};

/// What a launch does, counted.
struct work {
  double flops = 0;         ///< 2 m n k
  double dram_bytes = 0;    ///< A, B and C once
  double global_bytes = 0;  ///< that the loads of A and B ask for, from wherever they are served
  double shared_bytes = 0;  ///< that the threads read from shared memory
  double passes = 0;        ///< through the unit that serves global loads and shared memory, one a clock (access.hpp)
};

/// The least time for a launch by what each unit can do, in seconds.
struct least_time {
  double arithmetic = 0, dram = 0, passes = 0;

  double seconds() const { return std::max({arithmetic, dram, passes}); }
  char const* set_by() const {
    return seconds() == arithmetic ? "arithmetic" : seconds() == dram ? "DRAM" : "L1 and shared memory";
  }
};

inline least_time least_time_of(device_limits const& device, sums summed_in, work const& w) {
  double const rate = summed_in == sums::f64   ? device.flops_f64
                      : summed_in == sums::i32 ? device.ops_i32
                                               : device.flops_f32;
  return {.arithmetic = w.flops / rate,
          .dram = w.dram_bytes / device.bandwidth,
          .passes = w.passes / (device.multiprocessors * device.clock)};
}

}  // namespace explain
