// SPDX-License-Identifier: BSL-1.0
//! @file
//! The policies that a process tests, where several share them.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>

namespace test {

/// Every count-th policy, from one on.
struct share {
  std::size_t first = 0, count = 1;

  bool has(std::size_t policy) const { return policy % count == first; }
};

/// The share of a test case by the text "3/16", which names the third of 16 processes; all policies without a text.
/// The first policy differs from case to case, so that processes have as much to do where a case has few policies.
inline share share_of(char const* text, std::string const& test_case) {
  if (text == nullptr) {
    return {};
  }
  char* rest = nullptr;
  std::size_t const number = std::strtoul(text, &rest, 10);
  std::size_t const count = *rest == '/' ? std::strtoul(rest + 1, nullptr, 10) : 0;
  if (number < 1 || number > count) {
    throw std::invalid_argument(std::string("GEMM_TEST_SHARE is \"") + text + "\", must be such as 3/16");
  }
  return {(number + std::hash<std::string>{}(test_case)) % count, count};
}

}  // namespace test
