// SPDX-License-Identifier: BSL-1.0
//! @file
//! Epilogues of the value alone: activations, scale, clamp.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/epilogue/compose.hpp>
#include <gemm/status.hpp>

namespace gemm {

/// The value as it is.
struct identity {
  using own_epilogue = void;
  /// Applies it to an element.
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return value;
  }
};

/// max(value, 0). NaN stays NaN, unlike fmax.
struct relu {
  using own_epilogue = void;
  /// Applies it to an element.
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return value < V(0) ? V(0) : value;
  }
};

// The activations below are functions of real numbers: scale() integers first.

/// 1 / (1 + exp(-value)): 0 at -infinity, 1 at infinity; NaN stays NaN.
struct sigmoid {
  using own_epilogue = void;
  using needs_real_number = void;
  /// Applies it to an element.
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return V(1) / (V(1) + std::exp(-value));
  }
};

/// The hyperbolic tangent: -1 and 1 at the infinities; NaN stays NaN. Not called tanh, which `using namespace gemm`
/// would make ambiguous.
struct tanh_activation {
  using own_epilogue = void;
  using needs_real_number = void;
  /// Applies it to an element.
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return std::tanh(value);
  }
};

/// value * sigmoid(value), also called swish. -infinity becomes NaN (infinity / infinity), infinity and NaN stay.
/// Source: Ramachandran, Zoph, Le, Searching for Activation Functions, 2017.
struct silu {
  using own_epilogue = void;
  using needs_real_number = void;
  /// Applies it to an element.
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return value / (V(1) + std::exp(-value));
  }
};

namespace detail {

/// 2^x, the maximum (NaN if one is), and x clamped to [0, 1] (0 if NaN), by the C++ library.
struct library_functions {
  __host__ __device__ static float exp2(float x) { return std::exp2(x); }
  __host__ __device__ static float maximum(float a, float b) { return a != a || b < a ? a : b; }
  __host__ __device__ static float saturated(float x) { return x < 1 ? (x > 0 ? x : 0) : x != x ? 0 : 1; }
};

/// The normal distribution function of -t, by a polynomial for its logarithm that decreases beyond its range. It has no
/// branch, unlike std::erf(float), so a thread's elements overlap (docs/tuning-notes.md, gelu).
template <class Functions, int Terms>
__host__ __device__ float normal_tail(float const (&coefficients)[Terms], float t) {
  float log = coefficients[0];
  for (int i = 1; i < Terms; ++i) {
    log = std::fma(log, t, coefficients[i]);
  }
  return Functions::exp2(log);
}

/// The normal distribution function, with an absolute error of at most 9e-8; fitted for t from 0 to 6.5.
template <class Functions>
__host__ __device__ float normal_distribution(float value) {
  constexpr float coefficients[] = {-1.39960366e-6f, 2.33327937e-5f,  -1.16128009e-4f, -2.89938005e-4f, 7.24114990e-3f,
                                    -5.26038185e-2f, -4.59177375e-1f, -1.15110850f,    -0.99999994f};
  float const tail = normal_tail<Functions>(coefficients, std::fabs(value));
  return value < 0 ? tail : 1 - tail;
}

/// gelu as max(value, 0) - |value| Phi(-|value|), two instructions fewer than value * Phi(value). The relative error of
/// the second term is at most 7.7e-4 down to -4.5; below that gelu's absolute error is at most 2.1e-8.
///
/// t is the magnitude in sixteenths, saturated at 1: one instruction, and infinity is not multiplied by 0. From 16 on
/// the tail is below 2^-126.
template <class Functions>
__host__ __device__ float rough_gelu(float value) {
  constexpr float coefficients[] = {2.297993517e-3f * 0x1p16f, -3.468130901e-2f * 0x1p12f, -4.852673113e-1f * 0x1p8f,
                                    -1.137718201f * 0x1p4f, -1.001102805f + 4};
  float const t = Functions::saturated(std::fabs(value) * 0x1p-4f);
  return std::fma(-t, normal_tail<Functions>(coefficients, t), Functions::maximum(value, 0));
}

}  // namespace detail

