// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles the policies of two parts, and what shares their kernels.

#include "compile_policies.cuh"
#include "prepacked.cuh"

template std::vector<bench::contender> bench::contenders_of<bench::pipelined_rungs_float>();
template std::vector<bench::contender> bench::contenders_of<bench::pipelined_rungs_double>();

std::vector<bench::contender> bench::prepacked_contenders() { return {bench::with_prepacked_b()}; }
