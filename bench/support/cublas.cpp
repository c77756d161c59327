// SPDX-License-Identifier: BSL-1.0
//! @file
//! Row-major products as cuBLAS's column-major ones: C' = B' A', on the same memory.

#include "cublas.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "elements.hpp"
#include "lt_copies.hpp"

namespace bench {

namespace {

constexpr int most_algorithms = 16;

gemm::status status_of(cublasStatus_t status, char const* call) {
  if (status == CUBLAS_STATUS_SUCCESS) {
    return {};
  }
  auto const code =
      status == CUBLAS_STATUS_NOT_SUPPORTED ? gemm::status_code::unsupported_device : gemm::status_code::cuda_failure;
  return {code, cudaErrorUnknown, "%s: %s", call, cublasGetStatusString(status)};
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

/// As many matrices as the batch has, one behind the other.
layout make_layout(cudaDataType_t type, std::int64_t rows, std::int64_t columns, std::int64_t batch) {
  cublasLtMatrixLayout_t created = nullptr;
  require_success(cublasLtMatrixLayoutCreate(&created, type, static_cast<std::uint64_t>(rows),
                                             static_cast<std::uint64_t>(columns), rows),
                  "cublasLtMatrixLayoutCreate");
  layout result(created);
  if (batch > 1) {
    auto const count = static_cast<std::int32_t>(batch);
    std::int64_t const stride = rows * columns;
    require_success(
        cublasLtMatrixLayoutSetAttribute(created, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof(count)),
        "cublasLtMatrixLayoutSetAttribute");
    require_success(
        cublasLtMatrixLayoutSetAttribute(created, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof(stride)),
        "cublasLtMatrixLayoutSetAttribute");
  }
  return result;
}

cublasLtEpilogue_t lt_epilogue(cublas::fused epilogue) {
  return epilogue == cublas::fused::nothing ? CUBLASLT_EPILOGUE_DEFAULT
         : epilogue == cublas::fused::bias  ? CUBLASLT_EPILOGUE_BIAS
                                            : CUBLASLT_EPILOGUE_RELU_BIAS;
}

cublasLtMatmulMatrixScale_t lt_scale_mode(scaling scaled) {
  return scaled == scaling::per_row       ? CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F
         : scaled == scaling::block_1x128 ? CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F
                                          : CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
}

template <class Element>
constexpr bool has_8_bits = sizeof(typename Element::input) == 1;

/// What cublasLt is told of a problem. Its first operand is our B, and its rows are our columns.
template <class Element>
struct lt_problem {
  /// A C of fp8 is written alone: what is read in its place, times 0, would be bfloat16.
  static constexpr bool fp8_result =
      !std::is_integral_v<typename Element::output> && sizeof(typename Element::output) == 1;

  description what;
  layout a, b, c, d;
  cublas::fused epilogue;
  scaling scaled;
  std::array<cublasLtMatmulHeuristicResult_t, most_algorithms> algorithms;
  int count = 0;

  /// `one`: in device memory.
  lt_problem(cublasLtHandle_t handle, product const& p, Element const& e, cublas::fused epilogue_, scaling scaled_,
             float const* one)
      : a(p.transposed_a ? make_layout(e.input_type, p.m, p.k, p.batch) : make_layout(e.input_type, p.k, p.m, p.batch)),
        b(p.transposed_b ? make_layout(e.input_type, p.k, p.n, p.batch) : make_layout(e.input_type, p.n, p.k, p.batch)),
        c(make_layout(fp8_result ? CUDA_R_16BF : e.output_type, p.n, p.m, p.batch)),
        d(fp8_result ? make_layout(e.output_type, p.n, p.m, p.batch) : layout()),
        epilogue(epilogue_),
        scaled(scaled_) {
    cublasLtMatmulDesc_t new_description = nullptr;
    require_success(cublasLtMatmulDescCreate(&new_description, e.compute, e.scale_type), "cublasLtMatmulDescCreate");
    what.reset(new_description);
    set(CUBLASLT_MATMUL_DESC_TRANSA, operation(p.transposed_b));
    set(CUBLASLT_MATMUL_DESC_TRANSB, operation(p.transposed_a));
    if (e.input_type == CUDA_R_8F_E4M3) {
      set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, one);
      set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, one);
    }
    if (scaled == scaling::block_1x128_128x128) {
      set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F);
      set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F);
    } else if (scaled != scaling::none) {
      set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, lt_scale_mode(scaled));
      set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, lt_scale_mode(scaled));
    }
    if (has_bias()) {
      set(CUBLASLT_MATMUL_DESC_EPILOGUE, lt_epilogue(epilogue));
    }
    set_pointers(p);
    cublasLtMatmulPreference_t new_preference = nullptr;
    require_success(cublasLtMatmulPreferenceCreate(&new_preference), "cublasLtMatmulPreferenceCreate");
    preference const limits(new_preference);
    require_success(cublasLtMatmulPreferenceSetAttribute(limits.get(), CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                         &workspace_bytes, sizeof(workspace_bytes)),
                    "cublasLtMatmulPreferenceSetAttribute");
    if (e.output_type != e.scale_type) {
      // Parts of a sum are added in the type of the sum, not in C's, as the products of the policies are.
      std::uint32_t const schemes = CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
      require_success(cublasLtMatmulPreferenceSetAttribute(limits.get(), CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
                                                           &schemes, sizeof(schemes)),
                      "cublasLtMatmulPreferenceSetAttribute");
    }
    cublasStatus_t const found =
        cublasLtMatmulAlgoGetHeuristic(handle, what.get(), b.get(), a.get(), c.get(), of_result(), limits.get(),
                                       most_algorithms, algorithms.data(), &count);
    if (found == CUBLAS_STATUS_NOT_SUPPORTED || (has_8_bits<Element> && found == CUBLAS_STATUS_INVALID_VALUE)) {
      count = 0;
    } else {
      require_success(found, "cublasLtMatmulAlgoGetHeuristic");
    }
  }

  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, T const& value) const {
    require_success(cublasLtMatmulDescSetAttribute(what.get(), attribute, &value, sizeof(value)),
                    "cublasLtMatmulDescSetAttribute");
  }

  cublasLtMatrixLayout_t of_result() const { return fp8_result ? d.get() : c.get(); }
  bool has_bias() const { return epilogue == cublas::fused::bias || epilogue == cublas::fused::bias_relu; }

  /// The vector of this product is the bias of the next launch; likewise its scales, of which cublasLt's first are B's,
  /// and amax.
  void set_pointers(product const& p) const {
    if (has_bias()) {
      set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, p.sides.vector);
    }
    if (scaled != scaling::none) {
      set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, p.scales.b);
      set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, p.scales.a);
    }
    if (epilogue == cublas::fused::amax) {
      set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, p.scales.amax);
    }
  }
};

