// SPDX-License-Identifier: BSL-1.0
//! @file
//! Batches whose matrices are where arrays of pointers say: results, alignments, mixed batches and messages.

#include <cuda_bf16.h>
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
#include "../support/small_integers.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::order;
using test::numbers;
using bf16 = __nv_bfloat16;

constexpr float untouched = -77.0F;

/// The first element of matrix i, in an order that is not that of the batch; with a gap of one element after each, so
/// that alignments differ.
std::int64_t begin_of(std::int64_t i, std::int64_t count, std::int64_t elements) {
  return (i * 2 + 1) % count * (elements + 1);
}

/// Matrices of a batch in one memory, and where they are.
template <class T>
struct scattered {
  std::int64_t count, elements;
  std::vector<T> host;
  test::device_array<T> memory;
  test::device_array<T*> pointers;

  scattered(std::int64_t matrices, std::int64_t of_matrix, std::vector<T> const& values)
      : count(matrices), elements(of_matrix), host(values), memory(values), pointers(all()) {}
  std::vector<T*> all() const {
    std::vector<T*> result;
    for (std::int64_t i = 0; i < count; ++i) {
      result.push_back(memory.data() + begin_of(i, count, elements));
    }
    return result;
  }
  T at(std::int64_t matrix, std::int64_t index) const {
    return host[static_cast<std::size_t>(begin_of(matrix, count, elements) + index)];
  }
};

template <class Policy, class T, class Out, order A, order B, order C>
void check_pointers(std::int64_t m, std::int64_t n, std::int64_t k) {
  constexpr std::int64_t count = 5;
  INFO(gemm::name<Policy>() << ", C by column " << (C == order::column));
  scattered<T> const a(count, m * k, numbers<T>(static_cast<std::size_t>(count * (m * k + 1)), 1)),
      b(count, k * n, numbers<T>(static_cast<std::size_t>(count * (k * n + 1)), 3));
  scattered<Out> const c(count, m * n,
                         std::vector<Out>(static_cast<std::size_t>(count * (m * n + 1)), static_cast<Out>(untouched)));
  auto const view = []<order Order, class E>(E*, std::int64_t rows, std::int64_t columns) {
    if constexpr (Order == order::row) {
      return gemm::row_major(static_cast<E*>(nullptr), rows, columns);
    } else {
      return gemm::col_major(static_cast<E*>(nullptr), rows, columns);
    }
  };
  auto const read = [](auto const& batch) { return reinterpret_cast<T const* const*>(batch.pointers.data()); };
  T const* const operand = nullptr;
  Out* const result = nullptr;
  gemm::status const status = gemm::run<Policy>(
      gemm::pointers(view.template operator()<A>(operand, m, k), read(a), count),
      gemm::pointers(view.template operator()<B>(operand, k, n), read(b), count),
      gemm::pointers(view.template operator()<C>(result, m, n), c.pointers.data(), count), {.alpha = 2, .beta = 1});
  REQUIRE_THAT(status.message(), Equals(""));
  std::vector<Out> const found = c.memory.download();
  std::vector<Out> expected(found.size(), static_cast<Out>(untouched));
  for (std::int64_t matrix = 0; matrix < count; ++matrix) {
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::int64_t l = 0; l < k; ++l) {
          sum += static_cast<float>(a.at(matrix, A == order::row ? i * k + l : l * m + i)) *
                 static_cast<float>(b.at(matrix, B == order::row ? l * n + j : j * k + l));
        }
        std::int64_t const index = begin_of(matrix, count, m * n) + (C == order::row ? i * n + j : j * m + i);
        expected[static_cast<std::size_t>(index)] = static_cast<Out>(2 * sum + untouched);
      }
    }
  }
  int wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    wrong += static_cast<float>(found[i]) == static_cast<float>(expected[i]) ? 0 : 1;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("matrices of a batch are where pointers say", "[pointers][sanitizer]") {
  check_pointers<gemm::pipelined_32x64x32, float, float, order::row, order::row, order::row>(40, 72, 36);
  check_pointers<gemm::pipelined_32x64x32, float, float, order::column, order::column, order::column>(33, 20, 17);
  check_pointers<gemm::sm80_mma_64x64x64, bf16, float, order::row, order::column, order::row>(40, 72, 40);
  check_pointers<gemm::sm80_mma_64x64x64, bf16, float, order::column, order::row, order::column>(33, 20, 17);
  check_pointers<gemm::repacked<gemm::sm80_mma_64x64x64>, bf16, float, order::row, order::row, order::row>(33, 20, 17);
}

TEST_CASE("pointers stand beside strided batches and single matrices, and the library chooses", "[pointers]") {
  constexpr std::int64_t m = 24, n = 40, k = 16, count = 3;
  auto const host_a = numbers<float>(count * m * k, 1), host_b = numbers<float>(k * n, 2);
  test::device_array<float> const a(host_a), b(host_b);
  scattered<float> const c(count, m * n, std::vector<float>(static_cast<std::size_t>(count * (m * n + 1)), untouched));
  auto const view_a = gemm::batched(gemm::row_major(static_cast<float const*>(a.data()), m, k), count);
  auto const view_b = gemm::row_major(static_cast<float const*>(b.data()), k, n);
  auto const view_c = gemm::pointers(gemm::row_major(static_cast<float*>(nullptr), m, n), c.pointers.data(), count);
  CHECK(!gemm::chosen(view_a, view_b, view_c).policy.empty());
  REQUIRE(gemm::run(view_a, view_b, view_c));
  std::vector<float> const found = c.memory.download();
  int wrong = 0;
  for (std::int64_t matrix = 0; matrix < count; ++matrix) {
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::int64_t l = 0; l < k; ++l) {
          sum +=
              host_a[static_cast<std::size_t>((matrix * m + i) * k + l)] * host_b[static_cast<std::size_t>(l * n + j)];
        }
        wrong += found[static_cast<std::size_t>(begin_of(matrix, count, m * n) + i * n + j)] == sum ? 0 : 1;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("what is wrong with pointers is said", "[pointers][validation]") {
  test::device_array<float> const memory(64);
  test::device_array<float*> const array(std::vector<float*>(3, memory.data()));
  auto const a = gemm::row_major(static_cast<float const*>(memory.data()), 4, 2),
             b = gemm::row_major(static_cast<float const*>(memory.data()), 2, 4);
  auto const like = gemm::row_major(static_cast<float*>(nullptr), 4, 4);
  auto const says = [&](auto const& of_a, auto const& of_c) {
    return std::string(gemm::can_run<gemm::pipelined_32x64x32>(of_a, b, of_c).message());
  };
  CHECK_THAT(says(a, gemm::pointers(like, array.data(), 3)), Equals(""));
  CHECK_THAT(says(gemm::batched(a, 2), gemm::pointers(like, array.data(), 3)),
             Equals("A has a batch of 2, needs 3, the batch of C, or 1"));
  CHECK_THAT(says(a, gemm::pointers(like, static_cast<float* const*>(nullptr), 3)),
             Equals("C is null, needs memory for 4 x 4 elements"));
  CHECK_THAT(says(a, gemm::pointers(gemm::row_major(static_cast<float*>(nullptr), 4, 4, 3), array.data(), 3)),
             Equals("ldc is 3, needs at least 4, the columns of C (4 x 4, row-major)"));
}