/// value * Phi(value), Phi the normal distribution function. -infinity becomes NaN (infinity * 0); infinity and NaN
/// stay. As the last epilogue of a bf16 C its error is below a fifth of a unit in C's last place, or 2.1e-8. There
/// -infinity becomes 0. Source: Hendrycks, Gimpel, Gaussian Error Linear Units, 2016.
struct gelu {
  using own_epilogue = void;
  using needs_real_number = void;
  /// Applies it to an element.
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    if constexpr (std::is_same_v<V, float>) {
      return value * detail::normal_distribution<detail::library_functions>(value);
    } else {
      constexpr V half = V(0.5), root_half = V(0.70710678118654752440);
      return half * value * (V(1) + std::erf(value * root_half));
    }
  }

  /// Applies it to an element that is at once converted to Out, no more accurate than Out can tell.
  template <class Out, class Functions>
  __host__ __device__ float last(float value) const {
    if constexpr (std::is_same_v<Out, __nv_bfloat16>) {
      return detail::rough_gelu<Functions>(value);
    } else {
      return value * detail::normal_distribution<Functions>(value);
    }
  }
};

/// gelu's approximation 0.5 v (1 + tanh(sqrt(2 / pi) (v + 0.044715 v^3))). Its error is at most 5e-4. -infinity becomes
/// NaN; infinity and NaN stay. Source: as of gelu.
struct gelu_tanh {
  using own_epilogue = void;
  using needs_real_number = void;
  /// Applies it to an element.
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    constexpr V half = V(0.5), root = V(0.79788456080286535588), cubic = V(0.044715);
    return half * value * (V(1) + std::tanh(root * (value + cubic * value * value * value)));
  }
};

namespace detail {

template <class S>
struct scaled_by {
  using own_epilogue = void;
  S factor;
  template <class V>
  __host__ __device__ combined<V, S> operator()(V value, std::int64_t, std::int64_t) const {
    using type = combined<V, S>;
    return multiply(static_cast<type>(value), static_cast<type>(factor));
  }
};

template <class T>
struct scaled_by_number_at {
  using own_epilogue = void;
  T const* factor;

  template <class V>
  __host__ __device__ combined<V, T> operator()(V value, std::int64_t, std::int64_t) const {
    using type = combined<V, T>;
    return multiply(static_cast<type>(value), static_cast<type>(widen(*factor)));
  }

  status check(std::int64_t, std::int64_t, std::int64_t) const {
    return factor != nullptr ? status{}
                             : status{status_code::invalid_argument, cudaSuccess, "scale is null, needs one number"};
  }
};

template <class S>
struct clamped_to {
  using own_epilogue = void;
  S low, high;
  template <class V>
  __host__ __device__ combined<V, S> operator()(V value, std::int64_t, std::int64_t) const {
    using type = combined<V, S>;
    auto const v = static_cast<type>(value), least = static_cast<type>(low), greatest = static_cast<type>(high);
    return v < least ? least : v > greatest ? greatest : v;
  }

  status check(std::int64_t, std::int64_t, std::int64_t) const {
    if (!(low <= high)) {  // so that NaN is refused
      return {status_code::invalid_argument, cudaSuccess, "clamp's low is %g, needs at most high, %g",
              static_cast<double>(low), static_cast<double>(high)};
    }
    return {};
  }
};

}  // namespace detail

/// value * factor. With a floating-point factor, integers become floating-point: so int32 accumulators are scaled to an
/// int8, half or float C. Integers by integers wrap modulo 2^32.
template <class S>
requires(!std::is_pointer_v<S>) detail::scaled_by<S> scale(S factor) { return {factor}; }

/// value * *factor, one number in device memory, of any element type; otherwise as scale of a number. It is read when
/// the stream does the work. A call refuses a null pointer.
template <class T>
detail::scaled_by_number_at<T> scale(T const* factor) {
  return {factor};
}

/// The value, at least low and at most high. NaN stays NaN. A call refuses low > high and a NaN in them.
template <class S>
detail::clamped_to<S> clamp(S low, std::type_identity_t<S> high) {
  return {low, high};
}

}  // namespace gemm
