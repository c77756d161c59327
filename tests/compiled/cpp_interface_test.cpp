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
