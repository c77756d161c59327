// SPDX-License-Identifier: BSL-1.0
//! @file
//! mma.sync: the CPU device's bodies of include/gemm/arch/mma.cuh.
//!
//! The sum of an instruction's products and of C is exact but for double's rounding, and is rounded once to C's type:
//! what tensor cores truncate before they add, which depends on the GPU, is not modelled but for fp8, where it counts.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <gemm/arch/mma_atom.hpp>
#include <gemm/element.hpp>

namespace gemm::arch {

/// As documented there, of the GPUs that keep the fewest.
template <class Atom>
constexpr bool mma_truncates() {
  return sizeof(typename Atom::element) == 1 && std::is_same_v<typename Atom::accum, float>;
}

namespace mma_detail {

/// Element e of a lane's registers, as it is multiplied.
template <class T, class Word>
auto element_of(Word const* words, int e) {
  T value;
  std::memcpy(&value, reinterpret_cast<unsigned char const*>(words) + e * static_cast<int>(sizeof(T)), sizeof(T));
  if constexpr (std::is_same_v<T, tf32>) {
    return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, value.bits) & 0xffffe000);
  } else {
    return detail::widen(value);
  }
}

template <class Atom>
struct registers {
  typename Atom::accum_word* c;
  typename Atom::word const *a, *b;
};

/// A sum of Count products and of an accumulator of which, as in wgmma's model, all are truncated at the 13th bit below
/// the largest. A product's exponent is the sum of its factors' exponents.
template <int Count, class A, class B>
double truncated_sum(double accum, A a, B b) {
  double exact = accum, largest = cpu_device::power_of(accum);
  for (int l = 0; l < Count; ++l) {
    double const power = cpu_device::power_of(a(l)) * cpu_device::power_of(b(l));
    largest = largest > power ? largest : power;
    exact += a(l) * b(l);
  }
  if (!(largest > 0) || exact - exact != 0) {  // infinite or NaN
    return exact;
  }
  double const unit = largest * 0x1p-13;
  double sum = std::trunc(accum / unit);
  for (int l = 0; l < Count; ++l) {
    sum += std::trunc(a(l) * b(l) / unit);
  }
  return sum * unit;
}

/// Optimised in every configuration, as wgmma's is.
template <class Atom>
[[gnu::optimize("O3")]] void multiply(void* const* lanes, unsigned) {
  using element = typename Atom::element;
  using accum = typename Atom::accum;
  using exact = std::conditional_t<std::is_integral_v<accum>, std::uint32_t, double>;
  exact a[Atom::m][Atom::k], b[Atom::k][Atom::n], c[Atom::m][Atom::n];
  auto const accum_at = [&](int lane, int e) {
    return reinterpret_cast<unsigned char*>(static_cast<registers<Atom>*>(lanes[lane])->c) +
           e * static_cast<int>(sizeof(accum));
  };
  for (int lane = 0; lane < 32; ++lane) {
    registers<Atom> const& operands = *static_cast<registers<Atom> const*>(lanes[lane]);
    for (int e = 0; e < Atom::elements_a; ++e) {
      mma_position const position = Atom::position_a(lane, e);
      a[position.row][position.column] = static_cast<exact>(element_of<element>(operands.a, e));
    }
    for (int e = 0; e < Atom::elements_b; ++e) {
      mma_position const position = Atom::position_b(lane, e);
      b[position.row][position.column] = static_cast<exact>(element_of<typename Atom::element_b>(operands.b, e));
    }
    for (int e = 0; e < Atom::elements_c; ++e) {
      mma_position const position = Atom::position_c(lane, e);
      accum value;
      std::memcpy(&value, accum_at(lane, e), sizeof(value));
      c[position.row][position.column] = static_cast<exact>(detail::widen(value));
    }
  }
  for (int i = 0; i < Atom::m; ++i) {
    if constexpr (mma_truncates<Atom>()) {
      for (int j = 0; j < Atom::n; ++j) {
        c[i][j] = truncated_sum<Atom::k>(
            c[i][j], [&](int l) { return a[i][l]; }, [&](int l) { return b[l][j]; });
      }
    } else {
      for (int l = 0; l < Atom::k; ++l) {
        for (int j = 0; j < Atom::n; ++j) {
          c[i][j] += a[i][l] * b[l][j];
        }
      }
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    for (int e = 0; e < Atom::elements_c; ++e) {
      mma_position const position = Atom::position_c(lane, e);
      accum value;
      if constexpr (std::is_integral_v<accum>) {
        value = static_cast<accum>(c[position.row][position.column]);
      } else {
        value = detail::convert<accum>(c[position.row][position.column]);
      }
      std::memcpy(accum_at(lane, e), &value, sizeof(value));
    }
  }
}

}  // namespace mma_detail

/// As documented there.
template <class Atom>
__device__ inline void mma(typename Atom::accum_word (&c)[Atom::words_c], typename Atom::word const (&a)[Atom::words_a],
                           typename Atom::word const (&b)[Atom::words_b],
                           cpu_device::call_site where = cpu_device::call_site::current()) {
  mma_detail::registers<Atom> mine{c, a, b};
  cpu_device::warp_collective("mma", 0xffffffffu, &mine, &mma_detail::multiply<Atom>, where);
}

/// As documented there, of the GPU that the CPU device pretends to be.
__device__ inline std::uint32_t round_to_tf32(std::uint32_t bits) {
  constexpr std::uint32_t exponent = 0x7f800000, half = 0x1000, dropped = 0x1fff;
  if (cpu_device::current_options().device.compute_capability_major < 9) {
    return (bits & exponent) == exponent ? bits : (bits + half) & ~dropped;
  }
  return __builtin_bit_cast(std::uint32_t, static_cast<float>(tf32(__builtin_bit_cast(float, bits))));
}

}  // namespace gemm::arch
