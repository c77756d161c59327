// SPDX-License-Identifier: BSL-1.0
//! @file
//! A kernel that has one tile brought by TMA and writes down where its elements lie.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/launch/compiled_kernel.hpp>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/tma_operands.cuh>

#include "probe.cuh"

namespace explain {

template <std::size_t Bytes>
struct brought_tile {
  alignas(1024) unsigned char bytes[Bytes];
  gemm::arch::mbarrier landed;
};

struct tile_request {
  CUtensorMap map;
  unsigned char* out;
};

template <std::size_t Bytes>
__global__ void __launch_bounds__(32) note_tile(__grid_constant__ tile_request const r) {
  auto& shared = gemm::arch::dynamic_shared_memory<brought_tile<Bytes>>();
  if (threadIdx.x == 0) {
    gemm::arch::mbarrier_init(shared.landed, 1);
    gemm::arch::fence_mbarrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    gemm::arch::mbarrier_arrive_expect_tx(shared.landed, static_cast<std::uint32_t>(Bytes));
    gemm::arch::tma_load(shared.bytes, r.map, shared.landed, 0, 0, 0);
  }
  gemm::arch::mbarrier_wait_parity(shared.landed, 0);
  for (std::size_t i = threadIdx.x; i < Bytes; i += blockDim.x) {
    r.out[i] = shared.bytes[i];
  }
}

/// Where the elements of a tile of Outer x Depth lie, [outer * Depth + k], in bytes from its first, by the library's
/// map of a policy's operand: in one box, as a block that shares with no other has it brought.
template <class Policy, class T, gemm::major Major, int Outer, int Depth>
std::vector<std::int64_t> places_of_tile() {
  using number = std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>;
  constexpr std::size_t count = std::size_t{Outer} * Depth, bytes = count * sizeof(T);
  static_assert(count <= 65536, "every element needs a number of its own");
  std::vector<number> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = static_cast<number>(i);
  }
  example::device_memory<number> const matrix(numbers);
  record<unsigned char> const out(bytes);
  tile_request r{{}, out.data()};
  // Only copied: what the bits mean does not matter.
  constexpr gemm::detail::operand_box box = gemm::detail::box_of<Policy, Major, T>(Outer, 1);
  gemm::detail::compiled_kernel const facts{};  // which say no more than what the L2 reads on
  gemm::strided<T const> const from{reinterpret_cast<T const*>(matrix.data()), Major == gemm::major::k ? Depth : Outer,
                                    0};
  auto const of = gemm::detail::matrices_of(facts, box, from, Outer, Depth, 1);
  if (gemm::status const status = gemm::detail::encode_tensor_map(r.map, of); !status) {
    std::fprintf(stderr, "%s\n", status.message());
    std::exit(1);
  }
  example::require(gemm::detail::launch(&note_tile<bytes>, dim3(1), 32, sizeof(brought_tile<bytes>), nullptr, r));
  std::vector<unsigned char> const landed = out.values();
  std::vector<std::int64_t> places(count);
  for (std::size_t at = 0; at < bytes; at += sizeof(T)) {
    std::size_t i = landed[at] | std::size_t{landed[at + 1]} << 8;
    if constexpr (Major == gemm::major::mn) {
      i = i % Outer * Depth + i / Outer;
    }
    places[i] = static_cast<std::int64_t>(at);
  }
  return places;
}

}  // namespace explain
