// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of all sizes, storages, strides, alignments, scalars, batches and kinds of data.

#include <algorithm>
#include <catch2/catch_get_random_seed.hpp>
#include <catch2/catch_template_test_macros.hpp>

#include "../support/device.hpp"
#include "../support/for_each_subject.hpp"
#include "../support/pairwise.hpp"
#include "../support/product.hpp"
#include "../support/tier.hpp"

namespace {

using test::for_each_subject;
using test::product;
using test::subject;

/// Rounds of cases: fewer for types that share most of a kernel with others.
template <class Types>
constexpr int rounds = test::contains<Types, test::wide_types>     ? GEMM_TEST_ROUNDS
                       : test::contains<Types, test::narrow_types> ? (GEMM_TEST_ROUNDS + 2) / 3
                                                                   : 1;

/// The parameters of the pairwise cases, each with the values that matter for this policy.
class case_space {
 public:
  template <class Types>
  explicit case_space(subject<Types> const& s)
      : scalars_{1, 0, Types::integral ? -3 : -0.7},
        m_{1, s.block_m - 1, s.block_m, s.block_m + 1, std::max(2 * s.block_m - 3, 1)},
        n_{1, s.block_n - 1, s.block_n, s.block_n + 1, std::max(2 * s.block_n - 3, 1)},
        // fewer, as many and more tiles along k than the pipeline holds, whole and not
        k_{1,
           s.block_k,
           s.block_k + 1,
           (s.stages - 1) * s.block_k + 1,
           (s.stages + 1) * s.block_k - 1,
           2 * s.stages * s.block_k,
           37} {}

  std::vector<int> levels() const {
    return {size(m_),
            size(n_),
            size(k_),
            2,
            2,
            2,
            size(gaps),
            size(gaps),
            size(gaps),
            2,
            2,
            2,
            2,
            size(scalars_),
            size(scalars_),
            test::data_kinds,
            test::batch_kinds};
  }

  product at(std::vector<int> const& index, std::uint64_t seed) const {
    std::size_t i = 0;
    auto const next = [&](auto const& values) { return values[static_cast<std::size_t>(index[i++])]; };
    product p{};
    p.m = next(m_);
    p.n = next(n_);
    p.k = next(k_);
    for (test::placement* place : {&p.a, &p.b, &p.c}) {
      place->layout = index[i++] == 0 ? gemm::order::row : gemm::order::column;
    }
    for (test::placement* place : {&p.a, &p.b, &p.c}) {
      gap const chosen = next(gaps);
      place->padding = chosen.padding;
      place->aligned = chosen.aligned;
    }
    for (test::placement* place : {&p.a, &p.b, &p.c}) {
      place->misalignment = index[i++];
    }
    p.a.guarded = p.b.guarded = p.c.guarded = index[i++] == 0;
    p.alpha = next(scalars_);
    p.beta = next(scalars_);
    p.data = static_cast<test::data_kind>(index[i++]);
    p.batch = static_cast<test::batch_kind>(index[i++]);
    p.seed = seed;
    return p;
  }

 private:
  template <class Values>
  static int size(Values const& values) {
    return static_cast<int>(std::size(values));
  }

  /// Lines without a gap, with an odd one, and such that all are aligned.
  struct gap {
    std::int64_t padding;
    bool aligned;
  };
  static constexpr gap gaps[] = {{0, false}, {1, false}, {1, true}};
  std::vector<double> scalars_;
  std::vector<std::int64_t> m_, n_, k_;
};

}  // namespace

TEMPLATE_TEST_CASE("all pairs of parameters", "[products][no_thread_sanitizer]", GEMM_TEST_ALL_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    case_space const space(s);
    gemm::random_numbers random(20240229);
    // Results are checked without sanitizers, which see as much in a part of the pairs.
    constexpr std::size_t step = test::under_sanitizers ? 2 : 1;
    for (int round = 0; round < rounds<TestType>; ++round) {
      auto const cases = test::pairwise(space.levels(), random);
      for (std::size_t i = 0; i < cases.size(); i += step) {
        CHECK(test::check_product(s, space.at(cases[i], random.bits())) == "");
      }
    }
  });
}

TEMPLATE_TEST_CASE("sizes around the tile in all three directions", "[products][no_thread_sanitizer]",
                   GEMM_TEST_ALL_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    for (std::int64_t dm : {-1, 0, 1}) {
      for (std::int64_t dn : {-1, 0, 1}) {
        for (std::int64_t dk : {-1, 0, 1}) {
          CHECK(test::check_product(s, {.m = s.block_m + dm, .n = s.block_n + dn, .k = s.block_k + dk}) == "");
        }
      }
    }
  });
}

