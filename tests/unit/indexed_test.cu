// SPDX-License-Identifier: BSL-1.0
//! @file
//! Gathered rows of A, scattered rows of C, and gates among epilogues, with and without ragged rows: results, what must
//! not be touched, and messages.

#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>
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
constexpr std::int64_t tokens = 50, rows = 84, rows_of_c = 101, groups = 5;
std::vector<std::int32_t> const ends{3, 3, 70, 71, 84};

/// Any row of the tokens, often the same; and all different rows of C.
std::vector<std::int32_t> index_of_a() {
  std::vector<std::int32_t> index;
  for (std::int64_t i = 0; i < rows; ++i) {
    index.push_back(static_cast<std::int32_t>(i * i % tokens));
  }
  return index;
}
std::vector<std::int32_t> index_of_c() {
  std::vector<std::int32_t> index;
  for (std::int64_t i = 0; i < rows; ++i) {
    index.push_back(static_cast<std::int32_t>((i * 17 + 5) % rows_of_c));
  }
  return index;
}

/// Adds what an epilogue is told, so that a wrong row, column or product shows.
struct add_position {
  __host__ __device__ float operator()(float value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return value + static_cast<float>(row % 3) + 4.0F * static_cast<float>(column % 3) +
           16.0F * static_cast<float>(batch);
  }
};
struct halve {
  using own_epilogue = void;
  __host__ __device__ float operator()(float value, std::int64_t row, std::int64_t column) const {
    return value / 2 + static_cast<float>(column % 2) + static_cast<float>(row % 2);
  }
};

/// What a case is made of.
struct parts {
  bool gathered, scattered, ragged, gated;
};

/// A is tokens x k, or rows x k where it is not gathered; B k x n for each group, C rows_of_c x n or half of it.
template <class Policy, class T, class Out, order B, parts Parts>
void check(std::int64_t n, std::int64_t k, float beta = 0) {
  INFO((std::is_same_v<Policy, gemm::automatic> ? "automatic" : "named") << ", n " << n << ", k " << k);
  std::int64_t const columns = Parts.gated ? n / 2 : n, matrices = Parts.ragged ? groups : 1;
  std::int64_t const all_a = Parts.gathered ? tokens : rows, all_c = Parts.scattered ? rows_of_c : rows;
  auto const host_a = numbers<T>(all_a * k, 1), host_b = numbers<T>(matrices * k * n, 3);
  auto const from = index_of_a(), to = index_of_c();
  test::device_array<T> const a(host_a), b(host_b);
  test::device_array<Out> const c(std::vector<Out>(static_cast<std::size_t>(all_c * columns), Out(untouched)));
  test::device_array<std::int32_t> const of_a(from), of_c(to), of_ends(ends);
  auto const view_a = [&] {
    auto const m = gemm::row_major(static_cast<T const*>(a.data()), all_a, k);
    if constexpr (Parts.gathered) {
      return gemm::gathered(m, of_a.data(), rows);
    } else {
      return m;
    }
  }();
  auto const view_b = [&] {
    if constexpr (B == order::row) {
      return gemm::batched(gemm::row_major(static_cast<T const*>(b.data()), k, n), matrices);
    } else {
      return gemm::batched(gemm::col_major(static_cast<T const*>(b.data()), k, n), matrices);
    }
  }();
  auto const view_c = [&] {
    auto const m = gemm::row_major(c.data(), all_c, columns);
    if constexpr (Parts.scattered) {
      return gemm::scattered(m, of_c.data(), rows);
    } else {
      return m;
    }
  }();
  auto const run = [&](auto const& epilogue) {
    gemm::options<float> const opts{.alpha = 2, .beta = beta};
    if constexpr (Parts.ragged) {
      return gemm::run<Policy>(gemm::ragged_rows(view_a, of_ends.data(), groups), view_b,
                               gemm::ragged_rows(view_c, of_ends.data(), groups), opts, epilogue);
    } else {
      return gemm::run<Policy>(view_a, view_b, view_c, opts, epilogue);
    }
  };
  gemm::status const status = [&] {
    if constexpr (Parts.gated) {
      return run(add_position{} | gemm::gated<gemm::relu>{} | halve{});
    } else {
      return run(add_position{} | gemm::relu{});
    }
  }();
  REQUIRE_THAT(status.message(), Equals(""));
  std::vector<Out> expected(static_cast<std::size_t>(all_c * columns), Out(untouched));
  std::int64_t product = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    while (Parts.ragged && i >= ends[static_cast<std::size_t>(product)]) {
      ++product;
    }
    std::int64_t const row = Parts.gathered ? from[static_cast<std::size_t>(i)] : i;
    auto const value = [&](std::int64_t j) {
      float sum = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        std::int64_t const of_b = product * k * n + (B == order::row ? l * n + j : j * k + l);
        sum += static_cast<float>(host_a[static_cast<std::size_t>(row * k + l)]) *
               static_cast<float>(host_b[static_cast<std::size_t>(of_b)]);
      }
      return add_position{}(2 * sum + (beta == 0 ? 0 : beta * untouched), i, j, product);
    };
    for (std::int64_t j = 0; j < columns; ++j) {
      float const gate = std::max(value(Parts.gated ? 2 * j : j), 0.0F);
      float const result = Parts.gated ? halve{}(gate * value(2 * j + 1), i, j) : gate;
      std::int64_t const stored = Parts.scattered ? to[static_cast<std::size_t>(i)] : i;
      expected[static_cast<std::size_t>(stored * columns + j)] = static_cast<Out>(result);
    }
  }
  std::vector<Out> const found = c.download();
  int wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    wrong += static_cast<float>(found[i]) == static_cast<float>(expected[i]) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

