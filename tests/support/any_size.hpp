// SPDX-License-Identifier: BSL-1.0
//! @file
//! Products of any sizes, strides and batches, to ask the library about: no memory is behind them, and nothing may be
//! launched.
#pragma once

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>

#include <gemm/gemm.cuh>
#include <gemm/random.hpp>

#include "../policies/policies.hpp"
#include "tier.hpp"
#include "types.hpp"

namespace test {

/// A matrix of a drawn product, without its type and order.
struct any_size_view {
  std::int64_t rows, columns, ld_row, ld_column, batch_count, batch_stride;
  int shift;  // elements from an aligned pointer

  template <gemm::order Order, class T>
  gemm::matrix<T, Order> as(std::uintptr_t at) const {
    return {.data = reinterpret_cast<T*>(at) + shift,
            .rows = rows,
            .columns = columns,
            .ld = Order == gemm::order::row ? ld_row : ld_column,
            .batch_count = batch_count,
            .batch_stride = batch_stride};
  }
};

/// A product of which up to three sizes or strides are drawn from the ends of the range, the others from small ones.
struct any_size_product {
  any_size_view a, b, c;
  int alpha, beta;

  explicit any_size_product(std::uint64_t seed) {
    gemm::random_numbers random(seed);
    auto const of = [&](auto const& list) {
      return list[random.integer(0, static_cast<std::int64_t>(std::size(list)) - 1)];
    };
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(), one = 1;
    constexpr std::int64_t small[] = {0, 1, 1, 1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 4096};
    constexpr std::int64_t large[] = {65535,     65536,     1000003,   (one << 30) - 63, (one << 31) - 1, one << 31,
                                      715827841, one << 32, one << 36, (one << 38) - 64, one << 38,       one << 40,
                                      one << 44, one << 50, one << 57, (one << 58) - 1,  one << 59,       one << 60,
                                      one << 61, most - 64, most};
    constexpr int parameters = 10;
    bool is_large[parameters] = {};
    for (std::int64_t left = random.integer(0, 7); left > 0; left -= 3) {  // most often one or two
      is_large[random.integer(0, parameters - 1)] = true;
    }
    int next = 0;
    auto const size = [&] { return is_large[next++] ? of(large) : of(small); };
    std::int64_t const m = size(), n = size(), k = size();
    std::int64_t const count = is_large[next++] ? of(large) : random.integer(0, 5) > 0 ? 1 : random.integer(0, 9);
    auto const view = [&](std::int64_t rows, std::int64_t columns, bool may_broadcast) {
      auto const product = [](std::int64_t x, std::int64_t y) {
        std::int64_t result = 0;
        return __builtin_mul_overflow(x, y, &result) ? most : result;
      };
      bool const long_ld = is_large[next++], long_stride = is_large[next++];
      std::int64_t const more = random.integer(0, 2) * random.integer(0, 4), ld = of(large);
      auto const padded = [&](std::int64_t length) {
        std::int64_t const least = length > 1 ? length : 1;
        return long_ld ? ld : least > most - more ? least : least + more;
      };
      bool const broadcast = may_broadcast && random.integer(0, 1) > 0;
      std::int64_t const stride = of(large), packed = product(rows, padded(columns));
      return any_size_view{.rows = rows,
                           .columns = columns,
                           .ld_row = padded(columns),
                           .ld_column = padded(rows),
                           .batch_count = broadcast ? 1 : count,
                           .batch_stride = !long_stride               ? packed
                                           : random.integer(0, 3) > 0 ? stride
                                                                      : -1 - stride,
                           .shift = random.integer(0, 3) > 0 ? 0 : 1};
    };
    a = view(m, k, true);
    b = view(k, n, true);
    c = view(m, n, false);
    alpha = random.integer(0, 9) > 0;
    beta = random.integer(0, 3) == 0;
  }
};

/// Asks about a product with a policy, or a choice, and says what is wrong with the answers; nothing if they agree with
/// one another.
template <class Policy, class Types, gemm::order A, gemm::order B, gemm::order C>
std::string wrong_answers(any_size_product const& x) {
  using accum = typename Types::accum;
  auto const a = x.a.template as<A, typename Types::input const>(1 << 14);
  auto const b = x.b.template as<B, typename Types::input const>(1 << 15);
  auto const c = x.c.template as<C, typename Types::output>(1 << 16);
  gemm::options<accum> const opts{.alpha = static_cast<accum>(x.alpha), .beta = static_cast<accum>(x.beta)};
  gemm::status const able = gemm::can_run<Policy>(a, b, c, opts);
  std::size_t const bytes = gemm::workspace_size<Policy>(a, b, c, opts);
  if (!able && bytes > 0) {
    return std::string("needs a workspace, but: ") + able.message();
  }
  if (static_cast<bool>(able) == (able.message()[0] != 0) || able.code() == gemm::status_code::cuda_failure) {
    return std::string("says: ") + able.message();
  }
  if constexpr (std::is_same_v<Policy, gemm::automatic> || std::is_same_v<Policy, gemm::fp32_emulated>) {
    gemm::choice const found = gemm::chosen<Policy>(a, b, c, opts);
    bool const empty = c.rows == 0 || c.columns == 0 || c.batch_count == 0;
    if (found.policy.empty() != (!able || empty) || (!found.policy.empty() && !(found.seconds > 0))) {
      return "has chosen " + std::string(found.policy) + ", but: " + able.message();
    }
  }
  return {};
}

/// How many of them are asked about for a policy, types and orders.
inline constexpr int any_size_products = under_sanitizers ? 500 : 2000;

/// Asks about so many products, in these orders.
template <class Policy, class Types, gemm::order A, gemm::order B, gemm::order C = gemm::order::row>
void ask(int count) {
  for (int seed = 1; seed <= count; ++seed) {
    std::string const wrong = wrong_answers<Policy, Types, A, B, C>(any_size_product(static_cast<std::uint64_t>(seed)));
    if (!wrong.empty()) {
      FAIL_CHECK(gemm::name<Policy>() << ", product " << seed << ": " << wrong);
    }
  }
}

/// Asks about every policy, with each operand in both orders.
template <class Types, class... Policies>
void ask_all(policy_pack<Policies...>) {
  (ask<Policies, Types, gemm::order::row, gemm::order::row>(any_size_products), ...);
#if !defined(GEMM_TEST_SANITIZERS)
  (ask<Policies, Types, gemm::order::column, gemm::order::column>(any_size_products), ...);
#endif
}

}  // namespace test