// Wide accesses are chosen where every line of A and B allows them, and the tile's edge is walked element by element.
TEMPLATE_TEST_CASE("aligned operands, and all but one aligned", "[products][no_sanitizer]", GEMM_TEST_ALL_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    enum { none, a, b, c, whole_tiles, variants };
    constexpr int step = test::under_thread_sanitizer ? 7 : test::value_by_tier(3, 3, 1);
    constexpr int variant_step = test::under_thread_sanitizer ? int{whole_tiles} : 1;
    for (int layouts = 0; layouts < 8; layouts += step) {
      for (int odd = 0; odd < variants; odd += variant_step) {
        auto const place = [&](int matrix) {
          return test::placement{.layout = (layouts >> matrix & 1) == 0 ? gemm::order::row : gemm::order::column,
                                 .aligned = true,
                                 .misalignment = odd == matrix + 1 ? 1 : 0};
        };
        std::int64_t const extra = odd == whole_tiles ? 0 : 1;
        CHECK(test::check_product(s, {.m = s.block_m + extra,
                                      .n = 2 * s.block_n - extra,
                                      .k = (s.stages + 1) * s.block_k + extra,
                                      .a = place(0),
                                      .b = place(1),
                                      .c = place(2),
                                      .beta = layouts % 2 == 0 ? 1.0 : 0.0,
                                      .batch = odd == none ? test::batch_kind::strided : test::batch_kind::single}) ==
              "");
      }
    }
  });
}

TEMPLATE_TEST_CASE("random products", "[products][fuzz][no_sanitizer]", GEMM_TEST_ALL_TYPES) {
  CAPTURE(Catch::getSeed());  // --rng-seed repeats a run
  for_each_subject<TestType>([](subject<TestType> const& s) {
    gemm::random_numbers random(Catch::getSeed());
    auto const placement = [&] {
      return test::placement{.layout = random.integer(0, 1) == 0 ? gemm::order::row : gemm::order::column,
                             .padding = random.integer(0, 9),
                             .aligned = random.integer(0, 1) == 0,
                             .misalignment = random.integer(0, 1) * random.integer(0, 16),
                             .guarded = random.integer(0, 1) == 0};
    };
    auto const scalar = [&] { return random.integer(0, 2) == 0 ? 0.0 : random.uniform() * 4; };
    constexpr int products = test::under_thread_sanitizer ? 4 : 10 * rounds<TestType>;
    for (int i = 0; i < products; ++i) {
      product const p{.m = random.integer(0, 2 * s.block_m),
                      .n = random.integer(0, 2 * s.block_n),
                      .k = random.integer(0, (s.stages + 2) * s.block_k),
                      .a = placement(),
                      .b = placement(),
                      .c = placement(),
                      .alpha = scalar(),
                      .beta = scalar(),
                      .data = static_cast<test::data_kind>(random.integer(0, test::data_kinds - 1)),
                      .batch = static_cast<test::batch_kind>(random.integer(0, test::batch_kinds - 1)),
                      .seed = random.bits()};
      CHECK(test::check_product(s, p) == "");
    }
  });
}

TEMPLATE_TEST_CASE("bias, a second output, relu and a functor of row and column", "[products][epilogue][no_sanitizer]",
                   GEMM_TEST_ALL_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    if (!s.has_chain) {
      return;
    }
    for (test::data_kind const data : {test::data_kind::integers, test::data_kind::uniform}) {
      for (std::int64_t const extra : {-1, 0, 1}) {
        for (double const beta : {0.0, 1.0}) {
          // A column-major C is the transpose of what kernels see: their tiles have block_n of its rows. With 8 more,
          // and aligned, TMA can store it.
          product const p{.m = s.block_n + (extra > 0 ? 8 : extra),
                          .n = s.block_m - extra,
                          .k = 2 * s.block_k + 1,
                          .a = {.layout = test::chain_a},
                          .b = {.layout = test::chain_b},
                          .c = {.layout = test::chain_c, .padding = extra + 1, .aligned = extra > 0},
                          .beta = beta,
                          .data = data,
                          .batch = extra == 0 ? test::batch_kind::strided : test::batch_kind::single,
                          .epilogue = test::epilogue_kind::chain};
          CHECK(test::check_product(s, p) == "");
        }
      }
    }
  });
}

// Few enough for compute-sanitizer, one of each kind of memory access.
TEMPLATE_TEST_CASE("a few products under a memory checker", "[products][sanitizer]", GEMM_TEST_ALL_TYPES) {
  for_each_subject<TestType>([](subject<TestType> const& s) {
    for (std::int64_t const misalignment : {0, 1}) {
      for (gemm::order const layout : {gemm::order::row, gemm::order::column}) {
        test::placement const place{
            .layout = layout, .padding = 4 - misalignment, .misalignment = misalignment, .guarded = false};
        if (test::under_thread_sanitizer && (misalignment == 1) != (layout == gemm::order::column)) {
          continue;  // threads wait for one another as in the others
        }
        product const p{.m = s.block_m + 1,
                        .n = s.block_n - 1,
                        .k = s.stages * s.block_k + 1,
                        .a = place,
                        .b = place,
                        .c = place,
                        .alpha = TestType::integral ? -3 : -0.7,
                        .beta = misalignment == 0 ? 1.0 : 0.0,
                        .data = test::data_kind::uniform,
                        .batch = test::batch_kind::strided};
        CHECK(test::check_product(s, p) == "");
      }
    }
  });
}
