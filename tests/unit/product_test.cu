// SPDX-License-Identifier: BSL-1.0
//! @file
//! Kernels that follow a schedule, with products of sizes and pointers of their own, which lie in device memory: a
//! parameter of another type, its product_of(), and the kernels as they are.

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace gemm {

/// What the products of a launch have in common, with the largest sizes, and each of them.
template <class Problem>
struct listed_problem : Problem {
  Problem const* products;
};
template <class Problem>
struct tma_problem<listed_problem<Problem>> {
  tma_problem<Problem> const* products;
  listed_problem<Problem> problem;
};
template <class Problem>
struct tma_store_problem<listed_problem<Problem>> {
  tma_store_problem<Problem> const* products;
  listed_problem<Problem> problem;
};

namespace detail {

template <class Parameter>
concept lists_products = requires(Parameter const& io) {
  io.products;
};

template <lists_products Parameter, class Index>
__host__ __device__ auto const& product_of(scheduled<Parameter> const& params, Index number) {
  return params.io.products[number];
}
template <lists_products Parameter, class Index>
__host__ __device__ Index batch_of(scheduled<Parameter> const&, Index) {
  return 0;
}
template <lists_products Parameter>
__device__ void prefetch_maps(scheduled<Parameter> const&) {}

}  // namespace detail

}  // namespace gemm

namespace {

using gemm::detail::scheduled;

/// Sizes of products with as many tiles of k.
struct sizes {
  std::int64_t m, n, k;
};
constexpr sizes of_products[] = {{50, 72, 104}, {64, 96, 120}, {33, 80, 128}};

/// Integers from `first` to 1, whose sums of products are exact in every type.
template <class T>
std::vector<T> numbers(std::int64_t count, int seed, int first) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    int const step =
        static_cast<int>((i * 7 + i / 5 + static_cast<std::size_t>(seed)) % static_cast<std::size_t>(2 - first));
    values[i] = static_cast<T>(static_cast<float>(first + step));
  }
  return values;
}

/// A row-major product of its own memory, but for a column-major B where it is TransposedB.
template <class T, bool TransposedB>
struct product {
  sizes size;
  std::vector<T> host_a, host_b;
  test::device_array<T> a, b, c;

  product(sizes const& s, int seed)
      : size(s),
        host_a(numbers<T>(s.m * s.k, seed, 0)),
        host_b(numbers<T>(s.k * s.n, seed + 1, -1)),
        a(host_a),
        b(host_b),
        c(std::vector<T>(static_cast<std::size_t>(s.m * s.n), static_cast<T>(1000.0F))) {}

  auto problem() const {
    auto const view_b = [&] {
      if constexpr (TransposedB) {
        return gemm::col_major(static_cast<T const*>(b.data()), size.k, size.n);
      } else {
        return gemm::row_major(static_cast<T const*>(b.data()), size.k, size.n);
      }
    }();
    return gemm::detail::problem_of(gemm::row_major(static_cast<T const*>(a.data()), size.m, size.k), view_b,
                                    gemm::row_major(c.data(), size.m, size.n), 1.0F, 0.0F, gemm::identity{});
  }

  /// How many elements of C are wrong.
  int wrong() const {
    std::vector<T> const found = c.download();
    int count = 0;
    for (std::int64_t i = 0; i < size.m; ++i) {
      for (std::int64_t j = 0; j < size.n; ++j) {
        float sum = 0;
        for (std::int64_t k = 0; k < size.k; ++k) {
          auto const at_b = static_cast<std::size_t>(TransposedB ? j * size.k + k : k * size.n + j);
          sum +=
              static_cast<float>(host_a[static_cast<std::size_t>(i * size.k + k)]) * static_cast<float>(host_b[at_b]);
        }
        count += static_cast<float>(found[static_cast<std::size_t>(i * size.n + j)]) == sum ? 0 : 1;
      }
    }
    return count;
  }
};

