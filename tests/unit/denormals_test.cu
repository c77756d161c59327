// SPDX-License-Identifier: BSL-1.0
//! @file
//! Denormals through wgmma: as an element of A, of B, as the sum before, and as the result, for each type.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <gemm/arch/shared_memory.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/arch/wgmma.cuh>
#include <gemm/element.hpp>
#include <gemm/launch/launch.cuh>

#include "../support/device.hpp"
#include "../support/sm90a.hpp"

namespace {

constexpr int extent = 64;

/// Element type, and whether a warpgroup has A in registers.
template <class T, bool RegistersA>
struct denormal_case {
  using type = T;
  static constexpr bool registers_a = RegistersA;
  static constexpr int line = 128 / static_cast<int>(sizeof(T));
};

template <class T>
struct denormal_storage {
  T a[extent * 128 / sizeof(T)], b[extent * 128 / sizeof(T)];
};

/// One factor of row i and of column i, and the sum before, c + a b being element (i, i).
template <class T>
struct denormal_problem {
  T const *a, *b;
  float* c;
};

/// One k of products: A and B are k-major in lines of 128 bytes, whose other elements are 0.
template <class Case>
__global__ void __launch_bounds__(128, 1)
    multiply_denormals(denormal_problem<typename Case::type> const __grid_constant__ p) {
  using T = typename Case::type;
  auto& shared = gemm::arch::dynamic_shared_memory<denormal_storage<T>>();
  int const thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
  constexpr int line = Case::line, piece = line / 8;
  for (int i = thread; i < extent * line; i += 128) {
    int const row = i / line, at = i % line;
    bool const first = ((at / piece) ^ (row % 8)) == 0 && at % piece == 0;  // where the swizzle puts k = 0
    shared.a[i] = first ? p.a[row] : T(0.0F);
    shared.b[i] = first ? p.b[row] : T(0.0F);
  }
  gemm::arch::fence_proxy_async();
  __syncthreads();

  float sum[extent / 2];
#pragma unroll
  for (int i = 0; i < extent / 2; ++i) {
    int const row = warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
    sum[i] = row == column ? p.c[row] : 0;
  }
  auto const b = gemm::arch::describe_matrix<false>(&shared.b[0], 1024, 1024);
  [[maybe_unused]] gemm::arch::wgmma_fragment in_registers{};  // until the group has been waited for
  if constexpr (Case::registers_a) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      in_registers.word[h] = lane % 4 == 0 ? __float_as_uint(p.a[warp * 16 + lane / 4 + 8 * h].bits) : 0;
    }
    gemm::arch::wgmma_fence();
    gemm::arch::wgmma(sum, in_registers, b, true);
  } else {
    auto const a = gemm::arch::describe_matrix<false>(&shared.a[0], 1024, 1024);
    gemm::arch::wgmma_fence();
    gemm::arch::wgmma<gemm::arch::wgmma_atom<T>, false, false>(sum, a, b, true);
  }
  gemm::arch::wgmma_commit_group();
  gemm::arch::wgmma_wait_group<0>();
#pragma unroll
  for (int i = 0; i < extent / 2; ++i) {
    int const row = warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
    if (row == column) {
      p.c[row] = sum[i];
    }
  }
}

struct sample {
  float a, b, before, after;
};

/// Denormal factors, denormal sums before, and denormal results of normal numbers.
template <class T>
std::vector<sample> samples() {
  std::vector<sample> all{{0, 0, 0x1p-140F, 0x1p-140F},  // a sum before, alone,
                          {1, 0, -0x1p-149F, -0x1p-149F},
                          {1, 1, 0x1p-140F, 1}};
  if constexpr (std::is_same_v<T, __half>) {
    all.insert(all.end(), {{0x1p-24F, 1, 0, 0x1p-24F},
                           {1, 0x1p-24F, 0, 0x1p-24F},
                           {0x1.8p-15F, 0x1p-20F, 0, 0x1.8p-35F},
                           {0x1p-24F, 0x1p-24F, 0, 0x1p-48F},
                           {-0x1p-24F, 0x1p-24F, 0x1p-47F, 0x1p-48F}});
  } else {
    float const least = std::is_same_v<T, gemm::tf32> ? 0x1p-136F : 0x1p-133F;
    all.insert(all.end(), {{least, 0x1p20F, 0, least * 0x1p20F},
                           {0x1p20F, least, 0, least * 0x1p20F},
                           {0x1.8p-127F, 0x1p20F, 0, 0x1.8p-107F},
                           {0x1p20F, 0x1.8p-127F, 0, 0x1.8p-107F},
                           {least, 1, 0, least},
                           {1, least, 0, least},
                           {0x1p-70F, 0x1p-70F, 0, 0x1p-140F},
                           {0x1p-126F, 0x1p-1F, 0, 0x1p-127F},
                           {0x1.8p-63F, 0x1p-64F, -0x1p-127F, 0x1p-128F},
                           {1, 0x1p-126F, -0x1.8p-126F, -0x1p-127F},
                           {0x1p-126F, 1, 0x1p-140F, 0x1p-126F + 0x1p-140F}});
  }
  return all;
}

}  // namespace

TEMPLATE_TEST_CASE("wgmma and denormals", "[sanitizer]", (denormal_case<__half, false>),
                   (denormal_case<__nv_bfloat16, false>), (denormal_case<gemm::tf32, false>),
                   (denormal_case<gemm::tf32, true>)) {
  test::need_sm90a();
  using T = typename TestType::type;
  std::vector<sample> const all = samples<T>();
  std::vector<T> a(extent, T(0.0F)), b(extent, T(0.0F));
  std::vector<float> c(extent);
  for (std::size_t i = 0; i < all.size(); ++i) {
    a[i] = T(all[i].a);
    b[i] = T(all[i].b);
    c[i] = all[i].before;
  }
  test::device_array<T> const on_a(a), on_b(b);
  test::device_array<float> const on_c(c);
  REQUIRE(gemm::detail::launch(&multiply_denormals<TestType>, dim3(1), 128, sizeof(denormal_storage<T>), nullptr,
                               denormal_problem<T>{on_a.data(), on_b.data(), on_c.data()}) == cudaSuccess);
  std::vector<float> const got = on_c.download();
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i].a, all[i].b, all[i].before);
    CHECK(got[i] == all[i].after);
  }
}
