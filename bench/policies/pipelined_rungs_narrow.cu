// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles the policies of two parts.

#include "compile_policies.cuh"

template std::vector<bench::contender> bench::contenders_of<bench::pipelined_rungs_narrow>();
template std::vector<bench::contender> bench::contenders_of<bench::pipelined_rungs_int8>();
