// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tests of what stands in for the driver: finding cuTensorMapEncodeTiled, and what it refuses.

#include <cuda.h>

#include <catch2/catch_test_macros.hpp>

#include "launch.hpp"

namespace {

using encoder = decltype(&cuTensorMapEncodeTiled);

encoder find_encoder() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  REQUIRE(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found) ==
          cudaSuccess);
  REQUIRE(found == cudaDriverEntryPointSuccess);
  return reinterpret_cast<encoder>(function);
}

/// A legal 32 x 8 x 2 tensor of floats, to be spoilt in one place.
struct request {
  CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  cuuint32_t rank = 3;
  std::size_t offset = 0;
  cuuint64_t extents[3] = {32, 8, 2};
  cuuint64_t strides[2] = {128, 1024};
  cuuint32_t box[3] = {32, 8, 1};
  cuuint32_t steps[3] = {1, 1, 1};
  CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B;

  CUresult encode() const {
    selftest::device_array<float> const memory(512);
    CUtensorMap map;
    return find_encoder()(&map, type, rank, reinterpret_cast<char*>(memory.data()) + offset, extents, strides, box,
                          steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                          CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  }
};

}  // namespace

TEST_CASE("the entry point is found under its name and from its version on") {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSuccess;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 11080, cudaEnableDefault, &found) ==
        cudaSuccess);
  CHECK(found == cudaDriverEntryPointVersionNotSufficent);
  CHECK(cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &function, 12000, cudaEnableDefault, &found) ==
        cudaSuccess);
  CHECK(found == cudaDriverEntryPointSymbolNotFound);
  CHECK(function == nullptr);
}

TEST_CASE("a tensor map is refused where the driver's documentation says") {
  request what;
  CHECK(what.encode() == CUDA_SUCCESS);
  SECTION("misaligned pointer") { what.offset = 8; }
  SECTION("extent of 0") { what.extents[1] = 0; }
  SECTION("extent beyond 2^32") { what.extents[0] = (cuuint64_t{1} << 32) + 1; }
  SECTION("stride of no multiple of 16 bytes") { what.strides[0] = 136; }
  SECTION("stride of 2^40 bytes") { what.strides[1] = cuuint64_t{1} << 40; }
  SECTION("box of 0") { what.box[1] = 0; }
  SECTION("box beyond 256") { what.box[1] = 257; }
  SECTION("box lines of no multiple of 16 bytes") { what.box[0] = 30; }
  SECTION("box wider than the swizzle") { what.swizzle = CU_TENSOR_MAP_SWIZZLE_64B; }
  CHECK(what.encode() == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("a tensor map that is not modelled is not supported") {
  request what;
  SECTION("four dimensions") { what.rank = 4; }
  SECTION("another type") { what.type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ; }
  SECTION("a box narrower than the swizzle") { what.box[0] = 16; }
  CHECK(what.encode() == CUDA_ERROR_NOT_SUPPORTED);
}
