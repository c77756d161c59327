// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stores by the tensor memory accelerator: one thread has a box of shared memory copied to a tensor (sm_90).
//!
//! Stores are asynchronous and counted in groups of the thread that issues them, apart from those of cp.async:
//!
//!     tma_store() tma_store() ...  bulk_commit_group()  ...  bulk_wait_group_read<Pending>()
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [map, {x, y, batch}], [shared] | PTX ISA 8.0, section
/// "cp.async.bulk.tensor", sm_90.
///
/// Copies to the map's box whose first element is (x, y, batch) of the tensor. The box lies in shared memory as
/// tma_load() loads it, swizzle and all, and is addressed by the same rules. But it never begins before the tensor: an
/// H200 calls a store to (-8, -5, 1) an illegal instruction. Elements beyond the tensor's ends are not stored, but in
/// whole pieces of 16 bytes: a piece that the end of a row divides is written whole (seen on an H200).
///
/// By one thread. What others have written to `shared` must be ordered before, by the fence_proxy_async() of each of
/// them and a barrier after it.
__device__ inline void tma_store(CUtensorMap const& map, int x, int y, int batch, void const* shared) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const from = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(&map),
               "r"(x), "r"(y), "r"(batch), "r"(from)
               : "memory");
#else
  __trap();
#endif
}

/// cp.async.bulk.commit_group | PTX ISA 8.0, section "cp.async.bulk.commit_group", sm_90 | the thread's stores since
/// the last commit become a group, which may be empty.
__device__ inline void bulk_commit_group() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#else
  __trap();
#endif
}

/// cp.async.bulk.wait_group.read Pending | PTX ISA 8.0, section "cp.async.bulk.wait_group", sm_90.
///
/// Waits until all but at most Pending of the thread's groups have read their shared memory, which may then be written
/// again. What they store is there for those who wait for the kernel. A thread must not end before its last one.
template <int Pending>
__device__ inline void bulk_wait_group_read() {
  static_assert(Pending >= 0, "gemm: cp.async.bulk.wait_group takes a count of 0 or more groups.");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
#else
  __trap();
#endif
}

}  // namespace gemm::arch
