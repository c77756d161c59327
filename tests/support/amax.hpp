// SPDX-License-Identifier: BSL-1.0
//! @file
//! amax in a product: every element of C is seen once, whole, and none outside of it.
#pragma once

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gemm/arch/global_atomics.cuh>
#include <gemm/gemm.cuh>

#include "../policies/policies.hpp"
#include "device.hpp"
#include "types.hpp"

namespace test {

/// Minus a number that grows with row, column and batch, so that what lies outside C has a greater magnitude.
struct minus_place {
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return value - static_cast<V>(1 + 3 * row + 2 * column + 100 * batch);
  }
};

struct count_calls {
  std::uint32_t* calls;
  template <class V>
  __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    gemm::arch::reduce_add(calls, 1);
    return value;
  }
};

/// A product of zeros, each the sum of k / 2 times 64 and as many times -64.
template <class Policy, class In, class Out>
void check_amax(std::int64_t m, std::int64_t n, bool column_major) {
  constexpr std::int64_t products = 2, k = 256;
  std::vector<In> const left(static_cast<std::size_t>(m * k), rounded<In>(8.0));
  std::vector<In> right;
  for (std::int64_t i = 0; i < k * n; ++i) {
    right.push_back(rounded<In>(i < k * n / 2 ? 8.0 : -8.0));
  }
  device_array<In> const a(left), b(right);
  device_array<Out> const c(static_cast<std::size_t>(products * m * n));
  device_array<float> const most(std::vector<float>(1, 1e30F));
  device_array<std::uint32_t> const calls(std::vector<std::uint32_t>(1, 0));
  auto const epilogue = gemm::identity{} | minus_place{} | gemm::amax(most.data()) | count_calls{calls.data()};
  auto const of_a = gemm::row_major(a.data(), m, k);
  auto const of_b = gemm::row_major(b.data(), k, n);
  gemm::status const status =
      column_major
          ? gemm::run<Policy>(of_a, of_b, gemm::batched(gemm::col_major(c.data(), m, n), products), {}, epilogue)
          : gemm::run<Policy>(of_a, of_b, gemm::batched(gemm::row_major(c.data(), m, n), products), {}, epilogue);
  CAPTURE(gemm::name<Policy>(), name_of<Out>(), m, n, column_major, status.message());
  REQUIRE(status);
  CHECK(most.download()[0] == static_cast<float>(1 + 3 * (m - 1) + 2 * (n - 1) + 100 * (products - 1)));
  CHECK(calls.download()[0] == static_cast<std::uint32_t>(products * m * n));
}

/// Tiles that are wholly in C, whose rows are aligned, and others.
template <class Policy, class In, class Out>
void check_amax() {
  if (Policy::info.arch == gemm::architecture::sm_90a && !gemm::detail::current_code().tma) {
    return;
  }
  std::int64_t const m = Policy::block_m, n = Policy::block_n;
  check_amax<Policy, In, Out>(2 * m, (2 * n + 15) / 16 * 16, false);
  check_amax<Policy, In, Out>(m + 1, 2 * n - 1, false);
  check_amax<Policy, In, Out>(n + 3, m + 16, true);
}

template <class In, class Out, class... Policies>
void check_amax_of_all(policy_pack<Policies...>) {
  (check_amax<Policies, In, Out>(), ...);
}

}  // namespace test
