// SPDX-License-Identifier: BSL-1.0
//! @file
//! wgmma: a warpgroup multiplies matrices of shared memory on the tensor cores, asynchronously (sm_90a, and no other).
//!
//! One warpgroup, 128 threads, the first at a multiple of 128, executes each of these together. All of its threads name
//! the same matrices. Accumulators are in registers: of the 64 x n, warp w of the warpgroup has rows 16 w to 16 w + 15,
//! and its lane l
//!
//!     accum[4 * j + 2 * h + e]   in row 16 w + l / 4 + 8 h and column 8 j + 2 (l % 4) + e
//!
//!     wgmma_fence()  wgmma() wgmma() ...  wgmma_commit_group()  ...  wgmma_wait_group<Pending>()
//!
//! Until the last has waited for the group, the accumulators are neither read nor written, and the matrices not
//! written.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/wgmma_accum.cuh>
#include <gemm/arch/wgmma_atom.hpp>

namespace gemm::arch {

/// Where wgmma finds an operand: in pieces of 8 rows of 128 bytes, 1024 bytes each at a multiple of 1024, swizzled as
/// arch::tma_load() does by 128 bytes. Below, elements have 2 bytes. tf32 and one byte are k-major alone: then a row
/// has half, or twice as many. With `outer` the index that the operand shares with C:
///
///     k-major    a piece has 8 outer, each a row of 64 k; `outer_stride` bytes from piece to piece
///     mn-major   a piece has 8 k, each a row of 64 outer; `outer_stride` bytes on are 64 outer, `k_stride` 8 k
///
/// Rows may have 64 or 32 bytes, too, with the swizzle and the multiple as much smaller: of an mn-major operand with 32
/// or 16 outer.
struct matrix_descriptor {
  std::uint64_t bits;
};

/// "Matrix descriptor" | PTX ISA 8.0, section "Asynchronous Warpgroup Level Matrix Shared Memory Layout", sm_90a.
/// Of a matrix that begins at `shared`, a multiple of a piece's bytes. Strides are multiples of 16 below 2^18.
template <bool MnMajor, int LineBytes = 128>
__device__ inline matrix_descriptor describe_matrix(void const* shared, int outer_stride, int k_stride) {
  static_assert(LineBytes == 128 || LineBytes == 64 || LineBytes == 32, "gemm: wgmma's swizzles are of these lines.");
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  auto const address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  int const leading = MnMajor ? outer_stride : 16, stride = MnMajor ? k_stride : outer_stride;
  constexpr std::uint64_t swizzle = std::uint64_t{LineBytes == 128 ? 1 : LineBytes == 64 ? 2 : 3} << 62;
  return {swizzle | std::uint64_t((address & 0x3ffff) >> 4) | std::uint64_t(leading >> 4) << 16 |
          std::uint64_t(stride >> 4) << 32};
#else
  __trap();
  return {};
#endif
}

/// The matrix that begins so many bytes further on: by 32 for the k of one wgmma() of a k-major one, by twice
/// `k_stride` for as many of an mn-major one.
__device__ inline matrix_descriptor advanced(matrix_descriptor matrix, int bytes) {
  // The address is in the lower half and does not overflow it: no carry, which costs instructions between wgmma().
  auto const low = static_cast<std::uint32_t>(matrix.bits) + static_cast<std::uint32_t>(bytes >> 4);
  return {(matrix.bits & 0xffffffff00000000U) | low};
}

/// wgmma.fence.sync.aligned | PTX ISA 8.0, section "wgmma.fence", sm_90a.
/// Before the first wgmma(), and wherever registers of accumulators have been accessed by other instructions since the
/// last.
__device__ inline void wgmma_fence() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#else
  __trap();
#endif
}

/// wgmma.commit_group.sync.aligned | PTX ISA 8.0, section "wgmma.commit_group", sm_90a | groups the wgmma() since the
/// last.
__device__ inline void wgmma_commit_group() {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#else
  __trap();
#endif
}

/// wgmma.wait_group.sync.aligned Pending | PTX ISA 8.0, section "wgmma.wait_group", sm_90a | waits until at most
/// Pending of the warpgroup's groups are unfinished.
template <int Pending>
__device__ inline void wgmma_wait_group() {
  static_assert(Pending >= 0 && Pending <= 7, "gemm: wgmma.wait_group takes a count of 0 to 7 groups.");
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
#else
  __trap();
#endif
}

