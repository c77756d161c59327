// SPDX-License-Identifier: BSL-1.0
//! @file
//! TMA stores: where every element of a box goes, by type, swizzle and place, and what is left alone.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/arch/tma_store.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/tensor_map.hpp>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"
#include "../support/swizzled.hpp"

namespace {

using gemm::detail::tma_swizzle;

constexpr int box_lines = 4, most_line_bytes = 128;
constexpr std::size_t most_box_bytes = std::size_t{box_lines} * most_line_bytes;

struct box_storage {
  unsigned char bytes[most_box_bytes];
};

struct one_box {
  CUtensorMap map;
  int x, y, batch;
  unsigned bytes;
  int times;  // one below the other
};

/// The byte at this place of a box as it lies in shared memory.
__device__ __host__ unsigned char stored(unsigned i, int time) {
  return static_cast<unsigned char>(i * 37 + i / 256 * 11 + static_cast<unsigned>(time) * 101 + 1);
}

/// Stores boxes that the block's threads write, one after the other to the same buffer.
__global__ void __launch_bounds__(64) store_boxes(one_box const __grid_constant__ what) {
  auto& shared = gemm::arch::dynamic_shared_memory<box_storage>();
  for (int time = 0; time < what.times; ++time) {
    for (unsigned i = threadIdx.x; i < what.bytes; i += blockDim.x) {
      shared.bytes[i] = stored(i, time);
    }
    gemm::arch::fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
      gemm::arch::tma_store(what.map, what.x, what.y + time * box_lines, what.batch, shared.bytes);
      gemm::arch::bulk_commit_group();
      gemm::arch::bulk_commit_group();  // an empty group
      gemm::arch::bulk_wait_group_read<1>();
    }
    __syncthreads();
  }
}

}  // namespace

TEMPLATE_TEST_CASE("a TMA store takes a box to the tensor, and nothing beyond its last pieces of 16 bytes",
                   "[sanitizer]", float, __nv_bfloat16, std::int8_t) {
  test::need_sm90a();
  auto const swizzle =
      GENERATE(tma_swizzle::none, tma_swizzle::bytes_32, tma_swizzle::bytes_64, tma_swizzle::bytes_128);
  constexpr auto size = sizeof(TestType);
  constexpr std::int64_t piece = 16 / size;  // elements
  std::size_t const line_bytes = swizzle == tma_swizzle::none ? 48 : std::size_t{16} << static_cast<int>(swizzle);
  int const box_inner = static_cast<int>(line_bytes / size);

  // Two ragged matrices with gaps between their lines and between each other.
  std::int64_t const inner = 11 * piece - (piece > 1), outer = 13, batches = 2;
  std::int64_t const ld = 12 * piece, batch_stride = 15 * ld;
  std::vector<unsigned char> const before(static_cast<std::size_t>(batches * batch_stride) * size, 0xa5);
  test::device_array<unsigned char> const tensor(before);
  one_box what{};
  gemm::status const encoded =
      gemm::detail::encode_tensor_map<TestType>(what.map, {.data = reinterpret_cast<TestType*>(tensor.data()),
                                                           .inner = inner,
                                                           .outer = outer,
                                                           .batches = batches,
                                                           .ld = ld,
                                                           .batch_stride = batch_stride,
                                                           .box_inner = box_inner,
                                                           .box_outer = box_lines,
                                                           .swizzle = swizzle});
  INFO(encoded.message());
  REQUIRE(encoded);

  struct place {
    int pieces, y, batch;  // x in pieces of 16 bytes
  };
  auto const [pieces, y, batch] = GENERATE(place{0, 0, 0},     // inside
                                           place{2, 3, 1},     // inside
                                           place{9, 8, 0},     // beyond the last, which is not the next matrix
                                           place{0, 3, 2},     // beyond the last matrix
                                           place{100, 0, 0});  // nothing at all
  what.x = pieces * static_cast<int>(piece);
  what.y = y;
  what.batch = batch;
  what.bytes = static_cast<unsigned>(line_bytes * box_lines);
  what.times = 2;
  test::require_success(gemm::detail::launch(store_boxes, dim3(1), 64, sizeof(box_storage), nullptr, what),
                        "store_boxes");

  std::vector<unsigned char> expected = before;
  for (int time = 0; time < what.times; ++time) {
    for (int line = 0; line < box_lines; ++line) {
      for (int column = 0; column < box_inner; ++column) {
        std::int64_t const i = what.x + column, j = what.y + time * box_lines + line;
        std::size_t const offset =
            static_cast<std::size_t>(line) * line_bytes + static_cast<std::size_t>(column) * size;
        bool const inside = i / piece * piece < inner && j < outer && batch < batches;  // the piece's begin is
        for (std::size_t byte = 0; inside && byte < size; ++byte) {
          expected[static_cast<std::size_t>(batch * batch_stride + j * ld + i) * size + byte] =
              stored(static_cast<unsigned>(test::swizzled(offset, line_bytes, swizzle) + byte), time);
        }
      }
    }
  }
  INFO("swizzle " << static_cast<int>(swizzle) << " at " << what.x << ", " << what.y << ", " << what.batch);
  CHECK(tensor.download() == expected);
}
