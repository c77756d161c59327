// SPDX-License-Identifier: BSL-1.0
//! @file
//! The price of how ranks exchange, as a function of sizes and of the links' rates.

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <limits>

#include <gemm/distributed/exchange_price.hpp>
#include <gemm/peers.hpp>
#include <gemm/tables/links.hpp>

namespace {

using gemm::exchange;
using gemm::detail::choose_exchange;
using gemm::detail::exchange_load;
using gemm::detail::pieces_of_shard;
using gemm::detail::price_of_exchange;
using gemm::tables::link_rates;

/// Round numbers: 1 GB/s everywhere, a millisecond for each start.
constexpr link_rates round_link{.gpu = "round",
                                .copy = 1e9,
                                .copy_start = 1e-3,
                                .store = 1e9,
                                .meeting = 1e-3,
                                .sum_start = 1e-3,
                                .collective = 1e9,
                                .collective_start = 1e-3,
                                .collective_share = 0.5};

bool near(double x, double y) { return x - y < 1e-9 && y - x < 1e-9; }

}  // namespace

TEST_CASE("The price of a gathered product waits for what is not there", "[distributed]") {
  exchange_load load{.ranks = 2, .overlapped = 0.2, .whole = 0.2, .shard = 50e6};
  // The other shard comes while the own one is multiplied.
  CHECK(near(price_of_exchange(exchange::peer_memory, load, round_link), 0.002 + 0.2));
  CHECK(near(price_of_exchange(exchange::peer_memory_sequential, load, round_link), 0.002 + 0.001 + 0.05 + 0.2));
  CHECK(near(price_of_exchange(exchange::collectives_sequential, load, round_link), 0.001 + 0.05 + 0.2));
  // It comes late: 201 ms after the first 100.
  load.shard = 300e6;
  CHECK(near(price_of_exchange(exchange::peer_memory, load, round_link), 0.002 + 0.301 + 0.1));
  // In pieces the last one alone is waited for.
  load.pieces = 3;
  CHECK(near(price_of_exchange(exchange::peer_memory, load, round_link), 0.002 + 0.303 + 0.1 / 3));
}

TEST_CASE("The price of a sum has the exchange or the product, and the addition", "[distributed]") {
  exchange_load load{.ranks = 2, .overlapped = 0.2, .whole = 0.2, .shard = 50e6, .sum = 100e6, .bandwidth = 1e9};
  CHECK(near(price_of_exchange(exchange::peer_memory, load, round_link), 0.002 + 0.2 + 0.101));
  CHECK(
      near(price_of_exchange(exchange::peer_memory_sequential, load, round_link), 0.002 + 0.2 + 0.001 + 0.05 + 0.101));
  load.shard = 500e6;
  CHECK(near(price_of_exchange(exchange::peer_memory, load, round_link), 0.002 + 0.5 + 0.101));
  // By collectives the first shard's product is before all of them; the multiprocessors are shared.
  CHECK(near(price_of_exchange(exchange::collectives, load, round_link), 0.2 + 2 * 0.501 + 0.051));
}

TEST_CASE("The cheaper path is chosen, and never one that other ranks would have to know", "[distributed]") {
  for (int ranks = 1; ranks <= 32; ranks *= 2) {
    for (double const product : {1e-6, 1e-4, 1e-2}) {
      for (double const tiles : {0.9, 1.0, 1.2, 4.0}) {  // of shards, to those of all rows
        for (double const shard : {1e3, 1e6, 1e9}) {
          for (double const sum : {0.0, shard * (ranks + 1)}) {
            exchange_load const load{
                .ranks = ranks, .overlapped = tiles * product, .whole = product, .shard = shard, .sum = sum};
            auto const choice = choose_exchange(exchange::automatic, load, gemm::tables::links[0]);
            bool const by_memory =
                choice.path == exchange::peer_memory || choice.path == exchange::peer_memory_sequential;
            CHECK(by_memory);
            CHECK(choice.of(choice.path) <= choice.of(exchange::peer_memory));
            CHECK(choice.of(choice.path) <= choice.of(exchange::peer_memory_sequential));
            CHECK_FALSE(choice.why.empty());
          }
        }
      }
    }
  }
  // Short shards, whose tiles are mostly empty.
  CHECK(choose_exchange(exchange::automatic, {.ranks = 8, .overlapped = 80e-6, .whole = 12e-6, .shard = 1e4},
                        gemm::tables::links[0])
            .path == exchange::peer_memory_sequential);
  CHECK(choose_exchange(exchange::automatic, {.ranks = 2, .overlapped = 3e-3, .whole = 3e-3, .shard = 67e6},
                        gemm::tables::links[0])
            .path == exchange::peer_memory);
}

