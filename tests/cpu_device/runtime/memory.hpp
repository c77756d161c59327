// SPDX-License-Identifier: BSL-1.0
//! @file
//! Global memory: allocations of exactly the size asked for.
#pragma once

#include <cstddef>

#include "cpu_device/language.hpp"

namespace cpu_device {

/// Null for zero bytes, as in CUDA. Each allocation is one of the host's heap, which puts red zones round it under the
/// address sanitizer.
cudaError_t allocate(void** pointer, std::size_t bytes);

/// cudaErrorInvalidValue for what is no allocation's beginning.
cudaError_t release(void* pointer);

/// Of all allocations together.
std::size_t allocated_bytes();

/// Makes the memory look like new: 0xff bytes, a NaN in every floating-point type.
void forget(void* pointer, std::size_t bytes);

}  // namespace cpu_device
