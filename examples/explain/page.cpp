// SPDX-License-Identifier: BSL-1.0
//! @file
//! Writes the studies as JSON into the page.

#include "page.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "groups_table.hpp"
#include "text.hpp"

namespace explain {

namespace {

/// A JSON object or list. Texts are written as they are: no marks that JSON has a use for.
class json {
 public:
  explicit json(char open) : close_(open == '{' ? '}' : ']'), body_(1, open) {}

  template <class Value>
  json& add(char const* name, Value const& value) {
    separate();
    body_ += text("\"%s\":", name);
    append(value);
    return *this;
  }
  template <class Value>
  json& add(Value const& value) {
    separate();
    append(value);
    return *this;
  }
  std::string written() const { return body_ + close_; }

 private:
  void separate() {
    if (body_.size() > 1) {
      body_ += ',';
    }
  }
  void append(json const& value) { body_ += value.written(); }
  void append(std::string_view value) { body_ += '"' + std::string(value) + '"'; }
  void append(std::string const& value) { append(std::string_view(value)); }
  void append(char const* value) { append(std::string_view(value)); }
  void append(bool value) { body_ += value ? "true" : "false"; }
  void append(double value) { body_ += text("%.9g", value); }
  template <class Integer>
  requires std::is_integral_v<Integer>
  void append(Integer value) { body_ += std::to_string(value); }

