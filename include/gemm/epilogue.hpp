// SPDX-License-Identifier: BSL-1.0
//! @file
//! Epilogues: what happens to alpha * A B + beta * C before it is stored, without a second pass over memory.
//!
//! An epilogue is any copyable functor `value(value, row, column)`, or `value(value, row, column, batch)`, passed to
//! the kernel by value and callable on the device: nvcc refuses one for the host alone. Row and column are those of the
//! caller's C, whatever its order. It is called once for each element of C, in no particular order, and its result, of
//! any of the element types, becomes the element of C, rounded as element.hpp says (detail::convert). The value is of
//! the accumulator's type: float for float, __half and __nv_bfloat16, double for double, int32_t for int8_t (float if C
//! is floating-point). Epilogues are composed with `|` and applied from left to right:
//!
//!     gemm::bias(b) | gemm::store(before) | gemm::gelu{} | my_functor{}
//!
//! A functor that reads memory may say what it needs: `status check(std::int64_t rows, std::int64_t columns,
//! std::int64_t batch_count) const` is called on the host before the launch.
#pragma once

#include <gemm/epilogue/compose.hpp>
#include <gemm/epilogue/elementwise.hpp>
#include <gemm/epilogue/per_element.hpp>
#include <gemm/epilogue/per_line.hpp>
