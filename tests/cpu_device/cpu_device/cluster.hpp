// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the bodies of gemm/arch/cluster.cuh ask of the device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "call_site.hpp"

namespace cpu_device {

/// The place of the calling thread's block in its cluster.
unsigned cluster_rank();

/// How many blocks the cluster has.
unsigned cluster_size();

/// The calling thread's arrival at the cluster's barrier.
void arrive_at_cluster(call_site where);

/// Waits until all threads of the cluster that have not returned have arrived.
void wait_for_cluster(call_site where);

/// Where block `rank` has what the calling thread's block has at `mine`: for cluster_memory() only, since it carries
/// the rank in its upper bits, so that an ordinary access there is a fault.
std::uintptr_t address_in_block(std::uintptr_t mine, unsigned rank, call_site where);

/// The memory behind such an address, or behind one of the block's own, for a read of `bytes` bytes. Fails if they are
/// not all in that block's shared memory, or if that block may not have begun or has ended.
void const* cluster_memory(std::uintptr_t address, std::size_t bytes, call_site where);

}  // namespace cpu_device