double with_bias(epilogue_operands const& x) { return x.value + x.column; }
double with_bias_relu(epilogue_operands const& x) { return std::max(with_bias(x), 0.0); }

}  // namespace

cublas::cublas(cudaStream_t stream) : workspace_(workspace_bytes), one_(sizeof(float)) {
  constexpr float one = 1;
  require(cudaMemcpy(one_.data(), &one, sizeof(one), cudaMemcpyHostToDevice), "a scale of 1");
  cublasHandle_t handle = nullptr;
  require_success(cublasCreate(&handle), "cublasCreate");
  handle_.reset(handle);
  cublasLtHandle_t lt_handle = nullptr;
  require_success(cublasLtCreate(&lt_handle), "cublasLtCreate");
  lt_handle_.reset(lt_handle);
  require_success(cublasSetStream(handle, stream), "cublasSetStream");
  // No TF32, and no sums in half or bfloat16.
  require_success(
      cublasSetMathMode(
          handle, static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION)),
      "cublasSetMathMode");
  // After the stream, whose setting resets it.
  require_success(cublasSetWorkspace(handle, workspace_.data(), workspace_bytes), "cublasSetWorkspace");
}

contender cublas::default_algorithm(problem const& p) const {
  contender result{.name = "cublas_default", .dtype = p.dtype, .run = {}};
  with_element(p.dtype, [&]<class Element>(Element const& e) {
    result.run = [handle = handle_.get(), e](product const& x) {
      typename Element::scale const one = 1, zero = 0;
      cublasOperation_t const first = operation(x.transposed_b), second = operation(x.transposed_a);
      std::int64_t const ldb = x.transposed_b ? x.k : x.n, lda = x.transposed_a ? x.m : x.k;
      cublasStatus_t const status =
          x.batch == 1
              ? cublasGemmEx_64(handle, first, second, x.n, x.m, x.k, &one, x.b, e.input_type, ldb, x.a, e.input_type,
                                lda, &zero, x.c, e.output_type, x.n, e.compute, CUBLAS_GEMM_DEFAULT)
              : cublasGemmStridedBatchedEx_64(handle, first, second, x.n, x.m, x.k, &one, x.b, e.input_type, ldb,
                                              x.k * x.n, x.a, e.input_type, lda, x.m * x.k, &zero, x.c, e.output_type,
                                              x.n, x.m * x.n, x.batch, e.compute, CUBLAS_GEMM_DEFAULT);
      // Which layouts of 8 bits and how many products it takes is no error of ours, although it may call some invalid.
      bool const refused = status == CUBLAS_STATUS_INVALID_VALUE && (has_8_bits<Element> || x.batch > 65535);
      return status_of(refused ? CUBLAS_STATUS_NOT_SUPPORTED : status,
                       x.batch == 1 ? "cublasGemmEx" : "cublasGemmStridedBatchedEx");
    };
  });
  return result;
}

