// SPDX-License-Identifier: BSL-1.0
//! @file
//! Stops compilers of older languages than C++20 with one sentence.
#pragma once

#if !defined(__cpp_concepts) || __cpp_concepts < 201907L
// A missing file stops the compiler; after #error it would go on, into hundreds of errors.
#include <gemm needs C++20: compile with -std=c++20>
#endif

#if defined(GEMM_DETAIL_COMPILED)
#include <gemm.cuh comes before compiled.hpp, whose names are then those of gemm::compiled>
#endif
#define GEMM_DETAIL_HEADERS  // for gemm/compiled.hpp
