// SPDX-License-Identifier: BSL-1.0
//! @file
//! From the list of policies to what the properties see of it.

#include "policies.hpp"

namespace test {

namespace {

template <class... Rows>
constexpr bool tests_all(gemm::detail::kernel_rows<Rows...>) {
  return ((lists<typename Rows::policy>(all_policies{}) || lists<typename Rows::policy>(every_float_policy{}) ||
           lists<typename Rows::policy>(fp16x3_policies{}) || lists<typename Rows::policy>(every_tensor_policy{}) ||
           lists<typename Rows::policy>(every_tf32_policy{}) ||
           lists<typename Rows::policy>(named_policies<gemm::detail::wgmma_rows_for<gemm::detail::of_int8>>{}) ||
           lists<typename Rows::policy>(named_policies<gemm::detail::wgmma_rows_for<gemm::detail::of_fp8>>{}) ||
           lists<typename Rows::policy>(named_policies<promoted_fp8_rows>{}) ||
           Rows::policy::info.op == gemm::math_op::mma) &&
          ...);
}
static_assert(tests_all(gemm::detail::kernel_table{}), "every row of the table is tested");

template <class Types, class... Policies>
std::vector<subject<Types>> list(policy_pack<Policies...>) {
  return {subject<Types>{.name = std::string(gemm::name<Policies>()),
                         .block_m = Policies::block_m,
                         .block_n = Policies::block_n,
                         .block_k = Policies::block_k,
                         .threads = Policies::threads,
                         .stages = Policies::info.stages,
                         .has_chain = has_chain<Policies>,
                         .splits_floats = Policies::info.split_terms,
                         .run = &run_policy<Policies, Types>}...};
}

}  // namespace

template <class Types>
std::vector<subject<Types>> const& subjects() {
  static std::vector<subject<Types>> const all = list<Types>(policies_for<Types>{});
  return all;
}

template std::vector<subject<f32>> const& subjects();
template std::vector<subject<f64>> const& subjects();
template std::vector<subject<f16>> const& subjects();
template std::vector<subject<s8>> const& subjects();
template std::vector<subject<f32_f16>> const& subjects();
template std::vector<subject<s8_s32>> const& subjects();
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<bf16>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<f32_bf16>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<f16_f32>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<f16_bf16>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<bf16_f32>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<bf16_f16>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<s8_f32>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<s8_f16>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<s8_bf16>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<tf32_f32>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<e4m3_f32>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<e4m3>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<f32_e4m3>> const& subjects());
GEMM_TEST_UNLESS_SANITIZED(template std::vector<subject<f16_e5m2>> const& subjects());

}  // namespace test
