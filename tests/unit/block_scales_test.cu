// SPDX-License-Identifier: BSL-1.0
//! @file
//! Scales of blocks: products with a number for each block of operands, against a reference in double.

#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>
#include <gemm/reference.hpp>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"
#include "../support/tier.hpp"

namespace {

using Catch::Matchers::Equals;
using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;
using gemm::order;

using small = gemm::sm90_wgmma<gemm::block<64, 64, 128>, gemm::stages<3>, gemm::cluster<1>, gemm::fp8>;
using wide = gemm::sm90_wgmma<gemm::block<64, 192, 128>, gemm::stages<2>, gemm::cluster<2>, gemm::fp8>;
using in_parts =
    gemm::sm90_wgmma<gemm::block<128, 256, 128>, gemm::stages<3>, gemm::cluster<1>, gemm::fp8, gemm::promote<128, 2>>;
using few_columns = gemm::sm90_wgmma<gemm::block<64, 32, 128>, gemm::stages<2>, gemm::cluster<1>, gemm::fp8>;

/// A matrix on host and device, in memory that is longer than it has to be.
template <class T, order Order>
struct stored {
  std::int64_t rows, columns, ld, batches, stride;
  std::vector<T> host;
  test::device_array<T> device;

  static std::vector<T> filled(std::size_t count, std::uint64_t seed, bool positive) {
    std::vector<T> all(count);
    gemm::random_numbers random(seed);
    for (T& x : all) {
      auto const value = static_cast<float>(random.uniform());
      x = T(positive ? 0.25F + std::abs(value) : value);
    }
    return all;
  }
  stored(std::int64_t m, std::int64_t n, std::int64_t count, int padding, std::uint64_t seed, bool positive = false)
      : rows(m),
        columns(n),
        ld((Order == order::row ? n : m) + padding),
        batches(count),
        stride(ld * (Order == order::row ? m : n) + padding),
        host(filled(static_cast<std::size_t>(stride * count), seed, positive)),
        device(host) {}

  std::size_t index(std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return static_cast<std::size_t>((batches == 1 ? 0 : batch * stride) +
                                    (Order == order::row ? row * ld + column : column * ld + row));
  }
  /// Overwrites what is not in the matrices.
  void spoil_padding(T value) {
    std::vector<T> spoiled(host.size(), value);
    for (std::int64_t batch = 0; batch < batches; ++batch) {
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
          spoiled[index(i, j, batch)] = host[index(i, j, batch)];
        }
      }
    }
    host = spoiled;
    device.upload(host);
  }
  double at(std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return static_cast<double>(gemm::detail::widen(host[index(row, column, batch)]));
  }
  auto view() const { return gemm::batched(gemm::matrix<T, Order>{device.data(), rows, columns, ld}, batches, stride); }
};

struct shape {
  std::int64_t m, n, k, batches = 1;
};

/// The blocks of A's scales and of B's, and the orders of the scales; 0: no scales.
template <int RowsA, int ColumnsB, order OrderA = order::column, order OrderB = order::column>
struct mode {
  static constexpr int rows_a = RowsA, columns_b = ColumnsB;
  static constexpr order order_a = OrderA, order_b = OrderB;
};
using rows_and_squares = mode<1, 128>;
using rows_and_columns = mode<1, 1, order::column, order::row>;
using squares_and_columns = mode<128, 1, order::row>;
using rows_alone = mode<1, 0, order::row>;

constexpr std::int64_t blocks(std::int64_t extent, int of) { return (extent + of - 1) / of; }

/// Where a scale is NaN instead, if anywhere; and the columns of C, which then are NaN.
struct spoiled {
  std::int64_t row = -1, k_block = 0;
};

/// Runs a policy and checks all of C.
template <class Policy, class Mode, class A, class B, order OrderA, order OrderB, order OrderC, class Out = float,
          class Epilogue = gemm::identity>
