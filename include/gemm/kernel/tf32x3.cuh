// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of floats on tensor cores that multiply tf32 (sm_90a): two parts of each, as most libraries do it. Here to
//! be compared with fp16x3, which is twice as fast and no less accurate.
#pragma once

#include <gemm/block/part_formats.cuh>
#include <gemm/kernel/fp16x3.cuh>

namespace gemm {

/// Float in, float out, on the tensor cores of sm_90 (wgmma): as fp16x3, with two tf32 in the place of its halves,
/// whose range is wider.
///
/// Block, Stages, Cluster: as of fp16x3; a chunk of 64 k has four stages. The error is that of fp16x3 with 56 in the
/// place of 48, because instructions are of 8 k, and F = 2^-146; all else that is said of it is so here, but for the
/// workspace: 8 bytes for every element of A and B.
template <class Block, class Stages, class Cluster = cluster<1>>
struct tf32x3 : detail::parts_policy<tf32_parts, Block, Stages, Cluster> {};

}  // namespace gemm
