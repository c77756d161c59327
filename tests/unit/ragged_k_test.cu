// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products whose k lies in device memory: results, what other products must not reach, bits, scales and messages.

#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>
#include <gemm/reference.hpp>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"
#include "../support/small_integers.hpp"

namespace {

using Catch::Matchers::Equals;
using Catch::Matchers::StartsWith;
using gemm::order;
using test::numbers;
using bf16 = __nv_bfloat16;
using e4m3 = __nv_fp8_e4m3;

/// The k of products: none, one, less than a tile of k, more than one, and starts of every alignment.
std::vector<std::int64_t> const some_k{3, 0, 130, 1, 0, 64, 17, 0};
constexpr std::int64_t behind = 5;  // of k, that belong to no product
constexpr float before = -3;        // the call, in C

template <order Order, class E>
auto view(E* data, std::int64_t rows, std::int64_t columns) {
  if constexpr (Order == order::row) {
    return gemm::row_major(data, rows, columns);
  } else {
    return gemm::col_major(data, rows, columns);
  }
}

std::vector<std::int32_t> ends_of(std::vector<std::int64_t> const& lengths) {
  std::vector<std::int32_t> ends;
  std::int64_t end = 0;
  for (std::int64_t const length : lengths) {
    ends.push_back(static_cast<std::int32_t>(end += length));
  }
  return ends;
}

template <class T, class Out, order A, order B, order C>
struct products {
  std::int64_t m, n, all, groups;
  std::vector<std::int32_t> host_ends;
  std::vector<T> host_a, host_b;
  std::vector<Out> host_c;
  test::device_array<T> a, b;
  test::device_array<Out> c;
  test::device_array<std::int32_t> ends;

  products(std::vector<std::int64_t> const& lengths, std::int64_t rows, std::int64_t columns)
      : m(rows),
        n(columns),
        all(ends_of(lengths).back() + behind),
        groups(static_cast<std::int64_t>(lengths.size())),
        host_ends(ends_of(lengths)),
        host_a(numbers<T>(m * all, 1)),
        host_b(numbers<T>(all * n, 3)),
        host_c(static_cast<std::size_t>(groups * m * n), static_cast<Out>(before)),
        a(host_a),
        b(host_b),
        c(host_c),
        ends(host_ends) {}

  /// Puts a value into all of A, or B, that is multiplied at one k.
  void poison_a(std::int64_t k, float value) {
    for (std::int64_t i = 0; i < m; ++i) {
      host_a[static_cast<std::size_t>(A == order::row ? i * all + k : k * m + i)] = static_cast<T>(value);
    }
    a.upload(host_a);
  }
  void poison_b(std::int64_t k, float value) {
    for (std::int64_t j = 0; j < n; ++j) {
      host_b[static_cast<std::size_t>(B == order::row ? k * n + j : j * all + k)] = static_cast<T>(value);
    }
    b.upload(host_b);
  }

  template <class Policy>
  gemm::status run(gemm::options<typename gemm::element_traits<T>::accum> const& opts = {}) const {
    return gemm::run<Policy>(
        gemm::ragged_columns(view<A>(static_cast<T const*>(a.data()), m, all), ends.data(), groups),
        gemm::ragged_rows(view<B>(static_cast<T const*>(b.data()), all, n), ends.data(), groups),
        gemm::batched(view<C>(c.data(), m, n), groups), opts);
  }

