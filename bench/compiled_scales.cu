// SPDX-License-Identifier: BSL-1.0
//! @file
//! As bench/compiled_epilogue.cu, of e4m3 with a scale for each row of A and each column of B, to bfloat16. Both
//! multiply the same numbers in another order: their scales are powers of two, so that the bits are the same.

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <cstdint>

#include <gemm/gemm.cuh>

#include <gemm/compiled.hpp>

#include "support/compiled_epilogue.hpp"

namespace {

using e4m3 = __nv_fp8_e4m3;
using bf16 = __nv_bfloat16;
namespace library = gemm::compiled;

/// 1/2 or 1.
struct power_of_two {
  float value;
  power_of_two() = default;
  explicit power_of_two(float random) : value(random < 0 ? 0.5f : 1) {}
};

struct operands {
  std::int64_t m, n, k;
  bench::random_array<e4m3> a{m * k, -0.5f, 0.5f}, b{n * k, -0.5f, 0.5f};
  bench::random_array<power_of_two> scales_a{m, -1, 1}, scales_b{n, -1, 1};
  bench::random_array<bf16> bias{n, -0.5f, 0.5f}, c{m * n, -0.5f, 0.5f};
};

template <class Epilogue>
void measure(char const* name, operands const& p, Epilogue const& epilogue, library::epilogue const& value) {
  float const *const of_rows = &p.scales_a.data()->value, *const of_columns = &p.scales_b.data()->value;
  bench::compare(
      name, p.m, p.n, p.k, p.c,
      [&] {
        return static_cast<bool>(
            gemm::run(gemm::scaled(gemm::row_major(p.a.data(), p.m, p.k), gemm::per_row(of_rows)),
                      gemm::scaled(gemm::col_major(p.b.data(), p.k, p.n), gemm::per_column(of_columns)),
                      gemm::row_major(p.c.data(), p.m, p.n), {}, epilogue));
      },
      [&] {
        return static_cast<bool>(
            library::run(library::scaled(library::row_major(p.a.data(), library::element_type::e4m3, p.m, p.k),
                                         library::per_row(of_rows)),
                         library::scaled(library::col_major(p.b.data(), library::element_type::e4m3, p.k, p.n),
                                         library::per_column(of_columns)),
                         library::row_major(p.c.data(), library::element_type::bf16, p.m, p.n), {}, value));
      });
}

}  // namespace

int main() {
  constexpr std::int64_t sizes[][3] = {{4096, 4096, 4096}, {8192, 4096, 1024}, {2048, 2048, 2048}, {64, 14336, 4096}};
  for (auto const& [m, n, k] : sizes) {
    operands const p{m, n, k};
    bf16 const* const bias = p.bias.data();
    measure("scales", p, gemm::identity{}, library::identity{});
    measure("scales, bias", p, gemm::bias(bias), library::bias(bias, n));
    measure("scales, bias, gelu", p, gemm::bias(bias) | gemm::gelu{}, library::bias(bias, n) | library::gelu{});
  }
}
