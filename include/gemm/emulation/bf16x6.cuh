// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of floats with more than the accuracy of float arithmetic, on tensor cores that multiply bf16 (sm_90a).
//!
//!     a = high + middle + low, b = high + middle + low     (exactly; see split_formats.cuh)
//!     a b = high high + high middle + middle high + middle middle + high low + low high
//!
//! All the rest is as in fp16x3.cuh, with these terms in the place of its two halves.
#pragma once

#include <gemm/emulation/fp16x3.cuh>
#include <gemm/emulation/split_formats.cuh>

namespace gemm {

/// Float in, float out, on the tensor cores of sm_90 (wgmma), whatever the range of A and B: three bf16 have all of a
/// float's 24 bits and exponents. Half as fast as fp16x3, and twice as fast as the multiply-adds of float.
///
/// Block, Stages, Cluster: as of fp16x3; a chunk of 64 k has three stages. What an addition of two chunks' sums loses
/// is where the next chunk's begins (see add_chunk()), so that errors do not grow with k.
///
/// With u, |A| |B|, R and S as there, an element of C = A B is off by at most
///
///     (46 + k / 2^24) u |A| |B| + 2^-170 (R sum |b| + S sum |a|)
///
/// The second term counts only where elements of one row differ by more than 2^146, and float arithmetic would be near
/// its own underflow or overflow. 41 of the 46 are of the tensor cores, as with fp16x3, and one is of the products that
/// are left out. The rest is lost by additions: by the last one, and where a chunk exceeds the accumulator. For 1024 x
/// 2048 elements and k from 256 to 65536, the largest error was below cublasSgemm's for every class of inputs (seen on
/// an H200).
///
/// Scales, denormals, infinite elements, NaN and storages are as of fp16x3. Integers of up to 24 bits in both A and B
/// are exact while the result is below 2^24. k is 715827840 at most. Needs a workspace of 6 bytes for every element of
/// A and B, with k rounded up to 64. Each row of A and column of B needs about 8 more.
template <class Block, class Stages, class Cluster = cluster<1>>
struct bf16x6 : detail::terms_policy<bf16_terms, Block, Stages, Cluster> {
  static constexpr bool compensated = true;
};

}  // namespace gemm
