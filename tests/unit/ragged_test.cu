// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products whose numbers of rows lie in device memory: which block has which tile, results, their bits, what must not
//! be touched, and messages.

#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>
#include <gemm/schedule/ragged.cuh>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"
#include "../support/small_integers.hpp"
#include "../support/tier.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::order;
using test::numbers;
using bf16 = __nv_bfloat16;
using e4m3 = __nv_fp8_e4m3;

/// Rows of products: none, one, less than a tile, more than one.
std::vector<std::int64_t> const some_rows{3, 0, 130, 1, 0, 64, 17, 0};
constexpr std::int64_t rows_behind = 5;  // that belong to no product
constexpr float untouched = -77.0F;

template <class T>
std::vector<T> ends_of(std::vector<std::int64_t> const& rows) {
  std::vector<T> ends;
  std::int64_t end = 0;
  for (std::int64_t const count : rows) {
    ends.push_back(static_cast<T>(end += count));
  }
  return ends;
}

/// A problem as the walk knows it.
template <bool OfColumns>
struct lines {
  static constexpr bool of_columns = OfColumns;
  gemm::detail::line_ranges ranges;
  std::int64_t extent;

  gemm::detail::line_range range(int product) const { return ranges.of(product, extent); }
};

/// The tiles that all clusters get: product, row and column of tiles.
template <bool OfColumns>
void check_walk(std::vector<std::int64_t> const& rows, bool counted, int others, unsigned clusters) {
  constexpr int extent = 16;
  std::vector<std::int32_t> const numbers =
      counted ? std::vector<std::int32_t>(rows.begin(), rows.end()) : ends_of<std::int32_t>(rows);
  std::int64_t const all = counted ? 1000 : numbers.back() + rows_behind;
  lines<OfColumns> const p{{numbers.data(), false, counted}, all};
  gemm::detail::schedule s{.order = gemm::detail::tile_order::persistent,
                           .mode = gemm::detail::reduction::none,
                           .tiles_m = OfColumns ? others : static_cast<int>((all + extent - 1) / extent),
                           .tiles_n = OfColumns ? static_cast<int>((all + extent - 1) / extent) : others,
                           .batches = static_cast<int>(rows.size()),
                           .band = 2,
                           .k_tiles = 7};
  std::set<std::tuple<int, int, int>> found;
  std::size_t count = 0;
  for (unsigned cluster = 0; cluster < clusters; ++cluster) {
    gemm::detail::ragged_walk walk(s, p, extent);
    gemm::detail::work w;
    int before = -1;
    for (int step = 0; walk.next({cluster, clusters, 0}, step, w); ++step, ++count) {
      REQUIRE(w.batch >= before);
      before = w.batch;
      REQUIRE((w.k_begin == 0 && w.k_tiles == 7 && w.slices == 1));
      found.emplace(w.batch, w.tile_m, w.tile_n);
    }
    REQUIRE(!walk.next({cluster, clusters, 0}, 1000000, w));
  }
  std::set<std::tuple<int, int, int>> expected;
  for (int product = 0; product < s.batches; ++product) {
    for (int i = 0; i * extent < rows[static_cast<std::size_t>(product)]; ++i) {
      for (int j = 0; j < others; ++j) {
        expected.emplace(product, OfColumns ? j : i, OfColumns ? i : j);
      }
    }
  }
  CHECK(found == expected);
  CHECK(count == expected.size());
}

/// Adds what an epilogue is told, so that a wrong row, column or product shows.
struct add_position {
  __host__ __device__ float operator()(float value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return value + static_cast<float>(row % 3) + 4.0F * static_cast<float>(column % 3) +
           16.0F * static_cast<float>(batch);
  }
};

/// Products of one kind: how operands and C are stored, and whether the rows lie in a batch.
template <class T, class Out, order A, order B, order C, bool Masked>
struct products {
  std::vector<std::int64_t> rows;
  std::int64_t n, k, all, groups = static_cast<std::int64_t>(rows.size());
  std::vector<T> host_a, host_b;
  test::device_array<T> a, b;
  test::device_array<Out> c;
  test::device_array<std::int32_t> ranges;