void check(shape const& s, Epilogue const& epilogue = {}, float beta = 0, spoiled const& bad = {}) {
  CAPTURE(gemm::name<Policy>(), s.m, s.n, s.k, s.batches, OrderA == order::row, OrderB == order::row,
          OrderC == order::row);
  constexpr int rows_a = Mode::rows_a, columns_b = Mode::columns_b;
  stored<A, OrderA> const a(s.m, s.k, s.batches, 3, 1);
  stored<B, OrderB> const b(s.k, s.n, s.batches, 5, 2);
  stored<Out, OrderC> c(s.m, s.n, s.batches, 1, 3);
  stored<float, Mode::order_a> scales_a(blocks(s.m, rows_a > 0 ? rows_a : 1), blocks(s.k, 128), s.batches, 2, 4, true);
  stored<float, Mode::order_b> const scales_b(blocks(s.k, 128), blocks(s.n, columns_b > 0 ? columns_b : 1), 1, 1, 5,
                                              true);
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  scales_a.spoil_padding(nan);
  if (bad.row >= 0) {
    scales_a.host[scales_a.index(bad.row, bad.k_block, 0)] = nan;
    scales_a.device.upload(scales_a.host);
  }
  constexpr float alpha = 0.5F;
  auto const scaled_a = [&] {
    if constexpr (rows_a > 0) {
      return gemm::scaled(a.view(), gemm::per_block<rows_a, 128>(scales_a.view()));
    } else {
      return a.view();
    }
  }();
  auto const scaled_b = [&] {
    if constexpr (columns_b > 0) {
      return gemm::scaled(b.view(), gemm::per_block<128, columns_b>(scales_b.view()));
    } else {
      return b.view();
    }
  }();
  gemm::status const status = gemm::run<Policy>(scaled_a, scaled_b, c.view(), {.alpha = alpha, .beta = beta}, epilogue);
  INFO(status.message());
  REQUIRE(status);
  std::vector<Out> const got = c.device.download();
  constexpr double unit = gemm::element_traits<Out>::unit;
  double worst = 0;
  for (std::int64_t batch = 0; batch < s.batches; ++batch) {
    for (std::int64_t i = 0; i < s.m; ++i) {
      for (std::int64_t j = 0; j < s.n; ++j) {
        double sum = 0, magnitude = 0;
        for (std::int64_t k = 0; k < s.k; ++k) {
          double const of_a = rows_a > 0 ? scales_a.at(i / (rows_a > 0 ? rows_a : 1), k / 128, batch) : 1,
                       of_b = columns_b > 0 ? scales_b.at(k / 128, j / (columns_b > 0 ? columns_b : 1), 0) : 1,
                       term = alpha * of_a * of_b * a.at(i, k, batch) * b.at(k, j, batch);
          sum += term;
          magnitude += std::abs(term);
        }
        double const before = beta * c.at(i, j, batch);
        double const want =
            static_cast<double>(gemm::detail::apply(epilogue, static_cast<float>(sum + before), i, j, batch));
        double const value = static_cast<double>(gemm::detail::widen(got[c.index(i, j, batch)]));
        if (bad.row >= 0 && i / rows_a == bad.row && batch == 0) {
          worst = std::isnan(value) ? worst : 1e30;
        } else {
          double const error = std::abs(value - want) / (2e-3 * (magnitude + std::abs(before)) + unit * std::abs(want));
          worst = error <= worst ? worst : error;  // NaN is the worst
        }
      }
    }
  }
  CHECK(worst < 1);
}

}  // namespace

TEMPLATE_TEST_CASE("blocks of A and B have scales, in all storages", "[block_scales]", rows_and_squares,
                   rows_and_columns, squares_and_columns, rows_alone) {
  test::need_sm90a();
  check<small, TestType, e4m3, e4m3, order::row, order::column, order::row>({150, 140, 300});
  check<small, TestType, e4m3, e4m3, order::row, order::row, order::row>({150, 140, 300});
  check<small, TestType, e4m3, e4m3, order::column, order::column, order::row>({150, 140, 300});
  check<small, TestType, e4m3, e4m3, order::column, order::row, order::row>({150, 140, 300});
  // The product of a column-major C is that of a row-major one with A and B exchanged.
  check<small, TestType, e4m3, e4m3, order::row, order::column, order::column>({70, 200, 257});
}

