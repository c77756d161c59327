// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles the policies of two parts.

#include "compile_policies.cuh"

template std::vector<bench::contender> bench::contenders_of<bench::mma_rungs_tf32>();
template std::vector<bench::contender> bench::contenders_of<bench::mma_rungs_double>();
