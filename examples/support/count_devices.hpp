// SPDX-License-Identifier: BSL-1.0
//! @file
//! The number of GPUs, for programs that start a process for each.
#pragma once

#include <cuda_runtime.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

namespace example {

/// What a new process finds, so that this one may fork others: it must not have used CUDA.
inline int count_devices() {
  pid_t const child = fork();
  if (child == 0) {
    int devices = 0;
    _exit(cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0);
  }
  int result = 0;
  waitpid(child, &result, 0);
  return WIFEXITED(result) ? WEXITSTATUS(result) : 0;
}

}  // namespace example
