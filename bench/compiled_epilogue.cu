// SPDX-License-Identifier: BSL-1.0
//! @file
//! Times products with an epilogue by the templates, and by the compiled library, whose epilogue is a value:
//!
//!     nvcc -std=c++20 -O3 -arch=sm_90a -Iinclude bench/compiled_epilogue.cu -Lbuild -lgemm_compiled -o build/epilogue
//!
//! Of bfloat16, B k-major, by the plan that both choose. bench/compiled_scales.cu has fp8.

#include <cuda_bf16.h>

#include <cstdint>

#include <gemm/gemm.cuh>

#include <gemm/compiled.hpp>

#include "support/compiled_epilogue.hpp"

namespace {

using bf16 = __nv_bfloat16;
namespace library = gemm::compiled;

struct operands {
  std::int64_t m, n, k;
  bench::random_array<bf16> a{m * k, -0.5f, 0.5f}, b{n * k, -0.5f, 0.5f}, bias{n, -0.5f, 0.5f},
      residual{m * n, -0.5f, 0.5f}, c{m * n, -0.5f, 0.5f};
};

template <class Epilogue>
void measure(char const* name, operands const& p, Epilogue const& epilogue, library::epilogue const& value) {
  constexpr library::element_type type = library::element_type::bf16;
  bench::compare(
      name, p.m, p.n, p.k, p.c,
      [&] {
        return static_cast<bool>(gemm::run(gemm::row_major(p.a.data(), p.m, p.k), gemm::col_major(p.b.data(), p.k, p.n),
                                           gemm::row_major(p.c.data(), p.m, p.n), {}, epilogue));
      },
      [&] {
        return static_cast<bool>(library::run(library::row_major(p.a.data(), type, p.m, p.k),
                                              library::col_major(p.b.data(), type, p.k, p.n),
                                              library::row_major(p.c.data(), type, p.m, p.n), {}, value));
      });
}

}  // namespace

int main() {
  constexpr std::int64_t sizes[][3] = {{4096, 4096, 4096}, {8192, 4096, 1024}, {2048, 2048, 2048}, {64, 14336, 4096}};
  for (auto const& [m, n, k] : sizes) {
    operands const p{m, n, k};
    bf16 const *const bias = p.bias.data(), *const residual = p.residual.data();
    measure("alone", p, gemm::identity{}, library::identity{});
    measure("bias", p, gemm::bias(bias), library::bias(bias, n));
    measure("bias, gelu", p, gemm::bias(bias) | gemm::gelu{}, library::bias(bias, n) | library::gelu{});
    measure("bias, relu, residual", p,
            gemm::bias(bias) | gemm::relu{} | gemm::residual(gemm::row_major(residual, m, n)),
            library::bias(bias, n) | library::relu{} |
                library::residual(library::row_major(residual, library::element_type::bf16, m, n)));
  }
}
