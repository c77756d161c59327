// SPDX-License-Identifier: BSL-1.0
//! @file
//! Errors of products of split terms by mma.sync, which any GPU from sm_80 on can be asked for.

#include <cstdio>
#include <iterator>

#include "contender.cuh"
#include "errors.hpp"
#include "product.hpp"

namespace bench {

void measure_mma(std::FILE* file) {
  constexpr int m = 1024, n = 2048, launches = 10;
  settings const s;
  contender<float> const contenders[] = {ours<gemm::with_fallback<gemm::bf16x6_mma_128x128x64>>(),
                                         ours<gemm::bf16x6_mma_128x128x64>(),
                                         cublas_sgemm("cublas_sgemm", CUBLAS_DEFAULT_MATH)};
  std::fprintf(file, "m,n,k,inputs,contender,max,median,of_bound,us\n");
  for (int kind = 0; kind < static_cast<int>(std::size(element_kinds)); ++kind) {
    for (int const k : {128, 256, 1024, 4096, 16384, 65536}) {
      float_product const p(s.handle, static_cast<elements>(kind), m, n, k);
      for (contender<float> const& c : contenders) {
        std::fprintf(file, "%d,%d,%d,%s,\"%s\"", m, n, k, element_kinds[kind], c.name.c_str());
        write_errors(file, c, s, p, 0, launches);
      }
    }
  }
}

}  // namespace bench
