// SPDX-License-Identifier: BSL-1.0
//! @file
//! Records what a kernel does, where it runs on the CPU device.
#pragma once

#include <cuda_runtime.h>

#if !defined(__CUDACC__)

#include "../../tests/cpu_device/cpu_device/recording.hpp"

namespace explain {

/// While it lives, launches are recorded, in the same order everywhere. The device has so few multiprocessors, so that
/// persistent blocks take several tiles of a small product; nothing is remembered of it.
class recording_on_few_multiprocessors {
 public:
  recording_on_few_multiprocessors(cpu_device::recording& to, int multiprocessors) {
    with_->order = cpu_device::run_order::forward;
    with_->completion = cpu_device::copy_completion::lazy;
    with_->device.number = 1;
    with_->device.multiprocessors = multiprocessors;
    with_->record = &to;
  }

 private:
  cpu_device::scoped_options with_;
};

}  // namespace explain

#endif