/// Elements of C that a policy's kernel gets wrong in one launch of all products.
template <class Policy, class T, bool TransposedB>
int wrong_elements() {
  namespace detail = gemm::detail;
  std::vector<product<T, TransposedB>> products;
  sizes most{};
  for (sizes const& s : of_products) {
    products.emplace_back(s, static_cast<int>(s.m));
    most = {std::max(most.m, s.m), std::max(most.n, s.n), std::max(most.k, s.k)};
  }
  using problem = decltype(products[0].problem());
  using listed = gemm::listed_problem<problem>;
  auto const& of = detail::compiled_kernel_of<Policy, problem>;
  listed whole{products[0].problem(), nullptr};
  whole.m = most.m;
  whole.n = most.n;
  whole.k = most.k;
  whole.batch_count = static_cast<std::int64_t>(products.size());
  detail::launch_plan const how = detail::plan_launch(of, static_cast<problem const&>(whole), {});
  REQUIRE(how.maps_ab == of.uses_tma());
  auto const complete = [&](problem p) {
    p.tiles_m = how.order.tiles_m;
    p.tiles_n = how.order.tiles_n;
    p.vector_c = detail::allows_vectors<detail::widest<T>>(p.c);
    return p;
  };
  static_cast<problem&>(whole) = complete(whole);
  auto const launch = [&]<class Parameter>(detail::policy_kernels<scheduled<Parameter>> const& kernels) {
    using member = std::remove_cvref_t<decltype(*Parameter::products)>;
    std::vector<member> list;
    for (auto const& p : products) {
      if constexpr (std::is_same_v<member, problem>) {
        list.push_back(complete(p.problem()));
      } else {
        list.push_back(detail::io_of<member>(complete(p.problem())));
        REQUIRE(detail::make_maps(of, list.back(), how));
      }
    }
    test::device_array<member> const of_device(list);
    scheduled<Parameter> params{.io = {}, .order = how.order};
    if constexpr (std::is_same_v<member, problem>) {
      params.io = whole;
    } else {
      params.io.problem = whole;
    }
    params.io.products = of_device.data();
    test::require_success(detail::launch(how.better ? kernels.better : kernels.always, how.grid, of.threads,
                                         how.shared_bytes, nullptr, params, how.kind),
                          of.name.data());
    test::require_success(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  };
  launch(detail::kernels_of<Policy, listed>());
  int wrong = 0;
  for (auto const& p : products) {
    wrong += p.wrong();
  }
  return wrong;
}

}  // namespace

TEST_CASE("a work's product may have sizes and pointers of its own, without TMA", "[product]") {
  CHECK(wrong_elements<gemm::sm80_mma_64x64x64, __nv_bfloat16, true>() == 0);
  CHECK(wrong_elements<gemm::pipelined_128x64x16, float, false>() == 0);
  CHECK(wrong_elements<gemm::skinny_4x128x32, float, false>() == 0);
}

TEST_CASE("a work's product may have sizes, pointers and maps of its own", "[product]") {
  test::need_sm90a();
  CHECK(wrong_elements<gemm::sm90_wgmma_64x64x64, __nv_bfloat16, true>() == 0);
  CHECK(wrong_elements<gemm::sm90_wgmma_ping_pong_128x128x64, __nv_bfloat16, true>() == 0);
  CHECK(wrong_elements<gemm::persistent_64x64x32, float, false>() == 0);
#if !defined(GEMM_TEST_SANITIZERS)
  CHECK(wrong_elements<gemm::sm90_wgmma_16x64x64, __nv_bfloat16, true>() == 0);
  CHECK(wrong_elements<gemm::sm90_wgmma_128x256x64_2x1, __nv_bfloat16, true>() == 0);
  CHECK(wrong_elements<gemm::sm90_wgmma_96x192x64_2x1, __nv_bfloat16, false>() == 0);
  CHECK(wrong_elements<gemm::sm90_simt_tma_64x64x32, float, false>() == 0);
#endif
}