TEST_CASE("What the options name is taken, and products without a price are not sequential", "[distributed]") {
  constexpr double none = std::numeric_limits<double>::infinity();
  for (exchange const named : {exchange::peer_memory, exchange::peer_memory_sequential, exchange::collectives,
                               exchange::collectives_sequential}) {
    auto const choice = choose_exchange(named, {.ranks = 2, .overlapped = none, .whole = none}, round_link);
    CHECK(choice.path == named);
    CHECK(choice.why == "the options name it");
  }
  CHECK(choose_exchange(exchange::automatic, {.ranks = 2, .overlapped = none, .whole = none}, round_link).path ==
        exchange::peer_memory);
  CHECK(choose_exchange(exchange::automatic, {.ranks = 2, .overlapped = none, .whole = 1}, round_link).path ==
        exchange::peer_memory_sequential);
}

TEST_CASE("Ranks that must agree choose by what all of them know", "[distributed]") {
  using gemm::detail::choose_collectives;
  CHECK(choose_collectives(1e3, gemm::tables::network) == exchange::collectives_sequential);
  CHECK(choose_collectives(1e9, gemm::tables::network) == exchange::collectives);
}

TEST_CASE("Pieces cover a shard, and are no smaller than bandwidth pays for", "[distributed]") {
  for (std::int64_t const rows : {1, 127, 128, 129, 1000, 4096, 100000}) {
    for (double const bytes : {2.0, 1e3, 1e5}) {
      auto const pieces = pieces_of_shard(rows, bytes, round_link);
      CHECK(pieces.count >= 1);
      CHECK(pieces.count <= 8);
      CHECK(pieces.rows() % 128 == 0);
      CHECK(pieces.rows() * pieces.count >= rows);
      CHECK(pieces.rows() * (pieces.count - 1) < rows);
      bool const paid = static_cast<double>(pieces.rows()) * bytes >= 8 * round_link.copy_start * round_link.copy;
      CHECK((pieces.count == 1 || paid));
    }
  }
  CHECK(pieces_of_shard(0, 100, round_link).count == 0);
  CHECK(pieces_of_shard(100000, 1e5, round_link).count == 7);
}

TEST_CASE("Rows of the last wave are summed last, where it leaves a part of the device free", "[distributed]") {
  using gemm::detail::rows_before_sum;
  using gemm::detail::shard_waves;
  // 64 rows of tiles, 32 of them the rank's own: 15 waves and half of one.
  CHECK(rows_before_sum(4096, {.blocks = 2048, .slots = 132, .row_blocks = 32, .rows = 128}, 0.8) == 4096 - 3 * 128);
  // The last tile of the own rows is not whole.
  CHECK(rows_before_sum(4000, {.blocks = 2048, .slots = 132, .row_blocks = 32, .rows = 128}, 0.8) == 4096 - 3 * 128);
  // A last wave that is nearly full, or none; fewer waves than two; fewer rows than the last wave has.
  CHECK(rows_before_sum(4096, {.blocks = 2090, .slots = 132, .row_blocks = 32, .rows = 128}, 0.8) == 4096);
  CHECK(rows_before_sum(4096, {.blocks = 1980, .slots = 132, .row_blocks = 32, .rows = 128}, 0.8) == 4096);
  CHECK(rows_before_sum(512, {.blocks = 160, .slots = 132, .row_blocks = 20, .rows = 128}, 0.8) == 512);
  CHECK(rows_before_sum(128, {.blocks = 288, .slots = 132, .row_blocks = 24, .rows = 128}, 0.8) == 128);
  CHECK(rows_before_sum(0, {.blocks = 2048, .slots = 132, .row_blocks = 32, .rows = 128}, 0.8) == 0);
  CHECK(rows_before_sum(4096, {.blocks = 2048, .slots = 132, .row_blocks = 32, .rows = 128}, 0) == 4096);
  CHECK(rows_before_sum(100, shard_waves{}, 0.8) == 100);  // not known
}
