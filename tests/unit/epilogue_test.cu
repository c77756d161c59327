// SPDX-License-Identifier: BSL-1.0
//! @file
//! Epilogues in a product: what they read and write for which row, column and product of a batch.

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"
#include "../support/types.hpp"

namespace {

using gemm::batched;
using gemm::col_major;
using gemm::row_major;
using policy = gemm::coalesced<gemm::block<4, 8>>;
using test::bfloat16;
using test::device_array;
using test::half;
using test::int32;
using test::int8;

// Products of 3 x 5 elements that are all different, so that each epilogue's place shows.
constexpr std::int64_t rows = 3, columns = 5, products = 3;

int value_of(std::int64_t row, std::int64_t column, std::int64_t batch) {
  return static_cast<int>((row + 1) * (batch + 1) * (2 * column - 5));
}

/// count numbers that go round in 1, 2, ... period.
template <class T>
std::vector<T> cycle(std::int64_t count, int period) {
  std::vector<T> result;
  for (std::int64_t i = 0; i < count; ++i) {
    result.push_back(static_cast<T>(static_cast<float>(i % period + 1)));
  }
  return result;
}

/// How many elements of a batch, in both orders of C, are not want(value, row, column, batch), rounded; the values are
/// value_of().
template <class In, class Out, class Epilogue, class Want>
std::int64_t wrong_elements(Epilogue const& epilogue, Want want) {
  std::vector<In> a, b;
  for (std::int64_t batch = 0; batch < products; ++batch) {
    for (std::int64_t row = 0; row < rows; ++row) {
      a.push_back(static_cast<In>(static_cast<float>((row + 1) * (batch + 1))));
    }
  }
  for (std::int64_t column = 0; column < columns; ++column) {
    b.push_back(static_cast<In>(static_cast<float>(2 * column - 5)));
  }
  device_array<In> const da(a), db(b);
  auto const left = batched(row_major(da.data(), rows, 1), products);
  auto const right = row_major(db.data(), 1, columns);
  std::int64_t wrong = 0;
  auto const check = [&](auto view) {
    device_array<Out> const c(static_cast<std::size_t>(rows * columns * products));
    view.data = c.data();
    REQUIRE(gemm::run<policy>(left, right, batched(view, products), {}, epilogue));
    auto const got = c.download();
    for (std::int64_t batch = 0; batch < products; ++batch) {
      for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
          std::int64_t const place =
              batch * rows * columns + (view.layout == gemm::order::row ? row * columns + column : column * rows + row);
          Out const wanted =
              test::rounded<Out>(static_cast<double>(want(value_of(row, column, batch), row, column, batch)));
          wrong += !(test::number(got[static_cast<std::size_t>(place)]) == test::number(wanted));
        }
      }
    }
  };
  check(row_major(static_cast<Out*>(nullptr), rows, columns));
  check(col_major(static_cast<Out*>(nullptr), rows, columns));
  return wrong;
}

struct add_place {
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t row, std::int64_t column, std::int64_t batch) const {
    return value + static_cast<V>(100 * batch + 10 * row + column);
  }
};

}  // namespace

TEST_CASE("an epilogue sees the caller's row, column and batch", "[epilogue][sanitizer]") {
  auto const want = [](double v, auto row, auto column, auto batch) {
    return v + static_cast<double>(100 * batch + 10 * row + column);
  };
  CHECK(wrong_elements<float, float>(add_place{}, want) == 0);
  CHECK(wrong_elements<int8, int32>(gemm::identity{} | add_place{}, want) == 0);
}

