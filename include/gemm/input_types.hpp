// SPDX-License-Identifier: BSL-1.0
//! @file
//! The two element types that a product multiplies, A's and B's.
#pragma once

#include <cuda_fp8.h>

#include <cstddef>
#include <string_view>
#include <type_traits>

#include <gemm/element.hpp>

namespace gemm::detail {

template <class T>
inline constexpr bool is_fp8 = std::is_same_v<T, __nv_fp8_e4m3> || std::is_same_v<T, __nv_fp8_e5m2>;

/// Whether kernels multiply elements of A with those of B.
template <class A, class B>
inline constexpr bool are_multiplied = std::is_same_v<A, B> || (is_fp8<A> && is_fp8<B>);

/// Whether kernels for such inputs take elements of A and of B: any two of a list's. Of inputs that are pairs a
/// specialisation says it.
template <class Inputs, class A, class B>
inline constexpr bool accepts_inputs = lists<Inputs, A>&& lists<Inputs, B>;

/// The characters of two names and an underscore.
template <class A, class B>
struct joined_names {
  static constexpr std::string_view a = element_traits<A>::name, b = element_traits<B>::name;
  char text[a.size() + 1 + b.size()]{};

  constexpr joined_names() {
    std::size_t end = 0;
    for (std::string_view const part : {a, std::string_view("_"), b}) {
      for (char const letter : part) {
        text[end++] = letter;
      }
    }
  }
};
template <class A, class B>
inline constexpr joined_names<A, B> names_of_both{};

/// The name of a product's inputs, as tables and tuning caches have it: their type's, or both.
template <class A, class B>
inline constexpr std::string_view input_name = {names_of_both<A, B>.text, sizeof(names_of_both<A, B>.text)};
template <class T>
inline constexpr std::string_view input_name<T, T> = element_traits<T>::name;

}  // namespace gemm::detail
