// SPDX-License-Identifier: BSL-1.0
//! @file
//! The arguments of a call behind C: options, an epilogue, or both. What is neither is refused by its name.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/epilogue/elementwise.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/plain_view.hpp>
#include <gemm/scales.hpp>

namespace gemm::detail {

/// The accumulator's type of views; float where they are not views, so that run() itself can say so.
template <class A>
struct scalar_of {
  using type = float;
};
template <matrix_view A>
requires input_element<typename A::value_type>
struct scalar_of<A> {
  using type = accumulator<typename A::value_type>;
};
template <class A>
requires is_scaled<A>
struct scalar_of<A> : scalar_of<viewed<A>> {
};
template <class A>
requires(!std::is_same_v<plain_view_of<A>, A>) struct scalar_of<A> : scalar_of<plain_view_of<A>> {
};

template <class A>
using options_for = std::type_identity_t<options<typename scalar_of<A>::type>>;

/// An mdspan, of any rank and layout, which is no view yet.
template <class M>
concept any_mdspan = requires(M const& m) {
  M::rank();
  m.data_handle();
  m.mapping();
};

/// Whether an argument may be an epilogue. What callers pass by mistake is refused by its name.
template <class Epilogue>
constexpr bool check_epilogue_argument() {
  using type = std::remove_cvref_t<Epilogue>;
  constexpr bool number = std::is_arithmetic_v<type>, space = std::is_same_v<type, workspace>;
  constexpr bool matrix = any_mdspan<type> || is_matrix<type> || is_scaled<type>;
  constexpr bool stream = !matrix && !number && std::is_convertible_v<type, cudaStream_t>;
  static_assert(!stream, "gemm: the stream is one of the options. Write run(A, B, C, {.stream = stream}).");
  static_assert(!number, "gemm: alpha and beta are options. Write run(A, B, C, {.alpha = 2, .beta = 1}).");
  static_assert(!space, "gemm: the workspace is one of the options. Write run(A, B, C, {.workspace = memory}).");
  static_assert(!matrix,
                "gemm: a fourth matrix is part of an epilogue. Write gemm::residual(matrix) to add it, or "
                "gemm::store(matrix) to write to it.");
  return !stream && !number && !space && !matrix;
}

/// Whether a fourth argument is of the type of the options. Braces are: they deduce none, and it is the default.
template <class A, class Fourth>
inline constexpr bool are_options = std::is_same_v<Fourth, options_for<A>>;

template <class>
inline constexpr bool is_options = false;
template <class Scalar>
inline constexpr bool is_options<options<Scalar>> = true;

/// A fourth argument that is not converted to the options must be an epilogue, and the last argument.
template <class A, class Fourth, class Fifth>
constexpr bool check_fourth() {
  if constexpr (std::is_convertible_v<Fourth, options_for<A>>) {
    return true;
  } else {
    constexpr bool other = is_options<Fourth>;
    static_assert(
        !other,
        "gemm: the options are of the accumulator's type: gemm::options<double> for double, of std::int32_t for "
        "int8_t, of float for all others. A real factor of int8_t is the epilogue gemm::scale.");
    if constexpr (!other && check_epilogue_argument<Fourth>()) {
      constexpr bool last = std::is_same_v<Fifth, identity>;
      static_assert(last, "gemm: an epilogue is the last argument. Write run(A, B, C, {.alpha = 2}, epilogue).");
      return last;
    }
    return false;
  }
}

/// The options of a call with these arguments behind C.
template <class A, class Fourth>
options_for<A> options_in(Fourth const& fourth) {
  if constexpr (std::is_convertible_v<Fourth, options_for<A>>) {
    return fourth;
  } else {
    return {};
  }
}

/// The epilogue of such a call.
template <class A, class Fourth, class Fifth>
auto epilogue_in(Fourth const& fourth, Fifth const& fifth) {
  if constexpr (std::is_convertible_v<Fourth, options_for<A>>) {
    return fifth;
  } else {
    return fourth;
  }
}

}  // namespace gemm::detail
