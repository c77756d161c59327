// SPDX-License-Identifier: BSL-1.0
//! @file
//! Epilogues that do not fit C: the status names the rule, and nothing is launched or written.

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/device.hpp"

namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Equals;
using gemm::batched;
using gemm::col_major;
using gemm::row_major;
using policy = gemm::naive<gemm::block<8, 16>>;

/// A legal batch of two 4 x 6 by 6 x 8 products, a C and another matrix that must stay as they are.
struct memory {
  test::device_array<float> a{std::vector<float>(200, 1)}, b{std::vector<float>(200, 1)}, c{std::vector<float>(200, 7)},
      other{std::vector<float>(200, 5)};

  bool untouched() const {
    return c.download() == std::vector<float>(200, 7) && other.download() == std::vector<float>(200, 5);
  }

  /// The message of a call that run() and can_run() refuse alike, for `count` products.
  template <class Epilogue>
  std::string refusal(Epilogue epilogue, std::int64_t count = 1) const {
    auto const left = row_major(a.data(), 4, 6);
    auto const right = row_major(b.data(), 6, 8);
    auto const result = batched(row_major(c.data(), 4, 8), count);
    gemm::status const status = gemm::run<policy>(left, right, result, {}, epilogue);
    gemm::status const asked = gemm::can_run<policy>(left, right, result, {}, epilogue);
    CHECK_FALSE(status);
    CHECK(status.code() == gemm::status_code::invalid_argument);
    CHECK(status.cuda_error() == cudaSuccess);
    CHECK(std::string(status.message()) == asked.message());
    CHECK(untouched());
    return status.message();
  }
};

float const* const none = nullptr;

}  // namespace

TEST_CASE("numbers per row and column must be there and cover C", "[validation][epilogue]") {
  memory const m;
  float const* const numbers = m.other.data();
  CHECK_THAT(m.refusal(gemm::bias(numbers, 7)), Equals("bias has 7 values, needs one per column of C: 8"));
  CHECK_THAT(m.refusal(gemm::column_scale(numbers, 7)),
             Equals("column_scale has 7 values, needs one per column of C: 8"));
  CHECK_THAT(m.refusal(gemm::row_scale(numbers, 0)), Equals("row_scale has 0 values, needs one per row of C: 4"));
  CHECK_THAT(m.refusal(gemm::relu{} | gemm::row_bias(numbers, 3)),
             Equals("row_bias has 3 values, needs one per row of C: 4"));
  CHECK_THAT(m.refusal(gemm::bias(none) | gemm::relu{}), Equals("bias is null, needs one value per column of C"));
  CHECK_THAT(m.refusal(gemm::row_scale(none)), Equals("row_scale is null, needs one value per row of C"));
  // Nothing is stored, so nothing is needed.
  CHECK(gemm::run<policy>(row_major(none, 0, 6), row_major(none, 6, 8), row_major(m.c.data(), 0, 8), {},
                          gemm::bias(none) | gemm::relu{}));
  CHECK(m.untouched());
}

TEST_CASE("a clamp's low must not be above its high", "[validation][epilogue]") {
  memory const m;
  float const nan = std::numeric_limits<float>::quiet_NaN();
  CHECK_THAT(m.refusal(gemm::clamp(2.0f, 1.0f)), Equals("clamp's low is 2, needs at most high, 1"));
  CHECK_THAT(m.refusal(gemm::clamp(1.0f, nan)), Equals("clamp's low is 1, needs at most high, nan"));
  CHECK_THAT(m.refusal(gemm::clamp(nan, 1.0f)), Equals("clamp's low is nan, needs at most high, 1"));
  CHECK_THAT(m.refusal(gemm::relu{} | gemm::clamp(3, -3)), Equals("clamp's low is 3, needs at most high, -3"));
}

