// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the bodies of gemm/arch/named_barrier.cuh ask of the device.
#pragma once

#include "call_site.hpp"

namespace cpu_device {

/// One arrival at a barrier of the block, of as many as `threads`.
void arrive_at_named_barrier(int barrier, int threads, call_site where);

/// The same, and lets other threads run until all have arrived.
void sync_named_barrier(int barrier, int threads, call_site where);

}  // namespace cpu_device
