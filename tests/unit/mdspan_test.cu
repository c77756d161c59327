// SPDX-License-Identifier: BSL-1.0
//! @file
//! mdspans with accessors and layouts of their own: what views they become, and what is computed with factors.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstddef>
#include <cstdint>
#include <cuda/mdspan>
#include <cuda/std/linalg>
#include <cuda/std/mdspan>
#include <type_traits>
#include <utility>
#include <vector>

#include <gemm/gemm.cuh>
#include <gemm/reference.hpp>

#include "../support/device.hpp"

namespace {

using Catch::Matchers::Equals;
using gemm::order;
namespace md = cuda::std;
namespace linalg = cuda::std::linalg;
using sizes = md::dextents<std::size_t, 2>;

template <class T, class Layout = md::layout_right, class Accessor = md::default_accessor<T>>
using span = md::mdspan<T, sizes, Layout, Accessor>;

float data[64];

/// As C++26 has them: std::linalg::scaled_accessor returns its nested accessor by reference, and elements are values.
template <class Factor, class Nested>
struct scaled_as_in_std {
  using element_type =
      std::add_const_t<decltype(std::declval<Factor>() * std::declval<typename Nested::element_type>())>;
  using reference = std::remove_const_t<element_type>;
  using data_handle_type = typename Nested::data_handle_type;
  using offset_policy = scaled_as_in_std<Factor, typename Nested::offset_policy>;

  Factor factor;
  Nested nested;

  reference access(data_handle_type p, std::size_t i) const { return factor * nested.access(p, i); }
  data_handle_type offset(data_handle_type p, std::size_t i) const { return nested.offset(p, i); }
  Nested const& nested_accessor() const noexcept { return nested; }
  Factor const& scaling_factor() const noexcept { return factor; }
};

template <class Factor, class T, class Layout, class Accessor>
auto scaled_by(Factor factor, span<T, Layout, Accessor> const& m) {
  using accessor = scaled_as_in_std<Factor, Accessor>;
  return span<typename accessor::element_type, Layout, accessor>(m.data_handle(), m.mapping(), {factor, m.accessor()});
}

/// C of a product by the simplest kernel, every element of which was 3 before.
template <class T, class Product>
std::vector<T> computed(std::size_t count, Product product) {
  test::device_array<T> const c(std::vector<T>(count, T(3)));
  gemm::status const status = product(c.data());
  INFO(status.message());
  REQUIRE(status);
  return c.download();
}

}  // namespace

TEST_CASE("accessors that only point become views like the default one", "[mdspan]") {
  alignas(64) static float aligned[64];
  using aligned_to = md::aligned_accessor<float, 64>;
  auto const a = gemm::row_major(span<float, md::layout_right, aligned_to>(aligned, 3, 5));
  STATIC_CHECK(std::is_same_v<decltype(a)::element, float>);
  CHECK((a.data == aligned && a.rows == 3 && a.columns == 5 && a.ld == 5 && a.factor == 1));
  auto const r = gemm::col_major(cuda::restrict_mdspan<float const, sizes, md::layout_left>(data, sizes(3, 5)));
  STATIC_CHECK(std::is_same_v<decltype(r)::element, float const>);
  CHECK((r.data == data && r.rows == 3 && r.columns == 5 && r.ld == 3 && r.factor == 1));
}

TEST_CASE("the factor of a scaled mdspan becomes the view's, whose elements are read alone", "[mdspan]") {
  span<float> const m(data, 3, 5);
  auto const v = gemm::row_major(linalg::scaled(2.0F, m));
  STATIC_CHECK(std::is_same_v<decltype(v)::element, float const>);
  CHECK((v.data == data && v.rows == 3 && v.columns == 5 && v.ld == 5 && v.factor == 2));
  CHECK(gemm::row_major(linalg::scaled(2.0F, linalg::scaled(3.0F, m))).factor == 6);
  CHECK(gemm::row_major(linalg::scaled(0.5, m)).factor == 0.5F);
  CHECK(gemm::row_major(scaled_by(-2.0F, m)).factor == -2);
  CHECK(gemm::as_tf32(v).factor == 2);
  CHECK(gemm::transposed(v).factor == 2);
  CHECK(gemm::batched(v, 3, 15).factor == 2);
  static std::int8_t integers[15];
  CHECK(gemm::row_major(linalg::scaled(-3, span<std::int8_t>(integers, 3, 5))).factor == -3);
}