  /// Elements of C that are not what the reference says; NaN where it says so.
  int wrong(float alpha, float beta) const {
    auto const of_a = gemm::ragged_columns(view<A>(host_a.data(), m, all), host_ends.data(), groups);
    auto const of_b = gemm::ragged_rows(view<B>(host_b.data(), all, n), host_ends.data(), groups);
    using accum = typename gemm::element_traits<T>::accum;
    auto const expected = gemm::reference(of_a, of_b, gemm::batched(view<C>(host_c.data(), m, n), groups),
                                          static_cast<accum>(alpha), static_cast<accum>(beta));
    std::vector<Out> const found = c.download();
    REQUIRE(found.size() == expected.size());
    int count = 0;
    for (std::int64_t i = 0; i < groups * m * n; ++i) {
      std::int64_t const row = i % (m * n) / n, column = i % n;
      std::int64_t const at = i / (m * n) * m * n + (C == order::row ? row * n + column : column * m + row);
      auto const is = static_cast<double>(gemm::detail::widen(found[static_cast<std::size_t>(at)]));
      auto const rounded = gemm::detail::convert<Out>(static_cast<double>(expected[static_cast<std::size_t>(i)].value));
      auto const should_be = static_cast<double>(gemm::detail::widen(rounded));
      count += is == should_be || (std::isnan(is) && std::isnan(should_be)) ? 0 : 1;
    }
    return count;
  }
};

template <class Policy, class T, class Out, order A, order B, order C>
void check_products(std::int64_t m, std::int64_t n) {
  INFO(gemm::name<Policy>() << ", A by column " << (A == order::column) << ", B " << (B == order::column) << ", C "
                            << (C == order::column));
  products<T, Out, A, B, C> all(some_k, m, n);
  if constexpr (!std::is_integral_v<T>) {
    // Behind the last end; and in both operands of a product, first and last, so that tiles of other products have
    // them.
    float const nan = std::numeric_limits<float>::quiet_NaN();
    all.poison_a(all.host_ends.back(), nan);
    all.poison_b(all.host_ends.back(), nan);
    all.poison_a(3, nan);
    all.poison_b(132, nan);
    all.poison_a(133, nan);
    all.poison_b(198, nan);
  }
  gemm::status const status = all.template run<Policy>();
  REQUIRE_THAT(status.message(), Equals(""));
  CHECK(all.wrong(1, 0) == 0);
  all.c.upload(all.host_c);
  REQUIRE(all.template run<Policy>({.alpha = 2, .beta = 1}));
  CHECK(all.wrong(2, 1) == 0);
}

}  // namespace

TEST_CASE("products have a k of their own", "[ragged][sanitizer]") {
  using gemm::pipelined_32x64x32;
  using mma = gemm::sm80_mma_64x64x64;
  check_products<pipelined_32x64x32, float, float, order::row, order::row, order::row>(33, 70);
  check_products<mma, bf16, float, order::row, order::column, order::row>(72, 40);
  check_products<mma, bf16, bf16, order::column, order::row, order::row>(72, 40);  // wide copies
#if !defined(GEMM_TEST_SANITIZERS)
  check_products<pipelined_32x64x32, float, float, order::column, order::row, order::row>(40, 72);
  check_products<pipelined_32x64x32, float, float, order::column, order::column, order::column>(33, 70);
  check_products<mma, bf16, float, order::column, order::row, order::column>(33, 41);
  check_products<mma, __half, float, order::row, order::row, order::row>(33, 72);
#endif
}

TEST_CASE("products have a k of their own by wgmma", "[ragged][sanitizer]") {
  test::need_sm90a();
  check_products<gemm::sm90_wgmma_128x256x64_2x1, bf16, bf16, order::column, order::row, order::row>(136, 264);
#if !defined(GEMM_TEST_SANITIZERS)
  using ping_pong = gemm::sm90_wgmma_ping_pong_128x128x64;
  check_products<gemm::sm90_wgmma_64x64x64, bf16, float, order::column, order::row, order::row>(72, 40);
  check_products<ping_pong, __half, float, order::column, order::row, order::column>(72, 136);
  check_products<gemm::sm90_wgmma_64x64x64, bf16, float, order::column, order::row, order::row>(33, 41);  // packed
#endif
}

#if !defined(GEMM_TEST_SANITIZERS)
TEST_CASE("the library chooses wgmma for a k of their own that runs from row to row", "[ragged]") {
  test::need_sm90a();
  test::device_array<bf16> const memory(64);
  test::device_array<std::int32_t> const ends(std::vector<std::int32_t>(16));
  bf16 const* const data = memory.data();
  std::int64_t const m = 4096, n = 4096, all = 32768;
  auto const c = gemm::batched(gemm::row_major(memory.data() + 32, m, n), 16);
  auto const policy_of = [&](auto const& a, auto const& b) {
    return std::string(
        gemm::chosen(gemm::ragged_columns(a, ends.data(), 16), gemm::ragged_rows(b, ends.data(), 16), c).policy);
  };
  CHECK_THAT(policy_of(gemm::col_major(data, m, all), gemm::row_major(data, all, n)), StartsWith("sm90_wgmma"));
  CHECK_THAT(policy_of(gemm::row_major(data, m, all), gemm::row_major(data, all, n)), StartsWith("sm80_mma"));
}

