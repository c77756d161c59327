// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products that differ in all that views of theirs say: results, alignments, storages, replays and messages.

#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/reference.hpp>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"
#include "../support/small_integers.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::order;
using test::numbers;
using bf16 = __nv_bfloat16;

constexpr float untouched = -77.0F;

/// The sizes of a product.
struct extents {
  std::int64_t m, n, k;
};

/// None of m, n or k; one row, column or k; tiles of several kernels, and less than one.
std::vector<extents> const some_products{{40, 72, 36}, {0, 5, 7},     {1, 9, 70}, {33, 1, 1},     {5, 0, 4},
                                         {20, 30, 0},  {70, 130, 17}, {8, 8, 64}, {3, 40, 200},   {150, 272, 72},
                                         {24, 16, 0},  {130, 48, 65}, {0, 0, 0},  {64, 136, 130}, {16, 9, 33}};

/// Products that differ. The matrices of every other are at multiples of 16 elements and so are their ld, as TMA can
/// load them; between rows and matrices of the others there are gaps.
template <class T, class Out, order A, order B, order C>
struct grouped_products {
  std::vector<T> host_a, host_b;
  std::vector<Out> host_c;
  test::device_array<T> a, b;
  test::device_array<Out> c;
  std::vector<gemm::matrix<T const, A>> views_a;
  std::vector<gemm::matrix<T const, B>> views_b;
  std::vector<gemm::matrix<Out, C>> views_c;
  test::device_array<gemm::matrix<T const, A>> of_a;
  test::device_array<gemm::matrix<T const, B>> of_b;
  test::device_array<gemm::matrix<Out, C>> of_c;

  explicit grouped_products(std::vector<extents> const& all)
      : host_a(numbers<T>(room, 1)),
        host_b(numbers<T>(room, 3)),
        host_c(room, static_cast<Out>(untouched)),
        a(host_a),
        b(host_b),
        c(host_c),
        of_a(all.size()),
        of_b(all.size()),
        of_c(all.size()) {
    set(all);
  }

  /// Other sizes and places.
  void set(std::vector<extents> const& all) {
    views_a.clear();
    views_b.clear();
    views_c.clear();
    std::int64_t begin_a = 0, begin_b = 0, begin_c = 0, gap = 0;
    for (extents const& e : all) {
      bool const aligned = gap % 2 == 1;
      views_a.push_back(place<A>(static_cast<T const*>(a.data()), begin_a, e.m, e.k, gap % 4, aligned));
      views_b.push_back(place<B>(static_cast<T const*>(b.data()), begin_b, e.k, e.n, gap % 3, aligned));
      views_c.push_back(place<C>(c.data(), begin_c, e.m, e.n, gap % 5, aligned && gap % 3 > 0));
      views_a.back().factor = gap == 2 ? 2 : 1;
      ++gap;
    }
    REQUIRE((begin_a <= room && begin_b <= room && begin_c <= room));
    of_a.upload(views_a);
    of_b.upload(views_b);
    of_c.upload(views_c);
  }

  template <class Policy, class Epilogue = gemm::identity>
  gemm::status run(gemm::options<float> const& opts = {}, Epilogue epilogue = {}) const {
    auto const count = static_cast<std::int64_t>(views_a.size());
    return gemm::run<Policy>(gemm::grouped(gemm::matrix<T const, A>{nullptr, 40, 36, 40}, of_a.data(), count),
                             gemm::grouped(gemm::matrix<T const, B>{nullptr, 36, 72, 72}, of_b.data(), count),
                             gemm::grouped(gemm::matrix<Out, C>{nullptr, 40, 72, 72}, of_c.data(), count), opts,
                             epilogue);
  }