/// Gathered rows of A with their scales: one a row, or in Blocks of 1 x 128 beside 128 x 128 of each B.
template <class Policy, class T, bool Blocks>
void check_scales(std::int64_t n, std::int64_t k) {
  std::int64_t const kb = (k + 127) / 128, nb = (n + 127) / 128;
  auto const powers = [](std::int64_t count, std::int64_t step) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      values[static_cast<std::size_t>(i)] = static_cast<float>(1 << (i * step) % 3);
    }
    return values;
  };
  auto const host_a = numbers<T>(tokens * k, 1), host_b = numbers<T>(groups * k * n, 3);
  auto const host_of_a = powers(Blocks ? tokens * kb : tokens, 1), host_of_b = powers(groups * kb * nb, 2);
  auto const from = index_of_a();
  test::device_array<T> const a(host_a), b(host_b);
  test::device_array<float> const of_a(host_of_a), of_b(host_of_b);
  test::device_array<float> const c(static_cast<std::size_t>(rows * n));
  test::device_array<std::int32_t> const index(from), of_ends(ends);
  auto const m = gemm::row_major(static_cast<T const*>(a.data()), tokens, k);
  auto const all_b = gemm::batched(gemm::col_major(static_cast<T const*>(b.data()), k, n), groups);
  float const *scales_a = of_a.data(), *scales_b = of_b.data();
  auto const run = [&](auto const& scaled_a, auto const& scaled_b) {
    return gemm::run<Policy>(gemm::ragged_rows(gemm::gathered(scaled_a, index.data(), rows), of_ends.data(), groups),
                             scaled_b, gemm::ragged_rows(gemm::row_major(c.data(), rows, n), of_ends.data(), groups));
  };
  gemm::status const status = [&] {
    if constexpr (Blocks) {
      return run(
          gemm::scaled(m, gemm::per_block<1, 128>(gemm::row_major(scales_a, tokens, kb))),
          gemm::scaled(all_b, gemm::per_block<128, 128>(gemm::batched(gemm::col_major(scales_b, kb, nb), groups))));
    } else {
      return run(gemm::scaled(m, gemm::per_row(scales_a, tokens)), all_b);
    }
  }();
  REQUIRE_THAT(status.message(), Equals(""));
  std::vector<float> const found = c.download();
  int wrong = 0;
  for (std::int64_t i = 0, product = 0; i < rows; ++i) {
    while (i >= ends[static_cast<std::size_t>(product)]) {
      ++product;
    }
    std::int64_t const row = from[static_cast<std::size_t>(i)];
    for (std::int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        std::int64_t const at_a = Blocks ? row * kb + l / 128 : row, at_b = (product * nb + j / 128) * kb + l / 128;
        sum += static_cast<float>(host_a[static_cast<std::size_t>(row * k + l)]) *
               static_cast<float>(host_b[static_cast<std::size_t>((product * n + j) * k + l)]) *
               host_of_a[static_cast<std::size_t>(at_a)] * (Blocks ? host_of_b[static_cast<std::size_t>(at_b)] : 1.0F);
      }
      wrong += found[static_cast<std::size_t>(i * n + j)] == sum ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}

