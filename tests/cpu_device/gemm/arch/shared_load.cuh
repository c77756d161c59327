// SPDX-License-Identifier: BSL-1.0
//! @file
//! The CPU device's bodies of include/gemm/arch/shared_load.cuh.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

namespace gemm::arch {

/// As documented there, but as wide as all addresses are here.
using shared_address = std::uintptr_t;

/// As documented there.
__device__ inline shared_address shared_address_of(void const* shared) {
  return reinterpret_cast<shared_address>(shared);
}

/// As documented there.
__device__ constexpr shared_address offset(int bytes) { return static_cast<shared_address>(bytes); }

/// As documented there.
__device__ inline void load_shared(float (&values)[4], shared_address from) {
  std::memcpy(values, reinterpret_cast<float const*>(from), sizeof(values));
}

/// As documented there.
__device__ inline void load_shared(float& value, shared_address from) {
  std::memcpy(&value, reinterpret_cast<float const*>(from), sizeof(value));
}

/// As documented there.
__device__ inline void load_shared(std::uint32_t (&words)[4], shared_address from,
                                   cpu_device::call_site where = cpu_device::call_site::current()) {
  if (from % 16 != 0) {
    cpu_device::fail("load_shared (%s:%d): from %#zx, which must be a multiple of 16 bytes", where.file, where.line,
                     static_cast<std::size_t>(from));
  }
  std::memcpy(words, reinterpret_cast<std::uint32_t const*>(from), sizeof(words));
}

/// As documented there.
__device__ inline void load_shared(std::uint32_t& word, shared_address from) {
  std::memcpy(&word, reinterpret_cast<std::uint32_t const*>(from), sizeof(word));
}

/// As documented there.
__device__ inline void load_shared(double& value, shared_address from) {
  std::memcpy(&value, reinterpret_cast<double const*>(from), sizeof(value));
}

/// As documented there.
__device__ inline void store_shared(shared_address to, float const (&values)[4]) {
  std::memcpy(reinterpret_cast<float*>(to), values, sizeof(values));
}

/// As documented there.
__device__ inline void make_opaque(int&) {}

}  // namespace gemm::arch
