// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles the policies of one part.

#include "compile_policies.cuh"

template std::vector<bench::contender> bench::contenders_of<bench::mma_rungs_narrow>();
template std::vector<bench::contender> bench::contenders_of<bench::mma_tiles_narrow>();
