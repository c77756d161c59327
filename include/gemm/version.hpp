// SPDX-License-Identifier: BSL-1.0
//! @file
//! The library's version, read from here by CMake too.
#pragma once

/// Raised where calls change.
#define GEMM_VERSION_MAJOR 0
/// Raised with features; before 1.0.0 also where calls change.
#define GEMM_VERSION_MINOR 3
/// Raised with corrections alone.
#define GEMM_VERSION_PATCH 0

/// One number to compare: `10000 major + 100 minor + patch`.
#define GEMM_VERSION (GEMM_VERSION_MAJOR * 10000 + GEMM_VERSION_MINOR * 100 + GEMM_VERSION_PATCH)

/// `"major.minor.patch"`.
#define GEMM_VERSION_STRING \
  GEMM_DETAIL_TEXT(GEMM_VERSION_MAJOR) "." GEMM_DETAIL_TEXT(GEMM_VERSION_MINOR) "." GEMM_DETAIL_TEXT(GEMM_VERSION_PATCH)
#define GEMM_DETAIL_TEXT(number) GEMM_DETAIL_QUOTED(number)
#define GEMM_DETAIL_QUOTED(number) #number
