// SPDX-License-Identifier: BSL-1.0
//! @file
//! cp.async: the CPU device's bodies of include/gemm/arch/cp_async.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cstring>

#include <gemm/arch/mbarrier.cuh>

#include "../../cpu_device/memory_access.hpp"

namespace gemm::arch {

/// As documented there. Only the first valid_bytes of the global memory need to exist.
template <int Bytes>
__device__ inline void cp_async_zfill(void* shared, void const* global, int valid_bytes) {
  static_assert(Bytes == 4 || Bytes == 8 || Bytes == 16, "gemm: cp.async copies 4, 8 or 16 bytes.");
  cpu_device::issue_copy(shared, global, Bytes, valid_bytes, [](void* to, void const* from, int valid) {
    if (valid == Bytes) {
      std::memcpy(to, from, Bytes);
    } else {
      if (valid != 0) {
        std::memcpy(to, from, std::size_t(valid));
      }
      std::memset(static_cast<char*>(to) + valid, 0, std::size_t(Bytes - valid));
    }
  });
  // The hardware may copy at any time from now on: a copy that lands late here must be seen to clash with whoever uses
  // the memory already.
  cpu_device::observe_read(global, std::size_t(valid_bytes));
  cpu_device::observe_write(shared, Bytes);
}

/// As documented there.
template <int Bytes>
__device__ inline void cp_async(void* shared, void const* global) {
  cp_async_zfill<Bytes>(shared, global, Bytes);
}

/// As documented there.
template <int Bytes>
__device__ inline void cp_async_below(int outer, int outers, int k, int depth, void* shared, void const* global) {
  if (outer < outers) {
    cp_async_zfill<Bytes>(shared, global, k < depth ? Bytes : 0);
  }
}

/// As documented there.
template <int Bytes>
__device__ inline void cp_async_below(int outer, int outers, void* shared, void const* global) {
  if (outer < outers) {
    cp_async<Bytes>(shared, global);
  }
}

/// As documented there.
__device__ inline void cp_async_commit_group() { cpu_device::commit_copies(); }

/// As documented there.
template <int Pending>
__device__ inline void cp_async_wait_group() {
  static_assert(Pending >= 0, "gemm: cp.async.wait_group takes a count of 0 or more groups.");
  cpu_device::wait_copies(Pending);
}

/// As documented there. Here the copies land at once.
__device__ inline void cp_async_arrive(mbarrier& barrier,
                                       cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::commit_copies();
  cpu_device::wait_copies(0);
  mbarrier_arrive(barrier, where);
}

}  // namespace gemm::arch
