// SPDX-License-Identifier: BSL-1.0
//! @file
//! Many small products in one launch.

#include <catch2/catch_template_test_macros.hpp>

#include <type_traits>

#include "../support/for_each_subject.hpp"
#include "../support/product.hpp"
#include "../support/tier.hpp"

namespace {

using test::product;

/// How many products a launch of the subject has here: more than a grid's y holds, where this does not take too long.
template <class Types>
std::int64_t many(test::subject<Types> const& s) {
  bool const small = std::is_same_v<Types, test::f32> && s.block_m * s.block_n <= 128 && s.threads <= 128;
  bool const common = std::is_same_v<Types, test::f32> || std::is_same_v<Types, test::f16>;
  return test::value_by_tier(12, small ? 70000 : 20, common ? 70000 : 1000);
}

}  // namespace

TEMPLATE_TEST_CASE("more products in one launch than a grid's y holds", "[batches][no_thread_sanitizer]",
                   GEMM_TEST_WIDE_TYPES, GEMM_TEST_NARROW_TYPES) {
  test::for_each_subject<TestType>([](test::subject<TestType> const& s) {
    std::int64_t const count = many(s);
    test::placement const transposed{.layout = gemm::order::column}, aligned{.aligned = true};
    for (product const& p : {product{.m = 5, .n = 7, .k = 6, .b = transposed, .batch = test::batch_kind::strided},
                             product{.m = 4, .n = 4, .k = 4, .beta = 1, .batch = test::batch_kind::broadcast_a},
                             product{.m = 4,
                             .n = 16,
                             .k = 3,
                             .a = transposed,
                             .b = aligned,
                             .c = transposed,
                             .batch = test::batch_kind::broadcast_b}}) {
      if (test::on_cpu_device && p.batch == test::batch_kind::broadcast_a) {
        continue;  // as one B is for all
      }
      product many_times = p;
      many_times.batch_count = count;
      CHECK(test::check_product(s, many_times) == "");
    }
    product const larger{.m = 16, .n = 16, .k = 16, .batch = test::batch_kind::strided, .batch_count = count / 10 + 1};
    CHECK(test::check_product(s, larger) == "");
  });
}
