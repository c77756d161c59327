// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the C interface refuses, and what it answers without computing.

#include <gemm/gemm.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "../support/device.hpp"
#include "call.hpp"

namespace {

/// A product of floats that is right, for a test to spoil.
struct plain : test::c_product {
  static constexpr std::int64_t m = 4, n = 6, k = 5;
  test::device_array<float> memory{std::vector<float>(200, 1)};

  plain()
      : c_product(gemm_row_major(nullptr, GEMM_FLOAT, m, k), gemm_row_major(nullptr, GEMM_FLOAT, k, n),
                  gemm_row_major(nullptr, GEMM_FLOAT, m, n)) {
    a.data = memory.data();
    b.data = memory.data() + m * k;
    c.data = memory.data() + m * k + k * n;
    call.epilogue = &epilogue;
  }

  /// The message of a call that must be refused, by all functions, and leaves C alone.
  std::string refused() {
    std::vector<float> const before = memory.download();
    std::string const message = run();
    CHECK(status.code == GEMM_INVALID_ARGUMENT);
    CHECK(can_run() == message);
    std::size_t bytes = 1;
    CHECK(gemm_workspace_size(&call, &bytes, &status) == GEMM_INVALID_ARGUMENT);
    CHECK(bytes == 0);
    gemm_choice choice = {};
    choice.struct_size = sizeof(choice);
    CHECK(gemm_chosen(&call, &choice, &status) == GEMM_INVALID_ARGUMENT);
    CHECK(std::string(choice.policy) == "");
    CHECK(memory.download() == before);
    return message;
  }
};

std::string text(char const* format, std::size_t one, std::size_t other) {
  char all[200];
  std::snprintf(all, sizeof(all), format, one, other);
  return all;
}

bool starts_with(std::string const& message, char const* begin) { return message.rfind(begin, 0) == 0; }

}  // namespace

