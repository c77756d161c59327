// SPDX-License-Identifier: BSL-1.0
//! @file
//! TMA loads: where every element of a box lies, by type, swizzle and place.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <gemm/arch/mbarrier.cuh>
#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/tensor_map.hpp>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"
#include "../support/swizzled.hpp"

namespace {

using gemm::detail::tma_swizzle;

/// The least address in a buffer that is a multiple of 1024, where every swizzle's pattern begins.
__device__ unsigned char* pattern_begin(unsigned char* buffer) {
  return buffer + (1024 - reinterpret_cast<std::uintptr_t>(buffer) % 1024) % 1024;
}

constexpr int box_lines = 16, most_line_bytes = 128;
constexpr std::size_t most_box_bytes = std::size_t{box_lines} * most_line_bytes;

struct one_box_storage {
  alignas(128) unsigned char buffer[most_box_bytes + 1024];
  gemm::arch::mbarrier landed;
};

struct one_box {
  CUtensorMap map;
  int x, y, batch;
  unsigned bytes;
  bool once;
  unsigned char* out;
};

/// Loads one box and copies it as it lies in shared memory.
__global__ void __launch_bounds__(64) load_one_box(one_box const __grid_constant__ what) {
  auto& shared = gemm::arch::dynamic_shared_memory<one_box_storage>();
  unsigned char* const box = pattern_begin(shared.buffer);
  for (unsigned i = threadIdx.x; i < what.bytes; i += blockDim.x) {
    box[i] = 0xa5;
  }
  gemm::arch::fence_proxy_async();
  if (threadIdx.x == 0) {
    gemm::arch::prefetch_tensormap(what.map);
    gemm::arch::mbarrier_init(shared.landed, 1);
    gemm::arch::fence_mbarrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    gemm::arch::mbarrier_arrive_expect_tx(shared.landed, what.bytes);
    if (what.once) {
      gemm::arch::tma_load_once(box, what.map, shared.landed, what.x, what.y, what.batch);
    } else {
      gemm::arch::tma_load(box, what.map, shared.landed, what.x, what.y, what.batch);
    }
  }
  gemm::arch::mbarrier_wait_parity(shared.landed, 0);
  for (unsigned i = threadIdx.x; i < what.bytes; i += blockDim.x) {
    what.out[i] = box[i];
  }
}

template <class T>
T element(std::size_t i) {
  return static_cast<T>(static_cast<float>(i % 101 + 1));
}

}  // namespace

TEMPLATE_TEST_CASE("a TMA load brings a box in its swizzle, with zeros outside the tensor", "[sanitizer]", float,
                   double, __half, __nv_bfloat16, std::int8_t) {
  test::need_sm90a();
  auto const swizzle =
      GENERATE(tma_swizzle::none, tma_swizzle::bytes_32, tma_swizzle::bytes_64, tma_swizzle::bytes_128);
  constexpr auto size = sizeof(TestType);
  constexpr std::int64_t piece = 16 / size;  // elements
  std::size_t const line_bytes = swizzle == tma_swizzle::none ? 48 : std::size_t{16} << static_cast<int>(swizzle);
  int const box_inner = static_cast<int>(line_bytes / size);

  // Two ragged matrices with gaps between their lines and between each other.
  std::int64_t const inner = 11 * piece - (piece > 1), outer = 21, batches = 2;
  std::int64_t const ld = 12 * piece, batch_stride = 23 * ld;
  std::vector<TestType> values;
  for (std::int64_t i = 0; i < batches * batch_stride; ++i) {
    values.push_back(element<TestType>(static_cast<std::size_t>(i)));
  }
  test::device_array<TestType> const in(values);
  one_box what{};
  gemm::status const encoded = gemm::detail::encode_tensor_map<TestType>(what.map, {.data = in.data(),
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
  auto const [pieces, y, batch] = GENERATE(place{0, 0, 0},      // inside
                                           place{3, 2, 1},      // inside
                                           place{-2, -5, 1},    // before the first column and row
                                           place{0, 14, 0},     // beyond the last row, which is not the next matrix
                                           place{0, 3, 2},      // beyond the last matrix
                                           place{0, 3, -1},     // before the first
                                           place{-100, 0, 0});  // nothing but zeros
  // Once more from the right edge, where the last piece is ragged.
  bool const at_edge = GENERATE(false, true);
  what.x = (at_edge ? 10 + pieces : pieces) * static_cast<int>(piece);
  what.y = y;
  what.batch = batch;
  what.bytes = static_cast<unsigned>(line_bytes * box_lines);
  what.once = at_edge;
  test::device_array<unsigned char> const out(what.bytes);
  what.out = out.data();
  test::require_success(gemm::detail::launch(load_one_box, dim3(1), 64, sizeof(one_box_storage), nullptr, what),
                        "load_one_box");
  std::vector<unsigned char> const got = out.download();

  std::size_t wrong = 0;
  for (int line = 0; line < box_lines; ++line) {
    for (int column = 0; column < box_inner; ++column) {
      std::int64_t const i = what.x + column, j = what.y + line;
      bool const inside = i >= 0 && i < inner && j >= 0 && j < outer && batch >= 0 && batch < batches;
      TestType const expected =
          inside ? values[static_cast<std::size_t>(batch * batch_stride + j * ld + i)] : TestType{};
      std::size_t const offset = static_cast<std::size_t>(line) * line_bytes + static_cast<std::size_t>(column) * size;
      wrong += std::memcmp(got.data() + test::swizzled(offset, line_bytes, swizzle), &expected, size) != 0;
    }
  }
  INFO("swizzle " << static_cast<int>(swizzle) << " at " << what.x << ", " << what.y << ", " << batch);
  CHECK(wrong == 0);
}
