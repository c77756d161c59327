// SPDX-License-Identifier: BSL-1.0
//! @file
//! Groups of warps that share the k of tiles, or take tiles in turn: none reads a stage before its own tile is there.

#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include <gemm/gemm.cuh>

#include "../support/cpu_options.hpp"
#include "../support/device.hpp"
#include "../support/tier.hpp"

namespace {

/// Elements of one tile of C that are not the sum of k ones.
template <class Policy>
int wrong_elements(int k) {
  constexpr int m = Policy::block_m, n = Policy::block_n;
  test::device_array<float> const a(std::vector<float>(static_cast<std::size_t>(m * k), 1)),
      b(std::vector<float>(static_cast<std::size_t>(k * n), 1)), c(std::vector<float>(m * n));
  REQUIRE(gemm::run<Policy>(gemm::row_major(a.data(), m, k), gemm::row_major(b.data(), k, n),
                            gemm::row_major(c.data(), m, n)));
  int wrong = 0;
  for (float const sum : c.download()) {
    wrong += sum != static_cast<float>(k);
  }
  return wrong;
}

/// Two rounds of four groups, and a ring whose stages go from round to round.
struct in_two_rounds : gemm::sm90_simt_tma<gemm::block<64, 64, 32>, gemm::stages<9>, gemm::k_groups<8>> {};

}  // namespace

// In two rounds the tiles of the last turn may arrive after those of this one, and then a group that is ahead must not
// take the end of the turn before the last for that of the last. That it waits for this is for GPUs to show: none of
// 1500 orders of the CPU device fails without, in which groups hardly get ahead of one another. Here it shows that each
// reads the stages and turns of its own tiles.
TEMPLATE_TEST_CASE("groups wait for their own tiles in whichever order tiles arrive", "[k_groups]", in_two_rounds,
                   gemm::sm90_simt_tma_64x64x32) {
  if (!gemm::detail::current_code().tma) {
    SKIP("needs code for sm_90a");
  }
  constexpr int k = 21 * TestType::block_k;
  constexpr unsigned repetitions = test::on_cpu_device ? 40 : 200;
  for (unsigned seed = 1; seed <= repetitions; ++seed) {
    test::cpu_options const other_order([&](auto& options) {
      options.order = decltype(options.order)::random;
      options.completion = decltype(options.completion)::mixed;
      options.seed = seed;
    });
    CHECK(wrong_elements<TestType>(k) == 0);
  }
}