TEST_CASE("a residual must have the shape of C and its batch or one matrix", "[validation][epilogue]") {
  memory const m;
  float const* const data = m.other.data();
  auto const refused = [&](auto view, std::int64_t count = 1) { return m.refusal(gemm::residual(view), count); };
  CHECK_THAT(refused(row_major(data, 4, 7)), Equals("the residual is 4 x 7, needs the shape of C, 4 x 8"));
  CHECK_THAT(refused(row_major(data, 8, 4)), Equals("the residual is 8 x 4, needs the shape of C, 4 x 8"));
  CHECK_THAT(refused(row_major(none, 4, 8)), Equals("the residual is null, needs 4 x 8 elements"));
  CHECK_THAT(refused(row_major(data, 4, 8, 7)),
             Equals("the residual's ld is 7, needs at least 8, the columns of the residual (4 x 8, row-major)"));
  CHECK_THAT(refused(col_major(data, 4, 8, 3)),
             Equals("the residual's ld is 3, needs at least 4, the rows of the residual (4 x 8, column-major)"));
  CHECK_THAT(refused(batched(row_major(data, 4, 8), 2)),
             Equals("the residual has a batch of 2, needs 1, the batch of C, or 1"));
  CHECK_THAT(refused(batched(row_major(data, 4, 8), 3), 2),
             Equals("the residual has a batch of 3, needs 2, the batch of C, or 1"));
  auto strided = row_major(data, 4, 8);
  strided.step = 2;
  CHECK_THAT(refused(strided), Equals("the elements of a row of the residual are 2 apart, need to be neighbours (use "
                                      "col_major, or copy)"));
  auto const* const odd = reinterpret_cast<float const*>(reinterpret_cast<std::uintptr_t>(data) + 2);
  CHECK_THAT(refused(row_major(odd, 4, 8)), ContainsSubstring("the residual's pointer") &&
                                                ContainsSubstring("is not a multiple of its element's 4 bytes"));
}

TEST_CASE("a second output must have the shape of C and keep its products apart", "[validation][epilogue]") {
  memory const m;
  float *const data = m.other.data(), *const nowhere = nullptr;
  auto const refused = [&](auto view, std::int64_t count = 1) {
    return m.refusal(gemm::relu{} | gemm::store(view), count);
  };
  CHECK_THAT(refused(row_major(data, 3, 8)), Equals("the second output is 3 x 8, needs the shape of C, 4 x 8"));
  CHECK_THAT(refused(row_major(nowhere, 4, 8)), Equals("the second output is null, needs 4 x 8 elements"));
  CHECK_THAT(refused(col_major(data, 4, 8, 3)),
             Equals("the second output's ld is 3, needs at least 4, the rows of the second output (4 x 8, "
                    "column-major)"));
  CHECK_THAT(refused(row_major(data, 4, 8), 2), Equals("the second output has a batch of 1, needs 2, the batch of C"));
  CHECK_THAT(refused(batched(row_major(data, 4, 8), 2, 0), 2),
             Equals("the second output has a batch of 2 with stride 0, needs a stride that keeps the results apart"));
  CHECK_THAT(refused(batched(row_major(data, 4, 8), 2, -31), 2),
             Equals("the second output has a batch of 2 with stride -31, needs a stride that keeps the results apart"));
}

TEST_CASE("rules are checked in the caller's coordinates where C is column-major", "[validation][epilogue]") {
  memory const m;
  auto const left = row_major(m.a.data(), 4, 6);
  auto const right = row_major(m.b.data(), 6, 8);
  auto const refused = [&](auto epilogue) {
    return std::string(gemm::run<policy>(left, right, col_major(m.c.data(), 4, 8), {}, epilogue).message());
  };
  CHECK_THAT(refused(gemm::bias(m.a.data(), 7)), Equals("bias has 7 values, needs one per column of C: 8"));
  CHECK_THAT(refused(gemm::store(row_major(m.other.data(), 8, 4))),
             Equals("the second output is 8 x 4, needs the shape of C, 4 x 8"));
  CHECK(m.untouched());
}
