// SPDX-License-Identifier: BSL-1.0
//! @file
//! Errors of products with a long k, whose terms of one sign tensor cores add up too small.
#pragma once

#include <cublas_v2.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "contender.cuh"
#include "errors.hpp"
#include "product.hpp"

namespace bench {

/// cublasGemmEx with its default algorithm.
template <class T>
contender<T> gemm_ex(cudaDataType_t type) {
  return {"cublas_default", [type](settings const& s, exact_product<T> const& p) {
            float const one = 1, zero = 0;
            if (cublasGemmEx(s.handle, CUBLAS_OP_T, CUBLAS_OP_N, p.n(), p.m(), p.k(), &one, p.b(), type, p.k(), p.a(),
                             type, p.k(), &zero, p.c(), CUDA_R_32F, p.n(), CUBLAS_COMPUTE_32F,
                             CUBLAS_GEMM_DEFAULT) != CUBLAS_STATUS_SUCCESS) {
              throw failure("cublasGemmEx");
            }
          }};
}

/// A contender, and the promotion of its error bound.
template <class T>
struct deep_contender {
  contender<T> what;
  std::int64_t promotion;
};

/// Lines of the CSV for elements of T.
template <class T>
void write_deep(std::FILE* file, char const* dtype, cudaDataType_t type) {
  constexpr int launches = 10;
  settings const s;
  deep_contender<T> const all[] = {
      {ours<gemm::automatic, T>(), 0},
      {ours<gemm::sm90_wgmma_promoted_128x128x64, T>(), gemm::sm90_wgmma_promoted_128x128x64::promotion},
      {ours<gemm::sm90_wgmma_promoted_128x192x64_2x1, T>(), gemm::sm90_wgmma_promoted_128x192x64_2x1::promotion},
      {gemm_ex<T>(type), 0}};
  for (elements const kind : {elements::positive, elements::uniform}) {
    for (int const side : {256, 1024, 2048}) {
      for (int const k : {4096, 16384, 65536, 147456}) {
        exact_product<T> const p(s.handle, kind, side, side, k);
        for (auto const& [what, promotion] : all) {
          gemm::choice const how = what.name == "automatic" ? chosen<gemm::automatic>(s, p) : gemm::choice{};
          std::fprintf(file, "%s,%d,%d,%d,%s,%s,\"%s\",%d", dtype, side, side, k, element_kinds[static_cast<int>(kind)],
                       what.name.c_str(), std::string(how.policy).c_str(), how.slices);
          write_errors(file, what, s, p, promotion, launches);
        }
      }
    }
  }
}

}  // namespace bench
