// SPDX-License-Identifier: BSL-1.0
//! @file
//! What can be asked of policies is answered whatever the sizes, strides and batches: no integer overflows on the way,
//! and nothing is divided by 0, which the undefined behaviour sanitizer sees. Those of float: any_size_float_test; the
//! library's choice: any_size_choice_test.

#include <catch2/catch_test_macros.hpp>

#include "../support/any_size.hpp"

TEST_CASE("policies of all types answer for products of any size", "[any_size]") {
  test::ask_all<test::f32>(test::all_policies{});
  test::ask_all<test::f64>(test::rung_policies{});
  test::ask_all<test::s8_s32>(test::rung_policies{});
}

TEST_CASE("tensor cores answer for products of any size", "[any_size]") {
  test::ask_all<test::f16>(test::every_tensor_policy{});
  test::ask_all<test::tf32_f32>(test::every_tf32_policy{});
}
