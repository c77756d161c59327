// SPDX-License-Identifier: BSL-1.0
//! @file
//! Whether a product of an accumulator's factors can leave the range of a number, asked once for a warp's elements of
//! C.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/epilogue/factors.hpp>
#include <gemm/epilogue/scaled_accum.hpp>

namespace gemm::detail {

/// Whether the factors of all elements in these rows and columns of C are ordinary. By whole warps, whose lanes look at
/// different ones; the same for warps that ask for the same elements. True where there is no factor but alpha.
template <class Problem>
__device__ bool has_ordinary_factors(Problem const& p, std::int64_t row, int rows, std::int64_t column, int columns,
                                     std::int64_t batch) {
  if constexpr (epilogue_facts_of<Problem>::has_factors) {
    using value = typename epilogue_facts_of<Problem>::value;
    using scaled = std::remove_cvref_t<decltype(p.epilogue)>;
    bool ordinary = std::is_integral_v<typename Problem::accum> || is_ordinary<scaled::count>(p.alpha);
    auto const look = [&](value number) { ordinary = ordinary && is_ordinary<scaled::count>(number); };
    auto const look_at_all = [&]<varies With>(std::int64_t i, std::int64_t j) {
      for_each_factor<With, value>(p.epilogue.a, i, j, batch, look);
      for_each_factor<With, value>(p.epilogue.b, i, j, batch, look);
      for_each_factor<With, value>(p.epilogue.c, i, j, batch, look);
    };
    int const lane = static_cast<int>(threadIdx.x) % 32;
    look_at_all.template operator()<varies::never>(0, 0);
    if constexpr (scaled::template has<varies::by_row>) {
#pragma unroll 4
      for (int i = lane; i < rows; i += 32) {
        look_at_all.template operator()<varies::by_row>(row + i < p.m ? row + i : p.m - 1, 0);
      }
    }
    if constexpr (scaled::template has<varies::by_column>) {
#pragma unroll 4
      for (int j = lane; j < columns; j += 32) {
        look_at_all.template operator()<varies::by_column>(0, column + j < p.n ? column + j : p.n - 1);
      }
    }
    return __all_sync(0xffffffffU, ordinary) != 0;
  } else {
    return true;
  }
}

}  // namespace gemm::detail
