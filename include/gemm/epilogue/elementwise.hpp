// SPDX-License-Identifier: BSL-1.0
//! @file
//! Epilogues that need nothing but the value: activations, scale, clamp. Each may be used alone or composed with `|`.
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
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return value;
  }
};

/// max(value, 0). NaN stays NaN, unlike fmax.
struct relu {
  using own_epilogue = void;
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return value < V(0) ? V(0) : value;
  }
};

// The activations below are functions of real numbers: sums of integers are to be scaled before.

/// 1 / (1 + exp(-value)): 0 at -infinity, 1 at infinity; NaN stays NaN.
struct sigmoid {
  using own_epilogue = void;
  using needs_real_number = void;
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return V(1) / (V(1) + std::exp(-value));
  }
};

/// The hyperbolic tangent: -1 and 1 at the infinities; NaN stays NaN. Not called tanh: a program with `using namespace
/// gemm` could not call the C library's any more.
struct tanh_activation {
  using own_epilogue = void;
  using needs_real_number = void;
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return std::tanh(value);
  }
};

/// value * sigmoid(value), also called swish (Ramachandran, Zoph, Le 2017). -infinity becomes NaN (infinity /
/// infinity), infinity and NaN stay.
struct silu {
  using own_epilogue = void;
  using needs_real_number = void;
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return value / (V(1) + std::exp(-value));
  }
};

namespace detail {

/// 2^x as the C++ library has it, the larger of two, NaN if one is, and what of x lies from 0 to 1, 0 if it is NaN.
struct library_functions {
  __host__ __device__ static float exp2(float x) { return std::exp2(x); }
  __host__ __device__ static float maximum(float a, float b) { return a != a || b < a ? a : b; }
  __host__ __device__ static float saturated(float x) { return x < 1 ? (x > 0 ? x : 0) : x != x ? 0 : 1; }
};

/// The normal distribution function of -t, by a polynomial that is about its logarithm and beyond its range falls, as
/// it must. Without a branch, so that a thread's elements overlap: std::erf(float) has one (H200, bf16 4096x24576x1536
/// with bias and gelu: 528 us, 575 us by erf).
template <class Functions, int Terms>
__host__ __device__ float normal_tail(float const (&coefficients)[Terms], float t) {
  float log = coefficients[0];
  for (int i = 1; i < Terms; ++i) {
    log = std::fma(log, t, coefficients[i]);
  }
  return Functions::exp2(log);
}

/// The function itself, off by at most 9e-8 (by way of erf it were 6e-8): fitted for t from 0 to 6.5.
template <class Functions>
__host__ __device__ float normal_distribution(float value) {
  constexpr float coefficients[] = {-1.39960366e-6f, 2.33327937e-5f,  -1.16128009e-4f, -2.89938005e-4f, 7.24114990e-3f,
                                    -5.26038185e-2f, -4.59177375e-1f, -1.15110850f,    -0.99999994f};
  float const tail = normal_tail<Functions>(coefficients, std::fabs(value));
  return value < 0 ? tail : 1 - tail;
}

/// gelu, as max(value, 0) less what is missing: two instructions fewer than value * Phi(value). The tail is off by at
/// most 7.7e-4 of itself down to -4.5, where gelu is -1.5e-5, and farther out gelu by at most 2.1e-8; a term more made
/// it 3.7e-4 down to -6 (H200, bf16 4096^3: see below). t is in sixteenths, so that one instruction takes the magnitude
/// and keeps infinity from being multiplied by 0: 16 and more is as good as infinity, and its tail less than 2^-126.
template <class Functions>
__host__ __device__ float rough_gelu(float value) {
  constexpr float coefficients[] = {2.297993517e-3f * 0x1p16f, -3.468130901e-2f * 0x1p12f, -4.852673113e-1f * 0x1p8f,
                                    -1.137718201f * 0x1p4f, -1.001102805f + 4};
  float const t = Functions::saturated(std::fabs(value) * 0x1p-4f);
  return std::fma(-t, normal_tail<Functions>(coefficients, t), Functions::maximum(value, 0));
}

}  // namespace detail

/// value * Phi(value), Phi the normal distribution function (Hendrycks, Gimpel 2016). -infinity becomes NaN (infinity *
/// 0), infinity and NaN stay. Where it comes last and C is bf16, off by less than a fifth of a unit in C's last place
/// or by 2.1e-8, and of -infinity 0.
struct gelu {
  using own_epilogue = void;
  using needs_real_number = void;
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    if constexpr (std::is_same_v<V, float>) {
      return value * detail::normal_distribution<detail::library_functions>(value);
    } else {
      constexpr V half = V(0.5), root_half = V(0.70710678118654752440);
      return half * value * (V(1) + std::erf(value * root_half));
    }
  }

  /// H200, bf16 4096^3 with bias: 2.7 % more than without an epilogue, 3.1 % with a tail of one term more.
  template <class Out, class Functions>
  __host__ __device__ float last(float value) const {
    if constexpr (std::is_same_v<Out, __nv_bfloat16>) {
      return detail::rough_gelu<Functions>(value);
    } else {
      return value * detail::normal_distribution<Functions>(value);
    }
  }
};

/// gelu by its approximation 0.5 v (1 + tanh(sqrt(2 / pi) (v + 0.044715 v^3))), off by up to 5e-4 (ibid.). -infinity
/// becomes NaN, infinity and NaN stay.
struct gelu_tanh {
  using own_epilogue = void;
  using needs_real_number = void;
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

/// value * factor. With a floating-point factor, sums of integers become floating-point: the way from int32_t sums to a
/// scaled int8_t, __half or float C. Integers by integers wrap round modulo 2^32.
template <class S>
detail::scaled_by<S> scale(S factor) {
  return {factor};
}

/// The value, but at least low and at most high. NaN stays NaN. A call refuses low > high and NaN.
template <class S>
detail::clamped_to<S> clamp(S low, std::type_identity_t<S> high) {
  return {low, high};
}

}  // namespace gemm
