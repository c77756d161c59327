// SPDX-License-Identifier: BSL-1.0
//! @file
//! Functions of the driver that are found by name.
#pragma once

#include <cuda.h>

namespace cpu_device {

/// cuTensorMapEncodeTiled, for three dimensions.
CUresult encode(CUtensorMap* result, CUtensorMapDataType type, cuuint32_t rank, void* data, cuuint64_t const* extents,
                cuuint64_t const* strides, cuuint32_t const* box, cuuint32_t const* steps,
                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                CUtensorMapFloatOOBfill fill);

}  // namespace cpu_device
