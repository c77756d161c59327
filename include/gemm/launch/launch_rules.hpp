// SPDX-License-Identifier: BSL-1.0
//! @file
//! What a launch asks of the device and of the grid.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include <gemm/kernel_info.hpp>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/status.hpp>
#include <gemm/view_rules.hpp>

namespace gemm::detail {

constexpr std::int64_t tiles(std::int64_t extent, std::int64_t block) { return (extent + block - 1) / block; }

inline constexpr std::int64_t most_of_grid_x = 2147483647, most_of_grid_y = 65535, most_of_grid_z = 65535;

/// Whether the grid can hold the problem.
[[gnu::noinline]] inline status check_grid(compiled_kernel const& kernel, std::int64_t m, std::int64_t n,
                                           std::int64_t batch_count) {
  constexpr std::int64_t most_batches = most_of_grid_y * most_of_grid_z;
  std::int64_t const tiles_m = tiles(m, kernel.block_m), tiles_n = tiles(n, kernel.block_n);
  if (tiles_m > most_of_grid_x / tiles_n) {
    return broken_rule("C has %lld x %lld tiles of %d x %d, more than the 2^31 - 1 blocks of a grid",
                       static_cast<long long>(tiles_m), static_cast<long long>(tiles_n), kernel.block_m,
                       kernel.block_n);
  }
  if (batch_count > most_batches) {
    return broken_rule("the batch of %lld is more than the 65535^2 of a grid", static_cast<long long>(batch_count));
  }
  return {};
}

/// Whether the copies of operands can be addressed, and one launch can make them. Where not, bytes are the greatest
/// number.
inline status check_memory(char const* what, std::size_t bytes, double blocks) {
  constexpr double most_blocks = 2147483647;
  if (bytes == (std::numeric_limits<std::size_t>::max)()) {
    return broken_rule("to %s takes more than 10^18 bytes, more than can be addressed", what);
  }
  if (blocks > most_blocks) {
    return broken_rule("to %s takes %.3g blocks, more than the 2^31 - 1 of a grid", what, blocks);
  }
  return {};
}

/// Everything about a launch that does not need one: the device and the grid. The problem is not empty. `in_cluster`:
/// whether blocks of a cluster share a tile's k.
[[gnu::noinline]] static inline status check_launch(compiled_kernel const& kernel, std::int64_t m, std::int64_t n,
                                                    std::int64_t batch_count, bool in_cluster = false) {
  status result = check_grid(kernel, m, n, batch_count);
  if (result) {
    result = check_device(kernel.shared_bytes);
  }
  if (result && code_of_device() == device_code::old) {
    return {status_code::unsupported_device, cudaSuccess,
            "the program is compiled for GPUs before sm_80: name this one's, with -arch=native, or for Hopper sm_90a"};
  }
  bool const has_code = result && (in_cluster ? current_code().clusters : current_code().supports(kernel));
  if (result && !has_code) {
    std::string_view const name = in_cluster ? "cluster_split_k" : kernel.name;
    architecture const needed = in_cluster ? architecture::sm_90a : kernel.arch;
    auto const [code, capabilities] = facts_of_architecture[static_cast<int>(needed)];
    return {status_code::unsupported_device,
            cudaSuccess,
            "%.*s needs a device of compute capability %s, and code compiled for %s",
            static_cast<int>(name.size()),
            name.data(),
            capabilities,
            code};
  }
  if (result && kernel.input_bytes == 1 && !kernel.integers) {  // fp8
    int major = 0, minor = 0;
    if (!device_attribute(major, cudaDevAttrComputeCapabilityMajor) ||
        !device_attribute(minor, cudaDevAttrComputeCapabilityMinor) || 10 * major + minor < 89) {
      return {status_code::unsupported_device, cudaSuccess, "fp8 needs a device of compute capability 8.9 or more"};
    }
  }
  return result;
}

}  // namespace gemm::detail
