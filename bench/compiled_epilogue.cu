// SPDX-License-Identifier: BSL-1.0
//! @file
//! Times products with an epilogue by the templates, and by the compiled library, whose epilogue is a value:
//!
//!     nvcc -std=c++20 -O3 -arch=sm_90a -Iinclude bench/compiled_epilogue.cu -Lbuild -lgemm_compiled -o build/epilogue
//!
//! Of bfloat16, B k-major, by the plan that both choose. Both results are the same bits, or the program ends with 1.
//! Samples of about 2 ms lie between two events, by turns; the median of 15. The cost is that over the templates' time.

#include <cuda_bf16.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <gemm/gemm.cuh>

#include <gemm/compiled.hpp>

namespace {

using bf16 = __nv_bfloat16;

void require(bool right, char const* what) {
  if (!right) {
    std::fprintf(stderr, "compiled_epilogue: %s\n", what);
    std::exit(1);
  }
}
void require(cudaError_t error, char const* what) { require(error == cudaSuccess, what); }

/// Elements in device memory, random but always the same.
bf16* random_elements(std::int64_t count) {
  std::vector<bf16> values(static_cast<std::size_t>(count));
  std::uint32_t state = 1;
  for (bf16& value : values) {
    state = state * 1664525 + 1013904223;
    value = __float2bfloat16(static_cast<float>(state >> 8) / 16777216 - 0.5f);
  }
  void* memory = nullptr;
  require(cudaMalloc(&memory, values.size() * sizeof(bf16)), "no memory");
  require(cudaMemcpy(memory, values.data(), values.size() * sizeof(bf16), cudaMemcpyHostToDevice), "a copy failed");
  return static_cast<bf16*>(memory);
}

struct operands {
  std::int64_t m, n, k;
  bf16 const *a, *b, *bias, *residual;
  bf16* c;
};

template <class Epilogue>
gemm::status by_templates(operands const& p, Epilogue const& epilogue) {
  return gemm::run(gemm::row_major(p.a, p.m, p.k), gemm::col_major(p.b, p.k, p.n), gemm::row_major(p.c, p.m, p.n), {},
                   epilogue);
}
bool by_library(operands const& p, gemm::compiled::epilogue const& epilogue) {
  constexpr gemm::compiled::element_type type = gemm::compiled::element_type::bf16;
  return static_cast<bool>(gemm::compiled::run(gemm::compiled::row_major(p.a, type, p.m, p.k),
                                               gemm::compiled::col_major(p.b, type, p.k, p.n),
                                               gemm::compiled::row_major(p.c, type, p.m, p.n), {}, epilogue));
}

/// Seconds of a launch, of so many.
template <class Call>
double sample(Call const& call, int launches) {
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin), "no event");
  require(cudaEventCreate(&end), "no event");
  require(cudaEventRecord(begin), "no event");
  for (int i = 0; i < launches; ++i) {
    call();
  }
  require(cudaEventRecord(end), "no event");
  require(cudaEventSynchronize(end), "a launch failed");
  float milliseconds = 0;
  require(cudaEventElapsedTime(&milliseconds, begin, end), "no time");
  require(cudaEventDestroy(begin), "no event");
  require(cudaEventDestroy(end), "no event");
  return 1e-3 * milliseconds / launches;
}

double median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

std::vector<bf16> result_of(operands const& p) {
  std::vector<bf16> result(static_cast<std::size_t>(p.m * p.n));
  require(cudaMemcpy(result.data(), p.c, result.size() * sizeof(bf16), cudaMemcpyDeviceToHost), "no result");
  return result;
}

template <class Epilogue>
void measure(char const* name, operands const& p, Epilogue const& epilogue, gemm::compiled::epilogue const& value) {
  auto const templates = [&] { require(static_cast<bool>(by_templates(p, epilogue)), "the templates refused"); };
  auto const library = [&] { require(by_library(p, value), "the library refused"); };
  templates();
  std::vector<bf16> const expected = result_of(p);
  require(cudaMemset(p.c, 0, expected.size() * sizeof(bf16)), "no memset");
  library();
  std::vector<bf16> const found = result_of(p);
  require(std::memcmp(expected.data(), found.data(), found.size() * sizeof(bf16)) == 0, "the results differ");

  int const launches = std::max(1, static_cast<int>(2e-3 / sample(templates, 3)));
  std::vector<double> of_templates, of_library;
  for (int i = 0; i < 15; ++i) {
    of_templates.push_back(sample(templates, launches));
    of_library.push_back(sample(library, launches));
  }
  double const one = median(of_templates), other = median(of_library);
  std::printf("%lldx%lldx%lld %s: %.2f us by the templates, %.2f by the library, cost %+.1f %%\n",
              static_cast<long long>(p.m), static_cast<long long>(p.n), static_cast<long long>(p.k), name, 1e6 * one,
              1e6 * other, 100 * (other / one - 1));
}

}  // namespace

int main() {
  constexpr std::int64_t sizes[][3] = {{4096, 4096, 4096}, {8192, 4096, 1024}, {2048, 2048, 2048}, {64, 14336, 4096}};
  for (auto const& [m, n, k] : sizes) {
    operands const p{m,
                     n,
                     k,
                     random_elements(m * k),
                     random_elements(n * k),
                     random_elements(n),
                     random_elements(m * n),
                     random_elements(m * n)};
    measure("alone", p, gemm::identity{}, gemm::compiled::identity{});
    measure("bias, gelu", p, gemm::bias(p.bias) | gemm::gelu{},
            gemm::compiled::bias(p.bias, n) | gemm::compiled::gelu{});
    measure(
        "bias, relu, residual", p,
        gemm::bias(p.bias) | gemm::relu{} | gemm::residual(gemm::row_major(p.residual, m, n)),
        gemm::compiled::bias(p.bias, n) | gemm::compiled::relu{} |
            gemm::compiled::residual(gemm::compiled::row_major(p.residual, gemm::compiled::element_type::bf16, m, n)));
    for (bf16 const* memory : {p.a, p.b, p.bias, p.residual, static_cast<bf16 const*>(p.c)}) {
      require(cudaFree(const_cast<bf16*>(memory)), "no free");
    }
  }
}