TEST_CASE("descriptors that are refused", "[compiled]") {
  if (!test::has_all_storages<test::f32>()) {
    SKIP("float is not compiled");
  }
  plain x;
  REQUIRE(x.run() == "");
  SECTION("no call") {
    CHECK(gemm_run(nullptr, &x.status) == GEMM_INVALID_ARGUMENT);
    CHECK(std::string(x.status.message) == "the call is null, needs a gemm_call");
    CHECK(gemm_run(nullptr, nullptr) == GEMM_INVALID_ARGUMENT);
  }
  SECTION("no matrix") {
    x.call.b = nullptr;
    CHECK(x.refused() == "B is null, needs a gemm_matrix");
  }
  SECTION("sizes of structs") {
    x.a.struct_size = 8;
    CHECK(x.refused() == text("A's struct_size is %zu, needs %zu, the size of gemm_matrix", 8, sizeof(gemm_matrix)));
    x.a.struct_size = sizeof(gemm_matrix);
    x.epilogue.struct_size = 0;
    CHECK(x.refused() ==
          text("the epilogue's struct_size is %zu, needs %zu, the size of gemm_epilogue", 0, sizeof(gemm_epilogue)));
    x.epilogue = gemm_default_epilogue();
    x.call.struct_size = 1000;
    CHECK(x.run() == text("the call's struct_size is %zu, needs %zu, the size of gemm_call", 1000, sizeof(gemm_call)));
    x.call.struct_size = sizeof(gemm_call);
    x.status.struct_size = 3;
    CHECK(gemm_run(&x.call, &x.status) == GEMM_INVALID_ARGUMENT);
    gemm_choice choice = {};
    x.status.struct_size = sizeof(x.status);
    CHECK(gemm_chosen(&x.call, &choice, &x.status) == GEMM_INVALID_ARGUMENT);
    CHECK(starts_with(x.status.message, "the choice's struct_size is 0"));
  }
  SECTION("types and orders") {
    x.c.type = 77;
    CHECK(x.refused() == "C's type is 77, needs a gemm_type, from 1 to 9");
    x.c.type = GEMM_FLOAT;
    x.b.order = 0;
    CHECK(x.refused() == "B's order is 0, needs GEMM_ROW_MAJOR, 1, or GEMM_COLUMN_MAJOR, 2");
  }
  SECTION("what is not compiled") {
    x.b.type = GEMM_HALF;
    x.b.order = GEMM_COLUMN_MAJOR;
    CHECK(x.refused() ==
          "the product is float x half -> float, row x column -> row, which is not compiled into this library: "
          "gemm_compiled_products() says what is");
  }
  SECTION("as the headers refuse") {
    x.b.ld = 5;
    CHECK(x.refused() == "ldb is 5, needs at least 6, the columns of B (5 x 6, row-major)");
    x.b.ld = 6;
    x.b.rows = 4;
    CHECK(x.refused() == "B has 4 rows, needs k = 5, the columns of A");
    x.b.rows = 5;
    void* const data = x.a.data;
    x.a.data = nullptr;
    CHECK(x.refused() == "A is null, needs 4 x 5 elements");
    x.a.data = data;
    x.c.batch_count = 2;
    CHECK(x.refused() == "C has a batch of 2 with stride 0, needs a stride that keeps the results apart");
    x.c.batch_count = 1;
    x.call.workspace_bytes = 16;
    CHECK(x.run() == "the workspace is null, but has 16 bytes");
  }
  SECTION("the same of a column-major C, in the caller's words") {
    x.c.order = GEMM_COLUMN_MAJOR;
    x.c.ld = 3;
    CHECK(x.refused() == "ldc is 3, needs at least 4, the rows of C (4 x 6, column-major)");
  }
  SECTION("epilogues") {
    x.epilogue.activation = 9;
    CHECK(x.refused() == "activation is 9, needs a gemm_activation, from 0 to 5: functors need gemm/gemm.cuh");
    x.epilogue.activation = GEMM_RELU;
    x.epilogue.bias_kind = GEMM_BIAS_PER_ROW;
    CHECK(x.refused() == "row_bias is null, needs one value per row of C");
    x.epilogue.bias = x.memory.data();
    x.epilogue.bias_count = 3;
    CHECK(x.refused() == "row_bias has 3 values, needs one per row of C: 4");
    x.epilogue.bias_type = GEMM_HALF;
    CHECK(x.refused() == "row_bias has elements of half, needs float for a C of float");
    x.epilogue.bias_kind = 5;
    CHECK(x.refused() == "bias_kind is 5, needs a gemm_bias_kind, from 0 to 2");
    x.epilogue = gemm_default_epilogue();
    gemm_matrix residual = x.c;
    residual.rows = 3;
    x.epilogue.residual = &residual;
    CHECK(x.refused() == "the residual is 3 x 6, needs the shape of C, 4 x 6");
    residual = x.c;
    residual.order = 3;
    CHECK(starts_with(x.refused(), "the residual's order is 3"));
    residual = x.c;
    residual.type = GEMM_INT8;
    CHECK(x.refused() == "the residual has elements of int8, needs float for a C of float");
    residual = x.c;
    x.call.beta = 2;
    x.a.scale_kind = GEMM_SCALE_PER_MATRIX;
    x.a.scales = x.memory.data();
    CHECK(x.refused() == "beta is 2 beside scales and a residual, needs 0: all three need gemm/gemm.cuh");
    x.epilogue.residual = nullptr;
    x.epilogue.amax = reinterpret_cast<float*>(2);
    CHECK(starts_with(x.refused(), "amax's pointer 0x2 is not a multiple"));
  }
  SECTION("scales") {
    x.a.scale_kind = GEMM_SCALE_PER_COLUMN;
    CHECK(x.refused() ==
          "A's scale_kind is 3, needs none, 0, one number, 1, one per row, 2, or a matrix, 4 for 1 x 128, 6 for 128 x "
          "128");
    x.a.scale_kind = GEMM_SCALE_PER_ROW;
    CHECK(x.refused() == "the scales of A are null, need one number per row of A");
    x.a.scales = x.memory.data();
    x.a.scale_count = 3;
    CHECK(x.refused() == "the scales of A are 3 numbers, need one per row of A: 4");
    x.a.scale_kind = GEMM_NO_SCALES;
    x.c.scale_kind = GEMM_SCALE_PER_MATRIX;
    CHECK(x.refused() == "C's scale_kind is 1, needs none: C is written, its epilogue scales it");
  }
}

