// SPDX-License-Identifier: BSL-1.0
//! @file
//! Breaks every rule on purpose.
#include <gemm/kernel/worse.cuh>  // upward, and in a line that goes on and on and on and on and on and on and on and on and on
inline void f() { asm volatile("nop;"); }
// An operand that is turned, in 12 us.