TEMPLATE_TEST_CASE("scales of blocks in tiles of all shapes", "[block_scales]", rows_and_squares, rows_and_columns,
                   squares_and_columns) {
  test::need_sm90a();
  check<wide, TestType, e4m3, e4m3, order::row, order::column, order::row>({130, 600, 400});
  check<wide, TestType, e4m3, e5m2, order::row, order::column, order::row, __nv_bfloat16>({64, 192, 128});
  check<in_parts, TestType, e4m3, e4m3, order::row, order::column, order::row>({130, 300, 400});
  check<few_columns, TestType, e4m3, e4m3, order::row, order::column, order::row>({200, 20, 1000});
  check<gemm::sm90_wgmma_fp8_16x64x128, TestType, e4m3, e4m3, order::row, order::column, order::row>({9, 300, 700});
  check<gemm::sm90_wgmma_fp8_16x64x128, TestType, e4m3, e4m3, order::row, order::column, order::column>({190, 9, 700});
  check<gemm::sm90_wgmma_fp8_64x16x128, TestType, e4m3, e4m3, order::row, order::column, order::row>({190, 9, 700});
}

TEMPLATE_TEST_CASE("scales of blocks where k is split", "[block_scales]", rows_and_squares, rows_and_columns) {
  test::need_sm90a();
  check<gemm::split_k<small, 3>, TestType, e4m3, e4m3, order::row, order::column, order::row>({100, 70, 1100});
  check<gemm::cluster_split_k<gemm::sm90_wgmma_fp8_16x64x128, 2>, TestType, e4m3, e4m3, order::row, order::column,
        order::row>({12, 70, 900});
  check<gemm::cluster_split_k<small, 4>, TestType, e4m3, e4m3, order::row, order::column, order::row>({100, 70, 520});
}

TEMPLATE_TEST_CASE("scales of blocks with batches, epilogues and results of other types", "[block_scales]",
                   rows_and_squares, rows_and_columns) {
  test::need_sm90a();
  check<small, TestType, e4m3, e4m3, order::row, order::column, order::row>({65, 66, 200, 3});
  check<small, TestType, e5m2, e4m3, order::row, order::column, order::column>({65, 66, 200, 2});
  check<small, TestType, e4m3, e4m3, order::row, order::column, order::row, __half>({65, 66, 200}, gemm::relu{}, 0.5F);
  check<wide, TestType, e4m3, e4m3, order::row, order::column, order::row, __nv_bfloat16>({64, 200, 200}, gemm::relu{});
}

TEMPLATE_TEST_CASE("run() and block_scaled take scales of blocks", "[block_scales]", rows_and_squares, rows_and_columns,
                   squares_and_columns, rows_alone) {
  test::need_sm90a();
  using plain = gemm::block_scaled_32x32;
  check<plain, TestType, e4m3, e5m2, order::row, order::column, order::row>({40, 150, 300, 2});
  check<plain, TestType, e4m3, e5m2, order::column, order::row, order::column, __half>({140, 50, 300});
  // The candidates of a call take long to compile: elsewhere those of one mode.
  if constexpr (test::has_all || std::is_same_v<TestType, rows_and_squares>) {
    check<gemm::automatic, TestType, e4m3, e4m3, order::row, order::column, order::row>({70, 150, 300});
  }
}

TEST_CASE("scales of blocks beside other scales", "[block_scales]") {
  test::need_sm90a();
  constexpr std::int64_t m = 70, n = 90, k = 300;
  stored<e4m3, order::row> const a(m, k, 1, 0, 1);
  stored<e4m3, order::column> const b(k, n, 1, 0, 2);
  stored<float, order::column> const of_a(m, 3, 1, 0, 3, true), of_b(n, 1, 1, 0, 4, true);
  test::device_array<float> const on_c(std::vector<float>(static_cast<std::size_t>(m * n)));
  REQUIRE(gemm::run<small>(gemm::scaled(a.view(), gemm::per_block<1, 128>(of_a.view())),
                           gemm::scaled(b.view(), gemm::per_column<float>(of_b.device.data(), n)),
                           gemm::row_major(on_c.data(), m, n)));
  std::vector<float> const got = on_c.download();
  double worst = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0, magnitude = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        double const term = a.at(i, l, 0) * of_a.at(i, l / 128, 0) * b.at(l, j, 0) * of_b.at(j, 0, 0);
        sum += term;
        magnitude += std::abs(term);
      }
      worst =
          std::max(worst, std::abs(static_cast<double>(got[static_cast<std::size_t>(i * n + j)]) - sum) / magnitude);
    }
  }
  CHECK(worst < 2e-3);
}

