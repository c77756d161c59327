// SPDX-License-Identifier: BSL-1.0
//! @file
//! The price of each path in which ranks exchange: seconds, from what a call moves and multiplies and what was measured
//! of the links. Numbers alone.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include <gemm/extremes.hpp>
#include <gemm/peers.hpp>
#include <gemm/tables/links.hpp>

namespace gemm {

/// The path that a call has taken, and why.
struct exchange_choice {
  exchange path = exchange::automatic;
  std::string_view why{};         ///< a text that lives for ever
  std::int64_t summed_early = 0;  ///< rows of C that are summed beside the last tiles of the product
  double seconds[static_cast<int>(exchange::collectives_sequential) + 1] =
      {};  ///< by path; infinity: it cannot be taken

  /// That of a path.
  double of(exchange which) const { return seconds[static_cast<int>(which)]; }
};

namespace detail {

/// What a call moves and multiplies: bytes and seconds of one rank.
struct exchange_load {
  int ranks = 1;
  double overlapped = 0;    // the product of shards, in one launch
  double whole = 0;         // that of all rows at once
  double shard = 0;         // bytes that a rank has for each other one, or needs of it
  int pieces = 1;           // of a shard that is copied
  double sum = 0;           // bytes of the parts that are added; 0: rows of A are gathered
  double bandwidth = 4e12;  // bytes a second of the device's memory
};

/// Pieces in which a shard is copied, each with a word that says that it is there: 2^shift rows, at least 128, and as
/// many as bandwidth pays for.
struct shard_pieces {
  int shift, count;

  constexpr std::int64_t rows() const { return std::int64_t{1} << shift; }
};
constexpr shard_pieces pieces_of_shard(std::int64_t rows, double row_bytes, tables::link_rates const& link) {
  constexpr std::int64_t most = 8;
  double const least = 8 * link.copy_start * link.copy / greater(row_bytes, 1.0);  // eight times as long as its start
  int shift = 7;
  while ((std::int64_t{1} << shift) < rows &&
         (static_cast<double>(std::int64_t{1} << shift) < least || (rows - 1) >> shift >= most)) {
    ++shift;
  }
  return {shift, rows < 1 ? 0 : static_cast<int>(((rows - 1) >> shift) + 1)};
}

/// The waves of a product of shards, and a row of its tiles: of all columns, so many rows.
struct shard_waves {
  double blocks = 0, slots = 1;  // of all shards; CTA slots of the device
  std::int64_t row_blocks = 1, rows = 1;
};

/// How many of the rank's own rows are in the launch of the other shards. The rest, the last wave where it takes no
/// more than `most` of the device, has a launch of its own, beside which the sum of the rows before is computed.
constexpr std::int64_t rows_before_sum(std::int64_t own, shard_waves const& w, double most) {
  auto const full = static_cast<std::int64_t>(w.blocks / w.slots);
  double const last = w.blocks - static_cast<double>(full) * w.slots;
  auto const row = static_cast<double>(w.row_blocks);
  auto const wanted = static_cast<std::int64_t>(last / row);
  std::int64_t const rows = wanted + (static_cast<double>(wanted) * row < last ? 1 : 0),
                     tiles = (own + w.rows - 1) / w.rows;
  bool const fits = full >= 2 && rows > 0 && static_cast<double>(rows) * row <= most * w.slots && rows < tiles;
  return fits ? (tiles - rows) * w.rows : own;
}

/// When the product of gathered rows ends: each piece is multiplied when it is there, and no earlier than those before.
constexpr double end_of_gather(exchange_load const& load, double whole, int pieces, double start, double piece) {
  double const of_shard = whole / load.ranks;
  double end = of_shard, here = 0;
  for (int i = 0; i < (load.ranks - 1) * pieces; ++i) {
    here += start + piece;
    end = greater(end, here) + of_shard / pieces;
  }
  return end;
}

/// When the last shard of a sum has been exchanged, each after its product.
constexpr double end_of_scatter(exchange_load const& load, double whole, double start, double shard) {
  double product = 0, end = 0;
  for (int i = 0; i < load.ranks; ++i) {
    product += whole / load.ranks;
    end = greater(end, product) + start + shard;
  }
  return end;
}

/// The seconds of a path.
constexpr double price_of_exchange(exchange path, exchange_load const& load, tables::link_rates const& link) {
  int const others = load.ranks - 1;
  bool const gathers = load.sum == 0;
  double const meetings = 2 * link.meeting, sum = gathers ? 0 : link.sum_start + load.sum / load.bandwidth,
               bytes = load.shard * others, slower = load.overlapped / (1 - link.collective_share),
               at_the_end = gathers ? 0 : link.sum_start + load.sum / load.ranks / load.bandwidth;
  switch (path) {
    case exchange::peer_memory:
      return meetings + sum +
             (gathers ? end_of_gather(load, load.overlapped, load.pieces, link.copy_start,
                                      load.shard / load.pieces / link.copy)
                      : greater(load.overlapped, bytes / link.store));
    case exchange::peer_memory_sequential:
      return meetings + load.whole + others * link.copy_start + bytes / link.copy + sum;
    case exchange::collectives:
      return gathers ? end_of_gather(load, slower, 1, link.collective_start, load.shard / link.collective)
                     : end_of_scatter(load, slower, link.collective_start, load.shard / link.collective) + at_the_end;
    case exchange::collectives_sequential:
      return load.whole + link.collective_start + bytes / link.collective + at_the_end;
    default:
      return std::numeric_limits<double>::infinity();
  }
}

/// The cheapest path of those in each other's memory, which a rank may take whatever the others take; or the one that
/// was asked for. Products without a price, of a policy that the caller names, are never sequential by default.
constexpr exchange_choice choose_exchange(exchange wanted, exchange_load const& load, tables::link_rates const& link) {
  constexpr double none = std::numeric_limits<double>::infinity();
  exchange_choice result{.path = wanted, .why = "the options name it"};
  for (exchange const path : {exchange::automatic, exchange::peer_memory, exchange::peer_memory_sequential,
                              exchange::collectives, exchange::collectives_sequential}) {
    result.seconds[static_cast<int>(path)] = price_of_exchange(path, load, link);
  }
  if (wanted == exchange::automatic) {
    double const overlapped = result.of(exchange::peer_memory),
                 sequential = result.of(exchange::peer_memory_sequential);
    result.path = sequential < overlapped ? exchange::peer_memory_sequential : exchange::peer_memory;
    result.why = load.ranks == 1           ? "there is one rank"
                 : !(overlapped < none)    ? "the price of the product beside the exchange is not known"
                 : sequential < overlapped ? "the product after the exchange, or before it, is cheaper by the price"
                                           : "the exchange beside the product is cheaper by the price";
  }
  return result;
}

/// The path of ranks that do not reach each other's memory. They must agree, so that only what all of them know counts:
/// the bytes of a shard.
constexpr exchange choose_collectives(double shard, tables::link_rates const& link) {
  return shard / link.collective < link.collective_start ? exchange::collectives_sequential : exchange::collectives;
}

}  // namespace detail

}  // namespace gemm
