// SPDX-License-Identifier: BSL-1.0
//! @file
//! Times gemm::block_product in a fused kernel, and the same kernel by cuBLASDx where its headers are given:
//!
//!     nvcc -std=c++20 -O3 -arch=sm_90a -Iinclude bench/block_product.cu -o build/block_product
//!     nvcc ... -DGEMM_BENCH_CUBLASDX --expt-relaxed-constexpr -I<mathdx>/include -I<mathdx>/external/cutlass/include
//!
//! The package nvidia-mathdx of PyPI has them, in nvidia/mathdx.
//!
//! Of half with float accumulators. A block multiplies block_m rows of A by all columns of B, a tile after the other,
//! and sums the squares of its elements: A B is not stored, as in a softmax. k is a tile's depth, 64 or 128, so that A
//! stays in shared memory with cuBLASDx, and its B is copied while the tile before is multiplied. The sum of the first
//! block's rows is compared with one in double: a difference ends the program with 1.

#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <gemm/block_product.cuh>

#if defined(GEMM_BENCH_CUBLASDX)
#include <cublasdx.hpp>
#endif

namespace {

void require(cudaError_t error, char const* what) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "block_product: %s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
  }
}

/// A: rows x k, row-major. B: k x columns, column-major. result: a sum for each thread of each block.
struct problem {
  __half const *a, *b;
  float* result;
  int rows, columns;
  std::vector<double> const* first_sums;  // of the first rows, on the host
};

template <class Policy>
using product_of = gemm::block_product<Policy, gemm::matrix<__half const, gemm::order::row>,
                                       gemm::matrix<__half const, gemm::order::column>, gemm::alignment<16>>;

template <class Product>
__global__ void __launch_bounds__(Product::threads, Product::min_blocks)
    sum_by_gemm(typename Product::view_a a, typename Product::view_b b, float* result) {
  auto& shared = gemm::arch::dynamic_shared_memory<typename Product::shared_storage>();
  float sum = 0;
  for (std::int64_t column = 0; column < b.columns; column += Product::block_n) {
    Product tile(shared);
    tile.multiply(a, b, std::int64_t{blockIdx.x} * Product::block_m, column);
    tile.visit([&](int, int, float value) { sum += value * value; });
    __syncthreads();
  }
  result[blockIdx.x * Product::threads + threadIdx.x] = sum;
}

#if defined(GEMM_BENCH_CUBLASDX)
template <int M, int N, int K, int Threads>
using cublasdx_of =
    decltype(cublasdx::Size<M, N, K>() + cublasdx::Precision<__half, __half, float>() +
             cublasdx::Type<cublasdx::type::real>() + cublasdx::Function<cublasdx::function::MM>() +
             cublasdx::Arrangement<cublasdx::row_major, cublasdx::col_major, cublasdx::row_major>() +
             cublasdx::MaxAlignment() + cublasdx::Block() + cublasdx::BlockDim<Threads>() + cublasdx::SM<900>());

/// Elements that A's tile, or B's, takes in shared memory.
template <class Blas>
constexpr int elements_a = int{cute::cosize_v<typename decltype(Blas::suggest_layout_smem_a())::layout_type>};
template <class Blas>
constexpr int elements_b = int{cute::cosize_v<typename decltype(Blas::suggest_layout_smem_b())::layout_type>};

template <class Blas, int M, int N, int K, int Threads>
__global__ void __launch_bounds__(Threads)
    sum_by_cublasdx(__half const* all_a, __half const* all_b, int columns, float* result) {
  extern __shared__ __align__(128) unsigned char memory[];
  using alignment = cublasdx::alignment_of<Blas>;
  auto* const a = reinterpret_cast<__half*>(memory);
  auto shared_a = cublasdx::make_tensor(cute::make_smem_ptr(a), Blas::suggest_layout_smem_a());
  auto const of_b = [&](int stage) {
    return cublasdx::make_tensor(cute::make_smem_ptr(a + elements_a<Blas> + stage * elements_b<Blas>),
                                 Blas::suggest_layout_smem_b());
  };
  auto const copy_b = [&](int column, int stage) {
    auto to = of_b(stage);
    auto const from =
        cublasdx::make_tensor(cute::make_gmem_ptr(all_b + std::size_t(column) * K), Blas::get_layout_gmem_b());
    cublasdx::copy<Blas, alignment::b>(from, to);
  };
  cublasdx::copy<Blas, alignment::a>(
      cublasdx::make_tensor(cute::make_gmem_ptr(all_a + std::size_t(blockIdx.x) * M * K), Blas::get_layout_gmem_a()),
      shared_a);
  copy_b(0, 0);
  float sum = 0;
  for (int column = 0, stage = 0; column < columns; column += N, stage ^= 1) {
    cublasdx::copy_wait();  // the tile is there, and the other stage has been read
    if (column + N < columns) {
      copy_b(column + N, stage ^ 1);
    }
    auto const tile = Blas().execute(shared_a, of_b(stage));
    auto const& accum = cute::get<0>(tile);
#pragma unroll
    for (int i = 0; i < cute::size(accum); ++i) {
      sum += accum(i) * accum(i);
    }
  }
  result[blockIdx.x * Threads + threadIdx.x] = sum;
}
#endif

