// SPDX-License-Identifier: BSL-1.0
//! @file
//! The last error of each host thread.
#pragma once

#include "cpu_device/language.hpp"

namespace cpu_device {

/// Remembers `error`, unless it is a success, for cudaGetLastError; every call of the runtime returns through here.
cudaError_t remember(cudaError_t error);

}  // namespace cpu_device
