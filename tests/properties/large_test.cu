// SPDX-License-Identifier: BSL-1.0
//! @file
//! What only large products show, on GPUs with the memory for it: whether the rows and columns beyond 2^31 elements are
//! right, and whether tiles are overwritten that have not been read.

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "../support/device.hpp"
#include "../support/types.hpp"

#if defined(__CUDACC__)

namespace {

using gemm::row_major;

/// The value of element i: small integers, so that sums are exact, and the same on the host and on the device.
__host__ __device__ float element(std::int64_t i) {
  return static_cast<float>(gemm::integer_from(gemm::random_bits(0, static_cast<std::uint64_t>(i)), -8, 7));
}

template <class T>
__global__ void fill(T* data, std::int64_t count) {
  std::int64_t const step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < count; i += step) {
    data[i] = static_cast<T>(element(i));
  }
}

/// Indices from all of 0 to count - 1, the last ones among them.
std::vector<std::int64_t> sample(std::int64_t count) {
  std::vector<std::int64_t> indices{0, count - 2, count - 1};
  for (std::int64_t i = 1; i < 20; ++i) {
    indices.push_back(count * i / 20);
  }
  return indices;
}

template <class T>
test::device_array<T> filled(std::int64_t count) {
  test::device_array<T> result(static_cast<std::size_t>(count));
  fill<<<4096, 256>>>(result.data(), count);
  test::require_success(cudaGetLastError(), "fill");
  return result;
}

/// Checks sampled elements of C = A B, where A and B were filled() without gaps.
template <class T>
void check_samples(test::device_array<T> const& c, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t ldc) {
  test::require_success(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  std::int64_t wrong = 0;
  for (std::int64_t const i : sample(m)) {
    for (std::int64_t const j : sample(n)) {
      T got{};
      test::require_success(cudaMemcpy(&got, c.data() + i * ldc + j, sizeof(got), cudaMemcpyDeviceToHost),
                            "cudaMemcpy");
      double want = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        want += double{element(i * k + l)} * double{element(l * n + j)};
      }
      wrong += !(test::number(got) == want);
    }
  }
  CHECK(wrong == 0);
}

template <class Policy, class Types>
void check_large() {
  using input = typename Types::input;
  using output = typename Types::output;
  constexpr std::int64_t beyond = (std::int64_t{1} << 31) + 12345;
  {  // A is large
    std::int64_t const k = 40, m = beyond / k, n = 24;
    auto const a = filled<input>(m * k), b = filled<input>(k * n);
    test::device_array<output> const c(static_cast<std::size_t>(m * n));
    REQUIRE(gemm::run<Policy>(row_major(a.data(), m, k), row_major(b.data(), k, n), row_major(c.data(), m, n)));
    check_samples(c, m, n, k, n);
  }
  {  // B and C are large
    std::int64_t const k = 24, n = beyond / k, m = 25;
    auto const a = filled<input>(m * k), b = filled<input>(k * n);
    test::device_array<output> const c(static_cast<std::size_t>(m * n));
    REQUIRE(gemm::run<Policy>(row_major(a.data(), m, k), row_major(b.data(), k, n), row_major(c.data(), m, n)));
    check_samples(c, m, n, k, n);
  }
  {  // offsets are large, the matrices small: rows of C far apart
    std::int64_t const m = 70, n = 40, k = 33, ldc = beyond / (m - 1) + 1;
    auto const a = filled<input>(m * k), b = filled<input>(k * n);
    test::device_array<output> const c(static_cast<std::size_t>((m - 1) * ldc + n));
    REQUIRE(gemm::run<Policy>(row_major(a.data(), m, k), row_major(b.data(), k, n), row_major(c.data(), m, n, ldc)));
    check_samples(c, m, n, k, ldc);
  }
}

template <class T>
__global__ void count_unlike(T const* got, T const* want, std::int64_t count, unsigned long long* unlike) {
  std::int64_t const step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < count; i += step) {
    if (!(got[i] == want[i])) {
      atomicAdd(unlike, 1ULL);
    }
  }
}

