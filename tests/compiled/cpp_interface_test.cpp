// SPDX-License-Identifier: BSL-1.0
//! @file
//! The C++ interface of the compiled library: the calls of the headers.

#include <gemm/compiled.hpp>

#include <cuda_runtime.h>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "../support/device.hpp"

namespace {

bool has_floats() {
  return std::string(gemm_compiled_products()).find("float x float -> float, row x column") != std::string::npos;
}

}  // namespace

TEST_CASE("calls of the C++ interface", "[compiled]") {
  if (!has_floats()) {
    SKIP("float is not compiled");
  }
  test::device_array<float> const a(std::vector<float>{1, 2, 3, 4, 5, 6}), b(std::vector<float>{7, 8, 9, 10, 11, 12}),
      c(std::vector<float>(4, 1)), bias(std::vector<float>{-60, 1}), most(std::vector<float>{0});
  auto const x = gemm::row_major(static_cast<float const*>(a.data()), 2, 3);
  auto const y = gemm::row_major(static_cast<float const*>(b.data()), 3, 2);
  auto const z = gemm::row_major(c.data(), 2, 2);

  SECTION("plain, and transposed") {
    REQUIRE(gemm::run(x, y, z));
    CHECK(c.download() == std::vector<float>{58, 64, 139, 154});
    auto const of_transpose = gemm::run(gemm::transposed(y), gemm::transposed(x), gemm::transposed(z));
    REQUIRE(of_transpose);
    CHECK(c.download() == std::vector<float>{58, 64, 139, 154});
  }
  SECTION("options and an epilogue") {
    test::stream const stream;
    gemm::options opts;
    opts.beta = 1;
    opts.stream = stream.get();
    REQUIRE(gemm::run(x, y, z, opts,
                      gemm::bias(bias.data(), 2) | gemm::relu{} | gemm::amax(most.data()) | gemm::scale(0.5)));
    stream.synchronize();
    CHECK(c.download() == std::vector<float>{0, 33, 40, 78});
    CHECK(most.download() == std::vector<float>{156});
  }
  SECTION("an epilogue instead of the options") {
    REQUIRE(gemm::run(x, y, z, gemm::residual(gemm::batched(z, 1), 2)));
    CHECK(c.download() == std::vector<float>{60, 66, 141, 156});
  }
  SECTION("questions") {
    CHECK(gemm::can_run(x, y, z));
    CHECK(std::string(gemm::chosen(x, y, z).policy) != "");
    CHECK(gemm::workspace_size(x, y, z, gemm::relu{}) == 0);
  }
  SECTION("messages") {
    auto const message = [](gemm::status const& s) { return std::string(s.message()); };
    CHECK(message(gemm::run(x, x, z)) == "B has 2 rows, needs k = 3, the columns of A");
    CHECK(gemm::run(x, x, z).code() == gemm::status_code::invalid_argument);
    CHECK(message(gemm::can_run(x, y, z, gemm::relu{} | gemm::bias(bias.data()))) ==
          "the epilogue has bias behind relu, needs the order bias, activation, residual, amax, scale: others need "
          "gemm/gemm.cuh");
    CHECK(message(gemm::run(x, y, z, gemm::amax(nullptr))) == "amax is null, needs memory for one number");
    CHECK(message(gemm::run(x, y, z, gemm::bias(static_cast<float const*>(nullptr)))) ==
          "bias is null, needs one value per column of C");
    CHECK(message(gemm::run(gemm::as_tf32(gemm::row_major(a.data(), gemm::element_type::f16, 2, 3)), y, z)) ==
          "A's type is 0, needs a gemm_type, from 1 to 9");
    CHECK(message(gemm::run(gemm::scaled(x, gemm::per_row(a.data(), 1)), y, z)) ==
          "the scales of A are 1 numbers, need one per row of A: 2");
  }
  SECTION("scales") {
    REQUIRE(gemm::run(gemm::scaled(x, gemm::per_row(a.data(), 2)), gemm::scaled(y, a.data() + 1), z));
    CHECK(c.download() == std::vector<float>{116, 128, 556, 616});
  }
}

namespace {

bool has(char const* product) { return std::string(gemm_compiled_products()).find(product) != std::string::npos; }

}  // namespace

