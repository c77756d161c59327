// SPDX-License-Identifier: BSL-1.0
//! @file
//! Clusters: blocks that run at the same time, wait for one another and read each other's shared memory (sm_90).
//!
//! A launch without clusters has clusters of one block, in which all of this works, too. Data for other blocks needs
//! two barriers of the cluster. One is between its writing and their reading; the other between their reading and its
//! next write or its end, with which its shared memory is gone.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/shared_load.cuh>

namespace gemm::arch {

/// mov.u32 %cluster_ctarank | PTX ISA 7.8, section "Special Registers: %cluster_ctarank", sm_90.
///
/// The block's number in its cluster, from 0 on: x counts fastest, then y, then z, as in the grid.
__device__ inline unsigned cluster_rank() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
#else
  __trap();
  return 0;
#endif
}

/// mov.u32 %cluster_nctarank | PTX ISA 7.8, section "Special Registers: %cluster_nctarank", sm_90.
///
/// How many blocks the cluster has.
__device__ inline unsigned cluster_size() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned size;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  return size;
#else
  __trap();
  return 1;
#endif
}

/// barrier.cluster.arrive.release | PTX ISA 8.0, section "barrier.cluster", sm_90.
///
/// The thread's arrival at the cluster's one barrier, without waiting: cluster_wait() must follow before it arrives
/// again. What it has read and written before comes before what any thread of the cluster does after its wait.
///
/// Not .aligned: the threads of a warp may come one by one, and some of them may have returned.
__device__ inline void cluster_arrive() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
#else
  __trap();
#endif
}

/// barrier.cluster.arrive.relaxed | PTX ISA 8.0, section "barrier.cluster", sm_90.
///
/// As above, but only loads whose values have been used come before what others do after their wait, and no arrivals at
/// other blocks' mbarriers. For the end of a block whose shared memory others may still read (sm_90: release waits
/// until the block's stores have reached the L2).
__device__ inline void cluster_arrive_relaxed() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
#else
  __trap();
#endif
}

/// barrier.cluster.wait.acquire | PTX ISA 8.0, section "barrier.cluster", sm_90.
///
/// Waits until all threads of the cluster have arrived. Those that have returned count as arrived. It also does what
/// __syncthreads() does for the block.
__device__ inline void cluster_wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#else
  __trap();
#endif
}

/// mapa.shared::cluster.u32 address, mine, rank | PTX ISA 7.8, section "mapa", sm_90.
///
/// Where the block of that rank has what this one has at `mine`. Only load_cluster() reads there.
__device__ inline shared_address address_in_block(shared_address mine, unsigned rank) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  shared_address theirs;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(theirs) : "r"(mine), "r"(rank));
  return theirs;
#else
  __trap();
  return mine;
#endif
}

/// mapa.shared::cluster.u32, mbarrier.arrive.shared::cluster.b64 _, [barrier] | PTX ISA 8.0, section "mbarrier.arrive",
/// sm_90.
///
/// mbarrier_arrive() on the barrier that the block of that rank, which may be this one, has where this one has
/// `barrier`. After a barrier of the cluster that follows its initialisation, and before one that precedes that block's
/// end. It orders as within a block: enough for the reads of wgmma that this thread has waited for, not for ordinary
/// accesses of another block's memory. Those would need .release.cluster, which is slow (docs/tuning-notes.md,
/// clusters).
__device__ inline void mbarrier_arrive_in_block(mbarrier& barrier, unsigned rank) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const mine = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  asm volatile(
      "{\n"
      "  .reg .b32 theirs;\n"
      "  mapa.shared::cluster.u32 theirs, %0, %1;\n"
      "  mbarrier.arrive.shared::cluster.b64 _, [theirs];\n"
      "}" ::"r"(mine),
      "r"(rank)
      : "memory");
#else
  __trap();
#endif
}

/// ld.shared::cluster.v4.f32 | PTX ISA 7.8, section "ld", sm_90 | four floats, the address a multiple of 16.
///
/// From an address that address_in_block() has given, or one of the block's own.
__device__ inline void load_cluster(float (&values)[4], shared_address from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(values[0]), "=f"(values[1]), "=f"(values[2]), "=f"(values[3])
               : "r"(from)
               : "memory");
#else
  __trap();
#endif
}

/// ld.shared::cluster.v4.b32 | PTX ISA 7.8, section "ld", sm_90 | as above, four integers.
__device__ inline void load_cluster(std::int32_t (&values)[4], shared_address from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("ld.shared::cluster.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(values[0]), "=r"(values[1]), "=r"(values[2]), "=r"(values[3])
               : "r"(from)
               : "memory");
#else
  __trap();
#endif
}

/// ld.shared::cluster.v2.f64 | PTX ISA 7.8, section "ld", sm_90 | as above, two doubles.
__device__ inline void load_cluster(double (&values)[2], shared_address from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("ld.shared::cluster.v2.f64 {%0, %1}, [%2];" : "=d"(values[0]), "=d"(values[1]) : "r"(from) : "memory");
#else
  __trap();
#endif
}

}  // namespace gemm::arch