TEST_CASE("numbers of rows and columns go along the caller's, for all products of a batch", "[epilogue]") {
  device_array<float> const numbers(cycle<float>(columns, 5));
  device_array<half> const halves(cycle<half>(columns, 5));
  device_array<int8> const bytes(cycle<int8>(columns, 5));
  device_array<double> const doubles(cycle<double>(columns, 5));
  auto const plus_column = [](double v, auto, auto column, auto) { return v + static_cast<double>(column + 1); };
  auto const plus_row = [](double v, auto row, auto, auto) { return v + static_cast<double>(row + 1); };
  [[maybe_unused]] auto const times_column = [](double v, auto, auto column, auto) {
    return v * static_cast<double>(column + 1);
  };
  [[maybe_unused]] auto const times_row = [](double v, auto row, auto, auto) {
    return v * static_cast<double>(row + 1);
  };
  CHECK(wrong_elements<float, float>(gemm::bias(numbers.data(), columns), plus_column) == 0);
  CHECK(wrong_elements<double, double>(gemm::row_bias(numbers.data(), rows), plus_row) == 0);
#if !defined(GEMM_TEST_SANITIZERS)
  CHECK(wrong_elements<half, bfloat16>(gemm::column_scale(doubles.data(), columns), times_column) == 0);
  CHECK(wrong_elements<float, half>(gemm::row_scale(halves.data(), rows), times_row) == 0);
  CHECK(wrong_elements<int8, int32>(gemm::bias(bytes.data(), columns), plus_column) == 0);
  CHECK(wrong_elements<int8, half>(gemm::column_scale(halves.data(), columns), times_column) == 0);
#endif
  CHECK(wrong_elements<int8, int8>(
            gemm::column_scale(numbers.data()) | gemm::row_bias(halves.data()) | gemm::scale(0.25f),
            [&](double v, auto row, auto column, auto batch) {
              return plus_row(times_column(v, row, column, batch), row, column, batch) / 4;
            }) == 0);
}

TEST_CASE("a residual is one for all products or one for each, in any order, type and placing", "[epilogue]") {
  std::int64_t const ld = 7, stride = 40;
  auto const many = cycle<float>(3 * stride, 113);
  device_array<float> const numbers(many);
  device_array<half> const halves(cycle<half>(3 * stride, 113));
  device_array<int8> const bytes(cycle<int8>(3 * stride, 113));
  auto const by_row = row_major(static_cast<float const*>(numbers.data()), rows, columns, ld);
  auto const by_column = col_major(halves.data(), rows, columns, ld);
  auto const of_bytes = row_major(bytes.data(), rows, columns, ld);
  auto const at = [&](std::int64_t index) { return static_cast<double>(many[static_cast<std::size_t>(index)]); };
#if !defined(GEMM_TEST_SANITIZERS)
  CHECK(wrong_elements<float, float>(gemm::residual(by_row), [&](double v, auto row, auto column, auto) {
          return v + at(row * ld + column);
        }) == 0);
#endif
  CHECK(wrong_elements<float, float>(gemm::residual(batched(by_row, products, stride), 0.5f),
                                     [&](double v, auto row, auto column, auto batch) {
                                       return v + at(batch * stride + row * ld + column) / 2;
                                     }) == 0);
  CHECK(wrong_elements<half, float>(gemm::residual(batched(by_column, products, stride), -2),
                                    [&](double v, auto row, auto column, auto batch) {
                                      return v - 2 * at(batch * stride + column * ld + row);
                                    }) == 0);
  CHECK(wrong_elements<int8, int32>(gemm::residual(of_bytes, 3), [&](double v, auto row, auto column, auto) {
          return v + 3 * at(row * ld + column);
        }) == 0);
#if !defined(GEMM_TEST_SANITIZERS)
  CHECK(wrong_elements<int8, int32>(gemm::residual(by_column, 1.5f), [&](double v, auto row, auto column, auto) {
          return v + 1.5 * at(column * ld + row);  // ends in an int32 C: rounded to the even one
        }) == 0);
  // One matrix for all products, said by a stride of 0.
  CHECK(wrong_elements<float, float>(
            gemm::residual(batched(by_row, products, 0)),
            [&](double v, auto row, auto column, auto) { return v + at(row * ld + column); }) == 0);
#endif
}

