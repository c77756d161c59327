// SPDX-License-Identifier: BSL-1.0
//! @file
//! NVRTC's <stdlib.h>: what <cuda.h> needs of it, nothing.
#pragma once

#include <cstddef>
