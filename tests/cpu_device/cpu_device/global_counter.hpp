// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the bodies of gemm/arch/global_atomics.cuh ask of the device.
#pragma once

#include <cstdint>

#include "call_site.hpp"

namespace cpu_device {

/// Adds 1, returns what was there.
std::uint32_t take_ticket(std::uint32_t* counter);

/// Adds 1; what came before is ordered before what comes after waits for the count.
void count_up(std::uint32_t* counter);

/// Lets other threads of the cluster run until the counter is at `least`. Those of other clusters do not run meanwhile.
void wait_for_count(std::uint32_t const* counter, std::uint32_t least, call_site where);

}  // namespace cpu_device