/// Over and over, a tall product whose blocks store as much as they load: it seems that the stores of one hold up what
/// another on its multiprocessor reads from shared memory, while nothing holds up what TMA writes there. (An H200: one
/// of thirty thousand blocks was wrong until readers waited for what they had read.)
template <class Policy>
void check_overwritten() {
  constexpr std::int64_t m = 100840, n = 240, k = 376;
  constexpr int launches = 100;
  auto const a = filled<float>(k * m), b = filled<float>(k * n);
  test::device_array<float> const got(static_cast<std::size_t>(m * n)), want(static_cast<std::size_t>(m * n));
  test::device_array<unsigned long long> const unlike(1);
  test::require_success(cudaMemset(unlike.data(), 0, sizeof(unsigned long long)), "cudaMemset");
  auto const a_transposed = transposed(row_major(a.data(), k, m));
  REQUIRE(gemm::run<gemm::coalesced_32x32>(a_transposed, row_major(b.data(), k, n), row_major(want.data(), m, n)));
  for (int i = 0; i < launches; ++i) {
    test::require_success(cudaMemsetAsync(got.data(), 0xff, m * n * sizeof(float)), "cudaMemsetAsync");
    REQUIRE(gemm::run<Policy>(a_transposed, row_major(b.data(), k, n), row_major(got.data(), m, n)));
    count_unlike<<<4096, 256>>>(got.data(), want.data(), m * n, unlike.data());
    test::require_success(cudaGetLastError(), "count_unlike");
  }
  unsigned long long wrong = 0;
  test::require_success(cudaMemcpy(&wrong, unlike.data(), sizeof(wrong), cudaMemcpyDeviceToHost), "cudaMemcpy");
  CHECK(wrong == 0);
}

/// Over and over, tall products with a k-major B of so few columns that no three warps have a part in each tile to
/// turn. Where one did not wait for tiles of others, some hundred launches in clusters ended in a failed one.
template <class Policy, class A>
void check_turned(std::int64_t m, std::int64_t k, A a) {
  constexpr std::int64_t n = 24;
  constexpr int launches = 2000;
  auto const b = filled<float>(n * k);
  auto const b_transposed = transposed(row_major(b.data(), n, k));
  test::device_array<float> const got(static_cast<std::size_t>(m * n)), want(static_cast<std::size_t>(m * n));
  test::device_array<unsigned long long> const unlike(1);
  test::require_success(cudaMemset(unlike.data(), 0, sizeof(unsigned long long)), "cudaMemset");
  REQUIRE(gemm::run<gemm::coalesced_32x32>(a, b_transposed, row_major(want.data(), m, n)));
  for (int i = 0; i < launches; ++i) {
    REQUIRE(gemm::run<Policy>(a, b_transposed, row_major(got.data(), m, n)));
    count_unlike<<<1024, 256>>>(got.data(), want.data(), m * n, unlike.data());
    test::require_success(cudaGetLastError(), "count_unlike");
  }
  unsigned long long wrong = 0;
  test::require_success(cudaMemcpy(&wrong, unlike.data(), sizeof(wrong), cudaMemcpyDeviceToHost), "cudaMemcpy");
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("operands of more than 2^31 elements", "[large]") {
  std::size_t free = 0, total = 0;
  test::require_success(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  if (free < (std::size_t{32} << 30)) {
    SKIP("needs 32 GiB of device memory");
  }
  SECTION("coalesced") { check_large<gemm::coalesced_32x32, test::f32>(); }
  SECTION("vectorized") { check_large<gemm::vectorized_128x128x8, test::f32>(); }
  SECTION("pipelined") { check_large<gemm::pipelined_64x128x16, test::f32>(); }
  SECTION("pipelined, half") { check_large<gemm::pipelined_64x128x16, test::f16_f32>(); }
  SECTION("pipelined, int8") { check_large<gemm::pipelined_64x128x16, test::s8_s32>(); }
  SECTION("automatic") { check_large<gemm::automatic, test::f32>(); }
}

TEST_CASE("no tile is overwritten before it has been read", "[large]") {
  std::size_t free = 0, total = 0;
  test::require_success(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  if (free < (std::size_t{1} << 30)) {
    SKIP("needs 1 GiB of device memory");
  }
  SECTION("128 x 16") { check_overwritten<gemm::sm90_simt_tma_128x16x32>(); }
  SECTION("64 x 64") { check_overwritten<gemm::sm90_simt_tma_64x64x32>(); }
  SECTION("128 x 64, persistent") { check_overwritten<gemm::persistent_128x64x32>(); }
  SECTION("128 x 128") { check_overwritten<gemm::sm90_simt_tma_128x128x32>(); }
}

TEST_CASE("tiles are turned when they are here", "[large]") {
  constexpr std::int64_t m = 43928, k = 848;
  auto const a = filled<float>(m * k);
  auto const rows = row_major(a.data(), m, k);
  auto const columns = transposed(row_major(a.data(), k, m));
  using in_cluster = gemm::cluster_split_k<gemm::sm90_simt_tma_128x16x32, 3>;
  SECTION("128 x 32, in clusters, nt") { check_turned<in_cluster>(m, k, rows); }
  SECTION("128 x 32, in clusters, tt") { check_turned<in_cluster>(m, k, columns); }
  SECTION("64 x 64, persistent") { check_turned<gemm::persistent_64x64x32>(m, k, rows); }
}

#endif