template <class View>
concept can_be_scaled = requires(View const& view) {
  gemm::scaled(view, 2.0F);
};
template <class View>
concept can_be_transposed = requires(View const& view) {
  gemm::transposed(view);
};
template <class View>
concept can_be_batched = requires(View const& view) {
  gemm::batched(view, 2);
};
template <class View>
concept can_be_tf32 = requires(View const& view) {
  gemm::as_tf32(view);
};
template <class View>
concept can_be_residual = requires(View const& view) {
  gemm::residual(view);
};
using plain = gemm::matrix<float, order::row>;
using with_index = gemm::indexed<plain>;

}  // namespace

TEST_CASE("no view loses its index", "[indexed]") {
  STATIC_CHECK((can_be_scaled<plain> && can_be_transposed<plain> && can_be_batched<plain> && can_be_tf32<plain>));
  STATIC_CHECK(!(can_be_scaled<with_index> || can_be_transposed<with_index> || can_be_batched<with_index>));
  STATIC_CHECK(gemm::detail::is_indexed<gemm::ragged_by_column<with_index>>);  // so that a call refuses it
  STATIC_CHECK((can_be_residual<plain> && !can_be_residual<with_index> && !can_be_tf32<with_index>));
}

TEST_CASE("rows of A are gathered and rows of C scattered", "[indexed][sanitizer]") {
  constexpr parts both{.gathered = true, .scattered = true, .ragged = false, .gated = false};
  check<gemm::pipelined_32x64x32, float, float, order::row, both>(70, 40);
  check<gemm::pipelined_32x64x32, float, float, order::row, both>(72, 33, 1);
  check<gemm::pipelined_32x64x32, bf16, float, order::column, both>(72, 40);
  check<gemm::sm80_mma_64x64x64, bf16, float, order::column, both>(72, 200, 1);
  check<gemm::sm80_mma_64x64x64, bf16, bf16, order::column, both>(33, 71);
  check<gemm::repacked<gemm::sm80_mma_64x64x64>, bf16, bf16, order::column, both>(33, 71);
}

TEST_CASE("ragged rows are gathered and scattered", "[indexed][sanitizer]") {
  constexpr parts all{.gathered = true, .scattered = true, .ragged = true, .gated = false};
  check<gemm::pipelined_32x64x32, float, float, order::row, all>(70, 40);
  check<gemm::sm80_mma_64x64x64, bf16, float, order::column, all>(72, 40, 1);
}

TEST_CASE("scales of A are gathered with its rows", "[indexed]") {
  check_scales<gemm::pipelined_32x64x32, float, false>(70, 40);
  check_scales<gemm::sm80_mma_64x64x64, bf16, false>(72, 41);
  test::need_sm90a();
  using of_fp8 = gemm::sm90_wgmma<gemm::block<64, 64, 128>, gemm::stages<3>, gemm::cluster<1>, gemm::fp8>;
  check_scales<gemm::sm90_wgmma_64x64x64, bf16, false>(72, 80);
  check_scales<of_fp8, __nv_fp8_e4m3, true>(136, 272);
}

TEST_CASE("scales of A that do not cover its rows are refused", "[indexed][validation]") {
  auto* const any = reinterpret_cast<float*>(256);
  std::int32_t const* const index = reinterpret_cast<std::int32_t const*>(512);
  gemm::status const status = gemm::can_run<gemm::pipelined_32x64x32>(
      gemm::gathered(gemm::scaled(gemm::row_major(any, 20, 8), gemm::per_row(any, 19)), index, 10),
      gemm::row_major(any, 8, 8), gemm::row_major(any + 4096, 10, 8));
  CHECK_THAT(status.message(), Equals("the scales of A are 19 numbers, need one per row of A: 20"));
}

TEST_CASE("a gate makes one column of two", "[indexed][sanitizer]") {
  constexpr parts dense{.gathered = false, .scattered = false, .ragged = false, .gated = true};
  constexpr parts all{.gathered = true, .scattered = true, .ragged = true, .gated = true};
  check<gemm::pipelined_32x64x32, float, float, order::row, dense>(70, 40);
  check<gemm::sm80_mma_64x64x64, bf16, bf16, order::column, dense>(144, 40);
  check<gemm::sm80_mma_64x64x64, bf16, float, order::column, all>(66, 71);
}