TEST_CASE("scales of blocks in the tiles of a cluster", "[block_scales]") {
  test::need_sm90a();
  check<gemm::sm90_wgmma_fp8_128x192x128_2x1, rows_and_squares, e4m3, e4m3, order::row, order::column, order::row>(
      {140, 400, 300});
}

TEST_CASE("scales of blocks where shared memory has those of half of the ring", "[block_scales]") {
  test::need_sm90a();
  using largest = gemm::sm90_wgmma_fp8_128x256x128_2x1;
  using problem =
      gemm::problem<gemm::operand<e4m3, gemm::major::k, gemm::scale_per_block<1, 128>>,
                    gemm::operand<e4m3, gemm::major::k, gemm::scale_per_block<128, 128>>, float, gemm::identity>;
  STATIC_REQUIRE(gemm::detail::scale_slots<largest, problem> == 2);
  check<largest, rows_and_squares, e4m3, e4m3, order::row, order::column, order::row>({300, 260, 1300});
}

TEST_CASE("the reference has scales of blocks", "[block_scales]") {
  std::vector<e4m3> const a(300, e4m3(1)), b(300, e4m3(2));
  std::vector<float> const of_a{1, 10, 100}, of_b{3, 5, 7}, c(1);
  auto const want = gemm::reference(
      gemm::scaled(gemm::row_major(a.data(), 1, 300), gemm::per_block<1, 128>(gemm::row_major(of_a.data(), 1, 3))),
      gemm::scaled(gemm::row_major(b.data(), 300, 1), gemm::per_block<128, 1>(gemm::row_major(of_b.data(), 3, 1))),
      gemm::row_major(c.data(), 1, 1), 1, 0);
  CHECK(want[0].value == 2 * (128 * 3 + 128 * 50 + 44 * 700));
}

TEST_CASE("a NaN scale reaches its block's part of C alone", "[block_scales]") {
  test::need_sm90a();
  check<small, rows_and_squares, e4m3, e4m3, order::row, order::column, order::row>({100, 80, 300}, {}, 0,
                                                                                    {.row = 37, .k_block = 2});
  check<small, squares_and_columns, e4m3, e4m3, order::row, order::column, order::row>({150, 80, 300}, {}, 0,
                                                                                       {.row = 1, .k_block = 0});
}

TEST_CASE("without k or alpha scales of blocks are not read", "[block_scales]") {
  test::need_sm90a();
  test::device_array<float> const on_c(std::vector<float>(64, 2.0F));
  auto const scales = gemm::col_major<float const>(nullptr, 8, 1);
  auto const a = gemm::row_major<e4m3 const>(nullptr, 8, 8);
  auto const b = gemm::col_major<e4m3 const>(nullptr, 8, 8);
  REQUIRE(gemm::run<small>(gemm::scaled(a, gemm::per_block<1, 128>(scales)), b, gemm::row_major(on_c.data(), 8, 8),
                           {.alpha = 0, .beta = 3}));
  CHECK(on_c.download() == std::vector<float>(64, 6.0F));
}

