// SPDX-License-Identifier: BSL-1.0
//! @file
//! A view without what a derived one has besides: a matrix, or one with scales.
#pragma once

#include <type_traits>

#include <gemm/cxx20.hpp>

namespace gemm::detail {

/// Of ragged rows that of all rows, of a batch of pointers that of its matrices: what such a view is derived from.
template <class View>
struct plain_view_type {
  using type = View;
};
template <template <class> class With, class View>
requires std::is_base_of_v<View, With<View>>
struct plain_view_type<With<View>> : plain_view_type<View> {
};
template <class View>
using plain_view_of = typename plain_view_type<View>::type;
template <class View>
constexpr plain_view_of<View> const& plain_view(View const& m) {
  return m;
}

}  // namespace gemm::detail
