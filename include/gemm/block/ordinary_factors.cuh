// SPDX-License-Identifier: BSL-1.0
//! @file
//! Whether a product of an accumulator's factors can leave the range of a number, asked once for a warp's elements of
//! C.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include <gemm/arch/shared_load.cuh>
#include <gemm/epilogue/accum_factors.hpp>
#include <gemm/epilogue/factors.hpp>

namespace gemm::detail {

/// Whether the factors of all elements in so many rows and columns of C, all of which C has, are ordinary. By whole
/// warps, whose lanes load different ones at the same time; the same for warps that ask for the same elements. True
/// where there is no factor but alpha.
template <int Rows, int Columns, class Problem>
__device__ bool has_ordinary_factors(Problem const& p, std::int64_t row, std::int64_t column, std::int64_t batch) {
  if constexpr (epilogue_facts_of<Problem>::has_factors) {
    using facts = epilogue_facts_of<Problem>;
    using value = typename facts::value;
    bool ordinary = std::is_integral_v<typename Problem::accum> || is_ordinary<facts::count>(p.alpha);
    auto const look = [&](value number) { ordinary = ordinary & is_ordinary<facts::count>(number); };
    auto const look_at_all = [&]<varies With>(std::int64_t i, std::int64_t j) {
      for_each_factor<With, value>(p.a.factors(), i, j, batch, look);
      for_each_factor<With, value>(p.b.factors(), i, j, batch, look);
      for_each_factor<With, value>(facts::factors_of(p.epilogue), i, j, batch, look);
    };
    int thread = static_cast<int>(threadIdx.x);
    arch::make_opaque(thread);  // else what follows from it is kept in registers through the main loop
    int const lane = thread & 31;
    look_at_all.template operator()<varies::never>(0, 0);
    if constexpr (facts::template has<varies::by_row>) {
#pragma unroll
      for (int i = 0; i < Rows; i += 32) {
        look_at_all.template operator()<varies::by_row>(row + (i + lane < Rows ? i + lane : i), 0);
      }
    }
    if constexpr (facts::template has<varies::by_column>) {
#pragma unroll
      for (int j = 0; j < Columns; j += 32) {
        look_at_all.template operator()<varies::by_column>(0, column + (j + lane < Columns ? j + lane : j));
      }
    }
    return __all_sync(0xffffffffU, ordinary) != 0;
  } else {
    return true;
  }
}

}  // namespace gemm::detail
