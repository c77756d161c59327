// SPDX-License-Identifier: BSL-1.0
//! @file
//! Matrices of which the sizes and the alignment alone count.
#pragma once

#include <cstdint>

#include <gemm/gemm.cuh>

namespace bench {

/// A matrix whose memory nobody reads, as gemm::tune() takes it.
template <bool Transposed, class T>
auto matrix_at(std::uintptr_t address, std::int64_t rows, std::int64_t columns, std::int64_t batch) {
  auto* const data = reinterpret_cast<T*>(address);
  if constexpr (Transposed) {
    return gemm::batched(gemm::col_major(data, rows, columns), batch);
  } else {
    return gemm::batched(gemm::row_major(data, rows, columns), batch);
  }
}

}  // namespace bench
