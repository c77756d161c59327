// SPDX-License-Identifier: BSL-1.0
//! @file
//! Epilogues: functions of alpha * A B + beta * C, applied before it is stored, without a second pass over memory.
//!
//! An epilogue is any copyable functor `value(value, row, column)`, or `value(value, row, column, batch)`, passed to
//! the kernel by value and callable on the device. Row and column are those of the caller's C, whatever its order. It
//! is called once for each element of C, in no particular order. Its result, of any element type, is rounded to the
//! element of C: to nearest even, integers saturated.
//!
//! The value is of the accumulator's type: double for double, std::int32_t for std::int8_t (float if C is
//! floating-point), else float. Epilogues are composed with `|` and applied from left to right:
//!
//!     gemm::bias(b) | gemm::store(before) | gemm::gelu{} | my_functor{}
//!
//! A functor may have `status check(std::int64_t rows, std::int64_t columns, std::int64_t batch_count) const`, called
//! on the host before the launch with the shape of C. Its failure is that of the call.
//!
//! It may also have `status prepare(cudaStream_t stream) const`, called once by each run() whose C has elements, before
//! it enqueues kernels: for work in stream order, such as clearing memory. It must not synchronise. Its failure is that
//! of the call, which then launches nothing.
#pragma once

#include <gemm/epilogue/amax.cuh>
#include <gemm/epilogue/compose.hpp>
#include <gemm/epilogue/elementwise.hpp>
#include <gemm/epilogue/gated.hpp>
#include <gemm/epilogue/per_element.hpp>
#include <gemm/epilogue/per_line.hpp>