// clang-format off
// The numbers of the operands after the accumulators are spelled out: inline PTX knows no names of operands.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
// What follows the predicate: signs of A and B, and their majors where both are legal.
#define GEMM_WGMMA_MAJORS(trans_a, trans_b) ", 1, 1, %" #trans_a ", %" #trans_b
#define GEMM_WGMMA(n, k_and_type, majors, text, outputs, a_, b_, accumulate_) \
  asm volatile("{\n" \
               "  .reg .pred accumulate;\n" \
               "  setp.ne.b32 accumulate, %" #accumulate_ ", 0;\n" \
               "  wgmma.mma_async.sync.aligned.m64n" #n k_and_type " {" text "}, %" #a_ ", %" #b_ \
               ", accumulate" majors ";\n" \
               "}" \
               : outputs \
               : "l"(a.bits), "l"(b.bits), "r"(static_cast<int>(accumulate)), "n"(MnMajorA), "n"(MnMajorB))
#else
#define GEMM_WGMMA(...) __trap()
#endif
#define GEMM_WGMMA_OVERLOAD(n, count, a_, b_, accumulate_, trans_a, trans_b) \
  template <class Atom, bool MnMajorA, bool MnMajorB> \
  __device__ inline void wgmma(typename Atom::accum (&accum)[count], matrix_descriptor a, matrix_descriptor b, \
                               bool accumulate) { \
    static_assert(Atom::mn_major || (!MnMajorA && !MnMajorB), "gemm: this wgmma is of k-major operands alone."); \
    if constexpr (std::is_same_v<Atom, wgmma_f16>) { \
      GEMM_WGMMA(n, "k16.f32.f16.f16", GEMM_WGMMA_MAJORS(trans_a, trans_b), GEMM_WGMMA_TEXT_##count, \
                 GEMM_WGMMA_REGS_##count("+f"), a_, b_, accumulate_); \
    } else if constexpr (std::is_same_v<Atom, wgmma_bf16>) { \
      GEMM_WGMMA(n, "k16.f32.bf16.bf16", GEMM_WGMMA_MAJORS(trans_a, trans_b), GEMM_WGMMA_TEXT_##count, \
                 GEMM_WGMMA_REGS_##count("+f"), a_, b_, accumulate_); \
    } else if constexpr (std::is_same_v<Atom, wgmma_s8>) { \
      GEMM_WGMMA(n, "k32.s32.s8.s8", "", GEMM_WGMMA_TEXT_##count, GEMM_WGMMA_REGS_##count("+r"), a_, b_, accumulate_); \
    } else if constexpr (std::is_same_v<Atom, wgmma_fp8<__nv_fp8_e4m3, __nv_fp8_e4m3>>) { \
      GEMM_WGMMA(n, "k32.f32.e4m3.e4m3", ", 1, 1", GEMM_WGMMA_TEXT_##count, GEMM_WGMMA_REGS_##count("+f"), a_, b_, \
                 accumulate_); \
    } else if constexpr (std::is_same_v<Atom, wgmma_fp8<__nv_fp8_e4m3, __nv_fp8_e5m2>>) { \
      GEMM_WGMMA(n, "k32.f32.e4m3.e5m2", ", 1, 1", GEMM_WGMMA_TEXT_##count, GEMM_WGMMA_REGS_##count("+f"), a_, b_, \
                 accumulate_); \
    } else if constexpr (std::is_same_v<Atom, wgmma_fp8<__nv_fp8_e5m2, __nv_fp8_e4m3>>) { \
      GEMM_WGMMA(n, "k32.f32.e5m2.e4m3", ", 1, 1", GEMM_WGMMA_TEXT_##count, GEMM_WGMMA_REGS_##count("+f"), a_, b_, \
                 accumulate_); \
    } else if constexpr (std::is_same_v<Atom, wgmma_fp8<__nv_fp8_e5m2, __nv_fp8_e5m2>>) { \
      GEMM_WGMMA(n, "k32.f32.e5m2.e5m2", ", 1, 1", GEMM_WGMMA_TEXT_##count, GEMM_WGMMA_REGS_##count("+f"), a_, b_, \
                 accumulate_); \
    } else { \
      static_assert(std::is_same_v<Atom, wgmma_tf32>); \
      GEMM_WGMMA(n, "k8.f32.tf32.tf32", ", 1, 1", GEMM_WGMMA_TEXT_##count, GEMM_WGMMA_REGS_##count("+f"), a_, b_, \
                 accumulate_); \
    } \
  }
// clang-format on

/// wgmma.mma_async.sync.aligned.m64nNk16.f32.T.T {accum}, a, b, accumulate, 1, 1, MnMajorA, MnMajorB | PTX ISA 8.0,
/// section "wgmma.mma_async", sm_90a.
///
/// accum = A B + (accumulate ? accum : 0), with A of 64 x 16 and B of 16 x N elements of __half or __nv_bfloat16. N is
/// twice the number of accumulators: 16, 32, 64, 80, 96, 104, 112, 128, 144, 160, 168, 176, 192, 224, 240 or 256.
/// Products are exact. They and the accumulator are aligned to the largest of them, truncated at two bits or more
/// beyond a float's, and added (seen on an H200). So integers below 2^24 are exact. NaN and infinities propagate as
/// IEEE arithmetic says; denormal elements and accumulators are kept (tests/unit/denormals_test.cu).
///
/// Or m64nNk8 of tf32: of 64 x 8 and 8 x N words, k-major both, whose low 13 bits it ignores. What they should have
/// been rounded to is up to who writes them (TMA does it where the tensor map is of that type).
///
/// Or m64nNk32 of std::int8_t, k-major both: sums are exact modulo 2^32. N is none of 104 and 168. Or of fp8, A and B
/// of either type, likewise k-major.
GEMM_WGMMA_OVERLOAD(16, 8, 8, 9, 10, 11, 12)
GEMM_WGMMA_OVERLOAD(32, 16, 16, 17, 18, 19, 20)
GEMM_WGMMA_OVERLOAD(64, 32, 32, 33, 34, 35, 36)
GEMM_WGMMA_OVERLOAD(80, 40, 40, 41, 42, 43, 44)
GEMM_WGMMA_OVERLOAD(96, 48, 48, 49, 50, 51, 52)
GEMM_WGMMA_OVERLOAD(104, 52, 52, 53, 54, 55, 56)
GEMM_WGMMA_OVERLOAD(112, 56, 56, 57, 58, 59, 60)
GEMM_WGMMA_OVERLOAD(128, 64, 64, 65, 66, 67, 68)
GEMM_WGMMA_OVERLOAD(144, 72, 72, 73, 74, 75, 76)
GEMM_WGMMA_OVERLOAD(160, 80, 80, 81, 82, 83, 84)
GEMM_WGMMA_OVERLOAD(168, 84, 84, 85, 86, 87, 88)
GEMM_WGMMA_OVERLOAD(176, 88, 88, 89, 90, 91, 92)
GEMM_WGMMA_OVERLOAD(192, 96, 96, 97, 98, 99, 100)
GEMM_WGMMA_OVERLOAD(224, 112, 112, 113, 114, 115, 116)
GEMM_WGMMA_OVERLOAD(240, 120, 120, 121, 122, 123, 124)
GEMM_WGMMA_OVERLOAD(256, 128, 128, 129, 130, 131, 132)

/// A thread's part of a first operand of 64 x 8 words in registers: word[2 * j + h] is in row 16 w + l / 4 + 8 h and
/// column l % 4 + 4 j.
struct wgmma_fragment {
  std::uint32_t word[4];
};

// clang-format off
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define GEMM_WGMMA_OF_REGISTERS(n, text, outputs, a_0, a_1, a_2, a_3, b_, accumulate_) \
  asm volatile("{\n" \
               "  .reg .pred accumulate;\n" \
               "  setp.ne.b32 accumulate, %" #accumulate_ ", 0;\n" \
               "  wgmma.mma_async.sync.aligned.m64n" #n "k8.f32.tf32.tf32 {" text "}, " \
               "{%" #a_0 ", %" #a_1 ", %" #a_2 ", %" #a_3 "}, %" #b_ ", accumulate, 1, 1;\n" \
               "}" \
               : outputs \
               : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "l"(b.bits), \
                 "r"(static_cast<int>(accumulate)))
#else
#define GEMM_WGMMA_OF_REGISTERS(...) __trap()
#endif
// clang-format on

/// wgmma.mma_async.sync.aligned.m64nNk8.f32.tf32.tf32 {accum}, {a}, b, accumulate, 1, 1 | the same with A in registers,
/// which are not written before the group has been waited for, and wgmma_fence() after the last time that they were.
__device__ inline void wgmma(wgmma_tf32::accum (&accum)[32], wgmma_fragment const& a, matrix_descriptor b,
                             bool accumulate) {
  GEMM_WGMMA_OF_REGISTERS(64, GEMM_WGMMA_TEXT_32, GEMM_WGMMA_REGS_32("+f"), 32, 33, 34, 35, 36, 37);
}
__device__ inline void wgmma(wgmma_tf32::accum (&accum)[64], wgmma_fragment const& a, matrix_descriptor b,
                             bool accumulate) {
  GEMM_WGMMA_OF_REGISTERS(128, GEMM_WGMMA_TEXT_64, GEMM_WGMMA_REGS_64("+f"), 64, 65, 66, 67, 68, 69);
}

#undef GEMM_WGMMA_OF_REGISTERS
#undef GEMM_WGMMA_OVERLOAD
#undef GEMM_WGMMA
#undef GEMM_WGMMA_MAJORS

}  // namespace gemm::arch
