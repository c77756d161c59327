// SPDX-License-Identifier: BSL-1.0
//! @file
//! The contenders of gemm_accuracy: a policy or a call of cuBLAS, and the memory that they work in.
#pragma once

#include <cublas_v2.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>

#include <gemm/gemm.cuh>

#include "../support/cuda.hpp"
#include "product.hpp"

namespace bench {

constexpr std::size_t workspace_bytes = std::size_t{3} << 30;

inline owned<cublasHandle_t, cublasDestroy> make_handle() {
  cublasHandle_t created = nullptr;
  if (cublasCreate(&created) != CUBLAS_STATUS_SUCCESS) {
    throw failure("cublasCreate");
  }
  return owned<cublasHandle_t, cublasDestroy>(created);
}

/// What contenders multiply with.
struct settings {
  owned<cublasHandle_t, cublasDestroy> owner = make_handle();
  device_memory memory{workspace_bytes};
  cublasHandle_t handle = owner.get();
  gemm::workspace workspace{memory.data(), workspace_bytes};
};

/// C = A B of an exact_product's operands, into its C, of elements Out.
template <class T, class Out = float>
struct contender {
  std::string name;
  std::function<void(settings const&, exact_product<T> const&)> run;
};

/// A call of gemm::run, gemm::chosen or another, of the product's views and options.
template <class Out, class T, class Call>
auto call_with(settings const& s, exact_product<T> const& p, Call call) {
  return call(gemm::row_major(p.a(), p.m(), p.k()), gemm::col_major(p.b(), p.k(), p.n()),
              gemm::row_major(p.template c<Out>(), p.m(), p.n()), gemm::options<float>{.workspace = s.workspace});
}

template <class Policy, class T = float, class Out = float>
contender<T, Out> ours() {
  return {std::string(gemm::name<Policy>()), [](settings const& s, exact_product<T> const& p) {
            gemm::status const status = call_with<Out>(
                s, p, [](auto a, auto b, auto c, auto const& opts) { return gemm::run<Policy>(a, b, c, opts); });
            if (status.code() == gemm::status_code::unsupported_device) {
              throw unsupported(status.message());
            }
            if (!status) {
              throw failure(status.message());
            }
          }};
}

/// cublasSgemm, in one of its modes.
inline contender<float> cublas_sgemm(char const* name, cublasMath_t math) {
  return {name, [math](settings const& s, exact_product<float> const& p) {
            float const one = 1, zero = 0;
            if (cublasSetMathMode(s.handle, math) != CUBLAS_STATUS_SUCCESS ||
                cublasSgemm(s.handle, CUBLAS_OP_T, CUBLAS_OP_N, p.n(), p.m(), p.k(), &one, p.b(), p.k(), p.a(), p.k(),
                            &zero, p.c(), p.n()) != CUBLAS_STATUS_SUCCESS) {
              throw failure("cublasSgemm");
            }
          }};
}

/// What `Choice` runs.
template <class Choice, class Out = float, class T>
gemm::choice chosen(settings const& s, exact_product<T> const& p) {
  return call_with<Out>(s, p,
                        [](auto a, auto b, auto c, auto const& opts) { return gemm::chosen<Choice>(a, b, c, opts); });
}

/// Seconds of so many launches.
template <class T, class Out>
double time_of(contender<T, Out> const& c, settings const& s, exact_product<T> const& p, int launches) {
  event const begin = make_event(), end = make_event();
  require(cudaEventRecord(begin.get()), "cudaEventRecord");
  for (int i = 0; i < launches; ++i) {
    c.run(s, p);
  }
  require(cudaEventRecord(end.get()), "cudaEventRecord");
  require(cudaEventSynchronize(end.get()), c.name);
  float milliseconds = 0;
  require(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()), "cudaEventElapsedTime");
  return milliseconds * 1e-3;
}

/// Ends a line of a CSV with the errors of a contender: the largest, the median, the largest ratio to the bound; and
/// with microseconds of a launch, the mean of so many, where there are some. They are empty where it fails, and the
/// message goes to stderr.
template <class T, class Out>
void write_errors(std::FILE* file, contender<T, Out> const& c, settings const& s, exact_product<T> const& p,
                  std::int64_t promotion = 0, int launches = 0) {
  try {
    p.clear();
    c.run(s, p);
    errors const found = p.template measure<Out>(promotion);
    double const seconds = launches > 0 ? time_of(c, s, p, launches) / launches : 0;
    std::fprintf(file, ",%.4g,%.4g,%.4g", found.most, found.median, found.of_bound);
    if (launches > 0) {
      std::fprintf(file, ",%.4g", seconds * 1e6);
    }
  } catch (std::runtime_error const& reason) {
    std::fprintf(file, "%s", launches > 0 ? ",,,," : ",,,");
    std::fprintf(stderr, "%s, %dx%dx%d: %s\n", c.name.c_str(), p.m(), p.n(), p.k(), reason.what());
  }
  std::fprintf(file, "\n");
}

}  // namespace bench