  products(std::vector<std::int64_t> const& of_products, std::int64_t columns, std::int64_t depth)
      : rows(of_products),
        n(columns),
        k(depth),
        all(Masked ? *std::max_element(rows.begin(), rows.end()) + rows_behind
                   : ends_of<std::int64_t>(rows).back() + rows_behind),
        host_a(numbers<T>(matrices() * static_cast<std::size_t>(all * k), 1)),
        host_b(numbers<T>(static_cast<std::size_t>(groups * n * k), 3)),
        a(host_a),
        b(host_b),
        c(std::vector<Out>(matrices() * static_cast<std::size_t>(all * n), static_cast<Out>(untouched))),
        ranges(Masked ? std::vector<std::int32_t>(rows.begin(), rows.end()) : ends_of<std::int32_t>(rows)) {}

  std::size_t matrices() const { return Masked ? rows.size() : 1; }

  template <order Order, class E>
  static auto view(E* data, std::int64_t m, std::int64_t columns) {
    if constexpr (Order == order::row) {
      return gemm::row_major(data, m, columns);
    } else {
      return gemm::col_major(data, m, columns);
    }
  }
  template <class View>
  auto of_ranges(View const& m) const {
    if constexpr (Masked) {
      return gemm::masked(gemm::batched(m, groups), ranges.data());
    } else {
      return gemm::ragged_rows(m, ranges.data(), groups);
    }
  }
  auto view_a() const { return view<A>(static_cast<T const*>(a.data()), all, k); }
  auto view_b() const { return gemm::batched(view<B>(static_cast<T const*>(b.data()), k, n), groups); }
  auto view_c() const { return view<C>(c.data(), all, n); }

  template <class Policy, class Epilogue = gemm::identity>
  gemm::status run(gemm::options<float> const& opts = {}, Epilogue epilogue = {}) const {
    return gemm::run<Policy>(of_ranges(view_a()), view_b(), of_ranges(view_c()), opts, epilogue);
  }

  /// The element of the row that is in all of C, or in a product's matrix.
  template <order Order>
  std::size_t at(std::int64_t product, std::int64_t row, std::int64_t column, std::int64_t columns) const {
    std::int64_t const first = Masked ? product * all * columns : 0;
    return static_cast<std::size_t>(first + (Order == order::row ? row * columns + column : column * all + row));
  }

  /// Elements of C that are not alpha A B + beta `before`, then what the epilogue makes of it, or that were touched.
  template <class Epilogue>
  int wrong(float alpha, float beta, Epilogue epilogue, float rest = untouched) const {
    std::vector<Out> const found = c.download();
    std::vector<Out> expected(found.size(), static_cast<Out>(rest));
    for (std::int64_t product = 0, first = 0; product < groups; ++product) {
      for (std::int64_t i = 0; i < rows[static_cast<std::size_t>(product)]; ++i) {
        std::int64_t const row = Masked ? i : first + i;
        for (std::int64_t j = 0; j < n; ++j) {
          float sum = 0;
          for (std::int64_t l = 0; l < k; ++l) {
            auto const of_b = static_cast<std::size_t>(product * n * k + (B == order::row ? l * n + j : j * k + l));
            sum += static_cast<float>(host_a[at<A>(product, row, l, k)]) * static_cast<float>(host_b[of_b]);
          }
          expected[at<C>(product, row, j, n)] =
              static_cast<Out>(epilogue(alpha * sum + (beta == 0 ? 0 : beta * untouched), row, j, product));
        }
      }
      first += rows[static_cast<std::size_t>(product)];
    }
    int count = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      count += static_cast<float>(found[i]) == static_cast<float>(expected[i]) ? 0 : 1;
    }
    return count;
  }
};

/// Sanitizers see kernels by themselves, not all that the library would choose among.
using usual = test::by_tier<gemm::sm80_mma_64x64x64, gemm::automatic, gemm::automatic>;

