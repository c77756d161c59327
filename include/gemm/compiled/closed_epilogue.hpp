// SPDX-License-Identifier: BSL-1.0
//! @file
//! Epilogues of the compiled library, composed with `|`: bias, activation, residual, amax, scale, in this order.
#pragma once

#include <gemm/gemm.h>
#include <gemm/compiled/views.hpp>

#include <cstdint>
#include <type_traits>

namespace gemm {
#if defined(GEMM_DETAIL_HEADERS)
namespace compiled {
#else
inline namespace compiled {
#endif
namespace detail {

/// The steps that an epilogue has, from `first` to `last`, and their names; 0 and null where it has none.
struct steps {
  enum kind { none, bias, activation, residual, amax, scale, scale_at };
  gemm_epilogue values = gemm_default_epilogue();  ///< but for the residual
  gemm_matrix residual_matrix{};                   ///< where values.residual_factor is used
  bool has_residual = false;
  int first = none, last = none;
  char const *first_name = nullptr, *last_name = nullptr;
  char const *misplaced = nullptr, *before_it = nullptr;  ///< the step that comes too late, and the one before it
  char const* null = nullptr;                             ///< the step whose pointer is null, which C takes for none

  steps() {}
  steps(kind step, char const* name) : first(step), last(step), first_name(name), last_name(name) {}
};

/// The steps of one, then those of the other.
inline steps joined(steps const& one, steps const& other) {
  if (one.last == steps::none || other.first == steps::none) {
    return one.last == steps::none ? other : one;
  }
  steps result = one;
  result.last = other.last;
  result.last_name = other.last_name;
  if (one.misplaced == nullptr) {
    bool const late = one.last >= other.first;
    result.misplaced = late ? other.first_name : other.misplaced;
    result.before_it = late ? one.last_name : other.before_it;
  }
  result.null = one.null != nullptr ? one.null : other.null;
  gemm_epilogue const& from = other.values;
  gemm_epilogue& to = result.values;
  if (from.bias_kind != GEMM_NO_BIAS) {
    to.bias = from.bias;
    to.bias_count = from.bias_count;
    to.bias_kind = from.bias_kind;
    to.bias_type = from.bias_type;
  }
  to.activation = from.activation != GEMM_NO_ACTIVATION ? from.activation : to.activation;
  if (other.has_residual) {
    result.has_residual = true;
    result.residual_matrix = other.residual_matrix;
    to.residual_factor = from.residual_factor;
  }
  to.scale *= from.scale;
  to.scale_at = from.scale_at != nullptr ? from.scale_at : to.scale_at;
  to.amax = from.amax != nullptr ? from.amax : to.amax;
  return result;
}

inline steps activation(gemm_activation kind, char const* name) {
  steps result(steps::activation, name);
  result.values.activation = static_cast<std::int32_t>(kind);
  return result;
}

}  // namespace detail

/// The value as it is.
struct identity {};
/// max(value, 0). NaN stays NaN.
struct relu {};
/// value * Phi(value), Phi the normal distribution function.
struct gelu {};
/// gelu's approximation by the hyperbolic tangent.
struct gelu_tanh {};
/// value * sigmoid(value).
struct silu {};
/// 1 / (1 + exp(-value)).
struct sigmoid {};

/// A composition of the steps that are compiled. A call refuses one that is not in their order, or comes twice.
struct epilogue {
  detail::steps steps;  ///< not for users

  /// The value as it is.
  epilogue(identity) {}
  /// The activation.
  epilogue(relu) : steps(detail::activation(GEMM_RELU, "relu")) {}
  /// The activation.
  epilogue(gelu) : steps(detail::activation(GEMM_GELU, "gelu")) {}
  /// The activation.
  epilogue(gelu_tanh) : steps(detail::activation(GEMM_GELU_TANH, "gelu_tanh")) {}
  /// The activation.
  epilogue(silu) : steps(detail::activation(GEMM_SILU, "silu")) {}
  /// The activation.
  epilogue(sigmoid) : steps(detail::activation(GEMM_SIGMOID, "sigmoid")) {}
  /// Not for users.
  explicit epilogue(detail::steps const& all) : steps(all) {}
  /// Any other: a message.
  template <class Functor, class = std::enable_if_t<std::is_class<Functor>::value>>
  epilogue(Functor const&) {
    static_assert(sizeof(Functor) == 0,
                  "gemm: the compiled library has the epilogues bias, row_bias, relu, gelu, gelu_tanh, silu, sigmoid, "
                  "residual, amax and scale. Any other, and functors of your own, need gemm/gemm.cuh and nvcc.");
  }
};

/// First, then second.
inline epilogue operator|(epilogue const& first, epilogue const& second) {
  return epilogue(detail::joined(first.steps, second.steps));
}

namespace detail {

inline epilogue bias_of(gemm_bias_kind kind, void const* values, element_type type, std::int64_t length) {
  steps result(steps::bias, kind == GEMM_BIAS_PER_ROW ? "row_bias" : "bias");
  result.values.bias = values;
  result.values.bias_kind = static_cast<std::int32_t>(kind);
  result.values.bias_type = static_cast<std::int32_t>(type);
  result.values.bias_count = length;
  return epilogue(result);
}

}  // namespace detail

/// Adds values[column].
///
/// @param values  one per column of C, in device memory
/// @param type  C's, but float for a C of int8, int32 or fp8
/// @param length  how many there are; if not negative, a call checks that it covers C
inline epilogue bias(void const* values, element_type type, std::int64_t length = -1) {
  return detail::bias_of(GEMM_BIAS_PER_COLUMN, values, type, length);
}
/// Adds values[row], one per row of C; otherwise as bias().
inline epilogue row_bias(void const* values, element_type type, std::int64_t length = -1) {
  return detail::bias_of(GEMM_BIAS_PER_ROW, values, type, length);
}

// The same, of pointers that say their type.
#define GEMM_DETAIL_BIAS(Element, Type)                                       \
  inline epilogue bias(Element const* values, std::int64_t length = -1) {     \
    return bias(static_cast<void const*>(values), Type, length);              \
  }                                                                           \
  inline epilogue row_bias(Element const* values, std::int64_t length = -1) { \
    return row_bias(static_cast<void const*>(values), Type, length);          \
  }
GEMM_DETAIL_BIAS(float, element_type::f32)
GEMM_DETAIL_BIAS(double, element_type::f64)
GEMM_DETAIL_BIAS(__half, element_type::f16)
GEMM_DETAIL_BIAS(__nv_bfloat16, element_type::bf16)
GEMM_DETAIL_BIAS(__nv_fp8_e4m3, element_type::e4m3)
GEMM_DETAIL_BIAS(__nv_fp8_e5m2, element_type::e5m2)
GEMM_DETAIL_BIAS(std::int8_t, element_type::i8)
GEMM_DETAIL_BIAS(std::int32_t, element_type::i32)
#undef GEMM_DETAIL_BIAS

/// Adds factor * r(row, column): a matrix of C's shape, in either order, of C's type or float, and a batch of 1 or
/// C's. It may be C itself.
inline epilogue residual(operand const& r, double factor = 1) {
  detail::steps result(detail::steps::residual, "residual");
  result.has_residual = true;
  result.residual_matrix = r.descriptor;
  result.values.residual_factor = factor;
  return epilogue(result);
}

/// Passes the value on and leaves the greatest magnitude of all elements in *result, one float in device memory,
/// which the call first sets to 0. Null is refused.
inline epilogue amax(float* result) {
  detail::steps steps(detail::steps::amax, "amax");
  steps.values.amax = result;
  steps.null = result == nullptr ? "amax" : nullptr;
  return epilogue(steps);
}

/// value * factor.
inline epilogue scale(double factor) {
  detail::steps result(detail::steps::scale, "scale");
  result.values.scale = factor;
  return epilogue(result);
}
/// value * *factor, one number in device memory; for a C of doubles a double.
inline epilogue scale(float const* factor) {
  detail::steps result(detail::steps::scale_at, "scale");
  result.values.scale_at = factor;
  result.null = factor == nullptr ? "scale" : nullptr;
  return epilogue(result);
}
/// The same for a C of doubles.
inline epilogue scale(double const* factor) {
  detail::steps result(detail::steps::scale_at, "scale");
  result.values.scale_at = factor;
  result.null = factor == nullptr ? "scale" : nullptr;
  return epilogue(result);
}

}  // namespace compiled
}  // namespace gemm
