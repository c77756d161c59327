// SPDX-License-Identifier: BSL-1.0
//! @file
//! cp.async: copies from global to shared memory that go on while the thread computes (sm_80 and later).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/mbarrier.cuh>

namespace gemm::arch {

/// cp.async.ca/cg.shared.global [shared], [global], Bytes | PTX ISA 7.0, section "cp.async", sm_80.
///
/// Both addresses must be multiples of Bytes. The data may be read by this thread after it has waited for the copy's
/// group, and by other threads after a barrier that follows. 16 bytes bypass the L1 (.cg); the narrower copies, whose
/// neighbours share a sector, go through it (.ca).
template <int Bytes>
__device__ inline void cp_async(void* shared, void const* global) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "gemm: cp.async copies 4, 8 or 16 bytes.");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(global) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(global), "n"(Bytes) : "memory");
  }
#else
  __trap();
#endif
}

/// cp.async.ca/cg.shared.global [shared], [global], Bytes, valid_bytes | PTX ISA 7.0, section "cp.async", sm_80.
///
/// As above, but only the first valid_bytes (0 to Bytes) are read from global memory, the rest of the Bytes in shared
/// memory become zeros. `global` must be aligned to Bytes all the same; with valid_bytes = 0 nothing there is read.
template <int Bytes>
__device__ inline void cp_async_zfill(void* shared, void const* global, int valid_bytes) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "gemm: cp.async copies 4, 8 or 16 bytes.");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(global), "r"(valid_bytes)
                 : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(address), "l"(global), "n"(Bytes),
                 "r"(valid_bytes)
                 : "memory");
  }
#else
  __trap();
#endif
}

/// cp_async() where `outer` is below `outers`, of zeros unless `k` is below `depth`, too | PTX ISA 7.0, section
/// "cp.async", sm_80. Elsewhere it does nothing, and `global` need not be an address.
///
/// The comparisons are predicates of the copy: branches would end the instructions that the compiler may order, and
/// bools are kept in registers, packed, from one to the next loop.
template <int Bytes>
__device__ inline void cp_async_below(int outer, int outers, int k, int depth, void* shared, void const* global) {
  static_assert(Bytes == 4 || Bytes == 8, "gemm: cp_async_below() copies 4 or 8 bytes.");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile(
      "{\n.reg .pred copies, reads;\n.reg .b32 bytes;\n"
      "setp.lt.s32 copies, %2, %3;\nsetp.lt.s32 reads, %4, %5;\nselp.b32 bytes, %6, 0, reads;\n"
      "@copies cp.async.ca.shared.global [%0], [%1], %6, bytes;\n}" ::"r"(address),
      "l"(global), "r"(outer), "r"(outers), "r"(k), "r"(depth), "n"(Bytes)
      : "memory");
#else
  __trap();
#endif
}

/// The same for whole pieces: cp_async() where `outer` is below `outers`, elsewhere nothing. One predicated
/// instruction, where a size in a register costs ten: ptxas subtracts, masks, and adds to the address.
template <int Bytes>
__device__ inline void cp_async_below(int outer, int outers, void* shared, void const* global) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "gemm: cp.async copies 4, 8 or 16 bytes.");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  if constexpr (Bytes == 16) {
    asm volatile(
        "{\n.reg .pred copies;\nsetp.lt.s32 copies, %2, %3;\n"
        "@copies cp.async.cg.shared.global [%0], [%1], 16;\n}" ::"r"(address),
        "l"(global), "r"(outer), "r"(outers)
        : "memory");
  } else {
    asm volatile(
        "{\n.reg .pred copies;\nsetp.lt.s32 copies, %2, %3;\n"
        "@copies cp.async.ca.shared.global [%0], [%1], %4;\n}" ::"r"(address),
        "l"(global), "r"(outer), "r"(outers), "n"(Bytes)
        : "memory");
  }
#else
  __trap();
#endif
}

/// cp.async.commit_group | PTX ISA 7.0, sm_80 | the copies that this thread issued since the last commit become a
/// group.
__device__ inline void cp_async_commit_group() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#else
  __trap();
#endif
}

/// cp.async.wait_group Pending | PTX ISA 7.0, sm_80 | waits until at most Pending of this thread's groups are
/// unfinished.
template <int Pending>
__device__ inline void cp_async_wait_group() {
  static_assert(Pending >= 0, "gemm: cp.async.wait_group takes a count of 0 or more groups.");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#else
  __trap();
#endif
}

/// cp.async.mbarrier.arrive.noinc.shared::cta.b64 [barrier] | PTX ISA 7.0, section of that name, used here
/// from sm_90 on.
///
/// One arrival in the barrier's current phase, of those that mbarrier_init() counted, once all copies that this thread
/// issued before have landed. Who has waited for the phase sees them. The thread itself does not wait.
__device__ inline void cp_async_arrive(mbarrier& barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(address) : "memory");
#else
  __trap();
#endif
}

}  // namespace gemm::arch
