// SPDX-License-Identifier: BSL-1.0
//! @file
//! Operands that are constant: loads of them begin while the kernel before runs, and all else waits for its end.

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/cpu_options.hpp"
#include "../support/device.hpp"
#include "../support/sm90a.hpp"

#if defined(GEMM_TEST_CPU_DEVICE)
#include <cpu_device/recording.hpp>
#endif

namespace {

using gemm::order;
using bf16 = __nv_bfloat16;

/// What a kernel writes at its end.
template <class T>
struct late_write {
  T* to = nullptr;
  T const* from = nullptr;
  std::int64_t count = 0;

  __host__ __device__ void perform() const {
    for (std::int64_t i = 0; i < count; ++i) {
      to[i] = from[i];
    }
  }
};

/// What a kernel before a product may write: an operand, C, and the workspace, with NaN.
template <class T>
struct late_writes {
  late_write<T> operand;
  late_write<float> c, workspace;

  __host__ __device__ void perform() const {
    operand.perform();
    c.perform();
    workspace.perform();
  }
};

/// Lets the next kernel begin, and writes much later.
template <class T>
__global__ void kernel_before([[maybe_unused]] late_writes<T> const writes) {
  gemm::arch::launch_dependents();
#if defined(__CUDA_ARCH__)
  for (long long const begin = clock64(); clock64() - begin < 1000000;) {
  }
  writes.perform();
#endif
}

/// Enqueues the kernel before. On the CPU device it ends when the first thread of the next waits for it.
template <class T>
void enqueue(late_writes<T> const& writes) {
#if defined(GEMM_TEST_CPU_DEVICE)
  static_cast<void>(writes);
#else
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = dim3(1);
  test::require_success(cudaLaunchKernelEx(&config, kernel_before<T>, writes), "cudaLaunchKernelEx");
#endif
}

template <class T>
std::vector<T> integers(std::size_t count, int modulus) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<T>(static_cast<float>(static_cast<int>(i % static_cast<std::size_t>(modulus)) - 3));
  }
  return values;
}

enum class constant { none, a, b, both };

/// What is promised, and on the CPU device whether its threads take turns in the order of their numbers.
struct promise {
  constant what;
  bool forward;
};

