// SPDX-License-Identifier: BSL-1.0
//! @file
//! cuTensorMapEncodeTiled, for three dimensions.

#include <cuda.h>

#include <cstring>

#include "cpu_device/language.hpp"
#include "cpu_device/tensor_box.hpp"
#include "driver.hpp"

namespace cpu_device {
namespace {

int element_bytes(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 1;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 2;
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
      return 4;
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 8;
    default:
      return 0;
  }
}

// What an H200's driver answers, as far as its documentation says. What is not modelled is not supported.
}  // namespace

CUresult encode(CUtensorMap* result, CUtensorMapDataType type, cuuint32_t rank, void* data, cuuint64_t const* extents,
                cuuint64_t const* strides, cuuint32_t const* box, cuuint32_t const* steps,
                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                CUtensorMapFloatOOBfill fill) {
  int const bytes = element_bytes(type);
  if (bytes == 0 || rank != 3 || interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || swizzle > CU_TENSOR_MAP_SWIZZLE_128B ||
      fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) {
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  if (reinterpret_cast<std::uintptr_t>(result) % 64 != 0 || reinterpret_cast<std::uintptr_t>(data) % 16 != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  tensor_map map{};
  map.signature = tensor_map::valid_signature;
  map.data = static_cast<unsigned char const*>(data);
  map.element_bytes = bytes;
  map.swizzle_mask = (1u << unsigned(swizzle)) - 1;
  map.to_tf32 = type == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32;
  for (unsigned i = 0; i < 3; ++i) {
    if (extents[i] == 0 || extents[i] > cuuint64_t{1} << 32 || box[i] == 0 || box[i] > 256 || steps[i] != 1) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    map.extents[i] = std::int64_t(extents[i]);
    map.box[i] = std::int32_t(box[i]);
  }
  for (unsigned i = 0; i < 2; ++i) {
    if (strides[i] % 16 != 0 || strides[i] >= cuuint64_t{1} << 40) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    map.strides[i] = std::int64_t(strides[i]);
  }
  int const line_bytes = map.box[0] * bytes;
  if (line_bytes % 16 != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (swizzle != CU_TENSOR_MAP_SWIZZLE_NONE && line_bytes != 16 << int(swizzle)) {
    return line_bytes > 16 << int(swizzle) ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
  }
  static_assert(sizeof(map) <= sizeof(*result));
  *result = {};
  std::memcpy(result, &map, sizeof(map));
  return CUDA_SUCCESS;
}

}  // namespace cpu_device
