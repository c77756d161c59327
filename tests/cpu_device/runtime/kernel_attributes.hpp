// SPDX-License-Identifier: BSL-1.0
//! @file
//! What has been set on a kernel, known by its address.
#pragma once

#include <cstddef>

namespace cpu_device {

/// The limit on blocks of all kernels.
inline constexpr unsigned max_threads_per_block = 1024;

struct kernel_attributes {
  std::size_t max_dynamic_shared_memory;
};

kernel_attributes attributes_of(void const* kernel);

}  // namespace cpu_device
