// SPDX-License-Identifier: BSL-1.0
//! @file
//! What nvcc adds to C++: the qualifiers, which mean nothing here, and the built-in variables.
#pragma once

// The real prototypes and types: what the CPU device implements is checked against them. They define the qualifiers
// too, empty where the compiler is not nvcc, except for these two.
#include <cuda_runtime_api.h>
#include <vector_functions.h>

#define __launch_bounds__(...)

// One copy per host thread, since several host threads may launch at once. Neither poisoned before a block nor
// red-zoned, and to the thread sanitizer blocks share it: library kernels use dynamic shared memory only.
#undef __shared__
#define __shared__ static thread_local

// Objects and not macros: cudaLaunchConfig_t has members of these names. The scheduler rewrites threadIdx whenever it
// turns to another thread. constinit spares each access the call that a dynamically initialised thread_local costs.
extern thread_local constinit uint3 threadIdx;
extern thread_local constinit uint3 blockIdx;
extern thread_local constinit dim3 blockDim;
extern thread_local constinit dim3 gridDim;
inline constexpr int warpSize = 32;
