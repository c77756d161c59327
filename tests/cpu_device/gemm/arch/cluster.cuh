// SPDX-License-Identifier: BSL-1.0
//! @file
//! Clusters: the CPU device's bodies of include/gemm/arch/cluster.cuh.
//!
//! The hidden last parameter of some is the place of the call, for messages.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/shared_load.cuh>

#include "../../cpu_device/cluster.hpp"
#include "../../cpu_device/memory_access.hpp"

namespace gemm::arch {

/// As documented there.
__device__ inline unsigned cluster_rank() { return cpu_device::cluster_rank(); }

/// As documented there.
__device__ inline unsigned cluster_size() { return cpu_device::cluster_size(); }

/// As documented there.
__device__ inline void cluster_arrive(cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::arrive_at_cluster(true, where);
}

/// As documented there, but of loads and stores it orders as many as the other.
__device__ inline void cluster_arrive_relaxed(cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::arrive_at_cluster(false, where);
}

/// As documented there.
__device__ inline void cluster_wait(cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::wait_for_cluster(where);
}

/// As documented there.
__device__ inline shared_address address_in_block(shared_address mine, unsigned rank,
                                                  cpu_device::call_site where = cpu_device::call_site::current()) {
  return cpu_device::address_in_block(mine, rank, where);
}

/// As documented there.
__device__ inline void mbarrier_arrive_in_block(mbarrier& barrier, unsigned rank,
                                                cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::observe_read(cpu_device::shared_in_block(&barrier, rank, "mbarrier_arrive_in_block", where),
                           sizeof(barrier));
  cpu_device::arrive_in_block(rank, &barrier.state, "mbarrier_arrive_in_block", where);
}

/// As documented there.
__device__ inline void load_cluster(float (&values)[4], shared_address from,
                                    cpu_device::call_site where = cpu_device::call_site::current()) {
  std::memcpy(values, cpu_device::cluster_memory(from, sizeof(values), where), sizeof(values));
}

/// As documented there.
__device__ inline void load_cluster(std::int32_t (&values)[4], shared_address from,
                                    cpu_device::call_site where = cpu_device::call_site::current()) {
  std::memcpy(values, cpu_device::cluster_memory(from, sizeof(values), where), sizeof(values));
}

/// As documented there.
__device__ inline void load_cluster(double (&values)[2], shared_address from,
                                    cpu_device::call_site where = cpu_device::call_site::current()) {
  std::memcpy(values, cpu_device::cluster_memory(from, sizeof(values), where), sizeof(values));
}

}  // namespace gemm::arch
