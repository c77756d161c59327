// SPDX-License-Identifier: BSL-1.0
//! @file
//! The library's version, read from here by CMake too.
#pragma once

#define GEMM_VERSION_MAJOR 0
#define GEMM_VERSION_MINOR 1
#define GEMM_VERSION_PATCH 0