TEST_CASE("indices and gates by wgmma", "[indexed][sanitizer]") {
  test::need_sm90a();
  constexpr parts all{.gathered = true, .scattered = true, .ragged = true, .gated = true};
  constexpr parts scattered{.gathered = false, .scattered = true, .ragged = true, .gated = false};
  constexpr parts gathered{.gathered = true, .scattered = false, .ragged = false, .gated = false};
  check<gemm::sm90_wgmma_128x256x64_2x1, bf16, bf16, order::column, all>(272, 72);
  check<gemm::sm90_wgmma_ping_pong_128x128x64, bf16, bf16, order::column, scattered>(136, 72);
  check<gemm::sm90_wgmma_128x192x64_2x1, bf16, float, order::column,
        parts{.gathered = false, .scattered = false, .ragged = false, .gated = true}>(264, 72);
  check<gemm::sm90_wgmma_64x64x64, bf16, float, order::column, gathered>(72, 71, 1);
}

TEST_CASE("the library chooses among the kernels for indices and gates", "[indexed]") {
  constexpr parts all{.gathered = true, .scattered = true, .ragged = true, .gated = true};
  check<gemm::automatic, bf16, bf16, order::column, all>(144, 72);
}

TEST_CASE("scales and factors are those of the product's columns before a gate, of C's behind it", "[indexed]") {
  constexpr std::int64_t m = 20, n = 36, k = 24;
  auto const host_a = numbers<float>(m * k, 1), host_b = numbers<float>(k * n, 2), of_columns = numbers<float>(n, 4),
             factors = numbers<float>(n, 5), of_rows = numbers<float>(m, 6);
  test::device_array<float> const a(host_a), b(host_b), scales(of_columns), d_factors(factors), d_rows(of_rows),
      c(static_cast<std::size_t>(m * n / 2));
  auto const run = [&](std::int64_t depth) {
    return gemm::run<gemm::pipelined_32x64x32>(
        gemm::row_major(static_cast<float const*>(a.data()), m, depth, k),
        gemm::scaled(gemm::row_major(static_cast<float const*>(b.data()), depth, n),
                     gemm::per_column(scales.data(), n)),
        gemm::row_major(c.data(), m, n / 2), {},
        gemm::column_scale(d_factors.data(), n) | gemm::gated<gemm::relu>{} | gemm::row_scale(d_rows.data(), m));
  };
  REQUIRE_THAT(run(k).message(), Equals(""));
  std::vector<float> const found = c.download();
  int wrong = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    auto const value = [&](std::int64_t j) {
      float sum = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        sum += host_a[static_cast<std::size_t>(i * k + l)] * host_b[static_cast<std::size_t>(l * n + j)];
      }
      return sum * of_columns[static_cast<std::size_t>(j)] * factors[static_cast<std::size_t>(j)];
    };
    for (std::int64_t j = 0; j < n / 2; ++j) {
      float const want = std::max(value(2 * j), 0.0F) * value(2 * j + 1) * of_rows[static_cast<std::size_t>(i)];
      wrong += found[static_cast<std::size_t>(i * n / 2 + j)] == want ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
  REQUIRE_THAT(run(0).message(), Equals(""));  // no scale is read
  std::vector<float> const nothing = c.download();
  CHECK(std::all_of(nothing.begin(), nothing.end(), [](float x) { return x == 0; }));
}

