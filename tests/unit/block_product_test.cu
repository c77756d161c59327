// SPDX-License-Identifier: BSL-1.0
//! @file
//! block_product in kernels of a user: tiles at the edges, any k, ranges of k, changed accumulators, sums of rows.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gemm/block_product.cuh>

#include "../support/device.hpp"

namespace {

using gemm::alignment;
using gemm::block_product;
using gemm::matrix;
using gemm::order;

/// Every element of C from one launch: a tile a block, in two ranges of k; then twice each plus its row.
template <class Product>
struct params {
  typename Product::view_a a;
  typename Product::view_b b;
  typename Product::accum* c;
  typename Product::accum* sums;      // of a row in a column of tiles, [tile_n][row]
  typename Product::accum* greatest;  // likewise
  std::int64_t k_middle;
};

template <class Product>
struct shared_of {
  typename Product::shared_storage product;
  typename Product::accum sums[Product::block_m], greatest[Product::block_m];
};

template <class Product>
__global__ void __launch_bounds__(Product::threads) multiply_tiles(params<Product> const __grid_constant__ p) {
  using accum = typename Product::accum;
  auto& shared = gemm::arch::dynamic_shared_memory<shared_of<Product>>();
  std::int64_t const row0 = std::int64_t{blockIdx.y} * Product::block_m;
  std::int64_t const column0 = std::int64_t{blockIdx.x} * Product::block_n;
  Product product(shared.product);
  product.multiply(p.a, p.b, row0, column0, 0, p.k_middle);
  product.multiply(p.a, p.b, row0, column0, p.k_middle, p.a.columns);
  product.reduce_rows(
      shared.sums, accum(0), [](int, int, accum value) { return value; }, [](accum x, accum y) { return x + y; });
  product.reduce_rows(
      shared.greatest, accum(-30000), [](int, int, accum value) { return value; },
      [](accum x, accum y) { return x < y ? y : x; });
  product.visit([&](int row, int, accum& value) { value = value + value + static_cast<accum>(row0 + row); });
  product.visit([&](int row, int column, accum& value) { p.c[(row0 + row) * p.b.columns + column0 + column] = value; });
  for (int row = static_cast<int>(threadIdx.x); row < Product::block_m && row0 + row < p.a.rows;
       row += Product::threads) {
    p.sums[blockIdx.x * p.a.rows + row0 + row] = shared.sums[row];
    p.greatest[blockIdx.x * p.a.rows + row0 + row] = shared.greatest[row];
  }
}

/// Small integers, whose sums of products are exact in every type.
template <class T>
std::vector<T> numbers(std::int64_t count, int seed) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>(static_cast<float>((i * 7 + i / 5 + static_cast<std::size_t>(seed)) % 5) - 2.0F);
  }
  return values;
}

template <class T, order Order>
matrix<T const, Order> view_of(T const* data, std::int64_t rows, std::int64_t columns, std::int64_t ld) {
  return {.data = data, .rows = rows, .columns = columns, .ld = ld};
}

std::int64_t round_up(std::int64_t x, std::int64_t multiple) { return (x + multiple - 1) / multiple * multiple; }

/// How many elements of C, sums and maxima are wrong.
template <class Policy, class T, order OrderA, order OrderB, class Alignment>
int wrong_elements(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t k_middle) {
  using product = block_product<Policy, matrix<T const, OrderA>, matrix<T const, OrderB>, Alignment>;
  using accum = typename product::accum;
  std::int64_t const of_line = Alignment::bytes == 16 ? 16 / static_cast<std::int64_t>(sizeof(T)) : 1;
  std::int64_t const lda = round_up((OrderA == order::row ? k : m) + 1, of_line),
                     ldb = round_up((OrderB == order::row ? n : k) + 1, of_line);
  auto const host_a = numbers<T>((OrderA == order::row ? m : k) * lda, 1);
  auto const host_b = numbers<T>((OrderB == order::row ? k : n) * ldb, 3);
  test::device_array<T> const a(host_a), b(host_b);
  std::int64_t const tiles_m = (m + product::block_m - 1) / product::block_m,
                     tiles_n = (n + product::block_n - 1) / product::block_n;
  test::device_array<accum> const c(std::vector<accum>(static_cast<std::size_t>(m * n), accum(1000)));
  test::device_array<accum> const sums(static_cast<std::size_t>(m * tiles_n)),
      greatest(static_cast<std::size_t>(m * tiles_n));

  auto* const kernel = &multiply_tiles<product>;
  test::require_success(
      cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(sizeof(shared_of<product>))),
      "cudaFuncSetAttribute");
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(tiles_n), static_cast<unsigned>(tiles_m));
  config.blockDim = dim3(product::threads);
  config.dynamicSmemBytes = sizeof(shared_of<product>);
  params<product> const p{view_of<T, OrderA>(a.data(), m, k, lda),
                          view_of<T, OrderB>(b.data(), k, n, ldb),
                          c.data(),
                          sums.data(),
                          greatest.data(),
                          k_middle};
  test::require_success(cudaLaunchKernelEx(&config, kernel, p), "cudaLaunchKernelEx");

  auto const found = c.download();
  auto const found_sums = sums.download(), found_greatest = greatest.download();
  int wrong = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    std::vector<accum> want_sums(static_cast<std::size_t>(tiles_n)),
        want_greatest(static_cast<std::size_t>(tiles_n), accum(-30000));
    for (std::int64_t j = 0; j < n; ++j) {
      accum sum = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        sum += static_cast<accum>(static_cast<float>(
                   host_a[static_cast<std::size_t>(OrderA == order::row ? i * lda + l : l * lda + i)])) *
               static_cast<accum>(static_cast<float>(
                   host_b[static_cast<std::size_t>(OrderB == order::row ? l * ldb + j : j * ldb + l)]));
      }
      auto const tile = static_cast<std::size_t>(j / product::block_n);
      want_sums[tile] += sum;
      want_greatest[tile] = std::max(want_greatest[tile], sum);
      wrong += found[static_cast<std::size_t>(i * n + j)] != sum + sum + static_cast<accum>(i);
    }
    for (std::int64_t tile = 0; tile < tiles_n; ++tile) {
      auto const at = static_cast<std::size_t>(tile * m + i);
      wrong += found_sums[at] != want_sums[static_cast<std::size_t>(tile)];
      wrong += found_greatest[at] != want_greatest[static_cast<std::size_t>(tile)];
    }
  }
  return wrong;
}

