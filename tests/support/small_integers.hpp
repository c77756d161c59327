// SPDX-License-Identifier: BSL-1.0
//! @file
//! Elements whose sums of products are exact in every type.
#pragma once

#include <concepts>
#include <cstddef>
#include <vector>

namespace test {

/// So many integers from -2 to 2; another seed shifts them.
template <class T, std::integral Count>
std::vector<T> numbers(Count count, std::size_t seed) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>(static_cast<float>(static_cast<int>((i * 7 + i / 5 + seed) % 5) - 2));
  }
  return values;
}

}  // namespace test
