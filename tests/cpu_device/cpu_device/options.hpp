// SPDX-License-Identifier: BSL-1.0
//! @file
//! How the CPU device runs launches, and which GPU it presents itself as.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace cpu_device {

struct recording;

/// The order in which the blocks of a grid run, and in which the threads of a block get their turns.
enum class run_order { forward, reverse, random };

/// When an asynchronous copy lands: at the last legal moment, at issue, or one or the other by the toss of a coin.
enum class copy_completion { lazy, eager, mixed };

/// Whether the device has memory pools: some vGPUs have none and say so, and some driver may say one thing and do the
/// other. Without, cudaMemPoolCreate() and allocations in stream order answer cudaErrorNotSupported.
enum class memory_pools { supported, missing, refused };

/// The numbers by which a program knows the device: those of an sm_90 part unless a test pretends another.
struct device_model {
  int number = 0;  ///< what cudaGetDevice() says
  int compute_capability_major = 9;
  int compute_capability_minor = 0;
  int multiprocessors = 132;
  int blocks_per_multiprocessor = 32;
  int threads_per_multiprocessor = 2048;
  int registers_per_multiprocessor = 65536;
  std::size_t shared_memory_per_multiprocessor = 228 * 1024;
  std::size_t shared_memory_per_block = 48 * 1024;         ///< without opting in
  std::size_t shared_memory_per_block_optin = 227 * 1024;  ///< cudaFuncAttributeMaxDynamicSharedMemorySize
  std::size_t shared_memory_reserved_per_block = 1024;     ///< counts towards the occupancy only
  std::size_t global_memory = std::size_t(64) << 30;       ///< more fails with cudaErrorMemoryAllocation
  int l2_cache_bytes = 50 << 20;
  int clock_khz = 1980000, memory_clock_khz = 3134000, memory_bus_bits = 6144;  ///< of an H200
  int kernel_threads = 1024;  ///< cudaFuncAttributes::maxThreadsPerBlock of every kernel
  memory_pools pools = memory_pools::supported;
};

/// Everything that can be set. A launch takes what is set when it begins.
struct options {
  run_order order = run_order::forward;
  copy_completion completion = copy_completion::lazy;
  unsigned seed = 1;                 ///< of the random order and mixed completion; every launch starts anew from it
  device_model device;               ///< the current one
  std::vector<device_model> others;  ///< which cudaSetDevice() makes the current one in its place, for all threads
  /// What the kernel before a launch writes, called when the first thread of the launch waits for it.
  std::function<void()> kernel_before;
  recording* record = nullptr;  ///< to which the launches of one host thread append what happens (recording.hpp)
};

/// The process's options, not to be changed while a launch runs. At first use they come from the environment:
/// CPU_DEVICE_ORDER=forward|reverse|random, CPU_DEVICE_COMPLETION=lazy|eager|mixed (where it is not set: mixed for the
/// random order, else lazy) and CPU_DEVICE_SEED=<number>.
options& current_options();

/// Restores the options at the end of a scope: `scoped_options with; with->order = run_order::reverse;`
class scoped_options {
 public:
  scoped_options() : saved_(current_options()) {}
  ~scoped_options() { current_options() = saved_; }
  scoped_options(scoped_options const&) = delete;
  scoped_options& operator=(scoped_options const&) = delete;

  options* operator->() { return &current_options(); }

 private:
  options saved_;
};

}  // namespace cpu_device
