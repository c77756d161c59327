// SPDX-License-Identifier: BSL-1.0
//! @file
//! mma.sync: which lane holds which element of A, B and C.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include <gemm/arch/mma.cuh>
#include <gemm/arch/mma_atom.hpp>
#include <gemm/element.hpp>
#include <gemm/launch/compiled_code.cuh>
#include <gemm/launch/launch.cuh>

#include "../support/cpu_options.hpp"
#include "../support/device.hpp"
#include "../support/tier.hpp"

namespace {

using gemm::arch::mma_position;
using e4m3_e4m3 = gemm::arch::mma_fp8<__nv_fp8_e4m3, __nv_fp8_e4m3>;
using e4m3_e5m2 = gemm::arch::mma_fp8<__nv_fp8_e4m3, __nv_fp8_e5m2>;
using e5m2_e4m3 = gemm::arch::mma_fp8<__nv_fp8_e5m2, __nv_fp8_e4m3>;
using e5m2_e5m2 = gemm::arch::mma_fp8<__nv_fp8_e5m2, __nv_fp8_e5m2>;

template <class Atom>
struct mma_problem {
  typename Atom::element const* a;  // row by row
  typename Atom::element_b const* b;
  typename Atom::accum* c;
};

/// Every lane takes and leaves its elements where the atom says.
template <class Atom>
__global__ void __launch_bounds__(32) multiply_once(mma_problem<Atom> const __grid_constant__ p) {
  int const lane = static_cast<int>(threadIdx.x);
  union {
    typename Atom::word words[Atom::words_a];
    typename Atom::element element[Atom::elements_a];
  } a;
  union {
    typename Atom::word words[Atom::words_b];
    typename Atom::element_b element[Atom::elements_b];
  } b;
  union {
    typename Atom::accum_word words[Atom::words_c];
    typename Atom::accum element[Atom::elements_c];
  } c;
#pragma unroll
  for (int e = 0; e < Atom::elements_a; ++e) {
    mma_position const position = Atom::position_a(lane, e);
    a.element[e] = p.a[position.row * Atom::k + position.column];
  }
#pragma unroll
  for (int e = 0; e < Atom::elements_b; ++e) {
    mma_position const position = Atom::position_b(lane, e);
    b.element[e] = p.b[position.row * Atom::n + position.column];
  }
#pragma unroll
  for (int e = 0; e < Atom::elements_c; ++e) {
    mma_position const position = Atom::position_c(lane, e);
    c.element[e] = p.c[position.row * Atom::n + position.column];
  }
  gemm::arch::mma<Atom>(c.words, a.words, b.words);
#pragma unroll
  for (int e = 0; e < Atom::elements_c; ++e) {
    mma_position const position = Atom::position_c(lane, e);
    p.c[position.row * Atom::n + position.column] = c.element[e];
  }
}

/// Skips the test where the device or the code is too old for the atom.
template <class Atom>
void need_instruction() {
  int major = 0, minor = 0;
  REQUIRE(gemm::detail::device_attribute(major, cudaDevAttrComputeCapabilityMajor));
  REQUIRE(gemm::detail::device_attribute(minor, cudaDevAttrComputeCapabilityMinor));
  bool const needs_sm90 = std::is_same_v<Atom, gemm::arch::mma_f64_k4> || std::is_same_v<Atom, gemm::arch::mma_f64_k16>;
  if (10 * major + minor < (needs_sm90 ? 90
                            : (sizeof(typename Atom::element) == 1 && !std::is_same_v<Atom, gemm::arch::mma_s8>)
                                ? 89
                                : 80) ||
      gemm::detail::code_of_device() == gemm::detail::device_code::old) {
    SKIP("needs a GPU that has the instruction, and code compiled for it");
  }
}

/// Bits that the instruction is to ignore.
template <class T>
T as_stored(T x) {
  if constexpr (std::is_same_v<T, gemm::tf32>) {
    return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) | 0x1fff);
  } else {
    return x;
  }
}

/// Whether the places of all lanes' elements are those of the matrix, each once.
template <class Place>
bool covers(int rows, int columns, int elements, Place place) {
  std::vector<int> found(static_cast<std::size_t>(rows * columns));
  for (int lane = 0; lane < 32; ++lane) {
    for (int e = 0; e < elements; ++e) {
      mma_position const position = place(lane, e);
      if (position.row < 0 || position.row >= rows || position.column < 0 || position.column >= columns) {
        return false;
      }
      ++found[static_cast<std::size_t>(position.row * columns + position.column)];
    }
  }
  for (int const times : found) {
    if (times != 1) {
      return false;
    }
  }
  return true;
}

}  // namespace

