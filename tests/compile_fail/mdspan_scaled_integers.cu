// SPDX-License-Identifier: BSL-1.0
// expect: gemm: integers are scaled by integers. Use the epilogue gemm::scale.

#include <cstdint>
#include <cuda/std/linalg>
#include <cuda/std/mdspan>

#include <gemm/gemm.cuh>

using namespace gemm;

#ifdef FAIL
constexpr float factor = 0.5F;
#else
constexpr int factor = 2;
#endif

status call(std::int8_t const* a, std::int8_t const* b, std::int32_t* c) {
  cuda::std::mdspan<std::int8_t const, cuda::std::dextents<int, 2>> const m(a, 8, 8);
  return run<naive_32x4>(row_major(cuda::std::linalg::scaled(factor, m)), row_major(b, 8, 8), row_major(c, 8, 8));
}