struct unchanged {
  float operator()(float value, std::int64_t, std::int64_t, std::int64_t) const { return value; }
};

/// By default with all that a call may ask for; a plain one is another kernel, which may store another way.
template <class Policy, class T, class Out, order A, order B, order C, bool Masked, bool Plain = false>
void check_products(std::int64_t n, std::int64_t k) {
  INFO(gemm::name<Policy>() << ", masked " << Masked << ", C by column " << (C == order::column));
  products<T, Out, A, B, C, Masked> const all(some_rows, n, k);
  if constexpr (Plain) {
    gemm::status const status = all.template run<Policy>();
    REQUIRE_THAT(status.message(), Equals(""));
    CHECK(all.wrong(1, 0, unchanged{}) == 0);
  } else {
    gemm::status const status = all.template run<Policy>({.alpha = 2, .beta = 1}, add_position{});
    REQUIRE_THAT(status.message(), Equals(""));
    CHECK(all.wrong(2, 1, add_position{}) == 0);
  }
}

/// Products with columns of their own: C = 2 A B + C, and what the epilogue makes of it.
template <class Policy, class T, class Out, order B, order C>
void check_columns(gemm::options<float> const& opts = {.alpha = 2, .beta = 1}) {
  INFO(gemm::name<Policy>() << ", B by column " << (B == order::column) << ", C " << (C == order::column));
  using views = products<T, Out, order::row, B, C, false>;
  std::int64_t const m = 40, k = 40, groups = static_cast<std::int64_t>(some_rows.size());
  auto const ends = ends_of<std::int64_t>(some_rows);
  std::int64_t const all = ends.back() + rows_behind;
  std::vector<T> const host_a = numbers<T>(static_cast<std::size_t>(groups * m * k), 1),
                       host_b = numbers<T>(static_cast<std::size_t>(k * all), 3);
  test::device_array<T> const a(host_a), b(host_b);
  test::device_array<Out> const c(std::vector<Out>(static_cast<std::size_t>(m * all), static_cast<Out>(untouched)));
  test::device_array<std::int64_t> const ranges(ends);
  gemm::status const status = gemm::run<Policy>(
      gemm::batched(gemm::row_major(static_cast<T const*>(a.data()), m, k), groups),
      gemm::ragged_columns(views::template view<B>(static_cast<T const*>(b.data()), k, all), ranges.data(), groups),
      gemm::ragged_columns(views::template view<C>(c.data(), m, all), ranges.data(), groups), opts, add_position{});
  REQUIRE_THAT(status.message(), Equals(""));
  std::vector<Out> const found = c.download();
  int wrong = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < all; ++j) {
      std::int64_t const product = std::upper_bound(ends.begin(), ends.end(), j) - ends.begin();
      float expected = opts.zero_rest ? 0 : untouched;
      if (product < groups) {
        float sum = 0;
        for (std::int64_t l = 0; l < k; ++l) {
          sum += static_cast<float>(host_a[static_cast<std::size_t>((product * m + i) * k + l)]) *
                 static_cast<float>(host_b[static_cast<std::size_t>(B == order::row ? l * all + j : j * k + l)]);
        }
        expected = add_position{}(2 * sum + untouched, i, j, product);
      }
      float const is = static_cast<float>(found[static_cast<std::size_t>(C == order::row ? i * all + j : j * m + i)]);
      wrong += is == static_cast<float>(static_cast<Out>(expected)) ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("clusters have each tile of ragged products once, in order", "[ragged]") {
  for (bool const counted : {false, true}) {
    for (unsigned const clusters : {1U, 2U, 7U, 100U}) {
      for (int const others : {1, 3}) {
        check_walk<false>(some_rows, counted, others, clusters);
        check_walk<true>(some_rows, counted, others, clusters);
        check_walk<false>({0, 0, 0}, counted, others, clusters);
        check_walk<false>({400}, counted, others, clusters);
        check_walk<true>(std::vector<std::int64_t>(70, 1), counted, others, clusters);
      }
    }
  }
}

TEST_CASE("ranges are taken as the nearest within the rows", "[ragged]") {
  std::int32_t const ends[] = {-5, 7, 3, 900};
  gemm::detail::line_ranges const ragged{ends, false, false}, counted{ends, false, true};
  auto const check = [](gemm::detail::line_range const& range, std::int64_t first, std::int64_t end) {
    CHECK(range.first == first);
    CHECK(range.end == end);
  };
  check(ragged.of(0, 10), 0, 0);
  check(ragged.of(1, 10), 0, 7);
  check(ragged.of(2, 10), 7, 7);
  check(ragged.of(3, 10), 3, 10);
  check(counted.of(0, 10), 0, 0);
  check(counted.of(3, 10), 0, 10);
}

/// What says whether TMA can store C.
struct stored {
  using output = bf16;
  gemm::strided<bf16> c;
  std::int64_t m, n, batch_count;
};

TEST_CASE("TMA stores the rows of all products, and those of a batch", "[ragged]") {
  alignas(16) static bf16 memory[8];
  CHECK(gemm::detail::tma_can_store(stored{{memory, 64, 0}, 100, 64, 7}));
  CHECK(gemm::detail::matrices_of_c(stored{{memory, 64, 0}, 100, 64, 7}).batches == 1);
  CHECK(gemm::detail::matrices_of_c(stored{{memory, 64, 6400}, 100, 64, 7}).batches == 7);
}

// Plain products of float by pipelined_32x64x32 are those whose other rows are zeroed.
TEST_CASE("ragged rows without TMA", "[ragged][sanitizer]") {
  using gemm::pipelined_32x64x32;
  check_products<pipelined_32x64x32, float, float, order::row, order::row, order::column, true>(70, 40);
  check_products<gemm::sm80_mma_64x64x64, bf16, float, order::column, order::row, order::column, false>(33, 41);
#if !defined(GEMM_TEST_SANITIZERS)
  check_products<pipelined_32x64x32, float, float, order::row, order::row, order::row, false>(70, 40);
  check_products<pipelined_32x64x32, float, float, order::column, order::row, order::column, false>(70, 40);
  check_products<pipelined_32x64x32, float, float, order::column, order::column, order::row, false>(72, 40);
  check_products<gemm::sm80_mma_64x64x64, bf16, float, order::row, order::column, order::row, false>(72, 40);
#endif
}

TEST_CASE("ragged rows by wgmma", "[ragged][sanitizer]") {
  test::need_sm90a();
  using gemm::sm90_wgmma_128x256x64_2x1;
  using ping_pong = gemm::sm90_wgmma_ping_pong_128x128x64;
  check_products<gemm::sm90_wgmma_64x64x64, bf16, float, order::row, order::column, order::row, true>(72, 80);
  check_products<sm90_wgmma_128x256x64_2x1, bf16, bf16, order::row, order::column, order::row, false, true>(264, 72);
  check_products<ping_pong, bf16, bf16, order::row, order::row, order::row, false>(136, 72);
#if !defined(GEMM_TEST_SANITIZERS)
  check_products<sm90_wgmma_128x256x64_2x1, bf16, bf16, order::row, order::column, order::row, false>(264, 72);
  check_products<ping_pong, bf16, bf16, order::row, order::row, order::row, false, true>(136, 72);
  check_products<gemm::sm90_wgmma_128x192x64_2x1, bf16, float, order::row, order::column, order::column, false>(40, 72);
  check_products<sm90_wgmma_128x256x64_2x1, bf16, bf16, order::column, order::row, order::row, true>(72, 40);
#endif
}

TEST_CASE("products have columns of their own", "[ragged][sanitizer]") {
  check_columns<gemm::pipelined_32x64x32, float, float, order::row, order::row>();
  check_columns<gemm::pipelined_32x64x32, float, float, order::column, order::column>(
      {.alpha = 2, .beta = 1, .zero_rest = true});
  check_columns<gemm::sm80_mma_64x64x64, bf16, float, order::row, order::row>(
      {.alpha = 2, .beta = 1, .zero_rest = true});
  test::need_sm90a();
  check_columns<gemm::sm90_wgmma_64x64x64, bf16, float, order::column, order::row>();
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("many waves of groups that the L2 cannot hold are priced by what it misses", "[ragged]") {
  bf16 const* const any = reinterpret_cast<bf16 const*>(256);
  std::int32_t const ends[256] = {};
  auto const chosen = [&](std::int64_t groups, std::int64_t n, std::int64_t k) {
    std::int64_t const rows = groups * 1024;
    return gemm::chosen(gemm::ragged_rows(gemm::row_major(any, rows, k), ends, groups),
                        gemm::batched(gemm::col_major(any, k, n), groups),
                        gemm::ragged_rows(gemm::row_major(reinterpret_cast<bf16*>(512), rows, n), ends, groups));
  };
  CHECK(chosen(256, 4096, 6144).policy != chosen(64, 4096, 6144).policy);
  CHECK(chosen(256, 4096, 6144).seconds > 4.2 * chosen(64, 4096, 6144).seconds);
  CHECK(chosen(256, 2048, 768).policy == chosen(64, 2048, 768).policy);
  CHECK(chosen(256, 2048, 768).seconds < 4.05 * chosen(64, 2048, 768).seconds);
}
#endif

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("masked products of whole tiles cost as much as one product of their rows", "[ragged]") {
  bf16 const* const any = reinterpret_cast<bf16 const*>(256);
  auto* const out = reinterpret_cast<bf16*>(512);
  std::int32_t const counts[4] = {};
  std::int64_t const groups = 4, rows = 256, most = 4096, n = 4096, k = 7168;
  double const masked =
      gemm::chosen(gemm::masked(gemm::batched(gemm::row_major(any, most, k), groups), counts),
                   gemm::batched(gemm::col_major(any, k, n), groups),
                   gemm::masked(gemm::batched(gemm::row_major(out, most, n), groups), counts, {.expected = rows}))
          .seconds;
  double const one = gemm::chosen(gemm::row_major(any, groups * rows, k), gemm::col_major(any, k, n),
                                  gemm::row_major(out, groups * rows, n))
                         .seconds;
  CHECK(masked < 1.2 * one);  // the weights of four are read
}
#endif

TEST_CASE("masked products are chosen for the rows that are expected", "[ragged]") {
  bf16 const* const any = reinterpret_cast<bf16 const*>(256);
  std::int32_t const counts[32] = {};
  std::int64_t const groups = 32, most = 4096, n = 4096, k = 7168;
  auto const of = [&](std::int64_t expected, auto&& call) {
    return call(gemm::masked(gemm::batched(gemm::row_major(any, most, k), groups), counts),
                gemm::batched(gemm::col_major(any, k, n), groups),
                gemm::masked(gemm::batched(gemm::row_major(reinterpret_cast<bf16*>(512), most, n), groups), counts,
                             {.expected = expected}));
  };
  auto const seconds = [&](std::int64_t expected) {
    return of(expected, [](auto const&... views) { return gemm::chosen(views...); }).seconds;
  };
  CHECK(seconds(0) == seconds(most));
  CHECK(seconds(2 * most) == seconds(most));
  CHECK(seconds(16) < seconds(256));
  CHECK(seconds(256) < seconds(most));
  gemm::status const status = of(-3, [](auto const&... views) { return gemm::can_run(views...); });
  CHECK_THAT(status.message(), Equals("expected is -3, needs the rows of a product, or 0 where they are not known"));
}

TEST_CASE("ragged products without k, or without alpha, are beta C", "[ragged]") {
  using kind = products<bf16, bf16, order::row, order::column, order::row, false>;  // as the library chooses for
  kind const none(some_rows, 72, 0);
  REQUIRE(none.run<usual>({.alpha = 1, .beta = 2}));
  CHECK(none.wrong(1, 2, unchanged{}) == 0);
  kind const zero(some_rows, 72, 40);
  REQUIRE(zero.run<usual>({.alpha = 0, .beta = 2}));
  CHECK(zero.wrong(0, 2, unchanged{}) == 0);
  kind const nobody({0, 0}, 72, 40);
  REQUIRE(nobody.run<usual>());
  CHECK(nobody.wrong(1, 0, unchanged{}) == 0);
}

TEST_CASE("rows of C that belong to no product are zeroed where a call asks for it", "[ragged]") {
  auto const check = [](auto const& all) {
    REQUIRE(all.template run<gemm::pipelined_32x64x32>({.beta = 1, .zero_rest = true}));
    CHECK(all.wrong(1, 1, unchanged{}, 0) == 0);
  };
  check(products<float, float, order::row, order::row, order::row, false>(some_rows, 70, 40));
  check(products<float, float, order::row, order::row, order::column, false>(some_rows, 70, 40));
  check(products<float, float, order::row, order::row, order::column, true>(some_rows, 70, 40));
  check(products<float, float, order::row, order::row, order::row, false>({0, 0}, 70, 40));
}

TEST_CASE("operands of ragged products have scales of lines and of blocks", "[ragged]") {
  test::need_sm90a();
  using policy = gemm::sm90_wgmma<gemm::block<64, 64, 128>, gemm::stages<3>, gemm::cluster<1>, gemm::fp8>;
  std::int64_t const n = 128, k = 256;
  std::vector<std::int64_t> const rows{3, 0, 70};
  auto const ends = ends_of<std::int32_t>(rows);
  std::int64_t const all = ends.back(), groups = static_cast<std::int64_t>(rows.size());
  std::vector<e4m3> const host_a = numbers<e4m3>(static_cast<std::size_t>(all * k), 1),
                          host_b = numbers<e4m3>(static_cast<std::size_t>(groups * n * k), 3);
  auto const powers = [](std::int64_t count, int from) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(1 << (i + static_cast<std::size_t>(from)) % 3);
    }
    return values;
  };
  // Of 1 x 128 of A, in rows, and of 128 x 128 of each B.
  std::vector<float> const host_scales_a = powers(all * 2, 0), host_scales_b = powers(groups * 2, 1);
  test::device_array<e4m3> const a(host_a), b(host_b);
  test::device_array<float> const scales_a(host_scales_a), scales_b(host_scales_b);
  test::device_array<float> const c(static_cast<std::size_t>(all * n));
  test::device_array<std::int32_t> const ranges(ends);
  e4m3 const *data_a = a.data(), *data_b = b.data();
  float const *of_a = scales_a.data(), *of_b = scales_b.data();
  auto const view_a =
      gemm::scaled(gemm::row_major(data_a, all, k), gemm::per_block<1, 128>(gemm::row_major(of_a, all, 2)));
  auto const view_b = gemm::scaled(gemm::batched(gemm::col_major(data_b, k, n), groups),
                                   gemm::per_block<128, 128>(gemm::batched(gemm::col_major(of_b, 2, 1), groups)));
  gemm::status const status =
      gemm::run<policy>(gemm::ragged_rows(view_a, ranges.data(), groups), view_b,
                        gemm::ragged_rows(gemm::row_major(c.data(), all, n), ranges.data(), groups));
  REQUIRE_THAT(status.message(), Equals(""));
  std::vector<float> const found = c.download();
  int wrong = 0;
  for (std::int64_t product = 0, row = 0; product < groups; ++product) {
    for (; row < ends[static_cast<std::size_t>(product)]; ++row) {
      for (std::int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::int64_t l = 0; l < k; ++l) {
          sum += static_cast<float>(host_a[static_cast<std::size_t>(row * k + l)]) *
                 static_cast<float>(host_b[static_cast<std::size_t>((product * n + j) * k + l)]) *
                 host_scales_a[static_cast<std::size_t>(row * 2 + l / 128)] *
                 host_scales_b[static_cast<std::size_t>(product * 2 + l / 128)];
        }
        wrong += found[static_cast<std::size_t>(row * n + j)] == sum ? 0 : 1;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a captured call of ragged products follows the ends of each replay", "[ragged]") {
  using kind = products<float, float, order::row, order::row, order::row, false>;
  kind all(some_rows, 70, 40);
  test::stream const stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  test::require_success(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "begin");
  REQUIRE(all.run<gemm::pipelined_32x64x32>({.stream = stream.get()}));
  test::require_success(cudaStreamEndCapture(stream.get(), &graph), "end");
  test::require_success(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  for (std::vector<std::int64_t> const& rows :
       {some_rows, std::vector<std::int64_t>{200, 1, 0, 0, 0, 4, 10, 0}, std::vector<std::int64_t>(8, 20)}) {
    all.rows = rows;
    all.ranges.upload(ends_of<std::int32_t>(rows));
    all.c.upload(std::vector<float>(all.c.size(), untouched));
    test::require_success(cudaGraphLaunch(executable, stream.get()), "cudaGraphLaunch");
    stream.synchronize();
    CHECK(all.wrong(1, 0, unchanged{}) == 0);
  }
  test::require_success(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
  test::require_success(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

TEST_CASE("what is wrong with groups is said", "[ragged][validation]") {
  test::device_array<float> const memory(64);
  test::device_array<std::int32_t> const ends(std::vector<std::int32_t>{4, 8}), others(std::vector<std::int32_t>{4, 8});
  auto const a = gemm::row_major(static_cast<float const*>(memory.data()), 8, 2),
             b = gemm::row_major(static_cast<float const*>(memory.data()), 2, 4);
  auto const c = gemm::row_major(memory.data() + 32, 8, 4);
  auto const says = [&](auto const& of_a, auto const& of_b, auto const& of_c) {
    return std::string(gemm::run<gemm::pipelined_32x64x32>(of_a, of_b, of_c).message());
  };
  auto const on = [&](auto const& m, std::int64_t groups = 2) { return gemm::ragged_rows(m, ends.data(), groups); };
  CHECK_THAT(says(on(a), b, on(c)), Equals(""));
  CHECK_THAT(says(on(a), gemm::batched(b, 3), on(c)), Equals("B has a batch of 3, needs 1 or the 2 groups of C"));
  CHECK_THAT(says(on(a), b, gemm::ragged_rows(c, others.data(), 2)),
             Equals("A and C have groups of their own, 2 and 2, need the same ends or counts"));
  CHECK_THAT(says(on(a, 3), b, on(c)),
             Equals("A and C have groups of their own, 3 and 2, need the same ends or counts"));
  CHECK_THAT(says(on(a, -1), b, on(c, -1)), Equals("there are -1 groups, need 0 to 2^31 - 1"));
  std::int32_t const* const null = nullptr;
  CHECK_THAT(says(gemm::ragged_rows(a, null, 2), b, gemm::ragged_rows(c, null, 2)),
             Equals("the ends of 2 groups are null"));
  CHECK_THAT(says(on(gemm::batched(a, 2)), b, on(c)),
             Equals("ragged A and C have batches of 2 and 1, need one matrix each"));
  CHECK_THAT(says(on(gemm::row_major(static_cast<float const*>(memory.data()), 7, 2)), b, on(c)),
             Equals("A has 7 rows, needs m = 8, the rows of C"));
  auto const huge = gemm::row_major(static_cast<float*>(nullptr), std::int64_t{1} << 40, 4);
  CHECK_THAT(says(on(gemm::row_major(static_cast<float const*>(nullptr), std::int64_t{1} << 40, 2)), b, on(huge)),
             Equals("C has 1099511627776 rows and 4 columns in 2 groups, more than 2^32 tiles of 16 x 16"));
  CHECK_THAT(says(on(a, 0), b, on(c, 0)), Equals(""));
  auto const by_column = [&](auto const& m) { return gemm::ragged_columns(m, ends.data(), 2); };
  CHECK_THAT(says(gemm::batched(a, 3), by_column(b), by_column(c)),
             Equals("A has a batch of 3, needs 1 or the 2 groups of C"));
  CHECK_THAT(says(a, gemm::ragged_columns(b, others.data(), 2), by_column(c)),
             Equals("B and C have groups of their own, 2 and 2, need the same ends or counts"));
  CHECK_THAT(gemm::run<gemm::pipelined_32x64x32>(a, b, c, {.zero_rest = true}).message(),
             Equals("zero_rest is set, needs a ragged or masked view of C"));
}

#if !defined(GEMM_TEST_SANITIZERS)
TEST_CASE("the library chooses among the kernels that follow ranges", "[ragged]") {
  products<bf16, bf16, order::row, order::column, order::row, false> const all(some_rows, 200, 72);
  gemm::choice const chosen = gemm::chosen(all.of_ranges(all.view_a()), all.view_b(), all.of_ranges(all.view_c()));
  CHECK(!chosen.policy.empty());
  CHECK(chosen.slices == 1);
  REQUIRE(all.run<gemm::automatic>());
  CHECK(all.wrong(1, 0, unchanged{}) == 0);
  // Rows that TMA cannot load.
  products<bf16, bf16, order::row, order::column, order::row, false> const odd(some_rows, 201, 71);
  REQUIRE(odd.run<gemm::automatic>());
  CHECK(odd.wrong(1, 0, unchanged{}) == 0);
}

TEST_CASE("a product's rows have the bits that they have by themselves", "[ragged]") {
  test::need_sm90a();
  using policy = gemm::sm90_wgmma_128x256x64_2x1;
  std::int64_t const n = 264, k = 200;
  auto const ends = ends_of<std::int64_t>(some_rows);
  std::int64_t const all = ends.back(), groups = static_cast<std::int64_t>(ends.size());
  gemm::random_numbers random(5);
  auto const filled = [&](std::int64_t count) {
    std::vector<bf16> values(static_cast<std::size_t>(count));
    for (bf16& x : values) {
      x = bf16(static_cast<float>(random.uniform()));
    }
    return test::device_array<bf16>(values);
  };
  test::device_array<bf16> const a = filled(all * k), b = filled(groups * n * k);
  test::device_array<float> const c(static_cast<std::size_t>(all * n)), own(static_cast<std::size_t>(all * n));
  test::device_array<std::int64_t> const ranges(ends);
  bf16 const *data_a = a.data(), *data_b = b.data();
  REQUIRE(gemm::run<policy>(gemm::ragged_rows(gemm::row_major(data_a, all, k), ranges.data(), groups),
                            gemm::batched(gemm::col_major(data_b, k, n), groups),
                            gemm::ragged_rows(gemm::row_major(c.data(), all, n), ranges.data(), groups)));
  for (std::int64_t product = 0, first = 0; product < groups; first = ends[static_cast<std::size_t>(product++)]) {
    std::int64_t const rows = ends[static_cast<std::size_t>(product)] - first;
    REQUIRE(gemm::run<policy>(gemm::row_major(data_a + first * k, rows, k),
                              gemm::col_major(data_b + product * n * k, k, n),
                              gemm::row_major(own.data() + first * n, rows, n)));
  }
  CHECK(c.download() == own.download());
}

TEST_CASE("products that begin at any element along memory are not loaded by TMA", "[ragged]") {
  products<bf16, bf16, order::column, order::column, order::row, false> const all(some_rows, 200, 72);
  REQUIRE(all.run<gemm::automatic>());
  CHECK(all.wrong(1, 0, unchanged{}) == 0);
  test::need_sm90a();
  CHECK_THAT(
      all.run<gemm::sm90_wgmma_128x256x64_2x1>().message(),
      Equals(
          "the rows of A lie along memory, where groups begin at any element, and sm90_wgmma_128x256x64_2x1 loads by "
          "TMA: use automatic, sm80_mma or pipelined"));
}
#endif
