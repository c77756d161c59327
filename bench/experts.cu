// SPDX-License-Identifier: BSL-1.0
//! @file
//! The two products of a layer of experts that experts.py times, for a shared library: bfloat16, rows sorted by expert.

#include <cuda_bf16.h>

#include <cstdint>
#include <cstdio>

#include <gemm/gemm.cuh>

namespace {

using bf16 = __nv_bfloat16;

/// A layer: pointers to device memory and sizes, in the order of experts.py.
struct layer {
  bf16 const *x, *gate_up, *down;  // tokens x hidden; of experts 2 inner x hidden, hidden x inner
  std::int32_t const *ends, *token_of_row, *slot_of_row;  // of experts, and of rows
  float const* weight_of_row;
  bf16 *activated, *slots;  // rows x inner, rows x hidden
  std::int64_t tokens, rows, experts, hidden, inner;
};

gemm::status forward(layer const& l, cudaStream_t stream) {
  auto const on = [&](auto const& view) { return gemm::ragged_rows(view, l.ends, l.experts); };
  auto const activated = gemm::row_major(l.activated, l.rows, l.inner);
  gemm::status const result =
      gemm::run(on(gemm::gathered(gemm::row_major(l.x, l.tokens, l.hidden), l.token_of_row, l.rows)),
                gemm::batched(gemm::col_major(l.gate_up, l.hidden, 2 * l.inner), l.experts), on(activated),
                {.stream = stream}, gemm::gated<gemm::silu>{});
  return result ? gemm::run(on(activated), gemm::batched(gemm::col_major(l.down, l.inner, l.hidden), l.experts),
                            on(gemm::scattered(gemm::row_major(l.slots, l.rows, l.hidden), l.slot_of_row, l.rows)),
                            {.stream = stream}, gemm::row_scale(l.weight_of_row))
                : result;
}

}  // namespace

/// 0, or what run() says is written to `message`, which has 256 characters.
extern "C" int experts_forward(void const* given, void* stream, char* message) {
  gemm::status const result = forward(*static_cast<layer const*>(given), static_cast<cudaStream_t>(stream));
  std::snprintf(message, 256, "%s", result.message());
  return result ? 0 : 1;
}