namespace {

/// Whether a chain's second output has value + column + 1 in it, while C becomes its double; T is the second's type.
template <class In, class Out, class T>
std::int64_t wrong_second_outputs() {
  std::int64_t const stride = 41;
  device_array<float> const numbers(cycle<float>(columns, 5));
  std::int64_t wrong = 0;
  auto const check = [&](auto view) {
    std::vector<T> const before(static_cast<std::size_t>(3 * stride), static_cast<T>(99.0f));
    device_array<T> const memory(before);
    view.data = memory.data();
    auto const epilogue = gemm::bias(numbers.data()) | gemm::store(batched(view, products, stride)) | gemm::scale(2.0f);
    wrong += wrong_elements<In, Out>(
        epilogue, [](double v, auto, auto column, auto) { return 2 * (v + static_cast<double>(column + 1)); });
    auto want = before;
    for (std::int64_t batch = 0; batch < products; ++batch) {
      for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
          std::int64_t const place =
              batch * stride + (view.layout == gemm::order::row ? row * view.ld + column : column * view.ld + row);
          want[static_cast<std::size_t>(place)] =
              test::rounded<T>(static_cast<double>(value_of(row, column, batch)) + static_cast<double>(column + 1));
        }
      }
    }
    auto const got = memory.download();
    for (std::size_t i = 0; i < got.size(); ++i) {  // gaps included
      wrong += !(test::number(got[i]) == test::number(want[i]));
    }
  };
  check(row_major(static_cast<T*>(nullptr), rows, columns, 7));
  check(col_major(static_cast<T*>(nullptr), rows, columns, 4));
  return wrong;
}

}  // namespace

TEST_CASE("a second output keeps the value as it is at its place in the chain", "[epilogue][sanitizer]") {
  CHECK(wrong_second_outputs<float, half, double>() == 0);
  CHECK(wrong_second_outputs<int8, int8, half>() == 0);
#if !defined(GEMM_TEST_SANITIZERS)
  CHECK(wrong_second_outputs<float, float, float>() == 0);
  CHECK(wrong_second_outputs<half, half, bfloat16>() == 0);
  CHECK(wrong_second_outputs<int8, float, int8>() == 0);
#endif
}

namespace {

/// C = A B + C, where C's old elements come in as a residual on C's own memory, by 16-byte stores of C.
template <class In, class T>
std::int64_t wrong_sums_in_place(bool by_rows) {
  using policy = gemm::vectorized<gemm::block<32, 64, 12>, gemm::thread<4, 8>>;
  std::int64_t const m = 70, n = 80, ld = 96;
  std::vector<In> a, b;
  for (std::int64_t i = 0; i < ld; ++i) {
    a.push_back(static_cast<In>(static_cast<float>(i % 7 - 3)));
    b.push_back(static_cast<In>(static_cast<float>(i % 5 - 2)));
  }
  auto const old = cycle<T>(ld * ld, 11);
  device_array<In> const da(a), db(b);
  device_array<T> const c(old);
  auto const left = row_major(da.data(), m, 1);
  auto const right = row_major(db.data(), 1, n);
  auto const run = [&](auto view) { return gemm::run<policy>(left, right, view, {}, gemm::residual(view)); };
  REQUIRE((by_rows ? run(row_major(c.data(), m, n, ld)) : run(col_major(c.data(), m, n, ld))));
  auto const got = c.download();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      auto const place = static_cast<std::size_t>(by_rows ? i * ld + j : j * ld + i);
      double const sum = static_cast<double>((i % 7 - 3) * (j % 5 - 2)) + static_cast<double>(test::number(old[place]));
      wrong += !(test::number(got[place]) == test::number(test::rounded<T>(sum)));
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("a residual may be C itself", "[epilogue][sanitizer]") {
  for (bool const by_rows : {true, false}) {
    CHECK(wrong_sums_in_place<float, float>(by_rows) == 0);
    CHECK(wrong_sums_in_place<int8, int8>(by_rows) == 0);
#if !defined(GEMM_TEST_SANITIZERS)
    CHECK(wrong_sums_in_place<half, half>(by_rows) == 0);
#endif
  }
}
