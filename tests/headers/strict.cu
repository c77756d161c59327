// SPDX-License-Identifier: BSL-1.0
//! @file
//! Calls of many types, for compilers that are told to warn of all they know; and with macros as <windows.h> has them.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cuda/std/mdspan>

#if defined(WINDOWS_MACROS)
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>  // of the CPU device
#include <tuple>
#include <unordered_map>
#include <vector>
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define near
#define far
#define small char
#endif

#include <gemm/gemm.cuh>
#include <gemm/reference.hpp>
#include <gemm/tune.cuh>

// What an initialiser skips is its default in constants, whichever compiler is the host's.
constexpr gemm::kernel_info skipping{.sliced = true, .options = {.without_wgmma = true}};
static_assert(skipping.arch == gemm::architecture::sm_80 && skipping.op == gemm::math_op::simt);
static_assert(skipping.loader == gemm::operand_loader::direct && !skipping.is_persistent() && !skipping.is_split());
static_assert(skipping.stages == 1 && skipping.cluster_m == 1 && skipping.cluster_n == 1 && skipping.products == 1);
static_assert(!skipping.options.narrow_a && !skipping.options.narrow_b);
static_assert(gemm::sm80_mma_128x128x32::info.cluster_m == 1 && gemm::sm80_mma_128x128x32::info.stages > 1);

/// Any epilogue of a user's.
struct halved {
  template <class V>
  __host__ __device__ V operator()(V value, std::int64_t, std::int64_t) const {
    return value / V(2);
  }
};

/// Every kind of call with the library's choice.
template <class Policy, class In, class Out>
gemm::status calls(In const* a, In const* b, Out* c) {
  auto const x = gemm::batched(gemm::row_major(a, 8, 8), 2);
  auto const y = gemm::col_major(b, 8, 8);
  auto const z = gemm::batched(gemm::col_major(c, 8, 8), 2);
  gemm::detail::options_for<decltype(x)> const opts{.alpha = 2,
                                                    .workspace = {nullptr, gemm::workspace_size<Policy>(x, y, z)}};
  if (gemm::can_run<Policy>(x, y, z, opts) && !gemm::chosen<Policy>(x, y, z).policy.empty()) {
    return gemm::run<Policy>(x, y, z, opts, gemm::bias(c) | halved{});
  }
  return {};
}

template gemm::status calls<gemm::automatic>(float const*, float const*, float*);
template gemm::status calls<gemm::automatic>(__half const*, __half const*, __half*);
template gemm::status calls<gemm::automatic>(std::int8_t const*, std::int8_t const*, std::int32_t*);

#if !defined(FEW_CALLS)
template gemm::status calls<gemm::automatic>(double const*, double const*, double*);
template gemm::status calls<gemm::fp32_emulated>(float const*, float const*, float*);
template gemm::status calls<gemm::batch_invariant>(__half const*, __half const*, __half*);

gemm::status prepacked(float const* a, float const* b, float* c, gemm::workspace memory) {
  auto const parts = gemm::prepacked_b(gemm::row_major(b, 8, 8), memory);
  gemm::status const result = gemm::prepack(parts);
  return result ? gemm::run<gemm::fp32_emulated>(gemm::row_major(a, 8, 8), parts, gemm::row_major(c, 8, 8)) : result;
}
#endif

gemm::status epilogues(float const* a, float const* b, float* c, float* d) {
  auto const z = gemm::row_major(c, 8, 8);
  return gemm::run<gemm::naive_32x4>(
      gemm::as_tf32(gemm::row_major(a, 8, 8)), gemm::as_tf32(gemm::row_major(b, 8, 8)), z, {},
      gemm::row_bias(b) | gemm::column_scale(b) | gemm::row_scale(b) | gemm::relu{} | gemm::gelu{} | gemm::gelu_tanh{} |
          gemm::silu{} | gemm::sigmoid{} | gemm::tanh_activation{} | gemm::clamp(-1, 1) | gemm::residual(z, 2) |
          gemm::scale(2) | gemm::store(gemm::row_major(d, 8, 8)));
}

gemm::status experts(float const* a, float const* b, float* c, std::int32_t const* index, std::int32_t const* ends) {
  return gemm::run<gemm::pipelined_32x64x32>(
      gemm::ragged_rows(gemm::gathered(gemm::row_major(a, 8, 8), index, 9), ends, 2),
      gemm::batched(gemm::row_major(b, 8, 8), 2),
      gemm::ragged_rows(gemm::scattered(gemm::row_major(c, 9, 4), index, 9), ends, 2), {},
      gemm::bias(b) | gemm::gated<gemm::silu>{} | gemm::row_scale(a));
}

gemm::status spans(float const* a, float const* b, float* c) {
  using sizes = cuda::std::dextents<std::size_t, 2>;
  cuda::std::mdspan<float const, sizes> const x(a, 3, 4), y(b, 4, 5);
  cuda::std::mdspan<float, sizes> const z(c, 3, 5);
  return gemm::run<gemm::naive_32x4>(gemm::row_major(x), gemm::row_major(y), gemm::row_major(z));
}

gemm::tune_result tuned(float const* a, float const* b, float* c) {
  return gemm::tune<gemm::naive_32x4>(gemm::row_major(a, 8, 8), gemm::row_major(b, 8, 8), gemm::row_major(c, 8, 8));
}

double referred(float const* a, float const* b, float* c) {
  auto const want = gemm::reference(gemm::row_major(a, 8, 8), gemm::row_major(b, 8, 8), gemm::row_major(c, 8, 8), 1, 0);
  return gemm::error_bound<float>(want.front(), 8);
}
