// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tensor maps that the device edits: the CPU device's bodies of include/gemm/arch/tensor_map.cuh.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "../../cpu_device/memory_access.hpp"
#include "../../cpu_device/tensor_box.hpp"

namespace gemm::arch {

/// Lets `edit` change the map that the CPU device's driver has made.
template <class Edit>
__device__ inline void edit_map(CUtensorMap& map, Edit const& edit) {
  cpu_device::tensor_map own;
  std::memcpy(&own, &map, sizeof(own));
  edit(own);
  std::memcpy(static_cast<void*>(&map), &own, sizeof(own));
}

/// As documented there. Of an illegal address the map is none.
__device__ inline void replace_map_address(CUtensorMap& map, void const* data) {
  edit_map(map, [&](cpu_device::tensor_map& own) {
    own.data = static_cast<unsigned char const*>(data);
    own.signature = reinterpret_cast<std::uintptr_t>(data) % 16 == 0 ? own.signature : 0;
  });
}

/// As documented there.
template <int Dimension>
__device__ inline void replace_map_extent(CUtensorMap& map, std::uint32_t extent) {
  edit_map(map, [&](cpu_device::tensor_map& own) {
    own.extents[Dimension] = extent;
    own.signature = extent > 0 ? own.signature : 0;
  });
}

/// As documented there. Of an illegal stride the map is none.
__device__ inline void replace_map_row_stride(CUtensorMap& map, std::uint64_t bytes) {
  edit_map(map, [&](cpu_device::tensor_map& own) {
    own.strides[0] = static_cast<std::int64_t>(bytes);
    own.signature = bytes % 16 == 0 && bytes < std::uint64_t{1} << 40 ? own.signature : 0;
  });
}

/// As documented there: the first lane copies for the warp.
__device__ inline void publish_map(CUtensorMap* to, CUtensorMap const& from,
                                   cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::warp_collective("publish_map", 0xffffffffu, nullptr, nullptr, where);
  if (threadIdx.x % 32 == 0) {
    std::memcpy(static_cast<void*>(to), &from, sizeof(from));
  }
  cpu_device::warp_collective("publish_map", 0xffffffffu, nullptr, nullptr, where);
}

/// As documented there. The order between proxies is not modelled.
__device__ inline void acquire_map(CUtensorMap const&) {}

}  // namespace gemm::arch
