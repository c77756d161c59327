// SPDX-License-Identifier: BSL-1.0
//! @file
//! GPUs by their attributes: what explain and the tests of the choice know without having them.
#pragma once

#include <cstddef>
#include <string_view>

namespace tools {

struct gpu {
  std::string_view option, name;
  int major, minor, multiprocessors, shared_kib, clock_mhz, memory_mhz, bus_bits;

  /// Resident on a multiprocessor at most.
  constexpr int threads() const { return minor == 0 && major < 12 ? 2048 : 1536; }
  constexpr int blocks() const { return threads() == 2048 ? 32 : major == 8 && minor < 9 ? 16 : 24; }
};

/// NVIDIA's data sheets; shared memory, threads and blocks: CUDA C++ Programming Guide, technical specifications.
inline constexpr gpu gpus[] = {
    {"a100", "NVIDIA A100", 8, 0, 108, 164, 1410, 1593, 5120},
    {"a6000", "NVIDIA RTX A6000", 8, 6, 84, 100, 1800, 8001, 384},
    {"rtx4090", "NVIDIA RTX 4090", 8, 9, 128, 100, 2520, 10501, 384},
    {"l40s", "NVIDIA L40S", 8, 9, 142, 100, 2520, 9001, 384},
    {"rtx5090", "NVIDIA RTX 5090", 12, 0, 170, 100, 2407, 14001, 512},
    {"b200", "NVIDIA B200", 10, 0, 148, 228, 1965, 3996, 8192},
    {"h100", "NVIDIA H100", 9, 0, 132, 228, 1980, 2619, 5120},
    {"h200", "NVIDIA H200", 9, 0, 132, 228, 1980, 3134, 6144},
};

/// The GPU of an option, which must be one of them.
constexpr gpu const& gpu_of(std::string_view option) {
  gpu const* found = gpus;
  while (found->option != option) {
    ++found;
  }
  return *found;
}

/// The number of the first of them as a device, since the library may remember each. 0 and 1 are for other devices.
inline constexpr int first_number = 2;

/// Has the CPU device present itself as one of them.
template <class Model>
void pretend(gpu const& of, Model& device) {
  device.number = first_number + static_cast<int>(&of - gpus);
  device.compute_capability_major = of.major;
  device.compute_capability_minor = of.minor;
  device.multiprocessors = of.multiprocessors;
  device.shared_memory_per_multiprocessor = static_cast<std::size_t>(of.shared_kib) * 1024;
  device.shared_memory_per_block_optin = device.shared_memory_per_multiprocessor - 1024;
  device.clock_khz = of.clock_mhz * 1000;
  device.memory_clock_khz = of.memory_mhz * 1000;
  device.memory_bus_bits = of.bus_bits;
}

}  // namespace tools