TEST_CASE("SwiGLU of real numbers is within the bound of the reference", "[indexed]") {
  constexpr std::int64_t n = 96, k = 200;
  gemm::random_numbers random(11);
  auto const filled = [&](std::int64_t count, double scale) {
    std::vector<bf16> values;
    for (std::int64_t i = 0; i < count; ++i) {
      values.push_back(static_cast<bf16>(static_cast<float>(scale * random.uniform())));
    }
    return values;
  };
  auto const host_a = filled(tokens * k, 2), host_b = filled(n * k, 0.25);
  auto const index = index_of_a();
  test::device_array<bf16> const a(host_a), b(host_b), c(static_cast<std::size_t>(rows * n / 2));
  test::device_array<std::int32_t> const of_a(index);
  bf16 const *const data_a = a.data(), *const data_b = b.data();
  REQUIRE(gemm::run<gemm::sm80_mma_64x64x64>(gemm::gathered(gemm::row_major(data_a, tokens, k), of_a.data(), rows),
                                             gemm::col_major(data_b, k, n), gemm::row_major(c.data(), rows, n / 2), {},
                                             gemm::gated<gemm::silu>{}));
  std::vector<bf16> unread(1);
  auto const pairs =
      gemm::reference(gemm::gathered(gemm::row_major(host_a.data(), tokens, k), index.data(), rows),
                      gemm::col_major(host_b.data(), k, n), gemm::row_major(unread.data(), rows, n), 1, 0);
  auto const silu = [](double x) { return x / (1 + std::exp(-x)); };
  std::vector<bf16> const found = c.download();
  int wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    auto const want = gemm::gated_reference<bf16, bf16>(pairs[2 * i], pairs[2 * i + 1], silu, 1.1, k);
    wrong += std::abs(static_cast<double>(static_cast<float>(found[i])) - want.value) <= want.error ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("what is wrong with indices and gates is said", "[indexed][validation]") {
  test::device_array<float> const memory(256);
  test::device_array<std::int32_t> const index(std::vector<std::int32_t>{3, 0, 1, 2});
  float const* const from = memory.data();
  auto const a = gemm::row_major(from, 9, 2), b = gemm::row_major(from, 2, 6);
  auto const c = gemm::row_major(memory.data() + 128, 4, 6), halved = gemm::row_major(memory.data() + 128, 4, 3);
  using policy = gemm::pipelined_32x64x32;
  std::int32_t const *const null = nullptr, *const odd = reinterpret_cast<std::int32_t const*>(
                                                reinterpret_cast<std::uintptr_t>(index.data()) + 2);
  auto const says = [&](auto const& of_a, auto const& of_c) {
    return std::string(gemm::run<policy>(of_a, b, of_c).message());
  };
  CHECK_THAT(says(gemm::gathered(a, index.data(), 4), c), Equals(""));
  CHECK_THAT(says(gemm::gathered(a, index.data(), 3), c), Equals("A has 3 rows, needs m = 4, the rows of C"));
  CHECK_THAT(says(gemm::gathered(a, null, 4), c), Equals("the index of A's rows is null, needs 4 numbers"));
  CHECK_THAT(says(gemm::row_major(from, 4, 2), gemm::scattered(c, null, 4)),
             Equals("the index of C's rows is null, needs 4 numbers"));
  CHECK_THAT(says(gemm::gathered(a, odd, 4), c), Catch::Matchers::EndsWith(", no multiple of 4 bytes"));
  CHECK_THAT(says(gemm::gathered(gemm::batched(a, 2), index.data(), 4), c),
             Equals("A is a batch of 2, needs one matrix: its rows have an index"));
  test::device_array<std::int32_t> const one(std::vector<std::int32_t>{4});
  CHECK_THAT(
      gemm::run<policy>(gemm::ragged_rows(gemm::gathered(a, index.data(), 4), one.data(), 1), b,
                        gemm::ragged_rows(gemm::scattered(c, index.data(), 4), one.data(), 1), {.zero_rest = true})
          .message(),
      Equals("zero_rest is set, but C is scattered: which rows are the rest is not known"));
  auto const gated = [&](auto const& of_c, float beta, auto const& epilogue) {
    return std::string(gemm::run<policy>(gemm::row_major(from, 4, 2), b, of_c, {.beta = beta}, epilogue).message());
  };
  gemm::gated<gemm::silu> const swiglu;
  CHECK_THAT(gated(halved, 0, swiglu), Equals(""));
  CHECK_THAT(gated(c, 0, swiglu), Equals("B has 6 columns, needs 12: gated makes one column of C (n = 6) of two"));
  CHECK_THAT(gated(halved, 1, swiglu), Equals("beta is 1, needs 0: gated makes one column of C of two of the product"));
  CHECK_THAT(gated(halved, 0, gemm::bias(from, 5) | swiglu), Equals("bias has 5 values, needs one per column of C: 6"));
  CHECK_THAT(gated(halved, 0, swiglu | gemm::bias(from, 2)), Equals("bias has 2 values, needs one per column of C: 3"));
}
