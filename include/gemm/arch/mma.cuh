// SPDX-License-Identifier: BSL-1.0
//! @file
//! mma.sync: C += A B by a warp, with all three matrices in its registers (sm_80 and later).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/mma_atom.hpp>

namespace gemm::arch {

// The text of the forms of 32 bytes, whose C has two or four registers.
#define GEMM_MMA_4(form, letter)                                                                           \
  asm volatile("mma.sync.aligned." form " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
               : "+" letter(c[0]), "+" letter(c[1]), "+" letter(c[2]), "+" letter(c[3])                    \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define GEMM_MMA_2(form)                                                                   \
  asm volatile("mma.sync.aligned." form " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};" \
               : "+r"(c[0]), "+r"(c[1])                                                    \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))

/// The atom's instruction, by the whole warp | PTX ISA 7.0, section "mma", sm_80 | mma_atom.hpp says what the registers
/// hold.
template <class Atom>
__device__ inline void mma(typename Atom::accum_word (&c)[Atom::words_c], typename Atom::word const (&a)[Atom::words_a],
                           typename Atom::word const (&b)[Atom::words_b]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<Atom, mma_f16>) {
    GEMM_MMA_4("m16n8k16.row.col.f32.f16.f16.f32", "f");
  } else if constexpr (std::is_same_v<Atom, mma_bf16>) {
    GEMM_MMA_4("m16n8k16.row.col.f32.bf16.bf16.f32", "f");
  } else if constexpr (std::is_same_v<Atom, mma_f16_f16>) {
    GEMM_MMA_2("m16n8k16.row.col.f16.f16.f16.f16");
  } else if constexpr (std::is_same_v<Atom, mma_tf32>) {
    GEMM_MMA_4("m16n8k8.row.col.f32.tf32.tf32.f32", "f");
  } else if constexpr (std::is_same_v<Atom, mma_s8>) {
    GEMM_MMA_4("m16n8k32.row.col.s32.s8.s8.s32", "r");
#if __CUDA_ARCH__ >= 890
  } else if constexpr (std::is_same_v<Atom, mma_fp8<__nv_fp8_e4m3, __nv_fp8_e4m3>>) {
    GEMM_MMA_4("m16n8k32.row.col.f32.e4m3.e4m3.f32", "f");
  } else if constexpr (std::is_same_v<Atom, mma_fp8<__nv_fp8_e4m3, __nv_fp8_e5m2>>) {
    GEMM_MMA_4("m16n8k32.row.col.f32.e4m3.e5m2.f32", "f");
  } else if constexpr (std::is_same_v<Atom, mma_fp8<__nv_fp8_e5m2, __nv_fp8_e4m3>>) {
    GEMM_MMA_4("m16n8k32.row.col.f32.e5m2.e4m3.f32", "f");
  } else if constexpr (std::is_same_v<Atom, mma_fp8<__nv_fp8_e5m2, __nv_fp8_e5m2>>) {
    GEMM_MMA_4("m16n8k32.row.col.f32.e5m2.e5m2.f32", "f");
#endif
  } else if constexpr (std::is_same_v<Atom, mma_f64_m8>) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(c[0]), "+d"(c[1])
                 : "d"(a[0]), "d"(b[0]));
#if __CUDA_ARCH__ >= 900
  } else if constexpr (std::is_same_v<Atom, mma_f64_k4>) {
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(b[0]));
  } else if constexpr (std::is_same_v<Atom, mma_f64_k8>) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
  } else if constexpr (std::is_same_v<Atom, mma_f64_k16>) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
        "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
          "d"(b[2]), "d"(b[3]));
#else
  } else if constexpr (std::is_same_v<Atom, mma_f64_k8>) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {  // rows i % 2, k i / 2
      double half_c[2] = {c[i % 2 * 2], c[i % 2 * 2 + 1]};
      mma<mma_f64_m8>(half_c, {a[i]}, {b[i / 2]});
      c[i % 2 * 2] = half_c[0];
      c[i % 2 * 2 + 1] = half_c[1];
    }
#endif
  } else {
    __trap();
  }
#else
  __trap();
#endif
}
#undef GEMM_MMA_4
#undef GEMM_MMA_2

/// Whether accumulators of the atom keep fewer bits than a float, so that long sums should be promoted: fp8 where
/// tensor cores multiply it, on sm_89 and sm_120. Between these, machine code multiplies it as half, and adds each 32
/// of k to the accumulator in float.
template <class Atom>
__host__ __device__ constexpr bool mma_truncates() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1200
  return false;
#else
  return sizeof(typename Atom::element) == 1 && std::is_same_v<typename Atom::accum, float>;
#endif
}

/// cvt.rn.tf32.f32 | PTX ISA 7.8, section "cvt", sm_90 | the TF32 number nearest to a float, in ties the even one;
/// before sm_90 cvt.rna, PTX ISA 7.0, sm_80, in ties the one farther from 0.
__device__ inline std::uint32_t round_to_tf32(std::uint32_t bits) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(bits) : "f"(__uint_as_float(bits)));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(__uint_as_float(bits)));
#endif
  return bits;
}

}  // namespace gemm::arch