  /// Elements of all of C's memory that are not as the reference says, or were touched between matrices.
  int wrong(float alpha, float beta, float of_product = 0) const {
    std::vector<Out> expected = host_c;
    for (std::size_t i = 0; i < views_a.size(); ++i) {
      auto of_host = [](auto view, auto const& device, auto const& host) {
        view.data = const_cast<std::remove_const_t<decltype(view.data)>>(host.data()) + (view.data - device.data());
        return view;
      };
      auto const x = of_host(views_a[i], a, host_a);
      auto const y = of_host(views_b[i], b, host_b);
      gemm::matrix<Out const, C> z{host_c.data() + (views_c[i].data - c.data()), views_c[i].rows, views_c[i].columns,
                                   views_c[i].ld};
      auto const of_one = gemm::reference(x, y, z, alpha, beta);
      for (std::int64_t j = 0; j < z.rows * z.columns; ++j) {
        std::int64_t const row = j / z.columns, column = j % z.columns;
        Out* const first = expected.data() + (views_c[i].data - c.data());
        first[C == order::row ? row * z.ld + column : column * z.ld + row] = static_cast<Out>(
            static_cast<float>(of_one[static_cast<std::size_t>(j)].value) + of_product * static_cast<float>(i));
      }
    }
    std::vector<Out> const found = c.download();
    int count = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      count += static_cast<float>(found[i]) == static_cast<float>(expected[i]) ? 0 : 1;
    }
    return count;
  }

 private:
  static constexpr std::int64_t room = 400000, unit = 16;

  template <order Order, class E>
  static gemm::matrix<E, Order> place(E* data, std::int64_t& begin, std::int64_t rows, std::int64_t columns,
                                      std::int64_t gap, bool aligned) {
    auto const rounded = [&](std::int64_t number) { return aligned ? (number + unit - 1) / unit * unit : number; };
    std::int64_t const ld = rounded((Order == order::row ? columns : rows) + gap);
    begin = rounded(begin);
    gemm::matrix<E, Order> const view{data + begin, rows, columns, ld > 0 ? ld : 1};
    begin += (Order == order::row ? rows : columns) * view.ld + gap;
    return view;
  }
};

/// Adds the number of the product.
struct add_product {
  __host__ __device__ float operator()(float value, std::int64_t, std::int64_t, std::int64_t product) const {
    return value + static_cast<float>(product);
  }
};

template <class Policy, class T, class Out, order A, order B, order C>
void check_grouped() {
  INFO(gemm::name<Policy>() << ", C by column " << (C == order::column));
  grouped_products<T, Out, A, B, C> all(some_products);
  gemm::status status = all.template run<Policy>({.alpha = 2, .beta = 1}, add_product{});
  REQUIRE_THAT(status.message(), Equals(""));
  CHECK(all.wrong(2, 1, 1) == 0);
  all.c.upload(all.host_c);
  status = all.template run<Policy>({.alpha = 2}, add_product{});
  REQUIRE_THAT(status.message(), Equals(""));
  CHECK(all.wrong(2, 0, 1) == 0);
}

/// The same without an epilogue: tiles are then stored by TMA where it can.
template <class Policy, class T, class Out, order A, order B, order C>
void check_stored() {
  INFO(gemm::name<Policy>() << ", C by column " << (C == order::column));
  grouped_products<T, Out, A, B, C> all(some_products);
  for (float const alpha : {1.0F, 0.0F}) {
    all.c.upload(all.host_c);
    gemm::status const status = all.template run<Policy>({.alpha = alpha});
    REQUIRE_THAT(status.message(), Equals(""));
    CHECK(all.wrong(alpha, 0) == 0);
  }
}