contender cublas::best_algorithm(std::string name, fused epilogue, scaling scaled, workload& w,
                                 stopwatch const& watch) const {
  contender best{.name = std::move(name),
                 .dtype = w.problem().dtype,
                 .run = {},
                 .epilogue = epilogue == fused::bias        ? &with_bias
                             : epilogue == fused::bias_relu ? &with_bias_relu
                                                            : nullptr,
                 .scaled = scaled,
                 .has_amax = epilogue == fused::amax};
  with_element(best.dtype, [&]<class Element>(Element const& e) {
    using scale = typename Element::scale;
    if (epilogue == fused::amax && !lt_problem<Element>::fp8_result) {
      return;
    }
    double best_seconds = 0;
    auto const try_all = [&](product const& p, std::shared_ptr<lt_copies const> const& copies) {
      auto const lt =
          std::make_shared<lt_problem<Element> const>(lt_handle_.get(), p, e, epilogue, scaled, one_.as<float const>());
      for (int i = 0; i < lt->count; ++i) {
        contender candidate = best;
        candidate.run = [handle = lt_handle_.get(), workspace = workspace_.data(), lt, copies,
                         i](product const& given) {
          scale const one = 1, zero = 0;
          auto const& algorithm = lt->algorithms[static_cast<std::size_t>(i)].algo;
          product const x = copies ? copies->enqueue_operands(given) : given;
          lt->set_pointers(x);
          void const* const c = lt->fp8_result ? nullptr : x.c;
          gemm::status const result = status_of(
              cublasLtMatmul(handle, lt->what.get(), &one, x.b, lt->b.get(), x.a, lt->a.get(), &zero, c, lt->c.get(),
                             x.c, lt->of_result(), &algorithm, workspace, workspace_bytes, x.stream),
              "cublasLtMatmul");
          if (copies) {
            copies->enqueue_result(given);
          }
          return result;
        };
        try {
          pace how;
          watch.sample(candidate, w, how);  // loads its kernel
          how = watch.pace_of(candidate, w);
          std::vector<double> seconds;
          for (int sample = 0; sample < 5; ++sample) {
            seconds.push_back(watch.sample(candidate, w, how));
          }
          if (!best.run || median(seconds) < best_seconds) {
            best_seconds = median(seconds);
            best.run = candidate.run;
          }
        } catch (failure const&) {
          static_cast<void>(cudaGetLastError());  // an algorithm that is proposed and then refused
        }
      }
    };
    product const p = w.set(0);
    try_all(p, nullptr);
    if (has_8_bits<Element> && p.batch == 1 && scaled == scaling::none) {
      auto const copies = std::make_shared<lt_copies const>(p, sizeof(typename Element::output));
      if (copies->any()) {
        try_all(copies->enqueue_operands(p), copies);
      }
    }
  });
  if (!best.run) {
    throw unsupported("cublasLt has no algorithm for this problem");
  }
  return best;
}

}  // namespace bench
