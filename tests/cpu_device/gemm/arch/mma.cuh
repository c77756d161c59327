// SPDX-License-Identifier: BSL-1.0
//! @file
//! mma.sync: the CPU device's bodies of include/gemm/arch/mma.cuh.
//!
//! The sum of an instruction's products and of C is exact but for double's rounding, and is rounded once to C's type:
//! what tensor cores truncate before they add, which depends on the GPU, is not modelled.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include <gemm/arch/mma_atom.hpp>
#include <gemm/element.hpp>

namespace gemm::arch {

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
    registers<Atom> const& of = *static_cast<registers<Atom> const*>(lanes[lane]);
    for (int e = 0; e < Atom::elements_a; ++e) {
      mma_place const at = Atom::place_a(lane, e);
      a[at.row][at.column] = static_cast<exact>(element_of<element>(of.a, e));
    }
    for (int e = 0; e < Atom::elements_b; ++e) {
      mma_place const at = Atom::place_b(lane, e);
      b[at.row][at.column] = static_cast<exact>(element_of<typename Atom::element_b>(of.b, e));
    }
    for (int e = 0; e < Atom::elements_c; ++e) {
      mma_place const at = Atom::place_c(lane, e);
      accum value;
      std::memcpy(&value, accum_at(lane, e), sizeof(value));
      c[at.row][at.column] = static_cast<exact>(detail::widen(value));
    }
  }
  for (int i = 0; i < Atom::m; ++i) {
    for (int l = 0; l < Atom::k; ++l) {
      for (int j = 0; j < Atom::n; ++j) {
        c[i][j] += a[i][l] * b[l][j];
      }
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    for (int e = 0; e < Atom::elements_c; ++e) {
      mma_place const at = Atom::place_c(lane, e);
      accum value;
      if constexpr (std::is_integral_v<accum>) {
        value = static_cast<accum>(c[at.row][at.column]);
      } else {
        value = detail::convert<accum>(c[at.row][at.column]);
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