/// The kernel's time, the best of some, once the first block's sum is right.
template <class Kernel, class... Arguments>
void time_kernel(char const* name, problem const& p, int block_m, int threads, std::size_t bytes, int k, Kernel kernel,
                 Arguments... arguments) {
  require(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "shared memory");
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin), "an event");
  require(cudaEventCreate(&end), "an event");
  float best = 1e30f;
  constexpr int runs = 20, of_sample = 10;
  for (int i = 0; i < runs; ++i) {
    require(cudaEventRecord(begin), "an event");
    for (int j = 0; j < of_sample; ++j) {
      kernel<<<static_cast<unsigned>(p.rows / block_m), static_cast<unsigned>(threads), bytes>>>(arguments...);
    }
    require(cudaEventRecord(end), "an event");
    require(cudaEventSynchronize(end), name);
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin, end), "an event");
    best = std::min(best, milliseconds / of_sample);
  }
  std::vector<float> sums(static_cast<std::size_t>(threads));
  require(cudaMemcpy(sums.data(), p.result, sums.size() * sizeof(float), cudaMemcpyDeviceToHost), "the sums");
  double const sum = std::accumulate(sums.begin(), sums.end(), 0.0),
               want = std::accumulate(p.first_sums->begin(), p.first_sums->begin() + block_m, 0.0);
  if (!(std::fabs(sum - want) <= 1e-4 * want)) {
    std::fprintf(stderr, "block_product: %s: the sum of the first block is %g, needs to be %g\n", name, sum, want);
    std::exit(1);
  }
  double const flops = 2.0 * p.rows * p.columns * k;
  std::printf("%-44s %9.1f us  %7.1f TFLOP/s\n", name, static_cast<double>(best) * 1e3,
              flops / static_cast<double>(best) * 1e-9);
}

template <class Policy, int K>
void time_tile(char const* policy, problem const& p) {
  using product = product_of<Policy>;
  char name[96];
  std::snprintf(name, sizeof(name), "gemm %s, k = %d", policy, K);
  time_kernel(name, p, product::block_m, product::threads, product::shared_bytes, K, &sum_by_gemm<product>,
              gemm::row_major(p.a, p.rows, K), gemm::col_major(p.b, K, p.columns), p.result);
#if defined(GEMM_BENCH_CUBLASDX)
  constexpr int m = product::block_m, n = product::block_n, threads = product::threads;
  using blas = cublasdx_of<m, n, K, threads>;
  constexpr std::size_t bytes = sizeof(__half) * (elements_a<blas> + 2 * elements_b<blas>);
  std::snprintf(name, sizeof(name), "cuBLASDx %d x %d x %d, %d threads", m, n, K, threads);
  time_kernel(name, p, m, threads, bytes, K, &sum_by_cublasdx<blas, m, n, K, threads>, p.a, p.b, p.columns, p.result);
#endif
}

/// Small numbers of either sign.
std::vector<__half> numbers(std::size_t count, unsigned seed) {
  std::vector<__half> all(count);
  for (__half& x : all) {
    seed = seed * 1664525U + 1013904223U;
    x = __float2half(static_cast<float>(static_cast<int>(seed >> 24) - 128) / 128);
  }
  return all;
}

template <int K>
void time_depth(int rows, int columns) {
  auto const a = numbers(std::size_t(rows) * K, 1), b = numbers(std::size_t(columns) * K, 2);
  __half *on_a = nullptr, *on_b = nullptr;
  float* result = nullptr;
  require(cudaMalloc(&on_a, a.size() * sizeof(__half)), "memory");
  require(cudaMalloc(&on_b, b.size() * sizeof(__half)), "memory");
  require(cudaMalloc(&result, std::size_t(rows) * 8 * sizeof(float)), "memory");
  require(cudaMemcpy(on_a, a.data(), a.size() * sizeof(__half), cudaMemcpyHostToDevice), "A");
  require(cudaMemcpy(on_b, b.data(), b.size() * sizeof(__half), cudaMemcpyHostToDevice), "B");
  std::vector<double> first_sums(128);
  for (int i = 0; i < 128; ++i) {
    for (int j = 0; j < columns; ++j) {
      double value = 0;
      for (int l = 0; l < K; ++l) {
        value += static_cast<double>(__half2float(a[std::size_t(i) * K + l])) *
                 static_cast<double>(__half2float(b[std::size_t(j) * K + l]));
      }
      first_sums[std::size_t(i)] += value * value;
    }
  }
  problem const p{on_a, on_b, result, rows, columns, &first_sums};
  std::printf("%d rows, %d columns\n", rows, columns);
  time_tile<gemm::sm80_mma_64x64x64, K>("sm80_mma_64x64x64", p);
  time_tile<gemm::sm80_mma_128x128x32, K>("sm80_mma_128x128x32", p);
  require(cudaFree(on_a), "memory");
  require(cudaFree(on_b), "memory");
  require(cudaFree(result), "memory");
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("block_product: there is no GPU");
    return 0;
  }
  time_depth<64>(128 * 132 * 8, 4096);
  time_depth<128>(128 * 132 * 8, 4096);
  return 0;
}
