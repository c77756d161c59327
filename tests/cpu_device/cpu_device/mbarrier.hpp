// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the bodies of gemm/arch/mbarrier.cuh and gemm/arch/tma.cuh ask of the device.
#pragma once

#include <array>
#include <cstdint>

#include "call_site.hpp"
#include "tensor_box.hpp"

namespace cpu_device {

/// Makes a barrier of 8 bytes of the block's shared memory, which then hold no more than its number.
void init_mbarrier(std::uint64_t* barrier, std::uint32_t arrivals, call_site where);

/// Copies may complete on the barriers that the calling thread has initialised.
void fence_mbarriers();

/// One arrival; in the same phase `bytes` more have to land. `instruction` is for messages.
void arrive_at_mbarrier(std::uint64_t* barrier, std::uint32_t bytes, char const* instruction, call_site where);

/// Whether the phase of that parity is complete. Fails where a thread asks over and over: nobody else gets a turn.
bool test_mbarrier(std::uint64_t* barrier, std::uint32_t parity, call_site where);

/// Lets other threads run, and copies land, until the phase of that parity is complete.
void wait_for_mbarrier(std::uint64_t* barrier, std::uint32_t parity, call_site where);

/// The box at these coordinates (innermost first) of the tensor that a CUtensorMap describes. Fails if it is no map, or
/// if the box cannot be loaded to `shared`.
tensor_box checked_box(void const* map, void* shared, std::array<int, 3> corner, call_site where);

/// The bytes of a box that may be prefetched. Fails if it is no map, or x is illegal.
std::int64_t checked_prefetch(void const* map, std::array<int, 3> corner, call_site where);

/// Starts the load of a box: `perform` runs now, or as late as somebody waits for it. It is compiled in the kernel's
/// translation unit, so that the sanitizers watch it: the runtime is never sanitized.
void issue_box(tensor_box const& box, std::uint64_t* barrier, void (*perform)(tensor_box const&), call_site where);

}  // namespace cpu_device
