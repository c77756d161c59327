// SPDX-License-Identifier: BSL-1.0
//! @file
//! Row-major products as cuBLAS's column-major ones: C' = B' A', on the same memory.

#include "cublas.hpp"

#include <array>
#include <cstddef>
#include <string>

#include "elements.hpp"

namespace bench {

namespace {

constexpr std::size_t workspace_bytes = std::size_t{64} << 20;
constexpr int most_algorithms = 16;

gemm::status status_of(cublasStatus_t status, char const* call) {
  if (status == CUBLAS_STATUS_SUCCESS) {
    return {};
  }
  return {gemm::status_code::cuda_failure, cudaErrorUnknown, "%s: %s", call, cublasGetStatusString(status)};
}

void require_success(cublasStatus_t status, char const* call) {
  gemm::status const result = status_of(status, call);
  if (!result) {
    throw failure(result.message());
  }
}

/// A row-major matrix is its transpose, column-major: an operand stored transposed is transposed once more.
cublasOperation_t operation(bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

using layout = owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using description = owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using preference = owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

layout make_layout(cudaDataType_t type, std::int64_t rows, std::int64_t columns) {
  cublasLtMatrixLayout_t result = nullptr;
  require_success(cublasLtMatrixLayoutCreate(&result, type, static_cast<std::uint64_t>(rows),
                                             static_cast<std::uint64_t>(columns), rows),
                  "cublasLtMatrixLayoutCreate");
  return layout(result);
}

/// What cublasLt is told of a problem. Its first operand is our B.
template <class Element>
struct lt_problem {
  description what;
  layout a, b, c;
  std::array<cublasLtMatmulHeuristicResult_t, most_algorithms> algorithms;
  int count = 0;

  lt_problem(cublasLtHandle_t handle, problem const& p, Element const& e)
      : a(p.transposed_a ? make_layout(e.input_type, p.m, p.k) : make_layout(e.input_type, p.k, p.m)),
        b(p.transposed_b ? make_layout(e.input_type, p.k, p.n) : make_layout(e.input_type, p.n, p.k)),
        c(make_layout(e.output_type, p.n, p.m)) {
    cublasLtMatmulDesc_t new_description = nullptr;
    require_success(cublasLtMatmulDescCreate(&new_description, e.compute, e.scale_type), "cublasLtMatmulDescCreate");
    what.reset(new_description);
    cublasOperation_t const first = operation(p.transposed_b), second = operation(p.transposed_a);
    set(CUBLASLT_MATMUL_DESC_TRANSA, first);
    set(CUBLASLT_MATMUL_DESC_TRANSB, second);
    cublasLtMatmulPreference_t new_preference = nullptr;
    require_success(cublasLtMatmulPreferenceCreate(&new_preference), "cublasLtMatmulPreferenceCreate");
    preference const limits(new_preference);
    require_success(cublasLtMatmulPreferenceSetAttribute(limits.get(), CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                         &workspace_bytes, sizeof(workspace_bytes)),
                    "cublasLtMatmulPreferenceSetAttribute");
    require_success(cublasLtMatmulAlgoGetHeuristic(handle, what.get(), b.get(), a.get(), c.get(), c.get(), limits.get(),
                                                   most_algorithms, algorithms.data(), &count),
                    "cublasLtMatmulAlgoGetHeuristic");
  }

  void set(cublasLtMatmulDescAttributes_t attribute, cublasOperation_t value) {
    require_success(cublasLtMatmulDescSetAttribute(what.get(), attribute, &value, sizeof(value)),
                    "cublasLtMatmulDescSetAttribute");
  }
};

}  // namespace

cublas::cublas(cudaStream_t stream) : workspace_(workspace_bytes) {
  cublasHandle_t handle = nullptr;
  require_success(cublasCreate(&handle), "cublasCreate");
  handle_.reset(handle);
  cublasLtHandle_t lt_handle = nullptr;
  require_success(cublasLtCreate(&lt_handle), "cublasLtCreate");
  lt_handle_.reset(lt_handle);
  require_success(cublasSetStream(handle, stream), "cublasSetStream");
  // After the stream, whose setting resets it.
  require_success(cublasSetWorkspace(handle, workspace_.data(), workspace_bytes), "cublasSetWorkspace");
}

contender cublas::default_algorithm(problem const& p) const {
  contender result{.name = "cublas_default", .dtype = p.dtype, .run = {}};
  with_element(p.dtype, [&]<class Element>(Element const& e) {
    result.run = [handle = handle_.get(), e](product const& x) {
      typename Element::scale const one = 1, zero = 0;
      return status_of(
          cublasGemmEx_64(handle, operation(x.transposed_b), operation(x.transposed_a), x.n, x.m, x.k, &one, x.b,
                          e.input_type, x.transposed_b ? x.k : x.n, x.a, e.input_type, x.transposed_a ? x.m : x.k,
                          &zero, x.c, e.output_type, x.n, e.compute, CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx");
    };
  });
  return result;
}

contender cublas::best_algorithm(workload& w, stopwatch const& watch) const {
  contender best{.name = "cublaslt_best", .dtype = w.problem().dtype, .run = {}};
  with_element(best.dtype, [&]<class Element>(Element const& e) {
    auto const lt = std::make_shared<lt_problem<Element> const>(lt_handle_.get(), w.problem(), e);
    double best_seconds = 0;
    for (int i = 0; i < lt->count; ++i) {
      contender candidate = best;
      candidate.run = [handle = lt_handle_.get(), workspace = workspace_.data(), lt, i](product const& x) {
        typename Element::scale const one = 1, zero = 0;
        auto const& algorithm = lt->algorithms[static_cast<std::size_t>(i)].algo;
        return status_of(
            cublasLtMatmul(handle, lt->what.get(), &one, x.b, lt->b.get(), x.a, lt->a.get(), &zero, x.c, lt->c.get(),
                           x.c, lt->c.get(), &algorithm, workspace, workspace_bytes, x.stream),
            "cublasLtMatmul");
      };
      try {
        pace p;
        watch.sample(candidate, w, p);  // loads its kernel
        p = watch.pace_of(candidate, w);
        std::vector<double> seconds;
        for (int sample = 0; sample < 5; ++sample) {
          seconds.push_back(watch.sample(candidate, w, p));
        }
        if (!best.run || median(seconds) < best_seconds) {
          best_seconds = median(seconds);
          best.run = candidate.run;
        }
      } catch (failure const&) {
        static_cast<void>(cudaGetLastError());  // an algorithm that is proposed and then refused
      }
    }
  });
  if (!best.run) {
    throw failure("cublasLt has no algorithm for this problem");
  }
  return best;
}

}  // namespace bench
