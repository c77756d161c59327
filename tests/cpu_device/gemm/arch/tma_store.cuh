// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stores of the tensor memory accelerator: the CPU device's bodies of include/gemm/arch/tma_store.cuh.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include "../../cpu_device/tensor_store.hpp"

namespace gemm::arch {

/// As documented there.
__device__ inline void tma_store(CUtensorMap const& map, int x, int y, int batch, void const* shared,
                                 cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::tensor_box const box = cpu_device::checked_store(&map, shared, {x, y, batch}, where);
  // The hardware may copy at any time from now on: a copy that is late here must be seen to clash with whoever writes
  // the memory already.
  cpu_device::observe_store(box, &cpu_device::observe_stored_box);
  cpu_device::issue_store(box, &cpu_device::store_box);
}

/// As documented there.
__device__ inline void bulk_commit_group() { cpu_device::commit_stores(); }

/// As documented there. What has been read has been stored, too.
template <int Pending>
__device__ inline void bulk_wait_group_read() {
  static_assert(Pending >= 0, "gemm: cp.async.bulk.wait_group takes a count of 0 or more groups.");
  cpu_device::wait_stores(Pending);
}

}  // namespace gemm::arch
