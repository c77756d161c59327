// SPDX-License-Identifier: BSL-1.0
//! @file
//! Ends the compilation with one sentence where the language is older than C++20.
#pragma once

#if !defined(__cpp_concepts) || __cpp_concepts < 201907L
// No such file: after #error compilers would go on, into errors by the hundred.
#include <gemm needs C++20: compile with -std=c++20>
#endif