TEST_CASE("a k of their own have products of all types", "[ragged]") {
  using block = gemm::block<64, 64, 64>;
  using warp = gemm::warp<32, 32>;
  using stages = gemm::stages<3>;
  using fp8 = gemm::sm80_mma<block, warp, stages, gemm::fp8>;
  using s8 = gemm::sm80_mma<block, warp, stages, std::int8_t>;
  check_products<fp8, e4m3, float, order::row, order::column, order::row>(40, 70);
  check_products<s8, std::int8_t, std::int32_t, order::row, order::column, order::row>(40, 70);
  check_products<gemm::automatic, double, double, order::column, order::row, order::row>(40, 70);
  check_products<gemm::automatic, bf16, bf16, order::column, order::row, order::row>(72, 40);
}
#endif

TEST_CASE("a product of its own k has the bits that it has by itself", "[ragged]") {
  using policy = gemm::sm80_mma_64x64x64;
  std::int64_t const m = 72, n = 80;
  products<bf16, float, order::column, order::row, order::row> all(some_k, m, n);
  gemm::random_numbers random(5);
  for (std::vector<bf16>* const values : {&all.host_a, &all.host_b}) {
    for (bf16& x : *values) {
      x = bf16(static_cast<float>(random.uniform()));
    }
  }
  all.a.upload(all.host_a);
  all.b.upload(all.host_b);
  REQUIRE(all.run<policy>());
  test::device_array<float> const own(all.c.size());
  for (std::int64_t product = 0, first = 0; product < all.groups; ++product) {
    std::int64_t const end = all.host_ends[static_cast<std::size_t>(product)];
    bf16 const *a = all.a.data() + first * m, *b = all.b.data() + first * n;
    REQUIRE(gemm::run<policy>(gemm::col_major(a, m, end - first), gemm::row_major(b, end - first, n),
                              gemm::row_major(own.data() + product * m * n, m, n)));
    first = end;
  }
  CHECK(all.c.download() == own.download());
}

TEST_CASE("products without k of their own are beta C", "[ragged]") {
  using kind = products<float, float, order::row, order::row, order::row>;
  using gemm::pipelined_32x64x32;
  kind const nobody({0, 0, 0}, 33, 70);
  // Nothing is multiplied by it.
  float const nan = std::numeric_limits<float>::quiet_NaN();
  REQUIRE(nobody.run<pipelined_32x64x32>({.alpha = nan, .beta = 2}));
  CHECK(nobody.wrong(0, 2) == 0);
  REQUIRE(nobody.run<pipelined_32x64x32>({.alpha = nan}));
  CHECK(nobody.wrong(0, 0) == 0);
  kind const zero(some_k, 33, 70);
  REQUIRE(zero.run<gemm::automatic>({.alpha = 0, .beta = 2}));
  CHECK(zero.wrong(0, 2) == 0);
  kind const ends_that_fall({5, -4, 7, 60}, 33, 70);  // 5, 1, 8, 68: of what is read nothing lies outside
  REQUIRE(ends_that_fall.run<pipelined_32x64x32>());
  CHECK(ends_that_fall.wrong(1, 0) == 0);
}

