// SPDX-License-Identifier: BSL-1.0
//! @file
//! Batches whose matrices are where arrays of pointers say, and products that differ in all that views of theirs say:
//! results, alignments, mixed batches, replays and messages.

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

namespace {

using Catch::Matchers::Equals;
using gemm::order;
using bf16 = __nv_bfloat16;

constexpr float untouched = -77.0F;

template <class T>
std::vector<T> numbers(std::size_t count, std::size_t seed) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(static_cast<float>(static_cast<int>((i * 7 + i / 5 + seed) % 5) - 2));
  }
  return values;
}

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

/// The sizes of a product.
struct extents {
  std::int64_t m, n, k;
};

/// None of m, n or k; one row, column or k; a tile and more; less than one.
std::vector<extents> const some_products{{40, 72, 36}, {0, 5, 7},     {1, 9, 70}, {33, 1, 1},  {5, 0, 4},
                                         {20, 30, 0},  {70, 130, 17}, {8, 8, 64}, {3, 40, 200}};

/// Products that differ, with gaps between rows and matrices: so alignments differ, too.
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
      views_a.push_back(place<A>(static_cast<T const*>(a.data()), begin_a, e.m, e.k, gap % 4));
      views_b.push_back(place<B>(static_cast<T const*>(b.data()), begin_b, e.k, e.n, gap % 3));
      views_c.push_back(place<C>(c.data(), begin_c, e.m, e.n, gap % 5));
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
  static constexpr std::int64_t room = 120000;

  template <order Order, class E>
  static gemm::matrix<E, Order> place(E* data, std::int64_t& begin, std::int64_t rows, std::int64_t columns,
                                      std::int64_t gap) {
    std::int64_t const ld = (Order == order::row ? columns : rows) + gap;
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
  grouped_products<T, Out, A, B, C> const all(some_products);
  gemm::status const status = all.template run<Policy>({.alpha = 2, .beta = 1}, add_product{});
  REQUIRE_THAT(status.message(), Equals(""));
  CHECK(all.wrong(2, 1, 1) == 0);
}

}  // namespace

TEST_CASE("products differ in all that their views say", "[pointers][grouped][sanitizer]") {
  using gemm::pipelined_32x64x32;
  check_grouped<pipelined_32x64x32, float, float, order::row, order::row, order::row>();
  check_grouped<pipelined_32x64x32, float, float, order::column, order::column, order::column>();
  check_grouped<gemm::sm80_mma_64x64x64, bf16, float, order::row, order::column, order::row>();
  check_grouped<gemm::sm80_mma_64x64x64, bf16, float, order::column, order::row, order::column>();
  check_grouped<gemm::repacked<gemm::sm80_mma_64x64x64>, bf16, float, order::row, order::column, order::row>();
}

TEST_CASE("a captured call of grouped products follows their views", "[pointers][grouped]") {
  using kind = grouped_products<float, float, order::row, order::row, order::row>;
  // More products than a warp looks at at once; and of one, more tiles than a device has blocks.
  std::vector<extents> const many(70, extents{33, 20, 5});
  kind all(many);
  test::stream const stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  test::require_success(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "begin");
  REQUIRE(all.run<gemm::pipelined_32x64x32>({.alpha = 2, .stream = stream.get()}));
  test::require_success(cudaStreamEndCapture(stream.get(), &graph), "end");
  test::require_success(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  std::vector<extents> others(70, extents{0, 20, 5});
  others[3] = {1, 100000, 1};
  others[41] = {1, 1, 300};
  others[69] = {130, 70, 8};
  for (std::vector<extents> const& sizes : {many, others, std::vector<extents>(70, extents{0, 0, 0})}) {
    all.set(sizes);
    all.c.upload(all.host_c);
    test::require_success(cudaGraphLaunch(executable, stream.get()), "cudaGraphLaunch");
    stream.synchronize();
    CHECK(all.wrong(2, 0) == 0);
  }
  test::require_success(cudaGraphExecDestroy(executable), "cudaGraphExecDestroy");
  test::require_success(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

TEST_CASE("the library chooses for grouped products, which without alpha are beta C", "[pointers][grouped]") {
  grouped_products<float, float, order::row, order::row, order::row> all(some_products);
  REQUIRE(all.run<gemm::automatic>({.alpha = 0, .beta = 2}));
  CHECK(all.wrong(0, 2) == 0);
  all.c.upload(all.host_c);
  REQUIRE(all.run<gemm::automatic>({.alpha = 2}));
  CHECK(all.wrong(2, 0) == 0);
}

TEST_CASE("what is wrong with grouped products is said", "[pointers][grouped][validation]") {
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
