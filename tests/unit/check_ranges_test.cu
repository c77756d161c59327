// SPDX-License-Identifier: BSL-1.0
//! @file
//! Ends and counts in device memory, right ones and wrong ones, and what is said of them.

#include <cuda_runtime.h>

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gemm/check_ranges.cuh>
#include <gemm/matrix.hpp>
#include <gemm/ragged.hpp>

#include "../support/device.hpp"

namespace {

using Catch::Matchers::Equals;

/// What is said of the numbers of a view with 64 rows, and of 20 columns.
template <class Number, class Make>
std::string said_of(std::vector<Number> const& numbers, Make const& make) {
  test::device_array<Number> const of_device(numbers);
  test::device_array<gemm::range_report> const report(std::vector<gemm::range_report>(1));
  test::stream const stream;
  auto const all = gemm::row_major(static_cast<float const*>(nullptr), 64, 20);
  gemm::status const checked = gemm::check_ranges(make(all, of_device.data()), report.data(), stream.get());
  REQUIRE_THAT(checked.message(), Equals(""));
  stream.synchronize();
  return gemm::range_status(report.data()).message();
}

/// 70 ends of one row each, the last of which is given: more than a warp looks at at once.
template <class Number>
std::vector<Number> many_ends(Number last) {
  std::vector<Number> ends(70);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    ends[i] = static_cast<Number>(i < 64 ? i : 64);
  }
  ends.back() = last;
  return ends;
}

}  // namespace

TEMPLATE_TEST_CASE("ends and counts are checked on the device", "[ragged][sanitizer]", std::int32_t, std::int64_t) {
  using numbers = std::vector<TestType>;
  auto const rows = [](auto const& all, TestType const* ends) { return gemm::ragged_rows(all, ends, 3); };
  CHECK_THAT(said_of(numbers{0, 9, 64}, rows), Equals(""));
  CHECK_THAT(said_of(numbers{9, 9, 9}, rows), Equals(""));
  CHECK_THAT(said_of(numbers{9, 5, 64}, rows), Equals("the end of product 1 is 5, needs 9 to 64"));
  CHECK_THAT(said_of(numbers{-1, 5, 4}, rows), Equals("the end of product 0 is -1, needs 0 to 64"));
  CHECK_THAT(said_of(numbers{1, 5, 65}, rows), Equals("the end of product 2 is 65, needs 5 to 64"));
  auto const columns = [](auto const& all, TestType const* ends) { return gemm::ragged_columns(all, ends, 2); };
  CHECK_THAT(said_of(numbers{3, 20}, columns), Equals(""));
  CHECK_THAT(said_of(numbers{3, 21}, columns), Equals("the end of product 1 is 21, needs 3 to 20"));
  auto const counts = [](auto const& all, TestType const* of_each) {
    return gemm::masked(gemm::batched(all, 3, 64 * 20), of_each);
  };
  CHECK_THAT(said_of(numbers{64, 0, 7}, counts), Equals(""));
  CHECK_THAT(said_of(numbers{64, -2, 65}, counts), Equals("the count of product 1 is -2, needs 0 to 64"));
  auto const many = [](auto const& all, TestType const* ends) { return gemm::ragged_rows(all, ends, 70); };
  CHECK_THAT(said_of(many_ends<TestType>(64), many), Equals(""));
  CHECK_THAT(said_of(many_ends<TestType>(63), many), Equals("the end of product 69 is 63, needs 64 to 64"));
}

TEST_CASE("a report of ranges keeps what was found first", "[ragged]") {
  test::device_array<std::int32_t> const wrong(std::vector<std::int32_t>{4, 3}), right(std::vector<std::int32_t>{3, 4}),
      other(std::vector<std::int32_t>{9, 9});
  test::device_array<gemm::range_report> const report(std::vector<gemm::range_report>(1));
  auto const all = gemm::row_major(static_cast<float const*>(nullptr), 8, 2);
  for (std::int32_t const* ends : {right.data(), wrong.data(), other.data(), right.data()}) {
    REQUIRE(gemm::check_ranges(gemm::ragged_rows(all, ends, 2), report.data()));
  }
  CHECK_THAT(gemm::range_status(report.data()).message(), Equals("the end of product 1 is 3, needs 4 to 8"));
}

TEST_CASE("what a check of ranges lacks is said", "[ragged][validation]") {
  auto const all = gemm::row_major(static_cast<float const*>(nullptr), 8, 2);
  std::int32_t const* const none = nullptr;
  test::device_array<gemm::range_report> const report(std::vector<gemm::range_report>(1));
  CHECK_THAT(gemm::check_ranges(gemm::ragged_rows(all, none, 2), nullptr).message(),
             Equals("report is null, needs a range_report in device memory"));
  CHECK_THAT(gemm::check_ranges(gemm::ragged_rows(all, none, 2), report.data()).message(),
             Equals("ends is null, needs 2 numbers"));
  CHECK_THAT(gemm::check_ranges(gemm::masked(gemm::batched(all, 2, 16), none), report.data()).message(),
             Equals("counts is null, needs 2 numbers"));
  CHECK_THAT(gemm::range_status(nullptr).message(), Equals("report is null, needs a range_report in device memory"));
  CHECK_THAT(gemm::check_ranges(gemm::ragged_rows(all, none, 0), report.data()).message(), Equals(""));
  CHECK_THAT(gemm::range_status(report.data()).message(), Equals(""));
}
