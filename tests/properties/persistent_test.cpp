// SPDX-License-Identifier: BSL-1.0
//! @file
//! Blocks that stay compute one tile after the other: of each all k, wherever it ends within a tile of the ring.

#include <catch2/catch_test_macros.hpp>
#include <cstdint>

#include "../support/cpu_options.hpp"
#include "../support/device.hpp"
#include "../support/product.hpp"
#include "../support/subject.hpp"
#include "../support/tier.hpp"

namespace {

/// Products of a tile each, so many that every block has several.
constexpr std::int64_t products = test::on_cpu_device ? 9 : 1200;  // 9 on one multiprocessor

}  // namespace

TEST_CASE("blocks that stay add up all k of each tile", "[persistent][no_thread_sanitizer]") {
  test::cpu_options const few([](auto& options) { options.device.multiprocessors = 1; });
  test::placement const aligned{.aligned = true}, turned{.layout = gemm::order::column, .aligned = true};
  int policies = 0;
  for (test::subject<test::f32> const& s : test::subjects<test::f32>()) {
    if (s.name.find("persistent_") == std::string::npos) {
      continue;
    }
    ++policies;
    INFO(s.name);
    for (int const tiles_of_k : {0, 1}) {
      for (int const steps : {1, 7, 8, 9, 15, 16, 17, 24, 25, 31, 32}) {
        std::int64_t const k = tiles_of_k * s.block_k + steps;
        test::product const tall{.m = s.block_m,
                                 .n = 4,
                                 .k = k,
                                 .a = aligned,
                                 .b = aligned,
                                 .batch = test::batch_kind::strided,
                                 .batch_count = products};
        test::product const wide{.m = 4,
                                 .n = s.block_n,
                                 .k = k,
                                 .a = turned,
                                 .b = turned,
                                 .batch = test::batch_kind::strided,
                                 .batch_count = products};
        CHECK(test::check_product(s, tall) == "");
        CHECK(test::check_product(s, wide) == "");
      }
    }
  }
  CHECK(policies > 0);
}
