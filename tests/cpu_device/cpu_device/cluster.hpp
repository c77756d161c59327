// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the bodies of gemm/arch/cluster.cuh ask of the device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "call_site.hpp"
#include "tensor_box.hpp"

namespace cpu_device {

/// The place of the calling thread's block in its cluster.
unsigned cluster_rank();

/// How many blocks the cluster has.
unsigned cluster_size();

/// The calling thread's arrival at the cluster's barrier; `releases`: after its arrivals at other blocks' mbarriers.
void arrive_at_cluster(bool releases, call_site where);

/// Waits until all threads of the cluster that have not returned have arrived.
void wait_for_cluster(call_site where);

/// Where block `rank` has what the calling thread's block has at `mine`: for cluster_memory() only, since it carries
/// the rank in its upper bits, so that an ordinary access there is a fault.
std::uintptr_t address_in_block(std::uintptr_t mine, unsigned rank, call_site where);

/// The memory that block `rank` has where the calling thread's block has `mine`: for what an engine or a barrier does
/// there. Fails as cluster_memory() does.
void* shared_in_block(void* mine, unsigned rank, char const* instruction, call_site where);

/// As issue_box() in mbarrier.hpp, to `box.shared` in block `rank`, completing on the barrier that it has where the
/// calling thread's block has `barrier`.
void issue_box_in_block(unsigned rank, tensor_box const& box, std::uint64_t* barrier,
                        void (*perform)(tensor_box const&), call_site where);

/// One arrival at that barrier.
void arrive_in_block(unsigned rank, std::uint64_t* barrier, char const* instruction, call_site where);

/// The memory behind such an address, or behind one of the block's own, for a read of `bytes` bytes. Fails if they are
/// not all in that block's shared memory, or if that block may not have begun or has ended.
void const* cluster_memory(std::uintptr_t address, std::size_t bytes, call_site where);

}  // namespace cpu_device
