// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tensor maps that the device edits (sm_90a): from a map of the host's making to those of other matrices.
//!
//!     copy in shared memory ---> replace_map_...() ---> publish_map() ---> the next kernel ---> acquire_map()
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace gemm::arch {

/// tensormap.replace.tile.global_address.shared::cta.b1024.b64 [map], data | PTX ISA 8.3, section "tensormap.replace",
/// sm_90a.
///
/// Says where the tensor of a map in shared memory begins: at a multiple of 16 bytes. By one thread.
__device__ inline void replace_map_address(CUtensorMap& map, void const* data) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(&map))),
               "l"(data)
               : "memory");
#else
  __trap();
#endif
}

/// tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [map], Dimension, extent | PTX ISA 8.3, as above.
///
/// Says how many elements the tensor has along a dimension, of which 0 is along a row.
template <int Dimension>
__device__ inline void replace_map_extent(CUtensorMap& map, std::uint32_t extent) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], %1, %2;" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(&map))),
               "n"(Dimension), "r"(extent)
               : "memory");
#else
  __trap();
#endif
}

/// tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [map], 0, bytes | PTX ISA 8.3, as above.
///
/// Says how many bytes lie from one row to the next, a multiple of 16. Before CUDA 12.5 compilers took sixteenths.
__device__ inline void replace_map_row_stride(CUtensorMap& map, std::uint64_t bytes) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#if defined(__CUDACC_VER_MAJOR__) && \
    (__CUDACC_VER_MAJOR__ < 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ < 5))
  bytes /= 16;
#endif
  asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(&map))),
               "l"(bytes)
               : "memory");
#else
  __trap();
#endif
}

/// tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [to], [from], 128 | PTX ISA
/// 8.3, section "tensormap.cp_fenceproxy", sm_90.
///
/// Copies a map from shared memory to a multiple of 128 bytes, for who acquires it there. By a whole warp, after its
/// __syncwarp().
__device__ inline void publish_map(CUtensorMap* to, CUtensorMap const& from) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(
          __cvta_generic_to_global(to)),
      "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(&from)))
      : "memory");
#else
  __trap();
#endif
}

/// fence.proxy.tensormap::generic.acquire.gpu [map], 128 | PTX ISA 8.3, section "membar/fence", sm_90.
///
/// Orders a map in global memory that has been published before the copies by it, this thread's and those of the block
/// that come after a barrier.
__device__ inline void acquire_map(CUtensorMap const& map) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(&map) : "memory");
#else
  __trap();
#endif
}

}  // namespace gemm::arch