// Elements of 16 bits by their bits: 1 is 0x3f80, 2 is 0x4000.
TEST_CASE("groups of the C++ interface", "[compiled]") {
  if (!has("bfloat16 x bfloat16 -> bfloat16, row x column, ragged rows\n") ||
      !has("bfloat16 x bfloat16 -> bfloat16, row x column, ragged k\n")) {
    SKIP("ragged rows of bfloat16 are not compiled");
  }
  constexpr auto type = gemm::element_type::bf16;
  using bits = std::uint16_t;
  std::vector<bits> of_b(6, 0x3f80);
  of_b.resize(12, 0x4000);
  test::device_array<bits> const a(std::vector<bits>(15, 0x3f80)), b(of_b), c(std::vector<bits>(10, 0x3f80));
  test::device_array<std::int32_t> const ends(std::vector<std::int32_t>{1, 4});
  test::device_array<std::int64_t> const wide(std::vector<std::int64_t>{1, 4});
  auto const x = gemm::row_major(a.data(), type, 5, 3);
  auto const y = gemm::batched(gemm::col_major(b.data(), type, 3, 2), 2);
  auto const z = gemm::row_major(c.data(), type, 5, 2);
  std::vector<bits> const products = {0x4040, 0x4040, 0x40c0, 0x40c0, 0x40c0, 0x40c0, 0x40c0, 0x40c0};
  auto const then = [&](bits last) {
    std::vector<bits> all = products;
    all.resize(10, last);
    return all;
  };
  SECTION("ragged rows") {
    REQUIRE(gemm::run(gemm::ragged_rows(x, ends.data(), 2), y, gemm::ragged_rows(z, ends.data(), 2)));
    CHECK(c.download() == then(0x3f80));
    gemm::options zeroes;
    zeroes.zero_rest = true;
    REQUIRE(gemm::run(gemm::ragged_rows(x, wide.data(), 2), y, gemm::ragged_rows(z, wide.data(), 2), zeroes));
    CHECK(c.download() == then(0));
  }
  SECTION("a ragged k") {
    auto const one = gemm::row_major(a.data(), type, 3, 5);
    auto const other = gemm::col_major(b.data(), type, 5, 1);
    auto const both = gemm::batched(gemm::row_major(c.data(), type, 3, 1), 2);
    REQUIRE(gemm::run(gemm::ragged_columns(one, ends.data(), 2), gemm::ragged_rows(other, ends.data(), 2), both));
    CHECK(c.download() ==
          std::vector<bits>{0x3f80, 0x3f80, 0x3f80, 0x4040, 0x4040, 0x4040, 0x3f80, 0x3f80, 0x3f80, 0x3f80});
  }
  SECTION("a masked batch") {
    auto const of_a = gemm::batched(gemm::row_major(a.data(), type, 2, 3), 2, 6);
    auto const of_c = gemm::batched(gemm::row_major(c.data(), type, 2, 2), 2);
    REQUIRE(gemm::run(gemm::masked(of_a, ends.data()), y, gemm::masked(of_c, ends.data())));
    CHECK(c.download() ==
          std::vector<bits>{0x4040, 0x4040, 0x3f80, 0x3f80, 0x40c0, 0x40c0, 0x40c0, 0x40c0, 0x3f80, 0x3f80});
  }
  SECTION("messages") {
    auto const message = [](gemm::status const& s) { return std::string(s.message()); };
    CHECK(message(gemm::run(gemm::ragged_rows(x, ends.data(), 2), y, z)) ==
          "two of A, B and C are ragged, or masked, together: A and C by rows, B and C by columns, or for a ragged k A "
          "by columns and B by rows");
    CHECK(message(gemm::can_run(gemm::ragged_rows(x, ends.data(), 2), y, gemm::ragged_rows(z, wide.data(), 2))) ==
          "two views have groups of their own, need the same ends or counts");
    CHECK(c.download() == std::vector<bits>(10, 0x3f80));
  }
}

// 1 of e4m3 is 0x38.
TEST_CASE("scales of blocks of the C++ interface", "[compiled]") {
  if (!has("e4m3 x e4m3 -> bfloat16, row x column, scales of 1 x 128 and 128 x 128\n")) {
    SKIP("scales of blocks are not compiled");
  }
  using bits = std::uint16_t;
  test::device_array<std::uint8_t> const ones(std::vector<std::uint8_t>(4 * 130, 0x38));
  test::device_array<float> const of_a(std::vector<float>{1, 1, 0.5f, 64}), of_b(std::vector<float>{1, 1});
  test::device_array<bits> const c(std::vector<bits>(4));
  auto const a = gemm::row_major(ones.data(), gemm::element_type::e4m3, 2, 130);
  auto const b = gemm::transposed(a);
  auto const z = gemm::row_major(c.data(), gemm::element_type::bf16, 2, 2);
  auto const scales = gemm::per_block<1, 128>(gemm::row_major(of_a.data(), 2, 2));
  auto const scales_b = gemm::per_block<128, 128>(gemm::col_major(of_b.data(), 2, 1));
  REQUIRE(gemm::run(gemm::scaled(a, scales), gemm::scaled(b, scales_b), z));
  std::vector<bits> const want = {0x4302, 0x4302, 0x4340, 0x4340};
  CHECK(c.download() == want);
  // The transposed product, whose C is then column-major.
  REQUIRE(gemm::run(gemm::transposed(gemm::scaled(b, scales_b)), gemm::transposed(gemm::scaled(a, scales)),
                    gemm::transposed(z)));
  CHECK(c.download() == want);
  CHECK(std::string(
            gemm::run(gemm::scaled(a, gemm::per_block<128, 1>(gemm::row_major(of_a.data(), 2, 2))), b, z).message())
            .rfind("A's scale_kind is 5, needs none", 0) == 0);
}
