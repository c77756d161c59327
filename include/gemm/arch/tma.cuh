// SPDX-License-Identifier: BSL-1.0
//! @file
//! The tensor memory accelerator: one thread has a box of a tensor copied to shared memory (sm_90).
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/mbarrier.cuh>

namespace gemm::arch {

/// cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [shared], [map, {x, y, batch}],
/// [barrier] | PTX ISA 8.0, section "cp.async.bulk.tensor", sm_90.
///
/// Copies the map's box whose first element is (x, y, batch) of the tensor, x along the contiguous dimension. It adds
/// the bytes of the whole box to those that have landed in the barrier's current phase. Elements outside the tensor, at
/// negative coordinates too, become zeros.
///
///     shared    row after row of the box without gaps, the first at a multiple of 128 bytes. Swizzled, the 16 bytes
///               meant for address s lie at s ^ (s >> 7 & mask) << 4, where mask is 1, 3 or 7 for 32, 64 or 128
///               bytes: of the address itself, so a buffer at a multiple of 256, 512 or 1024 bytes begins with the
///               pattern's beginning
///     x         a multiple of 16 bytes' worth of elements, or the instruction is illegal (seen on an H200)
///     map       a __grid_constant__ parameter of the kernel or a part of one, made by detail::encode_tensor_map(); or
///               one in global memory that the block has acquired (arch/tensor_map.cuh)
///     barrier   of this block; mbarrier_arrive_expect_tx() announces the bytes
///
/// By one thread, which may return at once; the block may not before somebody has waited for the copy. What others have
/// read from `shared` must be ordered before, by their arrival on a barrier that this thread has waited for; what they
/// have written there, in addition by their fence_proxy_async() before the arrival, or by this thread's after its wait.
__device__ inline void tma_load(void* shared, CUtensorMap const& map, mbarrier& barrier, int x, int y, int batch) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const to = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  auto const completion = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], "
      "[%2];" ::"r"(to),
      "l"(&map), "r"(completion), "r"(x), "r"(y), "r"(batch)
      : "memory");
#else
  __trap();
#endif
}

/// cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [shared], [map,
/// {x, y, batch}], [barrier], blocks | PTX ISA 8.0, section "cp.async.bulk.tensor", sm_90.
///
/// As tma_load(), for several blocks of the cluster at once: bit r of `blocks` is the block of rank r. In each of them
/// the box lands where `shared` is in this one, and its bytes count for the barrier that lies where `barrier` does. The
/// memory is read once for all of them.
///
/// Before the first, a barrier of the cluster after the others' fence_mbarrier_init(); a block must not end before it
/// has waited for all that others load for it. What the others have read must be ordered before as above: by their
/// arrivals from afar (mbarrier_arrive_in_block()).
__device__ inline void tma_load_multicast(void* shared, CUtensorMap const& map, mbarrier& barrier, int x, int y,
                                          int batch, unsigned blocks) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const to = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  auto const completion = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, "
      "{%3, %4, %5}], [%2], %6;" ::"r"(to),
      "l"(&map), "r"(completion), "r"(x), "r"(y), "r"(batch), "h"(static_cast<std::uint16_t>(blocks))
      : "memory");
#else
  __trap();
#endif
}

/// createpolicy.fractional.L2::evict_first.b64, cp.async.bulk.tensor.3d.shared::cluster.global.tile.
/// mbarrier::complete_tx::bytes.L2::cache_hint [shared], [map, {x, y, batch}], [barrier], policy | PTX ISA 8.0, section
/// "cp.async.bulk.tensor", sm_90.
///
/// As tma_load(), for what nobody reads a second time: the L2 gives it up first.
__device__ inline void tma_load_once(void* shared, CUtensorMap const& map, mbarrier& barrier, int x, int y, int batch) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const to = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  auto const completion = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  asm volatile(
      "{\n"
      "  .reg .b64 policy;\n"
      "  createpolicy.fractional.L2::evict_first.b64 policy, 1.0;\n"
      "  cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], "
      "[%1, {%3, %4, %5}], [%2], policy;\n"
      "}" ::"r"(to),
      "l"(&map), "r"(completion), "r"(x), "r"(y), "r"(batch)
      : "memory");
#else
  __trap();
#endif
}

/// The same with .multicast::cluster | as tma_load_multicast(), for what nobody else reads, nor a second time.
__device__ inline void tma_load_multicast_once(void* shared, CUtensorMap const& map, mbarrier& barrier, int x, int y,
                                               int batch, unsigned blocks) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  auto const to = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  auto const completion = static_cast<std::uint32_t>(__cvta_generic_to_shared(&barrier));
  asm volatile(
      "{\n"
      "  .reg .b64 policy;\n"
      "  createpolicy.fractional.L2::evict_first.b64 policy, 1.0;\n"
      "  cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
      ".L2::cache_hint [%0], [%1, {%3, %4, %5}], [%2], %6, policy;\n"
      "}" ::"r"(to),
      "l"(&map), "r"(completion), "r"(x), "r"(y), "r"(batch), "h"(static_cast<std::uint16_t>(blocks))
      : "memory");
#else
  __trap();
#endif
}

/// cp.async.bulk.prefetch.tensor.3d.L2.global.tile [map, {x, y, batch}] | PTX ISA 8.0, section
/// "cp.async.bulk.prefetch.tensor", sm_90.
///
/// Has the L2 fetch a box as tma_load() names it. A hint: who writes it later is seen by whoever loads it after that.
__device__ inline void tma_prefetch(CUtensorMap const& map, int x, int y, int batch) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.prefetch.tensor.3d.L2.global.tile [%0, {%1, %2, %3}];" ::"l"(&map), "r"(x), "r"(y),
               "r"(batch)
               : "memory");
#else
  __trap();
#endif
}

/// prefetch.tensormap [map] | PTX ISA 8.0, section "prefetch", sm_90 | fetches the map before the first copy needs it.
__device__ inline void prefetch_tensormap(CUtensorMap const& map) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
#else
  __trap();
#endif
}

/// fence.proxy.async.shared::cta | PTX ISA 8.0, section "membar/fence", sm_90.
///
/// Orders ordinary accesses of shared memory, this thread's and those that it has waited for, before copies to it and
/// from it that come later.
__device__ inline void fence_proxy_async() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#else
  __trap();
#endif
}

}  // namespace gemm::arch
