// SPDX-License-Identifier: BSL-1.0
//! @file
//! wgmma: which elements of shared memory a descriptor means, and where the sums are.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
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

constexpr int wgmma_rows = 128;  // of two warpgroups

template <class T, int Columns, bool MnMajorA, bool MnMajorB>
struct wgmma_case {
  using type = T;
  using accum = typename gemm::arch::wgmma_atom<T>::accum;
  static constexpr int columns = Columns, depth = 128 / static_cast<int>(sizeof(T));  // a line of a k-major matrix
  static constexpr bool mn_major_a = MnMajorA, mn_major_b = MnMajorB;
};

/// Elements in a line of an mn-major matrix with so many outer, and outer with the rest of the last line.
template <int Outer>
inline constexpr int mn_line = Outer > 128 || Outer % 64 == 0 ? 64
                               : Outer % 32 == 0              ? 32
                                                              : 16;
template <int Outer>
inline constexpr int whole_lines = (Outer + mn_line<Outer> - 1) / mn_line<Outer>* mn_line<Outer>;

template <class Case>
struct wgmma_storage {
  typename Case::type a[wgmma_rows * Case::depth], b[whole_lines<Case::columns> * Case::depth];
};

template <class Case>
struct wgmma_problem {
  typename Case::type const* a;  // [row][k]
  typename Case::type const* b;  // [column][k]
  typename Case::accum* c;
};

/// The element's place in a matrix of Outer x Depth, pieces and swizzle as NVIDIA's figures have them.
template <bool MnMajor, int Outer, int Depth>
__host__ __device__ int place(int outer, int k) {
  if (MnMajor) {
    constexpr int line = mn_line<Outer>, pieces = line / 8, lines_per_128 = 64 / line;
    return outer / line * (line * Depth) + k * line + ((outer % line / 8) ^ (k / lines_per_128 % pieces)) * 8 +
           outer % 8;
  }
  constexpr int piece = Depth / 8;
  return outer * Depth + ((k / piece) ^ (outer % 8)) * piece + k % piece;
}

/// Two warpgroups with 64 rows each; the sum starts as what must not be added.
template <class Case>
__global__ void __launch_bounds__(256, 1) multiply_once(wgmma_problem<Case> const __grid_constant__ p) {
  using T = typename Case::type;
  constexpr bool mn_a = Case::mn_major_a, mn_b = Case::mn_major_b;
  constexpr int depth = Case::depth;
  auto& shared = gemm::arch::dynamic_shared_memory<wgmma_storage<Case>>();
  int const thread = static_cast<int>(threadIdx.x), warpgroup = thread / 128;
  for (int i = thread; i < wgmma_rows * depth; i += 256) {
    shared.a[place<mn_a, wgmma_rows, depth>(i / depth, i % depth)] = p.a[i];
  }
  for (int i = thread; i < Case::columns * depth; i += 256) {
    shared.b[place<mn_b, Case::columns, depth>(i / depth, i % depth)] = p.b[i];
  }
  gemm::arch::fence_proxy_async();
  __syncthreads();

  typename Case::accum sum[Case::columns / 2];
  for (auto& x : sum) {
    x = static_cast<typename Case::accum>(1e9F);
  }
  constexpr int to_next_64 = 128 * depth, piece = 1024;
  constexpr int line_b = mn_b ? 2 * mn_line<Case::columns> : 128, to_next_b = line_b * depth;
  auto const a = gemm::arch::describe_matrix<mn_a>(&shared.a[warpgroup * 64 * depth], mn_a ? to_next_64 : piece, piece);
  auto const b = gemm::arch::describe_matrix<mn_b, line_b>(&shared.b[0], mn_b ? to_next_b : piece, 8 * line_b);
  gemm::arch::wgmma_fence();
#pragma unroll
  for (int k = 0; k < depth; k += depth / 4) {
    constexpr int size = static_cast<int>(sizeof(T));
    gemm::arch::wgmma<gemm::arch::wgmma_atom<T>, mn_a, mn_b>(sum, gemm::arch::advanced(a, k * (mn_a ? 128 : size)),
                                                             gemm::arch::advanced(b, k * (mn_b ? line_b : size)),
                                                             k > 0);
    gemm::arch::wgmma_commit_group();
  }
  gemm::arch::wgmma_wait_group<1>();
  gemm::arch::wgmma_wait_group<0>();

  int const warp = thread / 32 % 4, lane = thread % 32;
#pragma unroll
  for (int i = 0; i < Case::columns / 2; ++i) {
    int const row = warpgroup * 64 + warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
    p.c[row * Case::columns + column] = sum[i];
  }
}