/// Captures a call and replays it with the views of each of these.
template <class Policy, class Products>
void check_replays(Products& all, std::vector<std::vector<extents>> const& sizes) {
  test::stream const stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  test::require_success(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "begin");
  REQUIRE(all.template run<Policy>({.alpha = 2, .stream = stream.get()}));
  test::require_success(cudaStreamEndCapture(stream.get(), &graph), "end");
  test::require_success(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  for (std::vector<extents> const& of_products : sizes) {
    all.set(of_products);
    all.c.upload(all.host_c);
    test::require_success(cudaGraphLaunch(executable, stream.get()), "cudaGraphLaunch");
    stream.synchronize();
    CHECK(all.wrong(2, 0) == 0);
  }
  test::require_success(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
  test::require_success(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

}  // namespace

TEST_CASE("products differ in all that their views say", "[grouped][sanitizer]") {
  using gemm::pipelined_32x64x32;
  check_grouped<pipelined_32x64x32, float, float, order::row, order::row, order::row>();
  check_grouped<pipelined_32x64x32, float, float, order::column, order::column, order::column>();
  check_grouped<gemm::sm80_mma_64x64x64, bf16, float, order::row, order::column, order::row>();
  check_grouped<gemm::sm80_mma_64x64x64, bf16, float, order::column, order::row, order::column>();
  check_grouped<gemm::repacked<gemm::sm80_mma_64x64x64>, bf16, float, order::row, order::column, order::row>();
}

TEST_CASE("products that differ are loaded by TMA, and those that it cannot load are not",
          "[grouped][wgmma][sanitizer]") {
  test::need_sm90a();
  using gemm::sm90_wgmma_64x64x64;
  constexpr order row = order::row, column = order::column;
  check_grouped<sm90_wgmma_64x64x64, bf16, float, row, column, row>();
  check_grouped<sm90_wgmma_64x64x64, bf16, bf16, column, row, column>();
  check_stored<sm90_wgmma_64x64x64, bf16, bf16, row, row, row>();
  check_stored<sm90_wgmma_64x64x64, bf16, float, column, column, row>();
}

TEST_CASE("products that differ are computed by clusters and stored by TMA", "[grouped][wgmma][sanitizer]") {
  test::need_sm90a();
  constexpr order row = order::row, column = order::column;
  check_stored<gemm::sm90_wgmma_128x256x64_2x1, bf16, bf16, row, column, row>();
  check_stored<gemm::sm90_wgmma_ping_pong_128x128x64_1x2, bf16, bf16, column, row, row>();
  check_stored<gemm::sm90_wgmma_128x192x64_2x1, bf16, bf16, row, column, column>();
  check_stored<gemm::sm90_wgmma_fp8_128x256x128_2x1, __nv_fp8_e4m3, bf16, row, column, row>();
  check_stored<gemm::sm90_wgmma_tf32_128x256x32, float, float, row, column, row>();
  check_stored<gemm::sm90_wgmma_tf32_128x256x32, float, float, row, row, row>();
}

TEST_CASE("a captured call of grouped products follows their views", "[grouped]") {
  // More products than a warp looks at at once; and of one, more tiles than a device has blocks.
  std::vector<extents> const many(70, extents{33, 20, 5});
  std::vector<extents> others(70, extents{0, 20, 5});
  others[3] = {1, 20000, 1};
  others[41] = {1, 1, 300};
  others[69] = {130, 70, 8};
  std::vector<std::vector<extents>> const sizes{many, others, std::vector<extents>(70, extents{0, 0, 0})};
  grouped_products<float, float, order::row, order::row, order::row> all(many);
  check_replays<gemm::pipelined_32x64x32>(all, sizes);
  test::need_sm90a();
  grouped_products<bf16, bf16, order::row, order::column, order::row> of_bf16(many);
  check_replays<gemm::sm90_wgmma_64x64x64>(of_bf16, sizes);
}

TEST_CASE("the library chooses for grouped products, which without alpha are beta C", "[grouped]") {
  grouped_products<float, float, order::row, order::row, order::row> all(some_products);
  REQUIRE(all.run<gemm::automatic>({.alpha = 0, .beta = 2}));
  CHECK(all.wrong(0, 2) == 0);
  all.c.upload(all.host_c);
  REQUIRE(all.run<gemm::automatic>({.alpha = 2}));
  CHECK(all.wrong(2, 0) == 0);
}

TEST_CASE("the library chooses TMA for large grouped products of bf16", "[grouped]") {
  grouped_products<bf16, bf16, order::row, order::column, order::row> all(some_products);
  REQUIRE(all.run<gemm::automatic>({.alpha = 2}));
  CHECK(all.wrong(2, 0) == 0);
  constexpr std::int64_t m = 4096, n = 4096, k = 4096, count = 8;
  gemm::choice const found =
      gemm::chosen(gemm::grouped(gemm::row_major<bf16 const>(nullptr, m, k), all.of_a.data(), count),
                   gemm::grouped(gemm::col_major<bf16 const>(nullptr, k, n), all.of_b.data(), count),
                   gemm::grouped(gemm::row_major<bf16>(nullptr, m, n), all.of_c.data(), count));
  CHECK(found.policy.starts_with(gemm::detail::current_code().wgmma ? "sm90_wgmma" : "sm80_mma"));
}

TEST_CASE("what is wrong with grouped products is said", "[grouped][validation]") {
  test::device_array<gemm::matrix<float const, order::row>> const views(3);
  test::device_array<gemm::matrix<float, order::row>> const views_c(3);
  auto const says = [&](std::int64_t count, std::int64_t m, std::int64_t k, auto const* of_a) {
    auto const a = gemm::row_major(static_cast<float const*>(nullptr), m, k),
               b = gemm::row_major(static_cast<float const*>(nullptr), k, 4);
    auto const c = gemm::row_major(static_cast<float*>(nullptr), m, 4);
    return std::string(gemm::can_run<gemm::pipelined_32x64x32>(gemm::grouped(a, of_a, count),
                                                               gemm::grouped(b, views.data(), 3),
                                                               gemm::grouped(c, views_c.data(), 3))
                           .message());
  };
  CHECK_THAT(says(3, 4, 2, views.data()), Equals(""));
  CHECK_THAT(says(1, 4, 2, views.data()), Equals("A has 1 views, B 3 and C 3, need one for each product"));
  CHECK_THAT(says(3, 0, 2, views.data()), Equals("typical products are 0 x 4 with a k of 2, need 1 or more"));
  CHECK_THAT(says(3, 4, 0, views.data()), Equals("typical products are 4 x 4 with a k of 0, need 1 or more"));
  CHECK_THAT(says(3, 4, 2, static_cast<gemm::matrix<float const, order::row> const*>(nullptr)),
             Equals("A is null, needs 4 x 2 elements"));
}
