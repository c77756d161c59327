// SPDX-License-Identifier: BSL-1.0
//! @file
//! Processes that share the policies test each of them once.

#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>

#include "share.hpp"

TEST_CASE("shares of the policies have each policy once", "[share]") {
  for (std::string const test_case : {"", "sizes of zero - test::f32", "denormals are kept - test::f16"}) {
    for (int const count : {1, 2, 7, 48}) {
      for (std::size_t policy = 0; policy < 100; ++policy) {
        int times = 0;
        for (int number = 1; number <= count; ++number) {
          std::string const text = std::to_string(number) + "/" + std::to_string(count);
          times += test::share_of(text.c_str(), test_case).has(policy);
        }
        CHECK(times == 1);
      }
    }
  }
  CHECK(test::share_of(nullptr, "any").has(17));
}

TEST_CASE("a share that there is not is refused", "[share]") {
  for (char const* const text : {"", "3", "0/4", "5/4", "x/4", "1/"}) {
    CHECK_THROWS_AS(test::share_of(text, "any"), std::invalid_argument);
  }
}
