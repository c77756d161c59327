// SPDX-License-Identifier: BSL-1.0
//! @file
//! The compiled library's epilogue by kernels that give it many elements at once: the bits of the templated ones.

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <gemm/compiled/runtime_epilogue.cuh>
#include <gemm/gemm.cuh>

#include "../policies/policies.hpp"
#include "../support/device.hpp"
#include "../support/types.hpp"

namespace {

using gemm::detail::runtime_epilogue;
using test::device_array;

/// Small integers by a factor, of which products and their sums are exact.
template <class T>
std::vector<T> numbers(std::int64_t count, int modulus, double factor) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(test::rounded<T>(static_cast<double>((i * 7 + i / 5) % modulus - modulus / 2) * factor));
  }
  return values;
}

/// 1/2, 1 and 2.
std::vector<float> powers(std::int64_t count) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(1 << i % 3) / 2);
  }
  return values;
}

template <class Policy, class In, class Out>
class both {
  using bias_type = gemm::detail::runtime_bias<Out>;

 public:
  both(std::int64_t m, std::int64_t n)
      : m_(m),
        n_(n),
        a_(numbers<In>(m * k, 5, 0.5)),
        b_(numbers<In>(k * n, 7, 0.5)),
        before_(numbers<Out>(products * m * n, 9, 1)),
        residual_(numbers<Out>(products * m * n, 5, 1)),
        bias_(numbers<bias_type>(n, 11, 0.25)),
        scales_a_(powers(m)),
        scales_b_(powers(n)),
        amax_(2) {}

  void check() const {
    auto const a = gemm::row_major(a_.data(), m_, k), b = gemm::row_major(b_.data(), k, n_);
    gemm::scale_per_line<float, false> const rows = gemm::per_row(scales_a_.data());
    gemm::scale_per_line<float, true> const columns = gemm::per_column(scales_b_.data());
    runtime_epilogue<Out> e{};
    e.scale = 1;
    e.bias_of_columns = bias_.data();
    same(a, b, e.template with_steps<gemm::detail::column_bias_step>(), a, b, gemm::bias(bias_.data()));
    e.activation = gemm::detail::activation_kind::gelu;
    constexpr unsigned linear = gemm::detail::column_bias_step | gemm::detail::activation_step;
    same(a, b, e.template with_steps<linear>(), a, b, gemm::bias(bias_.data()) | gemm::gelu{});
    same(a, b, e, a, b, gemm::bias(bias_.data()) | gemm::gelu{});
    e.scales_a = {scales_a_.data(), true, 0};
    e.scales_b = {scales_b_.data(), true, 0};
    if constexpr (sizeof(In) == 1) {
      same(a, b, e.template with_steps<linear | gemm::detail::scales_step>(), scaled(a, rows), scaled(b, columns),
           gemm::bias(bias_.data()) | gemm::gelu{});
    }
    e.activation = gemm::detail::activation_kind::relu;
    e.matrix = {residual_.data(), n_, 1, m_ * n_};
    e.factor = 3;
    e.amax = amax_.data();
    e.scale = 0.25f;
    auto const residual = gemm::batched(gemm::row_major(residual_.data(), m_, n_), products);
    same(a, b, e, scaled(a, rows), scaled(b, columns),
         gemm::bias(bias_.data()) | gemm::relu{} | gemm::residual(residual, 3) | gemm::amax(amax_.data() + 1) |
             gemm::scale(0.25f));
    std::vector<float> const amax = amax_.download();
    CHECK(amax[0] == amax[1]);
    CHECK(amax[0] > 0);
  }

 private:
  static constexpr std::int64_t products = 2, k = 72;

  /// Whether both leave the same bits. Scales come before beta times C, which the values' epilogue adds then.
  template <class A, class B, class Values, class ScaledA, class ScaledB, class Templates>
  void same(A const& a, B const& b, Values values, ScaledA const& scaled_a, ScaledB const& scaled_b,
            Templates const& templates) const {
    for (float const beta : {0.0f, 1.0f}) {
      if (beta != 0 && values.scales_a.data != nullptr) {
        continue;
      }
      CAPTURE(gemm::name<Policy>(), test::name_of<Out>(), m_, n_, beta, values.steps());
      auto const found = result(a, b, beta, values), expected = result(scaled_a, scaled_b, beta, templates);
      CHECK(std::memcmp(found.data(), expected.data(), found.size() * sizeof(Out)) == 0);
    }
  }

  template <class A, class B, class Epilogue>
  std::vector<Out> result(A const& a, B const& b, float beta, Epilogue const& epilogue) const {
    device_array<Out> const c(before_);
    auto const of_c = gemm::batched(gemm::row_major(c.data(), m_, n_), products);
    gemm::status const status = gemm::run<Policy>(a, b, of_c, {.alpha = 2, .beta = beta}, epilogue);
    CAPTURE(status.message());
    REQUIRE(status);
    return c.download();
  }

  std::int64_t m_, n_;
  device_array<In> a_, b_;
  std::vector<Out> before_;
  device_array<Out> residual_;
  device_array<bias_type> bias_;
  device_array<float> scales_a_, scales_b_, amax_;
};

/// Tiles that are wholly in C, and others.
template <class In, class Out, class... Policies>
void check_all(test::policy_pack<Policies...>) {
  auto const check = [&]<class Policy>() {
    if (Policy::info.arch != gemm::architecture::sm_90a || gemm::detail::current_code().tma) {
      both<Policy, In, Out>(2 * Policy::block_m, (2 * Policy::block_n + 15) / 16 * 16).check();
      both<Policy, In, Out>(Policy::block_m + 1, 2 * Policy::block_n - 1).check();
    }
  };
  (check.template operator()<Policies>(), ...);
}

}  // namespace

TEST_CASE("steps that are values leave the bits of those that are types", "[epilogue][compiled]") {
  check_all<float, float>(test::policy_pack<test::naive_8x16, test::pipelined_32x32x8_2, test::split_3_of_32x32x8>{});
  check_all<test::half, test::half>(
      test::policy_pack<test::sm90_wgmma_64x64x64_2, gemm::sm90_wgmma_64x160x64_4x1, gemm::sm90_wgmma_80x128x64_4x1,
                        test::ping_pong_64x64x64_2, test::ping_pong_168x64x64_2, test::sm80_mma_64x64x32_2>{});
  check_all<__nv_fp8_e4m3, test::bfloat16>(test::policy_pack<test::sm90_wgmma_fp8_64x192x128_2x1>{});
  check_all<__nv_fp8_e4m3, __nv_fp8_e4m3>(test::policy_pack<test::sm90_wgmma_fp8_64x192x128_2x1>{});
}