  char close_;
  std::string body_;
};

/// An arithmetic progression.
struct progression {
  std::int64_t first, step, count;
};

/// Numbers as progressions that repeat: first, step and count of one, the way from its first to the next one's, and how
/// many come so.
template <class Numbers>
json progressions(Numbers const& numbers) {
  std::vector<progression> all;
  for (std::size_t i = 0; i < numbers.size();) {
    std::int64_t const step = i + 1 < numbers.size() ? std::int64_t{numbers[i + 1]} - numbers[i] : 0;
    std::size_t end = i + 1;
    while (end < numbers.size() && std::int64_t{numbers[end]} - numbers[end - 1] == step) {
      ++end;
    }
    all.push_back({numbers[i], step, static_cast<std::int64_t>(end - i)});
    i = end;
  }
  json list('[');
  for (std::size_t i = 0; i < all.size();) {
    auto const [first, step, count] = all[i];
    std::int64_t const way = i + 1 < all.size() ? all[i + 1].first - first : 0;
    std::size_t end = i + 1;
    while (end < all.size() && all[end].step == step && all[end].count == count &&
           all[end].first - all[end - 1].first == way) {
      ++end;
    }
    list.add(first).add(step).add(count).add(end - i > 1 ? way : 0).add(end - i);
    i = end;
  }
  return list;
}

/// The different sets of rows (columns) that threads own elements in, and which of them is each thread's.
json sets_of(std::vector<std::vector<int>> const& of_threads) {
  std::vector<std::vector<int>> sets;
  std::vector<std::int64_t> numbers;
  json list('[');
  for (std::vector<int> const& one : of_threads) {
    auto const known = std::find(sets.begin(), sets.end(), one);
    numbers.push_back(known - sets.begin());
    if (known == sets.end()) {
      sets.push_back(one);
      list.add(progressions(one));
    }
  }
  return json('{').add("sets", list).add("of", progressions(numbers));
}

json counts_of(operand_study const& o) {
  json result('{');
  result.add("instructions", o.instructions).add("load_lines", o.load_lines);
  result.add("write_passes", o.write_passes).add("read_passes", o.read_passes).add("read_bytes", o.read_bytes);
  if (!o.load.empty()) {
    global_cost const cost = cost_of_global(o.load);
    result.add("sectors", cost.sectors).add("lines", cost.lines).add("used_bytes", cost.used_bytes);
  }
  return result;
}

json operand_of(operand_study const& o) {
  tile_map const& map = o.map;
  std::vector<int> outer, k;
  for (element const& chunk : map.chunks) {
    outer.push_back(chunk.outer);
    k.push_back(chunk.k);
  }
  json result('{');
  result.add("outer", map.outer).add("depth", map.depth).add("ld", map.ld);
  result.add("k_major", map.k_major).add("k_major_shared", map.k_major_shared);
  result.add("element_bytes", map.element_bytes).add("shared_element_bytes", map.sum_bytes);
  result.add("width", map.width).add("load_width", map.load_width).add("store_width", map.store_width);
  result.add("read_width", o.read_width).add("stage_begin", map.stage_begin).add("stage_bytes", map.stage_bytes);
  result.add("chunk_outer", progressions(outer)).add("chunk_k", progressions(k));
  result.add("loads", progressions(map.loads)).add("shared", progressions(map.shared));
  return result.add("counted", counts_of(o));
}

char const* feed_text(feed from) {
  return from == feed::global      ? "global"
         : from == feed::registers ? "registers"
         : from == feed::async     ? "async"
         : from == feed::widening  ? "widening"
         : from == feed::tma       ? "tma"
                                   : "tensor cores";
}

json time_line_of(time_line const& line) {
  json lanes('['), bars('[');
  for (std::string const& lane : line.lanes) {
    lanes.add(lane);
  }
  for (time_bar const& b : line.bars) {
    json bar('[');
    bar.add(static_cast<int>(b.what)).add(b.lane).add(b.tile).add(b.number);
    bars.add(bar.add(std::lround(b.begin)).add(std::lround(b.end)));
  }
  return json('{').add("lanes", lanes).add("bars", bars);
}

json residency_of(occupancy const& o) {
  return json('{')
      .add("blocks", o.blocks)
      .add("limited_by", o.limited_by())
      .add("warps", o.warps)
      .add("of", o.most_warps);
}

/// What all rungs have; `threads` are those that multiply.
json tile_of(study const& s, occupancy const& resident, device_limits const& device) {
  std::vector<std::vector<int>> rows, columns;
  for (int thread = 0; thread < s.threads; ++thread) {
    rows.push_back(rows_of(s, thread));
    columns.push_back(columns_of(s, thread));
  }
  json result('{');
  result.add("policy", s.policy).add("rung", s.facts.number).add("title", s.facts.title).add("idea", s.facts.idea);
  result.add("type", s.type).add("storage", s.storage).add("feed", feed_text(s.facts.from));
  result.add("block_m", s.block_m).add("block_n", s.block_n).add("block_k", s.block_k);
  result.add("thread_m", rows.front().size()).add("thread_n", columns.front().size());
  result.add("threads", s.threads).add("registers", s.registers).add("shared_bytes", s.shared_bytes);
  result.add("stages", s.stages).add("resident", residency_of(resident));
  result.add("owned_rows", sets_of(rows)).add("owned_columns", sets_of(columns));
  result.add("a", operand_of(s.a)).add("b", operand_of(s.b));
  if (!s.when.bars.empty()) {
    result.add("time_line", time_line_of(s.when));
  }
  if (s.facts.from != feed::tensor_cores) {
    least_time const least = least_time_of(device, s.summed_in, work_of(s));
    result.add("least_passes", least.passes).add("least_arithmetic", least.arithmetic);
  }
  return result;
}

json ring_of(ring_study const& s) {
  json steps('[');
  for (wgmma_step const& step : s.wgmmas) {
    steps.add(json('[').add(step.first_row).add(step.k).add(step.part_a).add(step.part_b));
  }
  json result('{');
  result.add("producer_threads", s.producer_threads).add("launch_registers", s.registers);
  result.add("producer_registers", s.producer_registers).add("consumer_registers", s.consumer_registers);
  result.add("stage_bytes", s.stage_bytes());
  result.add("full_arrivals", s.full_arrivals).add("empty_arrivals", s.empty_arrivals);
  result.add("cluster_m", s.cluster_m).add("cluster_n", s.cluster_n);
  result.add("persistent", s.persistent).add("ping_pong", s.in_turns);
  result.add("wgmma_n", s.wgmma_n).add("wgmma_k", s.wgmma_k).add("terms", s.terms);
  return result.add("group_k", s.group_k).add("wgmmas", steps);
}

json data_of(std::vector<study> const& studies, std::vector<ring_study> const& rings, device_limits const& device) {
  problem_size const size = studies.front().size;
  json policies('[');
  for (study const& s : studies) {
    policies.add(tile_of(s, occupancy_of(s, device), device));
  }
  for (ring_study const& s : rings) {
    policies.add(tile_of(s.tile, occupancy_of(s, device), device).add("ring", ring_of(s)));
  }
  json result('{');
  result.add("device", device.name).add("m", size.m).add("n", size.n).add("k", size.k);
  return result.add("policies", policies);
}

void replace(std::string& page, std::string_view mark, std::string_view with) {
  std::size_t const at = page.find(mark);
  page.replace(at, mark.size(), with);
}

}  // namespace

std::string page_of(std::vector<study> const& studies, std::vector<ring_study> const& rings,
                    device_limits const& device) {
  std::string page = page_files::html;
  replace(page, "/* style */", page_files::style);
  replace(page, "<!-- groups -->", groups_table());
  replace(page, "/* data */",
          "const explained = " + data_of(studies, rings, device).written() +
              ";\nconst measured = " + page_files::results + ";");
  replace(page, "/* script */", page_files::script);
  return page;
}

}  // namespace explain