TEST_CASE("wrong scales of blocks are refused", "[block_scales]") {
  auto* const any = reinterpret_cast<e4m3*>(4096);
  auto* const numbers = reinterpret_cast<float*>(1 << 16);
  auto const message = [&](auto const& of_a, auto const& of_b) {
    auto const a = gemm::scaled(gemm::row_major(any, 300, 500), gemm::per_block<1, 128>(of_a));
    auto const b = gemm::scaled(gemm::col_major(any, 500, 200), gemm::per_block<128, 128>(of_b));
    auto const status = gemm::can_run(a, b, gemm::row_major(reinterpret_cast<float*>(1 << 20), 300, 200));
    return std::string(status.message());
  };
  auto const right_a = gemm::col_major(numbers, 300, 4);
  auto const right_b = gemm::col_major(numbers, 4, 2, 8);
  CHECK_THAT(message(gemm::col_major(numbers, 300, 5), right_b),
             Equals("the scales of A are 300 x 5, need one per 1 x 128 of A: 300 x 4"));
  CHECK_THAT(message(right_a, gemm::col_major(numbers, 2, 4)),
             Equals("the scales of B are 2 x 4, need one per 128 x 128 of B: 4 x 2"));
  CHECK_THAT(message(gemm::col_major<float const>(nullptr, 300, 4), right_b),
             Equals("the scales of A are null, need one number per 1 x 128 of A"));
  CHECK_THAT(message(gemm::batched(right_a, 3, 1200), right_b),
             Equals("the scales of A have a batch of 3, need 1 or the batch of A: 1"));
  CHECK_THAT(message(gemm::scaled(right_a, 2), right_b),
             Equals("the scales of A have a factor, need none: scale A by it"));
  CHECK_THAT(message(right_a, gemm::col_major(numbers, 4, 2, 3)),
             Equals("its leading dimension is 3, needs at least 4, the rows of the matrix of scales (4 x 2, "
                    "column-major)"));
}

#if defined(GEMM_TEST_CPU_DEVICE)
TEST_CASE("without wgmma run() chooses block_scaled for scales of blocks", "[block_scales]") {
  cpu_device::scoped_options with;
  with->device.compute_capability_major = 8;
  with->device.compute_capability_minor = 9;
  auto* const any = reinterpret_cast<e4m3*>(4096);
  auto* const numbers = reinterpret_cast<float*>(1 << 16);
  auto const a =
      gemm::scaled(gemm::row_major(any, 300, 512), gemm::per_block<1, 128>(gemm::col_major(numbers, 300, 4)));
  auto const b = gemm::col_major(any, 512, 200);
  auto const c = gemm::row_major(reinterpret_cast<float*>(1 << 20), 300, 200);
  CHECK(gemm::chosen(a, b, c).policy == "block_scaled_32x32");
  CHECK(gemm::chosen(gemm::row_major(any, 300, 512), b, c).policy != "block_scaled_32x32");
  check<gemm::automatic, rows_and_squares, e4m3, e4m3, order::row, order::column, order::row>({30, 40, 300});
}
#endif

TEST_CASE("run() leaves out tiles without registers for scales of blocks", "[block_scales]") {
  constexpr auto has_registers = []<class Policy, int ColumnsOfB>(Policy, std::integral_constant<int, ColumnsOfB>) {
    using a = gemm::operand<e4m3, gemm::major::k, gemm::scale_per_block<1, 128>>;
    using b = gemm::operand<e4m3, gemm::major::k, gemm::scale_per_block<128, ColumnsOfB>>;
    return gemm::detail::compiled_kernel_of<Policy, gemm::problem<a, b, float, gemm::identity>>.has_registers;
  };
  using tile_128x176 = gemm::sm90_wgmma<gemm::block<128, 176, 128>, gemm::stages<4>, gemm::cluster<2>, gemm::fp8>;
  constexpr std::integral_constant<int, 128> squares{};
  constexpr std::integral_constant<int, 1> columns{};
  STATIC_CHECK(has_registers(gemm::sm90_wgmma_fp8_128x256x128_2x1{}, squares));
  STATIC_CHECK(!has_registers(gemm::sm90_wgmma_fp8_128x256x128_2x1{}, columns));
  STATIC_CHECK(has_registers(gemm::sm90_wgmma_fp8_128x192x128_2x1{}, squares));
  STATIC_CHECK(has_registers(gemm::sm90_wgmma_fp8_128x192x128_2x1{}, columns));
  STATIC_CHECK(!has_registers(tile_128x176{}, squares));
  STATIC_CHECK(has_registers(tile_128x176{}, columns));
}
