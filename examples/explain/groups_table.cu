// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tiles of groups, each with its cluster and step.

#include "groups_table.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gemm/schedule/ragged.cuh>
#include <gemm/schedule/work.cuh>

#include "text.hpp"

namespace explain {

namespace {

constexpr int groups = 4, tile_m = 128, tile_n = 256, columns = 4, clusters = 6, band = 8;

/// What the walk reads of ragged products: the second has no rows, none is whole tiles.
struct some_groups {
  static constexpr bool of_columns = false;
  std::int64_t ends[groups] = {300, 300, 370, 890};

  gemm::detail::line_range range(int product) const { return {product == 0 ? 0 : ends[product - 1], ends[product]}; }
};

struct walked {
  int cluster, step;
};

/// [group][row of tiles][column of tiles]
using tiles_of_groups = std::vector<std::vector<std::vector<walked>>>;

tiles_of_groups walk(some_groups const& products) {
  gemm::detail::schedule const order{.order = gemm::detail::tile_order::persistent,
                                     .mode = gemm::detail::reduction::none,
                                     .tiles_m = 1,
                                     .tiles_n = columns,
                                     .batches = groups,
                                     .band = band,
                                     .k_tiles = 1};
  tiles_of_groups result(groups);
  for (unsigned cluster = 0; cluster < clusters; ++cluster) {
    gemm::detail::ragged_walk<some_groups> works(order, products, tile_m);
    gemm::detail::work w{};
    for (int step = 0; works.next({.cluster = cluster, .clusters = clusters, .rank = 0}, step, w); ++step) {
      auto& rows = result[static_cast<std::size_t>(w.batch)];
      auto const row = static_cast<std::size_t>(w.tile_m);
      rows.resize(rows.size() > row ? rows.size() : row + 1, std::vector<walked>(columns));
      rows[row][static_cast<std::size_t>(w.tile_n)] = {static_cast<int>(cluster), step};
    }
  }
  return result;
}

}  // namespace

std::string groups_table() {
  some_groups const products;
  std::string table = "<table class=\"walk\"><thead><tr><th scope=\"col\">rows of a group</th>";
  for (int column = 0; column < columns; ++column) {
    table += text("<th scope=\"col\">columns %d to %d</th>", column * tile_n, (column + 1) * tile_n - 1);
  }
  table += "</tr></thead>\n";
  tiles_of_groups const tiles = walk(products);
  for (int group = 0; group < groups; ++group) {
    gemm::detail::line_range const range = products.range(group);
    table += "<tbody>";
    if (range.first == range.end) {
      table += text("<tr><th scope=\"row\">group %d: none</th><td colspan=\"%d\">no tile</td></tr>", group, columns);
    }
    std::int64_t first = range.first;
    for (std::vector<walked> const& row : tiles[static_cast<std::size_t>(group)]) {
      std::int64_t const end = first + tile_m < range.end ? first + tile_m : range.end;
      table += text("<tr><th scope=\"row\">group %d: %lld to %lld</th>", group, wide(first), wide(end - 1));
      for (walked const& tile : row) {
        table += text("<td style=\"--cluster:%d\">cluster %d, step %d</td>", tile.cluster, tile.cluster, tile.step);
      }
      table += "</tr>";
      first = end;
    }
    table += "</tbody>\n";
  }
  return table + "</table>";
}

}  // namespace explain
