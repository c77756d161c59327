// SPDX-License-Identifier: BSL-1.0
//! @file
//! Two devices for a test: this machine's, or pretended ones of the CPU device, of which the second is smaller.
#pragma once

#include <cuda_runtime.h>

#include "cpu_options.hpp"
#include "device.hpp"

namespace test {

/// Makes a device the current one, and at the end of the scope the one before.
class current_device {
 public:
  explicit current_device(int device) {
    require_success(cudaGetDevice(&before_), "cudaGetDevice");
    require_success(cudaSetDevice(device), "cudaSetDevice");
  }
  current_device(current_device const&) = delete;
  current_device& operator=(current_device const&) = delete;
  ~current_device() { static_cast<void>(cudaSetDevice(before_)); }

 private:
  int before_ = 0;
};

/// Devices 0 and 1, as long as it lives, with 0 the current one.
class two_devices {
 public:
  two_devices() { require_success(cudaGetDeviceCount(&count_), "cudaGetDeviceCount"); }

  bool are_there() const { return count_ >= 2; }

 private:
  cpu_options pretended_{[](auto& options) {
    auto second = options.device;
    second.number = 1;
    second.multiprocessors = 16;
    options.others = {second};
  }};
  int count_ = 0;
};

}  // namespace test
