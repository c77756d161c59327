// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stand-in for the toolkit's <cuda_runtime.h>: kernels compile as plain C++ and launches run on the CPU.
#pragma once

// The toolkit's own headers include theirs by a quoted name, which finds the real file: with its guard set it is empty.
#define __CUDA_RUNTIME_H__

#include "cpu_device/arithmetic.hpp"
#include "cpu_device/language.hpp"
#include "cpu_device/launch.hpp"
#include "cpu_device/options.hpp"
#include "cpu_device/runtime_api.hpp"
#include "cpu_device/synchronization.hpp"
