// SPDX-License-Identifier: BSL-1.0
//! @file
//! sm80_mma with accumulators of half: all storages, sizes that tiles do not divide, slices; its bound, its overflow.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/launch/compiled_code.cuh>

#include "../support/device.hpp"

namespace {

using gemm::col_major;
using gemm::row_major;

using plain = gemm::sm80_mma<gemm::block<64, 128, 32>, gemm::warp<64, 64>, gemm::stages<2>, gemm::half_accum>;
/// A warp tile of 64 x 128, which only these accumulators leave registers for.
using large = gemm::sm80_mma<gemm::block<64, 128, 64>, gemm::warp<64, 128>, gemm::stages<2>, gemm::half_accum>;
using sliced = gemm::split_k<plain, 2>;

void need_instruction() {
  int major = 0;
  REQUIRE(gemm::detail::device_attribute(major, cudaDevAttrComputeCapabilityMajor));
  if (major < 8 || gemm::detail::code_of_device() == gemm::detail::device_code::old) {
    SKIP("needs mma.sync");
  }
}

constexpr std::int64_t m = 67, n = 131, k = 150;

/// C of a row-major A and B, in the storages.
template <class Policy>
std::vector<float> product(std::vector<float> const& a, std::vector<float> const& b, bool a_by_row, bool b_by_row) {
  std::vector<__half> in_a(a.size()), in_b(b.size());
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t l = 0; l < k; ++l) {
      in_a[static_cast<std::size_t>(a_by_row ? i * k + l : l * m + i)] = __half(a[static_cast<std::size_t>(i * k + l)]);
    }
  }
  for (std::int64_t l = 0; l < k; ++l) {
    for (std::int64_t j = 0; j < n; ++j) {
      in_b[static_cast<std::size_t>(b_by_row ? l * n + j : j * k + l)] = __half(b[static_cast<std::size_t>(l * n + j)]);
    }
  }
  test::device_array<__half> const device_a(in_a), device_b(in_b);
  test::device_array<float> const c(static_cast<std::size_t>(m * n));
  auto const multiply = [&](auto x, auto y) { REQUIRE(gemm::run<Policy>(x, y, row_major(c.data(), m, n))); };
  __half const *from_a = device_a.data(), *from_b = device_b.data();
  if (a_by_row) {
    b_by_row ? multiply(row_major(from_a, m, k), row_major(from_b, k, n))
             : multiply(row_major(from_a, m, k), col_major(from_b, k, n));
  } else {
    b_by_row ? multiply(col_major(from_a, m, k), row_major(from_b, k, n))
             : multiply(col_major(from_a, m, k), col_major(from_b, k, n));
  }
  return c.download();
}

/// How many elements are further from float64's than `units` of 2^-11 of |A| |B|.
int wrong(std::vector<float> const& c, std::vector<float> const& a, std::vector<float> const& b, double units) {
  int found = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0, magnitude = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        double const product = double{a[static_cast<std::size_t>(i * k + l)]} * b[static_cast<std::size_t>(l * n + j)];
        sum += product;
        magnitude += std::abs(product);
      }
      bool const near = std::abs(c[static_cast<std::size_t>(i * n + j)] - sum) <= units * 0x1p-11 * magnitude;
      found += near ? 0 : 1;  // NaN is not
    }
  }
  return found;
}

}  // namespace

TEMPLATE_TEST_CASE("accumulators of half sum small integers exactly in all storages", "[half_accum]", plain, large,
                   sliced) {
  need_instruction();
  std::vector<float> a, b;
  for (int i = 0; i < m * k; ++i) {
    a.push_back(static_cast<float>(i * 7 % 5 - 2));
  }
  for (int i = 0; i < k * n; ++i) {
    b.push_back(static_cast<float>(i * 5 % 7 - 3));
  }
  for (int storage = 0; storage < 4; ++storage) {
    CHECK(wrong(product<TestType>(a, b, storage % 2 == 0, storage / 2 == 0), a, b, 0) == 0);
  }
}

TEMPLATE_TEST_CASE("accumulators of half keep their error bound", "[half_accum]", plain, sliced) {
  need_instruction();
  std::mt19937 generator(7);
  std::vector<float> a, b;
  auto const fill = [&](std::vector<float>& to, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      to.push_back(static_cast<float>(__half(static_cast<float>(generator() % 4096) / 2048 - 0.75F)));
    }
  };
  fill(a, m * k);
  fill(b, k * n);
  auto const c = product<TestType>(a, b, true, true);
  CHECK(wrong(c, a, b, k / 16.0 + 2) == 0);
  CHECK(wrong(c, a, b, 0) > 0);  // not those of float
}

TEST_CASE("accumulators of half overflow where float's do not", "[half_accum]") {
  need_instruction();
  std::vector<float> const a(static_cast<std::size_t>(m * k), 32), b(static_cast<std::size_t>(k * n), 32);
  for (float const x : product<plain>(a, b, true, true)) {  // 150 * 1024
    REQUIRE(std::isinf(x));
  }
}