TEST_CASE("a transposed mdspan is the other order of the same memory", "[mdspan]") {
  auto const right = gemm::col_major(linalg::transposed(span<float>(data, 3, 5)));
  CHECK((right.data == data && right.rows == 5 && right.columns == 3 && right.ld == 5 && right.step == 1));
  auto const left = gemm::row_major(linalg::transposed(span<float, md::layout_left>(data, 3, 5)));
  CHECK((left.data == data && left.rows == 5 && left.columns == 3 && left.ld == 3 && left.step == 1));
  auto const both = gemm::col_major(linalg::transposed(linalg::scaled(2.0F, span<float>(data, 3, 5))));
  CHECK((both.rows == 5 && both.columns == 3 && both.ld == 5 && both.factor == 2));

  using strided = md::layout_stride::mapping<sizes>;
  using turned = linalg::layout_transpose<md::layout_stride>;
  turned::mapping<sizes> const mapping(strided(sizes(3, 5), md::array<std::size_t, 2>{8, 1}));
  auto const stride = gemm::col_major(span<float, turned>(data, mapping));
  CHECK((stride.rows == 5 && stride.columns == 3 && stride.ld == 8 && stride.step == 1));
}

TEST_CASE("factors of A and B are parts of alpha", "[mdspan]") {
  std::vector<float> const values{1, 2, 3, 4, 5, 6};
  test::device_array<float> const memory(values);
  span<float const> const a(memory.data(), 2, 3);  // 1 2 3, 4 5 6
  auto const b = linalg::transposed(a);
  for (float const alpha : {1.0F, 0.5F}) {
    std::vector<float> want{14, 32, 32, 77};
    for (float& x : want) {
      x = alpha * -6 * x + 3;
    }
    CHECK(computed<float>(4, [&](float* c) {
            return gemm::run<gemm::naive_32x4>(gemm::row_major(linalg::scaled(2.0F, a)),
                                               gemm::col_major(linalg::scaled(-3.0F, b)), gemm::row_major(c, 2, 2),
                                               {.alpha = alpha, .beta = 1});
          }) == want);
    CHECK(computed<float>(4, [&](float* c) {
            return gemm::run<gemm::naive_32x4>(gemm::row_major(linalg::scaled(2.0F, a)),
                                               gemm::col_major(linalg::scaled(-3.0F, b)), gemm::col_major(c, 2, 2),
                                               {.alpha = alpha, .beta = 1});
          }) == want);
  }
  // As with an alpha of 0, nothing is read.
  float const* const nothing = nullptr;
  CHECK(computed<float>(4, [&](float* c) {
          return gemm::run<gemm::naive_32x4>(gemm::row_major(linalg::scaled(0.0F, span<float const>(nothing, 2, 3))),
                                             gemm::col_major(b), gemm::row_major(c, 2, 2), {.beta = 1});
        }) == std::vector<float>(4, 3));
}

TEST_CASE("factors of integers wrap round as alpha does", "[mdspan]") {
  test::device_array<std::int8_t> const memory(std::vector<std::int8_t>{1, 2, 3, 4});
  span<std::int8_t const> const m(memory.data(), 2, 2);
  CHECK(computed<std::int32_t>(4, [&](std::int32_t* c) {
          return gemm::run<gemm::naive_32x4>(gemm::row_major(linalg::scaled(1 << 30, m)),
                                             gemm::row_major(linalg::scaled(3, m)), gemm::row_major(c, 2, 2),
                                             {.alpha = 2, .beta = 1});
        }) == std::vector<std::int32_t>{-2147483645, 3, -2147483645, 3});
}

TEST_CASE("a residual has its view's factor", "[mdspan]") {
  test::device_array<float> const memory(std::vector<float>{1, 2, 3, 4});
  span<float const> const m(memory.data(), 2, 2);
  CHECK(computed<float>(4, [&](float* c) {
          return gemm::run<gemm::naive_32x4>(gemm::row_major(m), gemm::row_major(m), gemm::row_major(c, 2, 2), {},
                                             gemm::residual(gemm::row_major(linalg::scaled(5.0F, m)), 2));
        }) == std::vector<float>{17, 30, 45, 62});
}

TEST_CASE("what is written has no factor", "[mdspan][validation]") {
  test::device_array<float> const memory(std::vector<float>(16));
  auto const a = gemm::row_major(memory.data(), 2, 2), d = gemm::row_major(memory.data() + 12, 2, 2),
             b = gemm::row_major(memory.data() + 4, 2, 2);
  auto c = gemm::row_major(memory.data() + 8, 2, 2);
  c.factor = 2;
  CHECK_THAT(gemm::run<gemm::naive_32x4>(a, b, c).message(),
             Equals("C has a factor, needs none to be written: scale by alpha, beta or the epilogue"));
  CHECK_THAT(gemm::run<gemm::naive_32x4>(a, b, d, {}, gemm::store(c)).message(),
             Equals("the second output has a factor, needs none to be written: scale by alpha, beta or the epilogue"));
}

TEST_CASE("the reference knows factors", "[mdspan]") {
  float const values[]{1, 2, 3, 4};
  float c[]{1, 1, 1, 1};
  span<float const> const m(values, 2, 2);
  auto const want = gemm::reference(gemm::row_major(linalg::scaled(2.0F, m)), gemm::row_major(linalg::scaled(3.0F, m)),
                                    gemm::row_major(c, 2, 2), 1, 1);
  CHECK((want[0].value == 43 && want[1].value == 61 && want[2].value == 91 && want[3].value == 133));
}