TEST_CASE("a real factor of integers is refused", "[compiled]") {
  if (!test::has_all_storages<test::s8_s32>()) {
    SKIP("int8 is not compiled");
  }
  plain x;
  x.a.type = x.b.type = GEMM_INT8;
  x.c.type = GEMM_INT32;
  x.call.alpha = 0.5;
  CHECK(x.refused() == "alpha is 0.5, needs an int32_t for int8: a real factor is the epilogue's scale");
  x.call.alpha = 1;
  x.call.beta = 3e9;
  CHECK(starts_with(x.refused(), "beta is 3e+09, needs an int32_t"));
}

TEST_CASE("what is asked without computing", "[compiled]") {
  CHECK(gemm_version() == GEMM_VERSION);
  CHECK(std::string(gemm_version_string()) == GEMM_VERSION_STRING);
  CHECK(std::string(gemm_code_text(GEMM_CUDA_FAILURE)) == "failure of the CUDA runtime");
  CHECK(std::string(gemm_code_text(-1)) == "no gemm_code");
  if (!test::has_all_storages<test::f32>()) {
    SKIP("float is not compiled");
  }
  plain x;
  gemm_choice choice = {};
  choice.struct_size = sizeof(choice);
  REQUIRE(gemm_chosen(&x.call, &choice, &x.status) == GEMM_SUCCESS);
  CHECK(std::string(choice.policy) != "");
  CHECK(choice.seconds > 0);
  x.c.rows = x.a.rows = 0;
  REQUIRE(gemm_chosen(&x.call, &choice, nullptr) == GEMM_SUCCESS);
  CHECK(std::string(choice.policy) == "");

  // A long k, whose slices need a workspace: it is what gemm_run() takes.
  constexpr std::int64_t size = 64, depth = 8192;
  test::device_array<float> const operands{std::vector<float>(2 * size * depth, 0.5f)},
      result{std::vector<float>(size * size, 7)};
  test::c_product deep(gemm_row_major(operands.data(), GEMM_FLOAT, size, depth),
                       gemm_row_major(operands.data() + size * depth, GEMM_FLOAT, depth, size),
                       gemm_row_major(result.data(), GEMM_FLOAT, size, size));
  std::size_t bytes = 0;
  REQUIRE(gemm_workspace_size(&deep.call, &bytes, &deep.status) == GEMM_SUCCESS);
  REQUIRE(gemm_chosen(&deep.call, &choice, nullptr) == GEMM_SUCCESS);
  CHECK((choice.slices > 1 && choice.in_cluster == 0) == (bytes > 0));
  CHECK(gemm_workspace_size(&deep.call, nullptr, &deep.status) == GEMM_INVALID_ARGUMENT);
  test::device_array<char> const memory(bytes + 16);
  deep.call.workspace = memory.data();
  deep.call.workspace_bytes = bytes + 16;
  deep.call.constant_a = deep.call.constant_b = 1;  // the operands were complete before any kernel
  CHECK(deep.run() == "");
  CHECK(result.download() == std::vector<float>(size * size, 0.25f * depth));
}

TEST_CASE("tuning caches of the C interface", "[compiled]") {
  gemm_status status = {sizeof(status), 0, 0, ""};
  CHECK(gemm_load_tuning("there/is/none", nullptr, &status) == GEMM_FILE_FAILURE);
  CHECK(std::strstr(status.message, "there/is/none") != nullptr);
  gemm_tuning_report report = {};
  CHECK(gemm_load_tuning(GEMM_TEST_TUNING, &report, &status) == GEMM_INVALID_ARGUMENT);
  report.struct_size = sizeof(report);
  CHECK(gemm_load_tuning(GEMM_TEST_TUNING, &report, &status) == GEMM_SUCCESS);
  CHECK(report.plans + report.foreign > 0);
  CHECK(report.ignored == 0);
  gemm_forget_tuning();
}
