// SPDX-License-Identifier: BSL-1.0
//! @file
//! Errors of products of e4m3.

#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>
#include <type_traits>

#include "contender.cuh"
#include "errors.hpp"
#include "product.hpp"

namespace bench {

namespace {

using e4m3 = __nv_fp8_e4m3;

void require_success(cublasStatus_t status, char const* call) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw failure(std::string(call) + ": " + cublasGetStatusString(status));
  }
}

using layout = owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using description = owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using preference = owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

layout make_layout(cudaDataType_t type, int rows, int columns) {
  cublasLtMatrixLayout_t created = nullptr;
  require_success(cublasLtMatrixLayoutCreate(&created, type, static_cast<std::uint64_t>(rows),
                                             static_cast<std::uint64_t>(columns), rows),
                  "cublasLtMatrixLayoutCreate");
  return layout(created);
}

template <class T>
void set(description const& what, cublasLtMatmulDescAttributes_t attribute, T const& value) {
  require_success(cublasLtMatmulDescSetAttribute(what.get(), attribute, &value, sizeof(value)),
                  "cublasLtMatmulDescSetAttribute");
}

/// cublasLt's first algorithm, with scales of 1, accumulating fast or as it does by default. Its first operand is B,
/// and its rows are the columns of C.
template <class Out>
class lt_product {
 public:
  explicit lt_product(bool fast) : fast_(fast) {
    cublasLtHandle_t created = nullptr;
    require_success(cublasLtCreate(&created), "cublasLtCreate");
    handle_.reset(created);
    require(cudaMemcpy(one_.data(), &one, sizeof(one), cudaMemcpyHostToDevice), "a scale of 1");
  }

  void run(settings const& s, exact_product<e4m3> const& p) const {
    cublasLtMatmulDesc_t created = nullptr;
    require_success(cublasLtMatmulDescCreate(&created, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
    description const what(created);
    set(what, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    set(what, CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
    set(what, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, one_.data());
    set(what, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, one_.data());
    set(what, CUBLASLT_MATMUL_DESC_FAST_ACCUM, static_cast<std::int8_t>(fast_));
    constexpr cudaDataType_t output = std::is_same_v<Out, float> ? CUDA_R_32F : CUDA_R_16BF;
    layout const first = make_layout(CUDA_R_8F_E4M3, p.k(), p.n()), second = make_layout(CUDA_R_8F_E4M3, p.k(), p.m()),
                 result = make_layout(output, p.n(), p.m());
    cublasLtMatmulPreference_t new_limits = nullptr;
    require_success(cublasLtMatmulPreferenceCreate(&new_limits), "cublasLtMatmulPreferenceCreate");
    preference const limits(new_limits);
    std::size_t const bytes = s.workspace.bytes;
    require_success(cublasLtMatmulPreferenceSetAttribute(limits.get(), CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
                                                         sizeof(bytes)),
                    "cublasLtMatmulPreferenceSetAttribute");
    // Slices of k are added in float, as the library's are.
    std::uint32_t const schemes = CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    require_success(cublasLtMatmulPreferenceSetAttribute(limits.get(), CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
                                                         &schemes, sizeof(schemes)),
                    "cublasLtMatmulPreferenceSetAttribute");
    cublasLtMatmulHeuristicResult_t algorithm{};
    int count = 0;
    require_success(cublasLtMatmulAlgoGetHeuristic(handle_.get(), what.get(), first.get(), second.get(), result.get(),
                                                   result.get(), limits.get(), 1, &algorithm, &count),
                    "cublasLtMatmulAlgoGetHeuristic");
    if (count == 0) {
      throw failure("cublasLt has no algorithm for a product of e4m3");
    }
    float const zero = 0;
    require_success(
        cublasLtMatmul(handle_.get(), what.get(), &one, p.b(), first.get(), p.a(), second.get(), &zero, p.c<Out>(),
                       result.get(), p.c<Out>(), result.get(), &algorithm.algo, s.workspace.data, bytes, nullptr),
        "cublasLtMatmul");
  }

 private:
  static constexpr float one = 1;

  bool fast_;
  owned<cublasLtHandle_t, cublasLtDestroy> handle_;
  device_memory one_{sizeof(float)};
};

template <class Out>
contender<e4m3, Out> theirs(char const* name, lt_product<Out> const& x) {
  return {name, [&x](settings const& s, exact_product<e4m3> const& p) { x.run(s, p); }};
}

/// Lines of the CSV for results of Out.
template <class Out>
void measure_results(std::FILE* file, char const* output, settings const& s) {
  lt_product<Out> const promoted(false), fast(true);
  contender<e4m3, Out> const all[] = {ours<gemm::automatic, e4m3, Out>(),
                                      ours<gemm::sm90_wgmma_fp8_fast_128x256x128_2x1, e4m3, Out>(),
                                      theirs("cublaslt", promoted), theirs("cublaslt_fast", fast)};
  constexpr int sides[][2] = {{16, 4096}, {256, 256}, {1024, 2048}, {4096, 4096}};
  for (auto const& [m, n] : sides) {
    for (int const k : {256, 1024, 4096, 16384}) {
      for (int kind = 0; kind < static_cast<int>(std::size(element_kinds)); ++kind) {
        exact_product<e4m3> const p(s.handle, static_cast<elements>(kind), m, n, k);
        std::string const policy(chosen<gemm::automatic, Out>(s, p).policy);
        for (contender<e4m3, Out> const& c : all) {
          std::fprintf(file, "%s,%d,%d,%d,%s,%s,\"%s\"", output, m, n, k, element_kinds[kind], c.name.c_str(),
                       c.name == "automatic" ? policy.c_str() : "");
          write_errors(file, c, s, p);
        }
      }
    }
  }
}

}  // namespace

void measure_fp8(std::FILE* file) {
  settings const s;
  std::fprintf(file, "output,m,n,k,inputs,contender,chosen,max,median,of_bound\n");
  measure_results<float>(file, "f32", s);
  measure_results<__nv_bfloat16>(file, "bf16", s);
}

}  // namespace bench
