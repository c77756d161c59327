// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the bodies of gemm/arch/tma_store.cuh ask of the device.
#pragma once

#include <array>

#include "call_site.hpp"
#include "tensor_box.hpp"

namespace cpu_device {

/// As checked_box(), of a box that is to be stored.
tensor_box checked_store(void const* map, void const* shared, std::array<int, 3> corner, call_site where);

/// Tells the sanitizers what a store that the calling thread is about to issue will do: runs `observe` as a thread of
/// its own, which only that thread's waits order before others.
void observe_store(tensor_box const& box, void (*observe)(tensor_box const&));

/// Starts the store of a box by the calling thread: `perform` runs now, or as late as it waits for it. It is compiled
/// in the kernel's translation unit, so that the sanitizers watch it: the runtime is never sanitized.
void issue_store(tensor_box const& box, void (*perform)(tensor_box const&));

/// Makes the calling thread's stores since the last commit a group.
void commit_stores();

/// Waits until at most `pending_groups` of the calling thread's groups are unfinished.
void wait_stores(unsigned pending_groups);

}  // namespace cpu_device