TEST_CASE("a captured call of ragged k follows the ends of each replay", "[ragged]") {
  using kind = products<float, float, order::row, order::row, order::row>;
  kind all(some_k, 33, 70);
  test::stream const stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  test::require_success(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "begin");
  REQUIRE(all.run<gemm::pipelined_32x64x32>({.stream = stream.get()}));
  test::require_success(cudaStreamEndCapture(stream.get(), &graph), "end");
  test::require_success(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  for (std::vector<std::int64_t> const& lengths :
       {some_k, std::vector<std::int64_t>{200, 1, 0, 0, 0, 4, 10, 0}, std::vector<std::int64_t>(8, 20)}) {
    all.host_ends = ends_of(lengths);
    all.ends.upload(all.host_ends);
    test::require_success(cudaGraphLaunch(executable, stream.get()), "cudaGraphLaunch");
    stream.synchronize();
    CHECK(all.wrong(1, 0) == 0);
  }
  test::require_success(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
  test::require_success(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

TEST_CASE("each product of a ragged k has scales of lines", "[ragged]") {
  std::int64_t const m = 33, n = 40;
  std::vector<std::int64_t> const lengths{3, 0, 20};
  using kind = products<float, float, order::row, order::row, order::row>;
  kind const scaled(lengths, m, n), plain(lengths, m, n);
  std::vector<float> of_rows(static_cast<std::size_t>(3 * m)), of_columns(static_cast<std::size_t>(3 * n));
  for (std::vector<float>* const scales : {&of_rows, &of_columns}) {
    for (std::size_t i = 0; i < scales->size(); ++i) {
      (*scales)[i] = static_cast<float>(1 << i % 5);
    }
  }
  test::device_array<float> const scales_a(of_rows), scales_b(of_columns);
  float const *data_a = scaled.a.data(), *data_b = scaled.b.data(), *rows = scales_a.data(), *columns = scales_b.data();
  std::int32_t const* const ends = scaled.ends.data();
  auto const view_a = gemm::scaled(gemm::row_major(data_a, m, scaled.all), gemm::per_row(rows, m, m));
  auto const view_b = gemm::scaled(gemm::row_major(data_b, scaled.all, n), gemm::per_column(columns, n, n));
  REQUIRE(gemm::run<gemm::pipelined_32x64x32>(gemm::ragged_columns(view_a, ends, 3), gemm::ragged_rows(view_b, ends, 3),
                                              gemm::batched(gemm::row_major(scaled.c.data(), m, n), 3)));
  REQUIRE(plain.run<gemm::pipelined_32x64x32>());
  std::vector<float> const found = scaled.c.download(), without = plain.c.download();
  int wrong = 0;
  for (std::int64_t i = 0; i < 3 * m * n; ++i) {
    auto const at = static_cast<std::size_t>(i), row = static_cast<std::size_t>(i / n),
               column = static_cast<std::size_t>(i / (m * n) * n + i % n);
    wrong += found[at] == without[at] * of_rows[row] * of_columns[column] ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("what is wrong with a ragged k is said", "[ragged][validation]") {
  test::device_array<float> const memory(128);
  test::device_array<std::int32_t> const ends(std::vector<std::int32_t>{4, 8}), others(std::vector<std::int32_t>{4, 8});
  float const* const data = memory.data();
  auto const a = gemm::row_major(data, 2, 8), b = gemm::row_major(data, 8, 4);
  auto const c = gemm::batched(gemm::row_major(memory.data() + 32, 2, 4), 2);
  auto const says = [&](auto const& of_a, auto const& of_b, auto const& of_c, gemm::options<float> const& opts = {}) {
    return std::string(gemm::run<gemm::pipelined_32x64x32>(of_a, of_b, of_c, opts).message());
  };
  auto const on_a = [&](auto const& view_a) { return gemm::ragged_columns(view_a, ends.data(), 2); };
  auto const on_b = [&](auto const& view_b) { return gemm::ragged_rows(view_b, ends.data(), 2); };
  CHECK_THAT(says(on_a(a), on_b(b), c), Equals(""));
  CHECK_THAT(says(on_a(a), gemm::ragged_rows(b, others.data(), 2), c),
             Equals("A and B have groups of their own, 2 and 2, need the same ends or counts"));
  CHECK_THAT(says(on_a(a), gemm::masked(gemm::batched(b, 2), ends.data()), c),
             Equals("A and B have groups of their own, 2 and 2, need the same ends or counts"));
  CHECK_THAT(says(on_a(a), on_b(b), gemm::row_major(memory.data() + 32, 2, 4)),
             Equals("C has a batch of 1, needs one of the 2 groups of A and B"));
  CHECK_THAT(says(on_a(gemm::batched(a, 2)), on_b(b), c),
             Equals("ragged A and B have batches of 2 and 1, need one matrix each"));
  CHECK_THAT(says(on_a(a), on_b(gemm::row_major(data, 7, 4)), c),
             Equals("B has 7 rows, needs k = 8, the columns of A"));
  CHECK_THAT(says(on_a(a), on_b(b), c, {.zero_rest = true}),
             Equals("zero_rest is set, needs a ragged or masked view of C"));
}
