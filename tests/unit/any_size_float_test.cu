// SPDX-License-Identifier: BSL-1.0
//! @file
//! Policies of float alone answer whatever the sizes: see any_size_test.

#include <catch2/catch_test_macros.hpp>

#include <gemm/gemm.cuh>

#include "../support/any_size.hpp"

namespace {

using ring = gemm::sm90_simt_tma_128x128x32;

/// Every wrapper round a policy.
using wrapped =
    test::policy_pack<gemm::repacked<ring>, gemm::split_k<ring, 7>, gemm::cluster_split_k<ring, 4>,
                      gemm::stream_k<ring, 2>, gemm::repacked<gemm::persistent_64x64x32>,
                      gemm::with_fallback<test::fp16x3_64x64x64_3>, gemm::with_fallback<test::fp16x3_sliced_64x64x64_3>,
                      gemm::with_fallback<test::bf16x6_64x64x64_4>, test::equilibrated_64x64x64_2>;

}  // namespace

TEST_CASE("policies of float answer for products of any size", "[any_size]") {
  test::ask_all<test::f32>(test::every_float_policy{});
}

TEST_CASE("floats in parts, and wrapped policies, answer for products of any size", "[any_size]") {
  test::ask_all<test::f32>(test::fp16x3_policies{});
  test::ask_all<test::f32>(wrapped{});
}