/// The elements as they are uploaded: of tf32 with bits that wgmma is to ignore.
template <class T>
std::vector<T> as_stored(std::vector<T> elements) {
  if constexpr (std::is_same_v<T, gemm::tf32>) {
    for (T& x : elements) {
      x = __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) | 0x1fff);
    }
  }
  return elements;
}

/// Multiplies a and b once, and compares column 0 of the product.
template <class Case>
void check_first_column(std::vector<typename Case::type> const& a, std::vector<typename Case::type> const& b,
                        std::vector<float> const& want) {
  test::device_array<typename Case::type> const device_a(a), device_b(b);
  test::device_array<float> const device_c(static_cast<std::size_t>(wgmma_rows * Case::columns));
  wgmma_problem<Case> const p{device_a.data(), device_b.data(), device_c.data()};
  test::require_success(
      gemm::detail::launch(multiply_once<Case>, dim3(1), 256, sizeof(wgmma_storage<Case>), nullptr, p),
      "multiply_once");
  std::vector<float> const c = device_c.download();
  for (int row = 0; row < wgmma_rows; ++row) {
    CAPTURE(row);
    CHECK(c[static_cast<std::size_t>(row * Case::columns)] == want[static_cast<std::size_t>(row)]);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("a warpgroup multiplies matrices of shared memory, each of either major", "[sanitizer]",
                   (wgmma_case<__nv_bfloat16, 16, false, false>), (wgmma_case<__half, 16, true, true>),
                   (wgmma_case<__half, 32, false, false>), (wgmma_case<__nv_bfloat16, 32, true, true>),
                   (wgmma_case<__half, 96, false, false>), (wgmma_case<__nv_bfloat16, 96, false, true>),
                   (wgmma_case<__nv_bfloat16, 64, false, false>), (wgmma_case<__half, 64, true, true>),
                   (wgmma_case<__half, 128, false, true>), (wgmma_case<__nv_bfloat16, 128, true, false>),
                   (wgmma_case<__half, 144, true, false>), (wgmma_case<__half, 160, false, true>),
                   (wgmma_case<__nv_bfloat16, 176, false, true>), (wgmma_case<__nv_bfloat16, 168, false, false>),
                   (wgmma_case<__half, 224, false, false>), (wgmma_case<__nv_bfloat16, 240, false, false>),
                   (wgmma_case<__half, 104, true, false>), (wgmma_case<__nv_bfloat16, 80, false, true>),
                   (wgmma_case<__half, 112, true, false>), (wgmma_case<__half, 192, true, false>),
                   (wgmma_case<__nv_bfloat16, 192, false, true>), (wgmma_case<__nv_bfloat16, 256, true, true>),
                   (wgmma_case<__half, 256, false, false>), (wgmma_case<gemm::tf32, 16, false, false>),
                   (wgmma_case<gemm::tf32, 192, false, false>), (wgmma_case<std::int8_t, 16, false, false>),
                   (wgmma_case<std::int8_t, 64, false, false>), (wgmma_case<std::int8_t, 256, false, false>),
                   (wgmma_case<__nv_fp8_e4m3, 192, false, false>), (wgmma_case<__nv_fp8_e5m2, 128, false, false>)) {
  test::need_sm90a();
  using T = typename TestType::type;
  using accum = typename TestType::accum;
  constexpr int columns = TestType::columns, depth = TestType::depth;
  // Sums of fp8 are exact where they are below 2^13.
  constexpr int most = sizeof(T) == 1 && !std::is_integral_v<T> ? 3 : 15;
  std::vector<T> a, b;
  for (int i = 0; i < wgmma_rows * depth; ++i) {
    a.push_back(T(static_cast<float>(i * 7 % (2 * most + 1) - most)));
  }
  for (int i = 0; i < columns * depth; ++i) {
    b.push_back(T(static_cast<float>(i * 5 % (2 * most - 1) - most + 1)));
  }
  test::device_array<T> const device_a(as_stored(a)), device_b(as_stored(b));
  test::device_array<accum> const device_c(static_cast<std::size_t>(wgmma_rows * columns));
  wgmma_problem<TestType> const p{device_a.data(), device_b.data(), device_c.data()};
  test::require_success(
      gemm::detail::launch(multiply_once<TestType>, dim3(1), 256, sizeof(wgmma_storage<TestType>), nullptr, p),
      "multiply_once");
  std::vector<accum> const c = device_c.download();

  int wrong = 0;
  for (int row = 0; row < wgmma_rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      accum expected = 0;  // an integer
      for (int k = 0; k < depth; ++k) {
        expected += gemm::detail::widen(a[static_cast<std::size_t>(row * depth + k)]) *
                    gemm::detail::widen(b[static_cast<std::size_t>(column * depth + k)]);
      }
      wrong += c[static_cast<std::size_t>(row * columns + column)] != expected;
    }
  }
  CHECK(wrong == 0);
}

// What the bounds of fp16x3 and bf16x6 rest on, and the documentation of sm90_wgmma says.
TEMPLATE_TEST_CASE("tensor cores cut sums off, with two bits more than a float has while they add", "[sanitizer]",
                   __half, __nv_bfloat16, gemm::tf32) {
  test::need_sm90a();
  using plain = wgmma_case<TestType, 16, false, false>;
  constexpr int second = 32 / static_cast<int>(sizeof(TestType));  // the first k of the second instruction
  // Rows 4 i and 4 i + 1: 1 and i 2^-24, both in the first instruction, or one in each of two; then the same below 0.
  // The last rows: 1 and four times 2^-25, likewise.
  constexpr int sums = 16;
  std::vector<TestType> a(wgmma_rows * plain::depth, TestType(0.0f)), b(plain::columns * plain::depth, TestType(0.0f));
  auto const set = [](std::vector<TestType>& x, int line, int k, double value) {
    x[static_cast<std::size_t>(line * plain::depth + k)] = TestType(static_cast<float>(value));
  };
  for (int column = 0; column < plain::columns; ++column) {
    set(b, column, 0, 1);
    for (int i = 1; i <= 4; ++i) {
      set(b, column, i, 0x1p-12);
      set(b, column, second + i - 1, 0x1p-12);
    }
  }
  std::vector<float> want(wgmma_rows, 0);
  for (int i = 0; i < sums; ++i) {
    float const cut = static_cast<float>(1 + i / 2 * 0x1p-23);
    for (int const sign : {1, -1}) {
      int const row = 4 * i + (sign < 0 ? 2 : 0);
      for (int const step : {0, 1}) {
        set(a, row + step, 0, sign);
        set(a, row + step, step == 0 ? 1 : second, sign * i * 0x1p-12);
        want[static_cast<std::size_t>(row + step)] = static_cast<float>(sign) * cut;
      }
    }
  }
  for (int const step : {0, 1}) {
    int const row = wgmma_rows - 2 + step;
    set(a, row, 0, 1);
    for (int i = 1; i <= 4; ++i) {
      set(a, row, step == 0 ? i : second + i - 1, 0x1p-13);
    }
    want[static_cast<std::size_t>(row)] = 1 + 0x1p-23f;
  }

  check_first_column<plain>(a, b, want);
}

// What the bound of fp8 rests on (element_traits::cut_off).
TEST_CASE("sums of fp8 keep 13 bits of fraction below the largest of them", "[sanitizer]") {
  test::need_sm90a();
  using element = __nv_fp8_e4m3;
  using plain = wgmma_case<element, 16, false, false>;
  constexpr int second = 32;  // the first k of the second instruction
  std::vector<element> a(wgmma_rows * plain::depth, element(0.0F)), b(plain::columns * plain::depth, element(0.0F));
  auto const at = [](int line, int k) { return static_cast<std::size_t>(line * plain::depth + k); };
  for (int column = 0; column < plain::columns; ++column) {
    b[at(column, 0)] = element(1.0F);
    b[at(column, 1)] = b[at(column, second)] = element(0x1p-3F);
  }
  // Rows 4 i to 4 i + 3: 256 and i 2^-6, in one instruction or in two; then the same below 0.
  std::vector<float> want(wgmma_rows, 0);
  for (int i = 0; i < 16; ++i) {
    for (int step = 0; step < 4; ++step) {
      float const sign = step < 2 ? 1 : -1;
      int const row = 4 * i + step;
      a[at(row, 0)] = element(sign * 256);
      a[at(row, step % 2 == 0 ? 1 : second)] = element(sign * static_cast<float>(i) * 0x1p-3F);
      want[static_cast<std::size_t>(row)] = sign * (256 + static_cast<float>(i / 2) * 0x1p-5F);
    }
  }
  check_first_column<plain>(a, b, want);
}

TEMPLATE_TEST_CASE("an atom has its elements' accumulator, and 32 bytes of k", "[atoms]", __half, __nv_bfloat16,
                   gemm::tf32, std::int8_t, __nv_fp8_e4m3, __nv_fp8_e5m2) {
  using atom = gemm::arch::wgmma_atom<TestType>;
  STATIC_CHECK(std::is_same_v<typename atom::element, TestType>);
  STATIC_CHECK(std::is_same_v<typename atom::accum, typename gemm::element_traits<TestType>::accum>);
  STATIC_CHECK(atom::k * sizeof(TestType) == 32);
  STATIC_CHECK(gemm::arch::wgmma_needs_k_major<TestType> == (sizeof(TestType) != 2));
  STATIC_CHECK(!gemm::arch::wgmma_element<float>);
}
