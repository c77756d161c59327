// SPDX-License-Identifier: BSL-1.0
//! @file
//! Kernels that write down where the library's own code puts things, on the GPU or on the CPU device.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gemm/gemm.cuh>

#include "../device_memory.hpp"
#include "operand_maps.hpp"

namespace explain {

/// Device memory that a probe writes; all bytes are 0xff before.
template <class T>
class record {
 public:
  explicit record(std::size_t count) : count_(count) {
    example::require(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    example::require(cudaMemset(data_, 0xff, count * sizeof(T)));
  }
  record(record const&) = delete;
  record& operator=(record const&) = delete;
  ~record() { static_cast<void>(cudaFree(data_)); }

  T* data() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> result(count_);
    example::require(cudaMemcpy(result.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return result;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

/// A kernel's only parameter: the number of the map to note, and where.
struct chunk_request {
  int map;
  element* chunks;
};

template <class Map>
__device__ void note_map(chunk_request const& r, int number) {
  for (int i = 0; r.map == number && i < Map::count; ++i) {
    if (Map::has(i)) {
      r.chunks[i * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x)] = {Map::outer(i), Map::k(i)};
    }
  }
}

template <class... Maps>
__global__ void note_chunks(chunk_request r) {
  int number = 0;
  (note_map<Maps>(r, number++), ...);
}

/// What each thread moves by one of several maps: element [i * threads + thread] is where its chunk number i begins, -1
/// where it has none.
template <class... Maps>
std::vector<element> chunks_of(int map, int threads) {
  static constexpr int counts[] = {Maps::count...};
  record<element> const chunks(static_cast<std::size_t>(counts[map] * threads));
  chunk_request const r{map, chunks.data()};
  example::require(gemm::detail::launch(&note_chunks<Maps...>, dim3(1), threads, 0, nullptr, r));
  return chunks.values();
}

/// Where elements lie in global memory, in bytes from the operand's first.
template <class T, gemm::major Major>
struct address_request {
  gemm::detail::operand_view<T, Major> from;
  element const* elements;
  std::int64_t* addresses;
  int count;
};

template <class T, gemm::major Major>
__global__ void note_addresses(address_request<T, Major> r) {
  for (int i = static_cast<int>(threadIdx.x); i < r.count; i += static_cast<int>(blockDim.x)) {
    if (element const e = r.elements[i]; e.outer >= 0) {
      r.addresses[i] = static_cast<std::int64_t>(reinterpret_cast<char const*>(r.from.at(e.outer, e.k)) -
                                                 reinterpret_cast<char const*>(r.from.data));
    }
  }
}

template <class T, gemm::major Major>
std::vector<std::int64_t> addresses_of(std::vector<element> const& elements, std::int64_t ld) {
  record<element> const on_device(elements.size());
  record<std::int64_t> const addresses(elements.size());
  example::require(
      cudaMemcpy(on_device.data(), elements.data(), elements.size() * sizeof(element), cudaMemcpyHostToDevice));
  // The operand's memory is not touched: any aligned address will do.
  address_request<T, Major> const r{{reinterpret_cast<T const*>(256), ld, 0, 0},
                                    on_device.data(),
                                    addresses.data(),
                                    static_cast<int>(elements.size())};
  example::require(gemm::detail::launch(&note_addresses<T, Major>, dim3(1), 128, 0, nullptr, r));
  return addresses.values();
}

}  // namespace explain
