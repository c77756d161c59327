// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the programs with planted bugs have in common: each runs the one that its argument names, and says by its exit
//! code what came of it.
#pragma once

#include <cuda_runtime.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "launch.hpp"

namespace selftest {

/// 0 if element i of what a kernel has written is expected(i), 1 if one is not, 2 if the kernel was not launched.
template <class Expected>
int verdict(cudaError_t launched, device_array<float> const& out, Expected expected) {
  if (launched != cudaSuccess) {
    std::printf("launch failed: %s\n", cudaGetErrorName(launched));
    return 2;
  }
  std::vector<float> const result = out.host();
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (!(result[i] == expected(i))) {
      std::printf("wrong result: element %zu is %g\n", i, result[i]);
      return 1;
    }
  }
  std::printf("right result\n");
  return 0;
}

/// Runs the bug that the only argument names. 3: the device has aborted. ctest fails what ends by a signal, whatever it
/// printed.
template <class Bug, std::size_t Count>
int run_named(Bug const (&bugs)[Count], int (*run)(Bug const&), int argc, char** argv) {
  std::signal(SIGABRT, [](int) { std::_Exit(3); });
  for (Bug const& bug : bugs) {
    if (argc == 2 && std::strcmp(argv[1], bug.name) == 0) {
      return run(bug);
    }
  }
  std::fprintf(stderr, "usage: %s <name>\n", argv[0]);
  return 2;
}

}  // namespace selftest
