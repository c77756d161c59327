// SPDX-License-Identifier: BSL-1.0
//! @file
//! The tensor memory accelerator: the CPU device's bodies of include/gemm/arch/tma.cuh.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <gemm/arch/mbarrier.cuh>

#include "../../cpu_device/cluster.hpp"
#include "../../cpu_device/mbarrier.hpp"
#include "../../cpu_device/tensor_box.hpp"

namespace gemm::arch {

/// As documented there.
__device__ inline void tma_load(void* shared, CUtensorMap const& map, mbarrier& barrier, int x, int y, int batch,
                                cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::tensor_box const box = cpu_device::checked_box(&map, shared, {x, y, batch}, where);
  // The hardware may copy at any time from now on: a copy that lands late here must be seen to clash with whoever uses
  // the memory already. Before it is issued, or this thread would seem to race with its own copy.
  cpu_device::observe_box(box);
  cpu_device::observe_read(&barrier, sizeof(barrier));
  cpu_device::issue_box(box, &barrier.state, &cpu_device::copy_box, where);
}

/// As documented there.
__device__ inline void tma_load_multicast(void* shared, CUtensorMap const& map, mbarrier& barrier, int x, int y,
                                          int batch, unsigned blocks,
                                          cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::tensor_box box = cpu_device::checked_box(&map, shared, {x, y, batch}, where);
  cpu_device::observe_read(&barrier, sizeof(barrier));
  for (unsigned rank = 0; blocks >> rank != 0; ++rank) {
    if ((blocks >> rank & 1) != 0) {
      box.shared = static_cast<unsigned char*>(cpu_device::shared_in_block(shared, rank, "tma_load_multicast", where));
      cpu_device::observe_box(box);  // as above
      cpu_device::issue_box_in_block(rank, box, &barrier.state, &cpu_device::copy_box, where);
    }
  }
}

/// As documented there. There is no L2.
__device__ inline void tma_load_once(void* shared, CUtensorMap const& map, mbarrier& barrier, int x, int y, int batch,
                                     cpu_device::call_site where = cpu_device::call_site::current()) {
  tma_load(shared, map, barrier, x, y, batch, where);
}

/// As documented there.
__device__ inline void tma_load_multicast_once(void* shared, CUtensorMap const& map, mbarrier& barrier, int x, int y,
                                               int batch, unsigned blocks,
                                               cpu_device::call_site where = cpu_device::call_site::current()) {
  tma_load_multicast(shared, map, barrier, x, y, batch, blocks, where);
}

/// As documented there. There is no L2.
__device__ inline void tma_prefetch(CUtensorMap const& map, int x, int y, int batch,
                                    cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::record_prefetch(cpu_device::checked_prefetch(&map, {x, y, batch}, where));
}

/// As documented there.
__device__ inline void prefetch_tensormap(CUtensorMap const&) {}

/// As documented there. The order between proxies is not modelled.
__device__ inline void fence_proxy_async() {}

}  // namespace gemm::arch
