// SPDX-License-Identifier: BSL-1.0
//! @file
//! Atomic operations on global memory: words that tell themselves, and what the threads of several blocks add to the
//! same words.

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

#include <gemm/arch/global_atomics.cuh>
#include <gemm/arch/global_maximum.cuh>
#include <gemm/launch/launch.cuh>

#include "../support/device.hpp"

namespace {

struct question {
  std::uint32_t *words, *seen, *answers;
};

/// The block tells the first word; a thread each looks at the first four and at the others.
__global__ void tell(question const __grid_constant__ what) {
  if (threadIdx.x == 0) {
    gemm::arch::store_relaxed(what.words, 1U << 31);
  }
  __syncthreads();
  if (threadIdx.x < 2) {
    std::uint32_t seen[4];
    what.answers[threadIdx.x] = gemm::arch::load_relaxed(seen, what.words + 4 * threadIdx.x, 1U << 31 | 8, 3) ? 1 : 0;
    for (int i = 0; i < 4; ++i) {
      what.seen[4 * threadIdx.x + i] = seen[i];
    }
  }
}

constexpr int adding_threads = 96;

struct words {
  std::uint32_t *sum, *bits, *most;
};

__global__ void reduce(words const __grid_constant__ to) {
  gemm::arch::reduce_add(to.sum, 0xfffffff0U + threadIdx.x);
  gemm::arch::reduce_max(to.most, 7 + (threadIdx.x * 37 + blockIdx.x) % 101);
  gemm::arch::reduce_or(to.bits, 1U << (threadIdx.x % 4 + 8 * blockIdx.x));
}

}  // namespace

TEST_CASE("words tell themselves, and who looks for bits that some lack goes on", "[sanitizer]") {
  test::device_array<std::uint32_t> const seen(8), answers(2);
  test::device_array<std::uint32_t> const words(std::vector<std::uint32_t>{7, ~0U, ~0U, ~0U, 8, ~0U, ~0U, ~0U});
  question const what{.words = words.data(), .seen = seen.data(), .answers = answers.data()};
  test::require_success(gemm::detail::launch(&tell, dim3(1), 32, 0, nullptr, what), "launch");
  CHECK(seen.download() == std::vector<std::uint32_t>{1U << 31, ~0U, ~0U, ~0U, 8, ~0U, ~0U, ~0U});
  CHECK(answers.download() == std::vector<std::uint32_t>{0, 0});
  test::device_array<std::uint32_t> const all(
      std::vector<std::uint32_t>{7, ~0U, ~0U, ~0U, 1U << 31 | 8, ~0U, ~0U, ~0U});
  question const other{.words = all.data(), .seen = seen.data(), .answers = answers.data()};
  test::require_success(gemm::detail::launch(&tell, dim3(1), 32, 0, nullptr, other), "launch");
  CHECK(answers.download() == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("blocks add to a word, modulo 2^32, set bits of it, and raise it", "[sanitizer]") {
  test::device_array<std::uint32_t> const sum(std::vector<std::uint32_t>{5}),
      bits(std::vector<std::uint32_t>{1U << 31}), most(std::vector<std::uint32_t>{3, 1000});
  for (int i = 0; i < 2; ++i) {
    words const to{.sum = sum.data(), .bits = bits.data(), .most = most.data() + i};
    test::require_success(gemm::detail::launch(&reduce, dim3(3), adding_threads, 0, nullptr, to), "launch");
  }
  CHECK(sum.download()[0] == 5 + 2 * (3 * (adding_threads * (adding_threads - 1) / 2) - 3U * adding_threads * 16));
  CHECK(bits.download()[0] == (1U << 31 | 0xf0f0fU));
  CHECK(most.download() == std::vector<std::uint32_t>{107, 1000});
}
