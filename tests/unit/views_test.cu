// SPDX-License-Identifier: BSL-1.0
//! @file
//! Views: what they say of the memory, and that mdspans of every layout become them.

#include <catch2/catch_test_macros.hpp>
#include <cuda/std/mdspan>

#include <gemm/gemm.cuh>

namespace {

using gemm::order;
namespace md = cuda::std;

template <class Layout>
using span = md::mdspan<float const, md::dextents<int, 2>, Layout>;

float data[64];

}  // namespace

TEST_CASE("leading dimensions default to the length of a line", "[views]") {
  auto const r = gemm::row_major(data, 3, 5);
  CHECK(r.layout == order::row);
  CHECK((r.rows == 3 && r.columns == 5 && r.ld == 5 && r.step == 1));
  auto const c = gemm::col_major(data, 3, 5);
  CHECK(c.layout == order::column);
  CHECK((c.rows == 3 && c.columns == 5 && c.ld == 3));
  CHECK(gemm::row_major(data, 3, 5, 8).ld == 8);
  CHECK(gemm::col_major(data, 3, 5, 8).ld == 8);
  // As BLAS asks, at least 1, also where there is nothing.
  CHECK(gemm::row_major(data, 3, 0).ld == 1);
  CHECK(gemm::col_major(data, 0, 3).ld == 1);
}

TEST_CASE("transposed views swap sizes and order, on the same memory", "[views]") {
  auto const t = gemm::transposed(gemm::batched(gemm::row_major(data, 3, 5, 7), 2, 30));
  CHECK(t.layout == order::column);
  CHECK((t.data == data && t.rows == 5 && t.columns == 3 && t.ld == 7));
  CHECK((t.batch_count == 2 && t.batch_stride == 30));
  CHECK(gemm::transposed(t).layout == order::row);
}

TEST_CASE("batches follow each other without a gap unless a stride is given", "[views]") {
  CHECK(gemm::batched(gemm::row_major(data, 3, 5, 7), 2).batch_stride == 21);
  CHECK(gemm::batched(gemm::col_major(data, 3, 5, 4), 2).batch_stride == 20);
  CHECK(gemm::batched(gemm::row_major(data, 3, 5), 4, 0).batch_stride == 0);
}

TEST_CASE("a scaled view has the product of its scales, and is read alone", "[views]") {
  auto const m = gemm::scaled(gemm::scaled(gemm::batched(gemm::row_major(data, 3, 5, 8), 2), 2.0F), 0.25F);
  static_assert(std::is_same_v<decltype(m)::element, float const>);
  CHECK((m.data == data && m.rows == 3 && m.columns == 5 && m.ld == 8 && m.batch_count == 2 && m.factor == 0.5F));
  CHECK(gemm::transposed(m).factor == 0.5F);
}

TEST_CASE("views are of const and of mutable elements", "[views]") {
  float const* const fixed = data;
  auto const v = gemm::row_major(fixed, 2, 2);
  STATIC_CHECK(std::is_same_v<decltype(v)::element, float const>);
  STATIC_CHECK(std::is_same_v<decltype(v)::value_type, float>);
  STATIC_CHECK(gemm::matrix_view<decltype(v)>);
  STATIC_CHECK_FALSE(gemm::matrix_view<float*>);
}

TEST_CASE("mdspans of every layout become views", "[views][mdspan]") {
  auto const right = gemm::row_major(span<md::layout_right>(data, 3, 5));
  CHECK(right.layout == order::row);
  CHECK((right.data == data && right.rows == 3 && right.columns == 5 && right.ld == 5 && right.step == 1));

  auto const left = gemm::col_major(span<md::layout_left>(data, 3, 5));
  CHECK(left.layout == order::column);
  CHECK((left.rows == 3 && left.columns == 5 && left.ld == 3 && left.step == 1));

  using strided = md::layout_stride::mapping<md::dextents<int, 2>>;
  span<md::layout_stride> const rows(data, strided(md::dextents<int, 2>(3, 5), md::array<int, 2>{8, 1}));
  CHECK((gemm::row_major(rows).ld == 8 && gemm::row_major(rows).step == 1));
  // The other order of the same memory is no column-major matrix; a call says so (validation_test.cu).
  CHECK(gemm::col_major(rows).step == 8);
}

TEST_CASE("strides that no element uses do not matter", "[views][mdspan]") {
  auto const row = gemm::col_major(span<md::layout_right>(data, 1, 5));
  CHECK((row.ld == 1 && row.step == 1));
  auto const column = gemm::row_major(span<md::layout_left>(data, 5, 1));
  CHECK((column.ld == 1 && column.step == 1));
  auto const none = gemm::row_major(span<md::layout_left>(data, 5, 0));
  CHECK((none.ld >= 1 && none.step == 1));
}
