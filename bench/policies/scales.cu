// SPDX-License-Identifier: BSL-1.0
//! @file
//! Scaled products that are measured: e4m3 by the library's choice, its scales in device memory.

#include <string>
#include <tuple>
#include <vector>

#include "policies.hpp"

namespace bench {

namespace {

/// Calls run(A, B) with the views of the operands and their scales.
template <scaling Scaling, class Element, class Run>
gemm::status with_scales(product const& p, Run const& run) {
  auto const a = gemm::row_major(static_cast<typename Element::input const*>(p.a), p.m, p.k);
  auto const b = gemm::col_major(static_cast<typename Element::input const*>(p.b), p.k, p.n);
  std::int64_t const kb = scale_operands::blocks(p.k);
  if constexpr (Scaling == scaling::per_tensor) {
    return run(gemm::scaled(a, p.scales.a), gemm::scaled(b, p.scales.b));
  } else if constexpr (Scaling == scaling::per_row) {
    return run(gemm::scaled(a, gemm::per_row(p.scales.a, p.m)), gemm::scaled(b, gemm::per_column(p.scales.b, p.n)));
  } else {
    auto const scaled_a = gemm::scaled(a, gemm::per_block<1, 128>(gemm::col_major(p.scales.a, p.m, kb)));
    if constexpr (Scaling == scaling::block_1x128) {
      return run(scaled_a, gemm::scaled(b, gemm::per_block<128, 1>(gemm::row_major(p.scales.b, kb, p.n))));
    } else {
      std::int64_t const nb = scale_operands::blocks(p.n), ld = scale_operands::block_stride(p.k);
      return run(scaled_a, gemm::scaled(b, gemm::per_block<128, 128>(gemm::col_major(p.scales.b, kb, nb, ld))));
    }
  }
}

/// The product of this place in scaled_names, whose epilogue make(product) is.
template <class Element, int Place, class Make>
contender scaled_product(Make make) {
  constexpr scaling scales = scaled_names[Place].second;
  auto const run = [make](product const& p) -> gemm::status {
    if (p.transposed_a || !p.transposed_b || p.batch != 1) {
      return {gemm::status_code::unsupported_device, cudaSuccess, "scales are compiled for nt and single products"};
    }
    return with_scales<scales, Element>(p, [&](auto const& a, auto const& b) {
      return gemm::run<gemm::automatic>(a, b, gemm::row_major(static_cast<typename Element::output*>(p.c), p.m, p.n),
                                        {.stream = p.stream, .workspace = p.workspace}, make(p));
    });
  };
  return {.name = scaled_names[Place].first,
          .dtype = std::string(std::get<Element>(elements).name),
          .run = run,
          .scaled = scales};
}

gemm::identity nothing(product const&) { return {}; }

template <class Element>
contender with_amax() {
  contender result = scaled_product<Element, 4>([](product const& p) { return gemm::amax(p.scales.amax); });
  result.has_amax = true;
  return result;
}

}  // namespace

std::vector<contender> scaled_products() {
#ifdef GEMM_BENCH_BRIEF
  return {scaled_product<e4m3, 3>(&nothing), with_amax<e4m3e4m3>()};
#else
  return {scaled_product<e4m3, 0>(&nothing),
          scaled_product<e4m3, 1>(&nothing),
          scaled_product<e4m3, 2>(&nothing),
          scaled_product<e4m3, 3>(&nothing),
          with_amax<e4m3>(),
          scaled_product<e4m3e4m3, 0>(&nothing),
          with_amax<e4m3e4m3>()};
#endif
}

}  // namespace bench
