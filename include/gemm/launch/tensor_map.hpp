// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tensor maps: the description of a batch of matrices for TMA (arch/tma.cuh loads by them).
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/block/operand.hpp>
#include <gemm/element.hpp>
#include <gemm/launch/driver.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// How the 16-byte pieces of a box lie in shared memory: see arch::tma_load().
enum class tma_swizzle { none, bytes_32, bytes_64, bytes_128 };

/// A batch of matrices, row after row, and the box that one load copies: of box_inner x box_outer elements of one
/// matrix, or more. Extents and strides in elements; `inner` counts along a row, where the elements are neighbours.
template <class T>
struct tma_matrices {
  T const* data;
  std::int64_t inner, outer, batches = 1;
  std::int64_t ld;                // from row to row; means nothing where outer is 1
  std::int64_t batch_stride = 0;  // from matrix to matrix; means nothing where batches is 1
  int box_inner, box_outer;
  tma_swizzle swizzle = tma_swizzle::none;
  int box_batches = 1;   // of so many matrices
  bool reads_on = true;  // whether the L2 reads 256 bytes at once, else 128
};

/// Matrices without their type and box, so that the rules are compiled once.
struct tma_memory {
  void const* data;
  std::int64_t inner, outer, batches, ld, batch_stride, element_bytes;
};

/// Why TMA cannot load these matrices, in whatever boxes; null if it can.
[[gnu::noinline]] inline char const* tma_obstacle(tma_memory const& memory) {
  constexpr std::int64_t most_elements = 0x7fffffff, stride_end = std::int64_t{1} << 40;
  std::int64_t const bytes = memory.element_bytes;
  auto const legal_extent = [](std::int64_t extent) { return extent >= 1 && extent <= most_elements; };
  auto const legal_stride = [bytes](std::int64_t stride) {
    return stride > 0 && stride < stride_end / bytes && stride * bytes % 16 == 0;
  };

  if (reinterpret_cast<std::uintptr_t>(memory.data) % 16 != 0 || memory.data == nullptr) {
    return "the pointer must be a multiple of 16 bytes";
  }
  if (!legal_extent(memory.inner) || !legal_extent(memory.outer) || !legal_extent(memory.batches)) {
    return "every extent must be from 1 to 2^31 - 1";
  }
  if (memory.outer > 1 && !legal_stride(memory.ld)) {
    return "the leading dimension must be a multiple of 16 bytes below 2^40";
  }
  if (memory.batches > 1 && !legal_stride(memory.batch_stride)) {
    return "the batch stride must be a multiple of 16 bytes below 2^40, and not 0";
  }
  return nullptr;
}

/// Why TMA cannot load these matrices in such boxes; null if it can. The rules are cuTensorMapEncodeTiled's, but for
/// two: coordinates are signed 32-bit numbers, and a swizzled box is as wide as the swizzle.
template <class T>
char const* tma_obstacle(tma_matrices<T> const& matrices) {
  auto const legal_box = [](int extent) { return extent >= 1 && extent <= 256; };
  auto const box_bytes = matrices.box_inner * static_cast<std::int64_t>(sizeof(T));
  if (char const* const obstacle =
          tma_obstacle(tma_memory{matrices.data, matrices.inner, matrices.outer, matrices.batches, matrices.ld,
                                  matrices.batch_stride, std::int64_t{sizeof(T)}});
      obstacle != nullptr) {
    return obstacle;
  }
  if (!legal_box(matrices.box_inner) || !legal_box(matrices.box_outer) || !legal_box(matrices.box_batches) ||
      box_bytes % 16 != 0) {
    return "the box must have 1 to 256 elements each way, and lines of a multiple of 16 bytes";
  }
  if (matrices.swizzle != tma_swizzle::none && box_bytes != 16 << static_cast<int>(matrices.swizzle)) {
    return "the box must be as wide as the swizzle";
  }
  return nullptr;
}

/// Whether TMA can load these matrices in such boxes. Costs a few nanoseconds.
template <class T>
bool tma_can_load(tma_matrices<T> const& matrices) {
  return tma_obstacle(matrices) == nullptr;
}

/// The driver's function; null where there is none.
inline auto* tensor_map_encoder() {
  static auto* const encoder = driver_function<decltype(cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled", 12000);
  return encoder;
}

/// Makes the map for a kernel's __grid_constant__ parameter. It holds the address, so it is made anew for every call:
/// nothing but the driver's function is remembered.
///
/// A batch that is one matrix over and over has `batches` of 1, and is loaded at batch coordinate 0.
template <class T>
status encode_tensor_map(CUtensorMap& map, tma_matrices<T> const& matrices) {
  if (char const* const obstacle = tma_obstacle(matrices); obstacle != nullptr) {
    return {status_code::invalid_argument, cudaSuccess, "TMA cannot load a matrix: %s", obstacle};
  }
  auto const encode = tensor_map_encoder();
  if (encode == nullptr) {
    return {status_code::unsupported_device, cudaSuccess, "the driver has no cuTensorMapEncodeTiled, needs CUDA 12.0"};
  }
  // A stride that means nothing must all the same be a legal one.
  auto const stride_bytes = [](std::int64_t extent, std::int64_t stride) {
    return extent > 1 ? static_cast<cuuint64_t>(stride) * element_bits<T> / 8 : cuuint64_t{16};
  };
  cuuint64_t const extents[] = {static_cast<cuuint64_t>(matrices.inner), static_cast<cuuint64_t>(matrices.outer),
                                static_cast<cuuint64_t>(matrices.batches)};
  cuuint64_t const strides[] = {stride_bytes(matrices.outer, matrices.ld),
                                stride_bytes(matrices.batches, matrices.batch_stride)};
  cuuint32_t const box[] = {static_cast<cuuint32_t>(matrices.box_inner), static_cast<cuuint32_t>(matrices.box_outer),
                            static_cast<cuuint32_t>(matrices.box_batches)};
  cuuint32_t const steps[] = {1, 1, 1};
  auto const promotion = matrices.reads_on ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B : CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
  CUresult const result =
      encode(&map, element_traits<T>::tma_type, 3, const_cast<T*>(matrices.data), extents, strides, box, steps,
             CU_TENSOR_MAP_INTERLEAVE_NONE, static_cast<CUtensorMapSwizzle>(matrices.swizzle), promotion,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    using wide = long long;
    auto const error = static_cast<cudaError_t>(result);  // the two enumerations share their numbers
    return {status_code::cuda_failure,
            error,
            "cuTensorMapEncodeTiled refused %lld x %lld x %lld elements, strides %lld and %lld, box %d x %d: %s",
            wide{matrices.inner},
            wide{matrices.outer},
            wide{matrices.batches},
            wide{matrices.ld},
            wide{matrices.batch_stride},
            matrices.box_inner,
            matrices.box_outer,
            cudaGetErrorString(error)};
  }
  return {};
}

static_assert(static_cast<int>(tma_swizzle::none) == CU_TENSOR_MAP_SWIZZLE_NONE &&
              static_cast<int>(tma_swizzle::bytes_32) == CU_TENSOR_MAP_SWIZZLE_32B &&
              static_cast<int>(tma_swizzle::bytes_64) == CU_TENSOR_MAP_SWIZZLE_64B &&
              static_cast<int>(tma_swizzle::bytes_128) == CU_TENSOR_MAP_SWIZZLE_128B);

}  // namespace gemm::detail
