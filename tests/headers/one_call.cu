// SPDX-License-Identifier: BSL-1.0
//! @file
//! Every kind of call once, for the forms of -arch and with and without NDEBUG.

#include <gemm/gemm.cuh>

gemm::status one_call(float const* a, float const* b, float* c) {
  auto const x = gemm::row_major(a, 8, 8);
  auto const y = gemm::col_major(b, 8, 8);
  auto const z = gemm::col_major(c, 8, 8);
  using policy = gemm::coalesced_32x32;
  gemm::options<float> const opts{.alpha = 2, .workspace = {.bytes = gemm::workspace_size<policy>(x, y, z)}};
  if (gemm::can_run<policy>(x, y, z, opts) && !gemm::chosen(x, y, z).policy.empty()) {
    return gemm::run<policy>(x, y, z, opts, gemm::bias(b) | gemm::relu{});
  }
  return {};
}