TEMPLATE_TEST_CASE("a warp multiplies matrices in registers, and adds", "[mma][sanitizer]", gemm::arch::mma_f16,
                   gemm::arch::mma_bf16, gemm::arch::mma_f16_f16, gemm::arch::mma_tf32, gemm::arch::mma_s8, e4m3_e4m3,
                   e4m3_e5m2, e5m2_e4m3, e5m2_e5m2, gemm::arch::mma_f64_m8, gemm::arch::mma_f64_k4,
                   gemm::arch::mma_f64_k8, gemm::arch::mma_f64_k16) {
  using atom = TestType;
  using element = typename atom::element;
  using element_b = typename atom::element_b;
  using accum = typename atom::accum;
  need_instruction<atom>();
  std::vector<element> a;
  std::vector<element_b> b;
  std::vector<accum> c;
  for (int i = 0; i < atom::m * atom::k; ++i) {
    a.push_back(element(static_cast<float>(i * 7 % 13 - 6)));
  }
  for (int i = 0; i < atom::k * atom::n; ++i) {
    b.push_back(element_b(static_cast<float>(i * 5 % 11 - 5)));
  }
  for (int i = 0; i < atom::m * atom::n; ++i) {
    c.push_back(accum(static_cast<float>(i - 60)));
  }
  std::vector<element> stored_a;
  std::vector<element_b> stored_b;
  for (element const x : a) {
    stored_a.push_back(as_stored(x));
  }
  for (element_b const x : b) {
    stored_b.push_back(as_stored(x));
  }
  test::device_array<element> const device_a(stored_a);
  test::device_array<element_b> const device_b(stored_b);
  test::device_array<accum> const device_c(c);
  mma_problem<atom> const p{device_a.data(), device_b.data(), device_c.data()};
  test::require_success(gemm::detail::launch(multiply_once<atom>, dim3(1), 32, 0, nullptr, p), "multiply_once");
  std::vector<accum> const result = device_c.download();

  int wrong = 0;
  for (int row = 0; row < atom::m; ++row) {
    for (int column = 0; column < atom::n; ++column) {
      auto const at = static_cast<std::size_t>(row * atom::n + column);
      auto expected = static_cast<double>(gemm::detail::widen(c[at]));  // an integer
      for (int k = 0; k < atom::k; ++k) {
        expected += static_cast<double>(gemm::detail::widen(a[static_cast<std::size_t>(row * atom::k + k)])) *
                    static_cast<double>(gemm::detail::widen(b[static_cast<std::size_t>(k * atom::n + column)]));
      }
      wrong += static_cast<double>(gemm::detail::widen(result[at])) != expected;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("sums of int8 products wrap", "[mma]") {
  using atom = gemm::arch::mma_s8;
  need_instruction<atom>();
  test::device_array<std::int8_t> const a(std::vector<std::int8_t>(atom::m * atom::k, 127)),
      b(std::vector<std::int8_t>(atom::k * atom::n, 127));
  std::vector<std::int32_t> const c(atom::m * atom::n, std::numeric_limits<std::int32_t>::max());
  test::device_array<std::int32_t> const device_c(c);
  mma_problem<atom> const p{a.data(), b.data(), device_c.data()};
  test::require_success(gemm::detail::launch(multiply_once<atom>, dim3(1), 32, 0, nullptr, p), "multiply_once");
  CHECK(device_c.download() ==
        std::vector<std::int32_t>(c.size(), std::numeric_limits<std::int32_t>::min() + atom::k * 127 * 127 - 1));
}

// What the bound of fp8 rests on (element_traits::cut_off).
TEST_CASE("sums of fp8 by mma.sync keep at least 13 bits of fraction below the largest of them", "[mma][sanitizer]") {
  using atom = e4m3_e4m3;
  using element = atom::element;
  need_instruction<atom>();
  std::vector<element> a(atom::m * atom::k, element(0.0F)), b(atom::k * atom::n, element(0.0F));
  std::vector<float> c(atom::m * atom::n, 0);
  // Row i: 256 and i 2^-6, both products, or in the last columns 256 the accumulator; in odd columns below 0.
  for (int i = 0; i < atom::m; ++i) {
    a[static_cast<std::size_t>(i * atom::k)] = element(256.0F);
    a[static_cast<std::size_t>(i * atom::k + 1)] = element(static_cast<float>(i) * 0x1p-3F);
  }
  auto const sign_of = [](int column) { return column % 2 == 0 ? 1.0F : -1.0F; };
  for (int column = 0; column < atom::n; ++column) {
    bool const accumulates = column >= atom::n / 2;
    b[static_cast<std::size_t>(column)] = element(accumulates ? 0.0F : sign_of(column));
    b[static_cast<std::size_t>(atom::n + column)] = element(sign_of(column) * 0x1p-3F);
    for (int i = 0; accumulates && i < atom::m; ++i) {
      c[static_cast<std::size_t>(i * atom::n + column)] = sign_of(column) * 256;
    }
  }
  test::device_array<element> const device_a(a), device_b(b);
  test::device_array<float> const device_c(c);
  mma_problem<atom> const p{device_a.data(), device_b.data(), device_c.data()};
  test::require_success(gemm::detail::launch(multiply_once<atom>, dim3(1), 32, 0, nullptr, p), "multiply_once");
  c = device_c.download();
  for (int i = 0; i < atom::m; ++i) {
    for (int column = 0; column < atom::n; ++column) {
      CAPTURE(i, column);
      float const sum = sign_of(column) * c[static_cast<std::size_t>(i * atom::n + column)],
                  least = 256 + static_cast<float>(i / 2) * 0x1p-5F;
      CHECK(sum >= least);
      if (test::on_cpu_device) {
        CHECK(sum == least);
      }
      CHECK(sum <= 256 + static_cast<float>(i) * 0x1p-6F);
    }
  }
}

TEMPLATE_TEST_CASE("the lanes of a warp have each element of an atom's matrices once", "[mma][atoms]",
                   gemm::arch::mma_f16, gemm::arch::mma_bf16, gemm::arch::mma_f16_f16, gemm::arch::mma_tf32,
                   gemm::arch::mma_s8, e4m3_e5m2, gemm::arch::mma_f64_m8, gemm::arch::mma_f64_k4,
                   gemm::arch::mma_f64_k8, gemm::arch::mma_f64_k16) {
  using atom = TestType;
  CHECK(covers(atom::m, atom::k, atom::elements_a, [](int lane, int e) { return atom::position_a(lane, e); }));
  CHECK(covers(atom::k, atom::n, atom::elements_b, [](int lane, int e) { return atom::position_b(lane, e); }));
  CHECK(covers(atom::m, atom::n, atom::elements_c, [](int lane, int e) { return atom::position_c(lane, e); }));
}

TEMPLATE_TEST_CASE("an element type's atom has its accumulator", "[mma][atoms]", __half, __nv_bfloat16, gemm::tf32,
                   std::int8_t, __nv_fp8_e4m3, __nv_fp8_e5m2, double) {
  using atom = gemm::arch::mma_atom<TestType>;
  STATIC_CHECK(std::is_same_v<typename atom::element, TestType>);
  STATIC_CHECK(std::is_same_v<typename atom::accum, typename gemm::element_traits<TestType>::accum>);
  STATIC_CHECK(!gemm::arch::mma_element<float>);
}

namespace {

struct rounding_problem {
  std::uint32_t* bits;
};

__global__ void __launch_bounds__(32) round_all(rounding_problem const __grid_constant__ p) {
  p.bits[threadIdx.x] = gemm::arch::round_to_tf32(p.bits[threadIdx.x]);
}

}  // namespace

TEST_CASE("floats are rounded to the nearest TF32 number", "[mma]") {
  need_instruction<gemm::arch::mma_tf32>();
  std::vector<std::uint32_t> bits, expected;
  for (std::uint32_t i = 0; i < 32; ++i) {
    std::uint32_t const x = 0x3f800000 + 0x01230000 * i + 0x0347 * i + 1;  // positive and negative
    bits.push_back(i == 31 ? 0x7f800000 : x);                              // and infinity
    expected.push_back(
        __builtin_bit_cast(std::uint32_t, static_cast<float>(gemm::tf32(__builtin_bit_cast(float, bits.back())))));
  }
  test::device_array<std::uint32_t> const device_bits(bits);
  rounding_problem const p{device_bits.data()};
  test::require_success(gemm::detail::launch(round_all, dim3(1), 32, 0, nullptr, p), "round_all");
  CHECK(device_bits.download() == expected);
}

TEST_CASE("ties of TF32 go to the even number from sm_90 on, before that away from 0", "[mma]") {
  test::cpu_options const before_or_after(
      [](auto& options) { options.device.compute_capability_major = GENERATE(8, 9, 12); });
  need_instruction<gemm::arch::mma_tf32>();
  int major = 0;
  REQUIRE(gemm::detail::device_attribute(major, cudaDevAttrComputeCapabilityMajor));
  std::vector<std::uint32_t> bits, expected;
  for (std::uint32_t i = 0; i < 32; ++i) {
    std::uint32_t const below = (i % 2 << 31) + 0x3f800000 + i / 2 * 0x2000, odd = i / 2 % 2;
    bits.push_back(below + 0x1000);
    expected.push_back(below + (major < 9 || odd != 0 ? 0x2000 : 0));
  }
  // The largest floats become infinite.
  bits[0] = 0x7f7ff000;
  expected[0] = 0x7f800000;
  test::device_array<std::uint32_t> const device_bits(bits);
  rounding_problem const p{device_bits.data()};
  test::require_success(gemm::detail::launch(round_all, dim3(1), 32, 0, nullptr, p), "round_all");
  CHECK(device_bits.download() == expected);
}
