// SPDX-License-Identifier: BSL-1.0
//! @file
//! Compiles the policies of two parts.

#include "compile_policies.cuh"

template std::vector<bench::contender> bench::contenders_of<bench::element_rungs_float>();
template std::vector<bench::contender> bench::contenders_of<bench::element_rungs_double>();
