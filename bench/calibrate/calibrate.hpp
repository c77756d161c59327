// SPDX-License-Identifier: BSL-1.0
//! @file
//! From the times of candidates to a GPU's table.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gemm/launch/device_info.hpp>
#include <gemm/tables/rates.hpp>

#include "least_squares.hpp"

namespace bench {

/// A line of gemm_candidates.
struct measurement {
  std::string input, storage;
  long long m = 0, n = 0, k = 0, batch = 0;
  std::string policy;  ///< repacked<...> where operands were packed
  int slices = 1;
  bool in_cluster = false, stream_k = false;
  double seconds = 0;
  bool held_out = false;  ///< not solved for, only judged by

  std::string product() const {
    return input + storage + ' ' + std::to_string(m) + ' ' + std::to_string(n) + ' ' + std::to_string(k) + ' ' +
           std::to_string(batch);
  }
};

/// What was measured, and on what: the fields of the comment at a file's head.
struct measured_gpu {
  std::string name, origin;  ///< origin: driver, date, commit
  int major = 0, minor = 0, multiprocessors = 0, shared_per_multiprocessor = 0, shared_reserved = 0;
  double clock = 0, bandwidth = 0;
};

/// As the library knows it.
inline gemm::detail::device_info device_of(measured_gpu const& gpu) {
  gemm::detail::device_info device;
  device.major = gpu.major;
  device.minor = gpu.minor;
  device.multiprocessors = gpu.multiprocessors;
  device.clock = gpu.clock;
  device.bandwidth = gpu.bandwidth;
  device.shared_per_multiprocessor = gpu.shared_per_multiprocessor;
  device.shared_reserved = gpu.shared_reserved;
  return gemm::detail::with_tables(device);
}

/// The device's rates that are solved for, where each begins, and how far from there is unlikely. By a name: nvcc
/// writes a pointer to a member that g++ warns of.
using rate_member = double gemm::tables::device_rates::*;
struct device_rate {
  char const* name;
  rate_member member;
  double start, spread;
};
inline constexpr device_rate of_device[] = {
    {"launch", &gemm::tables::device_rates::launch, 0.8e-6, 0.3},
    {"norm", &gemm::tables::device_rates::norm, 3, 0.3},
    {"step_norm", &gemm::tables::device_rates::step_norm, 6, 0.3},
    {"reached", &gemm::tables::device_rates::reached, 0.9, 0.05},
    {"alone", &gemm::tables::device_rates::alone, 0.55, 0.3},
    {"cache_lines", &gemm::tables::device_rates::cache_lines, 60e9, 0.4},
    {"split_cache_line", &gemm::tables::device_rates::split_cache_line, 0.4, 0.5},
    {"shared", &gemm::tables::device_rates::shared, 0.3, 0.7},
    {"second_kernel", &gemm::tables::device_rates::second_kernel, 1.2e-6, 0.7},
    {"second_slice", &gemm::tables::device_rates::second_slice, 10e-9, 1},
    {"slice_bandwidth", &gemm::tables::device_rates::slice_bandwidth, 3e12, 0.7},
    {"cluster", &gemm::tables::device_rates::cluster, 0.3e-6, 1},
    {"cluster_slice", &gemm::tables::device_rates::cluster_slice, 0.1e-6, 1},
    {"last_blocks", &gemm::tables::device_rates::last_blocks, 3e-6, 0.7},
    {"packing", &gemm::tables::device_rates::packing, 1.9e-6, 0.5},
    {"packing_bandwidth", &gemm::tables::device_rates::packing_bandwidth, 3e12, 0.5},
    {"narrow_packing", &gemm::tables::device_rates::narrow_packing, 0.5e-6, 1},
    {"narrow_copy", &gemm::tables::device_rates::narrow_copy, 0.02e-9, 1},
    {"element_copy", &gemm::tables::device_rates::element_copy, 0.08e-9, 1}};
inline constexpr std::size_t device_count = std::size(of_device), reached_index = 3;
static_assert(of_device[reached_index].member == &gemm::tables::device_rates::reached);

/// A policy's rates, and the names of those that the measurements do not tell: they are about what they began with.
struct solved_policy {
  std::string policy;
  gemm::tables::policy_rates rates{};  ///< without names
  std::vector<std::string> unknown;
  bool kept = false;  ///< from an earlier run
};

struct solution {
  std::string input;  ///< as the library calls it
  std::vector<solved_policy> policies;
  gemm::tables::device_rates device{};
  std::vector<std::string> unknown;  ///< of the device's rates
  std::vector<std::string>
      unmeasured;     ///< policies for what is not measured, as grouped products: they keep their rates
  double error = 0;   ///< standard deviation of log(price / measured), of plans within 10 % of the fastest
  double regret = 1;  ///< geometric mean of the time of the cheapest plan over that of the fastest
  double held_out_regret = 1, held_out_worst = 1;
  std::size_t products = 0, held_out_products = 0, measurements = 0;
  std::vector<std::string> choices;  ///< of the products held out, the dearest first: what is chosen, and the fastest
};

/// For measurements of one element type, the rates by which the library's price_of() is nearest to the times.
solution solve(std::vector<measurement> const& measured, measured_gpu const& gpu, int steps);

/// The rates of split terms, which are solved for.
using emulation_member = double gemm::tables::emulation_rates::*;
struct emulation_rate {
  char const* name;
  emulation_member member;
  double spread;  ///< how far from the library's own is unlikely
};
inline constexpr emulation_rate of_emulation[] = {
    {"split", &gemm::tables::emulation_rates::split, 0.5},
    {"split_narrow", &gemm::tables::emulation_rates::split_narrow, 0.5},
    {"split_reached", &gemm::tables::emulation_rates::split_reached, 0.3},
    {"split_narrow_reached", &gemm::tables::emulation_rates::split_narrow_reached, 0.3},
    {"transpose", &gemm::tables::emulation_rates::transpose, 0.5},
    {"row_facts", &gemm::tables::emulation_rates::row_facts, 0.5},
    {"tile", &gemm::tables::emulation_rates::tile, 0.5},
    {"slices", &gemm::tables::emulation_rates::slices, 0.5},
    {"store_reached", &gemm::tables::emulation_rates::store_reached, 0.3},
    {"fallback", &gemm::tables::emulation_rates::fallback, 0.5},
    {"fallback_block", &gemm::tables::emulation_rates::fallback_block, 0.5}};

struct terms_solution {
  gemm::tables::emulation_rates rates{};
  std::vector<std::pair<std::string, double>> reached;  ///< by policy
  std::vector<std::string> unknown;
  double error = 0;
  regret fitted{}, held_out{};  ///< among plans that add alike
  std::size_t products = 0, measurements = 0;
};

/// The same for measurements of split terms.
terms_solution solve_terms(std::vector<measurement> const& measured, measured_gpu const& gpu, int steps);

}  // namespace bench
