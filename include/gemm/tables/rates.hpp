// SPDX-License-Identifier: BSL-1.0
//! @file
//! What is measured of a GPU: the form of the tables in this folder, which bench/calibrate writes.
#pragma once

#include <cstddef>
#include <string_view>

namespace gemm::tables {

/// A kernel's rates for one class of operands. Two are parts of a multiprocessor's peak: with all CTA slots full, and
/// with one block alone. The third is the seconds that each block takes besides.
struct kernel_rates {
  double full = 0.6, alone = 0.4, overhead = 2e-6;
};

/// A policy's rates for elements of one type. The classes: B, as the kernel loads it, is mn-major or k-major, and
/// accesses in pieces of 16 bytes are misaligned or aligned. These are of C by kernels that load by TMA, aligned where
/// a second kernel stores it. They are of A and B by others.
struct policy_rates {
  std::string_view policy, input;
  kernel_rates of[4];  // [2 * k-major B + aligned]
};

/// What does not depend on a policy, for elements of a type: seconds, bytes a second, bytes.
struct device_rates {
  std::string_view input{};
  double launch = 1.4e-6;               // of a kernel
  double second_kernel = 1.6e-6;        // that adds slices out of a workspace,
  double workspace_bandwidth = 4.5e12;  // through which they go there and back
  double cluster = 0.7e-6;              // slices added by a cluster,
  double cluster_slice = 0.2e-6;        // and each of them
  double stream_k = 10e-6;              // slices of the last tiles added by their last blocks
  double packing = 1.7e-6;              // a pass over A and B,
  double packing_bandwidth = 4.2e12;    // which go through the L2 and back
  double element_copy = 0;              // by mma.sync's kernels, of what no 4 bytes at once can be copied of
  double smem_transpose = 3.4e12;       // elements of B a second
  double reached_bandwidth = 0.9;       // part of the device's
  double thread_in_flight = 64;         // bytes that a skinny kernel's thread keeps requested
  double in_flight = 10e3;              // bytes a multiprocessor must have requested for the whole bandwidth
};

/// A GPU's table.
struct gpu_table {
  std::string_view gpu;
  int major = 0, minor = 0, multiprocessors = 0;
  double clock = 0, bandwidth = 0;  // Hz, bytes a second
  device_rates const* device = nullptr;
  policy_rates const* policies = nullptr;
  std::size_t device_count = 0, policy_count = 0;
};

}  // namespace gemm::tables