/// One storage at several sizes: a whole tile, tiles at the edges, no k, a k below a step, many steps, slices of k.
template <class Policy, class T, order OrderA, order OrderB>
int wrong_at_sizes() {
  constexpr std::int64_t in_16 = 16 / static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t m = Policy::block_m, n = Policy::block_n, k = Policy::block_k;
  int wrong = 0;
  auto const run = [&](std::int64_t rows, std::int64_t columns, std::int64_t depth, std::int64_t middle) {
    CAPTURE(rows, columns, depth, middle);
    int const of_1 = wrong_elements<Policy, T, OrderA, OrderB, alignment<1>>(rows, columns, depth, middle);
    int const of_16 =
        wrong_elements<Policy, T, OrderA, OrderB, alignment<16>>(rows, columns, depth, middle / in_16 * in_16);
    CHECK(of_1 == 0);
    CHECK(of_16 == 0);
    wrong += of_1 + of_16;
  };
  run(m, n, 3 * k, 3 * k);
  run(m + 3, n + 5, 7 * k + 3, k + 5);
  run(5, 3, 2, 1);
  run(3, n - 1, 0, 0);
  return wrong;
}

/// On a GPU in all storages. A and B are copied apart: elsewhere each is stored either way, under sanitizers the way
/// that the copy transposes.
template <class Policy, class T>
int wrong_in_all() {
  int wrong = wrong_at_sizes<Policy, T, order::column, order::row>();
#if !defined(GEMM_TEST_SANITIZERS)
  wrong += wrong_at_sizes<Policy, T, order::row, order::column>();
#if !defined(GEMM_TEST_CPU_DEVICE)
  wrong += wrong_at_sizes<Policy, T, order::row, order::row>();
  wrong += wrong_at_sizes<Policy, T, order::column, order::column>();
#endif
#endif
  return wrong;
}

}  // namespace

TEST_CASE("block_product multiplies on tensor cores", "[block_product]") {
  CHECK(wrong_in_all<gemm::sm80_mma_64x64x64, __half>() == 0);
  CHECK(wrong_in_all<gemm::sm80_mma_tf32_64x64x32, float>() == 0);
  CHECK(wrong_in_all<gemm::sm80_mma_s8_64x64x128, std::int8_t>() == 0);
#if !defined(GEMM_TEST_SANITIZERS)
  CHECK(wrong_at_sizes<gemm::sm80_mma_128x192x32, __nv_bfloat16, order::column, order::row>() == 0);
#endif
  CHECK(wrong_at_sizes<gemm::sm80_mma_f64_64x64x16, double, order::row, order::row>() == 0);
}

TEST_CASE("block_product promotes accumulators of fp8", "[block_product]") {
  int major = 0, minor = 0;
  test::require_success(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "compute capability");
  test::require_success(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0), "compute capability");
  if (major * 10 + minor < 89) {
    SKIP("mma.sync of fp8 needs sm_89");
  }
  CHECK(wrong_at_sizes<gemm::sm80_mma_fp8_64x64x128, __nv_fp8_e4m3, order::row, order::column>() == 0);
}

TEST_CASE("block_product multiplies by threads", "[block_product]") {
  CHECK(wrong_in_all<gemm::pipelined_64x64x16, float>() == 0);
  CHECK(wrong_at_sizes<gemm::pipelined_128x32x16, __half, order::row, order::column>() == 0);
#if !defined(GEMM_TEST_SANITIZERS)
  CHECK(wrong_at_sizes<gemm::pipelined_16x64x32, float, order::row, order::row>() == 0);
#endif
}
