// SPDX-License-Identifier: BSL-1.0
//! @file
//! What wgmma.cuh writes asm with: the registers of 64 x n sums, as wgmma's text and as asm's operands,
//! whose constraint c is "+f", or "+r" for integers.
#pragma once

// clang-format off
#define GEMM_WGMMA_TEXT_8 "%0, %1, %2, %3, %4, %5, %6, %7"
#define GEMM_WGMMA_TEXT_16 GEMM_WGMMA_TEXT_8 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define GEMM_WGMMA_TEXT_32 GEMM_WGMMA_TEXT_16 ", " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define GEMM_WGMMA_TEXT_40 GEMM_WGMMA_TEXT_32 ", %32, %33, %34, %35, %36, %37, %38, %39"
#define GEMM_WGMMA_TEXT_48 GEMM_WGMMA_TEXT_40 ", %40, %41, %42, %43, %44, %45, %46, %47"
#define GEMM_WGMMA_TEXT_52 GEMM_WGMMA_TEXT_48 ", %48, %49, %50, %51"
#define GEMM_WGMMA_TEXT_56 GEMM_WGMMA_TEXT_48 ", %48, %49, %50, %51, %52, %53, %54, %55"
#define GEMM_WGMMA_TEXT_64 GEMM_WGMMA_TEXT_48 ", " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define GEMM_WGMMA_TEXT_72 GEMM_WGMMA_TEXT_64 ", %64, %65, %66, %67, %68, %69, %70, %71"
#define GEMM_WGMMA_TEXT_80 GEMM_WGMMA_TEXT_72 ", %72, %73, %74, %75, %76, %77, %78, %79"
#define GEMM_WGMMA_TEXT_84 GEMM_WGMMA_TEXT_80 ", %80, %81, %82, %83"
#define GEMM_WGMMA_TEXT_88 GEMM_WGMMA_TEXT_84 ", %84, %85, %86, %87"
#define GEMM_WGMMA_TEXT_96 GEMM_WGMMA_TEXT_88 ", %88, %89, %90, %91, %92, %93, %94, %95"
#define GEMM_WGMMA_TEXT_112 GEMM_WGMMA_TEXT_96 ", " \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111"
#define GEMM_WGMMA_TEXT_120 GEMM_WGMMA_TEXT_112 ", %112, %113, %114, %115, %116, %117, %118, %119"
#define GEMM_WGMMA_TEXT_128 GEMM_WGMMA_TEXT_120 ", %120, %121, %122, %123, %124, %125, %126, %127"
#define GEMM_WGMMA_EIGHT(c, i) \
  c(accum[i]), c(accum[i + 1]), c(accum[i + 2]), c(accum[i + 3]), \
  c(accum[i + 4]), c(accum[i + 5]), c(accum[i + 6]), c(accum[i + 7])
#define GEMM_WGMMA_REGS_8(c) GEMM_WGMMA_EIGHT(c, 0)
#define GEMM_WGMMA_REGS_16(c) GEMM_WGMMA_EIGHT(c, 0), GEMM_WGMMA_EIGHT(c, 8)
#define GEMM_WGMMA_REGS_32(c) GEMM_WGMMA_REGS_16(c), GEMM_WGMMA_EIGHT(c, 16), GEMM_WGMMA_EIGHT(c, 24)
#define GEMM_WGMMA_REGS_40(c) GEMM_WGMMA_REGS_32(c), GEMM_WGMMA_EIGHT(c, 32)
#define GEMM_WGMMA_REGS_48(c) GEMM_WGMMA_REGS_40(c), GEMM_WGMMA_EIGHT(c, 40)
#define GEMM_WGMMA_REGS_52(c) GEMM_WGMMA_REGS_48(c), c(accum[48]), c(accum[49]), c(accum[50]), c(accum[51])
#define GEMM_WGMMA_REGS_56(c) GEMM_WGMMA_REGS_48(c), GEMM_WGMMA_EIGHT(c, 48)
#define GEMM_WGMMA_REGS_64(c) GEMM_WGMMA_REGS_48(c), GEMM_WGMMA_EIGHT(c, 48), GEMM_WGMMA_EIGHT(c, 56)
#define GEMM_WGMMA_REGS_72(c) GEMM_WGMMA_REGS_64(c), GEMM_WGMMA_EIGHT(c, 64)
#define GEMM_WGMMA_REGS_80(c) GEMM_WGMMA_REGS_72(c), GEMM_WGMMA_EIGHT(c, 72)
#define GEMM_WGMMA_REGS_84(c) GEMM_WGMMA_REGS_80(c), c(accum[80]), c(accum[81]), c(accum[82]), c(accum[83])
#define GEMM_WGMMA_REGS_88(c) GEMM_WGMMA_REGS_80(c), GEMM_WGMMA_EIGHT(c, 80)
#define GEMM_WGMMA_REGS_96(c) GEMM_WGMMA_REGS_88(c), GEMM_WGMMA_EIGHT(c, 88)
#define GEMM_WGMMA_REGS_112(c) GEMM_WGMMA_REGS_96(c), GEMM_WGMMA_EIGHT(c, 96), GEMM_WGMMA_EIGHT(c, 104)
#define GEMM_WGMMA_REGS_120(c) GEMM_WGMMA_REGS_112(c), GEMM_WGMMA_EIGHT(c, 112)
#define GEMM_WGMMA_REGS_128(c) GEMM_WGMMA_REGS_120(c), GEMM_WGMMA_EIGHT(c, 120)
// clang-format on