/// Multiplies A, m x k row-major, by B, k x n column-major, behind a kernel that writes C, the workspace, and the
/// operand that is not constant.
template <class Policy, class T, order C = order::row>
void check(std::int64_t m, std::int64_t n, std::int64_t k, promise const& given) {
  constant const promised = given.what;
  auto const elements = [](std::int64_t rows, std::int64_t columns) {
    return static_cast<std::size_t>(rows * columns);
  };
  auto const nan = [](std::size_t count) { return std::vector<T>(count, static_cast<T>(__builtin_nanf(""))); };
  auto const of_a = integers<T>(elements(m, k), 7), of_b = integers<T>(elements(k, n), 5);
  auto const of_c = integers<float>(elements(m, n), 11);
  bool const writes_a = promised == constant::none || promised == constant::b, writes_b = promised == constant::a;
  test::device_array<T> const last_a(of_a), last_b(of_b), a(writes_a ? nan(of_a.size()) : of_a),
      b(writes_b ? nan(of_b.size()) : of_b);
  test::device_array<float> const last_c(of_c), c(std::vector<float>(of_c.size(), __builtin_nanf(""))), expected(of_c);
  auto const view = [&](float* data) {
    return gemm::matrix<float, C>{.data = data, .rows = m, .columns = n, .ld = C == order::row ? n : m};
  };
  auto const run = [&]<class Any>(Any, T const* x, T const* y, float* z, gemm::options<float> opts) {
    opts.alpha = 2;
    opts.beta = -1;
    return gemm::run<Any>(gemm::row_major(x, m, k), gemm::col_major(y, k, n), view(z), opts);
  };
  REQUIRE(run(gemm::coalesced_32x32{}, last_a.data(), last_b.data(), expected.data(), {}));
  test::require_success(cudaDeviceSynchronize(), "cudaDeviceSynchronize");

  std::size_t const bytes = gemm::workspace_size<Policy>(gemm::row_major(a.data(), m, k),
                                                         gemm::col_major(b.data(), k, n), view(c.data()), {.beta = -1});
  std::size_t const words = bytes / sizeof(float);
  test::device_array<float> const workspace(words), garbage(std::vector<float>(words, __builtin_nanf("")));
  late_writes<T> writes{.operand = writes_b ? late_write<T>{b.data(), last_b.data(), k * n}
                                            : late_write<T>{a.data(), last_a.data(), writes_a ? m * k : 0},
                        .c = {c.data(), last_c.data(), m * n},
                        .workspace = {workspace.data(), garbage.data(), static_cast<std::int64_t>(words)}};
#if defined(GEMM_TEST_CPU_DEVICE)
  // Loads land at once, and producers, whose numbers are the greatest or the least, go first or last.
  cpu_device::recording recording;
  std::int64_t early = 0;
  bool ended = false;
  cpu_device::scoped_options with;
  with->order = given.forward ? cpu_device::run_order::forward : cpu_device::run_order::reverse;
  with->completion = cpu_device::copy_completion::eager;
  with->record = &recording;
  with->kernel_before = [&] {
    if (ended) {
      return;  // of the second of two kernels, the first is the one before
    }
    ended = true;
    for (cpu_device::event const& e : recording.events) {
      bool const loads = e.what == cpu_device::event_kind::box || e.what == cpu_device::event_kind::prefetch;
      early += loads ? e.value : 0;
    }
    writes.perform();
  };
#endif
  enqueue(writes);
  REQUIRE(run(Policy{}, a.data(), b.data(), c.data(),
              {.workspace = {.data = workspace.data(), .bytes = bytes},
               .constant_a = promised == constant::a || promised == constant::both,
               .constant_b = promised == constant::b || promised == constant::both}));
  CHECK(c.download() == expected.download());  // sums of integers are exact in any order
#if defined(GEMM_TEST_CPU_DEVICE)
  CHECK(ended);
  bool const producer_first = given.forward == (Policy::info.op == gemm::math_op::simt);
  if (promised == constant::none) {
    CHECK(early == 0);
  } else if (producer_first) {
    CHECK(early > 0);
  }
#endif
}

promise any_promise() {
  return {GENERATE(constant::none, constant::a, constant::b, constant::both), GENERATE(false, true)};
}

}  // namespace

TEST_CASE("a tile of few rows loads constant operands while the kernel before runs", "[constant]") {
  test::need_sm90a();
  promise const given = any_promise();
  check<gemm::sm90_wgmma_16x64x64, bf16>(5, 130, 40, given);   // less than a ring of stages
  check<gemm::sm90_wgmma_16x64x64, bf16>(5, 70, 1000, given);  // more
  check<gemm::cluster_split_k<gemm::sm90_wgmma_16x64x64, 4>, bf16>(16, 64, 3000, given);
}

TEST_CASE("for a column-major C constant operands are exchanged as A and B are", "[constant]") {
  test::need_sm90a();
  promise const given = any_promise();
  check<gemm::sm90_wgmma_64x16x64, bf16, order::column>(9, 130, 1000, given);
}

TEST_CASE("float kernels prefetch constant operands while the kernel before runs", "[constant]") {
  test::need_sm90a();
  promise const given = any_promise();
  check<gemm::sm90_simt_tma_16x64x32, float>(12, 68, 500, given);
  check<gemm::split_k<gemm::sm90_simt_tma_16x64x32, 2>, float>(12, 68, 500, given);
}

TEST_CASE("a skinny kernel prefetches its large operand while the kernel before runs", "[constant]") {
  test::need_sm90a();
  promise const given{GENERATE(constant::none, constant::b), GENERATE(false, true)};
  check<gemm::skinny_1x32x512, float>(1, 64, 1200, given);
}
