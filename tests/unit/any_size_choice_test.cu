// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the library chooses, and what prepacked operands take, is answered whatever the sizes: see any_size_test.

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gemm/gemm.cuh>

#include "../policies/policies.hpp"
#include "../support/any_size.hpp"
#include "../support/cpu_options.hpp"
#include "../support/tier.hpp"

namespace {

using gemm::order;
using test::ask;

constexpr int products = test::any_size_products;

template <class Choice, class Types>
void ask_in_all_orders() {
  ask<Choice, Types, order::row, order::row>(products);
  ask<Choice, Types, order::column, order::column, order::column>(products);
#if !defined(GEMM_TEST_SANITIZERS)
  ask<Choice, Types, order::row, order::column>(products);
  ask<Choice, Types, order::column, order::row>(products);
#endif
}

void ask_for_all_types() {
  ask_in_all_orders<gemm::automatic, test::f32>();
  ask_in_all_orders<gemm::fp32_emulated, test::f32>();
  ask_in_all_orders<gemm::automatic, test::f16>();
  ask_in_all_orders<gemm::automatic, test::tf32_f32>();
  ask<gemm::automatic, test::f64, order::row, order::row>(products);
  ask<gemm::automatic, test::s8_s32, order::row, order::row>(products);
}

/// Asks about B prepacked for a policy, with memory enough for any.
template <class Policy, order B>
void ask_prepacked(int count) {
  for (int seed = 1; seed <= count; ++seed) {
    test::any_size_product const x(static_cast<std::uint64_t>(seed));
    CAPTURE(gemm::name<Policy>(), seed);
    auto const a = x.a.template as<order::row, float const>(1 << 14);
    auto const c = x.c.template as<order::row, float>(1 << 16);
    gemm::workspace const memory{reinterpret_cast<void*>(1 << 20), std::size_t{1} << 62};
    auto const b = gemm::prepacked_b<Policy>(x.b.template as<B, float const>(1 << 15), memory);
    std::size_t const bytes = gemm::prepacked_size(b);
    gemm::status const made = gemm::detail::validate_prepack(b), able = gemm::can_run<Policy>(a, b, c);
    bool const empty = x.b.rows == 0 || x.b.columns == 0 || x.b.batch_count == 0;
    if ((bytes > 0) != (made && !empty)) {
      FAIL_CHECK("has parts of " << bytes << " bytes, but: " << made.message());
    }
    if (!able && gemm::workspace_size<Policy>(a, b, c) > 0) {
      FAIL_CHECK("needs a workspace, but: " << able.message());
    }
  }
}

template <class Policy>
void ask_prepacked_in_both_orders() {
  ask_prepacked<Policy, order::row>(products);
  ask_prepacked<Policy, order::column>(products);
}

}  // namespace

TEST_CASE("the library chooses for products of any size", "[any_size][choice]") {
  ask_for_all_types();
  if constexpr (test::on_cpu_device) {
    test::cpu_options const older([](auto& options) { options.device.compute_capability_major = 8; });
    ask_for_all_types();
  }
}

TEST_CASE("matrices of any size are prepacked or refused", "[any_size]") {
  ask_prepacked_in_both_orders<gemm::fp32_emulated>();
  ask_prepacked_in_both_orders<gemm::with_fallback<test::fp16x3_64x64x64_3>>();
  ask_prepacked_in_both_orders<gemm::fp16x3_wide_128x128x64_2x1>();
  ask_prepacked_in_both_orders<test::bf16x6_64x64x64_4>();
}
