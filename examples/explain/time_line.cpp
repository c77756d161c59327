// SPDX-License-Identifier: BSL-1.0
//! @file
//! Replays a recorded launch: a simulation of its warps, whose events and their order are the recorded ones.

#include "time_line.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "text.hpp"

namespace explain {

namespace {

using cpu_device::event;
using cpu_device::event_kind;

/// The events of the last launch that copies, of its first cluster.
std::vector<event> of_first_cluster(std::vector<event> const& events) {
  std::vector<event> found, of_launch;
  bool copies = false;
  auto const keep = [&] {
    if (copies) {
      found = of_launch;
    }
  };
  for (event const& e : events) {
    if (e.what == event_kind::launch) {
      keep();
      of_launch.clear();
      copies = false;
    } else if (e.cluster == 0) {
      of_launch.push_back(e);
      copies = copies || e.what == event_kind::copy || e.what == event_kind::box;
    }
  }
  keep();
  return found;
}

bool is_wait(event_kind what) {
  return what == event_kind::phase_over || what == event_kind::copies_landed ||
         what == event_kind::multiplications_done;
}

/// What a warp does: what its first lane does, and the arrivals of the others, each after as many waits. All lanes wait
/// for the same, but on the CPU device one may run ahead of another.
std::vector<event> program_of_warp(std::vector<event> const& events, unsigned block, unsigned warp) {
  std::array<int, 32> waits{};
  std::vector<std::pair<int, event>> steps;
  for (event const& e : events) {
    if (e.block != block || e.thread / 32 != warp) {
      continue;
    }
    int& waited = waits[e.thread % 32];
    waited += is_wait(e.what) ? 1 : 0;
    if (e.thread % 32 == 0 || e.what == event_kind::arrival) {
      steps.emplace_back(waited, e);
    }
  }
  std::stable_sort(steps.begin(), steps.end(), [](auto const& x, auto const& y) { return x.first < y.first; });
  std::vector<event> program;
  for (auto const& step : steps) {
    program.push_back(step.second);
  }
  return program;
}

struct barrier_phase {
  unsigned block;
  std::int64_t barrier;
  int phase;

  friend auto operator<=>(barrier_phase const&, barrier_phase const&) = default;
};

barrier_phase phase_of(event const& e) { return {e.of_block, e.barrier, e.phase}; }

/// What a phase waits for, and when the last of it was there.
struct completion {
  int missing = 0;
  double time = 0;
};

struct warp_state {
  unsigned block = 0, number = 0;
  std::vector<event> program;
  std::size_t next = 0;
  double time = 0;
  std::vector<double> groups;       // when the wgmma of each group are done; of cp.async, when it has landed
  double group = 0;                 // of those since the last commit
  std::int64_t copied = 0;          // bytes of cp.async since the last commit
  double copies_end = 0;            // of the last group of cp.async
  int copy_groups = 0, landed = 0;  // with anything in them; waits for them
  std::optional<int> to_multiply;   // the tile of k that it has waited for and not multiplied yet
  int taken = 0;                    // the number of the tile of k that it multiplies by wgmma
  std::int64_t stored = -1;         // the tile of C that it stored last
};

class replay {
 public:
  replay(std::vector<event> const& events, timed_kernel const& kernel, assumed_lengths const& lengths)
      : kernel_(kernel), lengths_(lengths) {
    unsigned blocks = 0;
    for (event const& e : events) {
      blocks = std::max(blocks, e.block + 1);
      if (e.what == event_kind::arrival || e.what == event_kind::box) {
        ++phases_[phase_of(e)].missing;
      }
    }
    for (unsigned block = 0; block < blocks; ++block) {
      for (unsigned warp = 0; warp < static_cast<unsigned>(kernel.threads / 32); ++warp) {
        warps_.emplace_back();
        warps_.back().block = block;
        warps_.back().number = warp;
        warps_.back().program = program_of_warp(events, block, warp);
      }
    }
    number_tiles(events);
    name_lanes();
  }

  time_line run() {
    while (warp_state* const warp = first_in_time()) {
      step(*warp, warp->program[warp->next++]);
    }
    for (warp_state const& warp : warps_) {
      if (warp.next < warp.program.size()) {
        throw std::logic_error(
            text("explain: warp %u of block %u waits for what nobody does", warp.number, warp.block));
      }
    }
    std::stable_sort(result_.bars.begin(), result_.bars.end(), [](time_bar const& x, time_bar const& y) {
      return std::tie(x.lane, x.begin) < std::tie(y.lane, y.begin);
    });
    return std::move(result_);
  }

 private:
  bool by_ring() const { return !kernel_.full.empty(); }

  std::optional<std::size_t> stage_of(std::vector<std::int64_t> const& barriers, event const& e) const {
    auto const found = std::find(barriers.begin(), barriers.end(), e.barrier);
    return found == barriers.end() ? std::nullopt : std::optional<std::size_t>(found - barriers.begin());
  }

  /// A block's tiles of k are numbered in the order in which they are asked for.
  void number_tiles(std::vector<event> const& events) {
    std::map<unsigned, int> counts;
    for (event const& e : events) {
      if (e.what == event_kind::box && stage_of(kernel_.full, e) && !numbers_.contains(phase_of(e))) {
        numbers_[phase_of(e)] = counts[e.of_block]++;
      }
    }
  }

  void name_lanes() {
    if (!by_ring()) {
      result_.lanes = {"copies", text("%d threads", kernel_.threads)};
      return;
    }
    result_.lanes = {"loads"};
    int const groups = (kernel_.threads - kernel_.producer_threads) / 128;
    for (int group = 0; group < groups; ++group) {
      result_.lanes.push_back(groups == 1 ? "consumers" : text("warpgroup %d", group));
    }
  }

  bool multiplies(warp_state const& warp) const {
    int const thread = static_cast<int>(warp.number) * 32 - kernel_.first_consumer;
    return thread >= 0 && thread < kernel_.threads - kernel_.producer_threads;
  }

  /// The lane of a warp that multiplies: the first of each warpgroup stands for it.
  std::optional<int> lane_of(warp_state const& warp) const {
    if (warp.block != 0 || !multiplies(warp)) {
      return std::nullopt;
    }
    unsigned const consumer = warp.number - static_cast<unsigned>(kernel_.first_consumer / 32);
    if (!by_ring()) {
      return consumer == 0 ? std::optional(1) : std::nullopt;
    }
    return consumer % 4 == 0 ? std::optional(1 + static_cast<int>(consumer / 4)) : std::nullopt;
  }

  void draw(bar_kind what, int lane, int number, double begin, double end) {
    bool const stores = what == bar_kind::store;
    int const tile = stores ? number : number / kernel_.k_tiles;
    time_bar const added{what, lane, tile, stores ? 0 : number % kernel_.k_tiles, begin, end};
    auto const same = std::find_if(result_.bars.rbegin(), result_.bars.rend(), [&](time_bar const& b) {
      return b.lane == lane && b.what == what && b.tile == added.tile && b.number == added.number;
    });
    if (same == result_.bars.rend()) {
      result_.bars.push_back(added);
    } else {
      same->end = std::max(same->end, end);
    }
  }

  /// When the warp's next event can happen; nothing where it waits for events that are still to come.
  std::optional<double> ready_at(warp_state const& warp) const {
    if (warp.next == warp.program.size()) {
      return std::nullopt;
    }
    event const& e = warp.program[warp.next];
    if (e.what != event_kind::phase_over || e.phase < 0) {
      return warp.time;
    }
    auto const found = phases_.find(phase_of(e));
    if (found == phases_.end() || found->second.missing > 0) {
      return std::nullopt;
    }
    return std::max(warp.time, found->second.time);
  }

  warp_state* first_in_time() {
    warp_state* first = nullptr;
    double least = std::numeric_limits<double>::max();
    for (warp_state& warp : warps_) {
      if (auto const ready = ready_at(warp); ready && *ready < least) {
        first = &warp;
        least = *ready;
      }
    }
    return first;
  }

  void step(warp_state& warp, event const& e) {
    switch (e.what) {
      case event_kind::launch:
      case event_kind::prefetch:
        break;
      case event_kind::copy:
        warp.copied += e.value;
        break;
      case event_kind::copies_committed:
        commit_copies(warp);
        break;
      case event_kind::copies_landed:
        wait_for_copies(warp, e.value);
        break;
      case event_kind::box:
        load(warp, e);
        break;
      case event_kind::arrival:
        arrive(warp, e);
        break;
      case event_kind::phase_over:
        pass(warp, e);
        break;
      case event_kind::multiplication:
        start_multiplication(warp);
        break;
      case event_kind::multiplications:
        warp.groups.push_back(warp.group);
        break;
      case event_kind::multiplications_done:
        wait_for_groups(warp, e.value);
        break;
      case event_kind::note:
        store(warp, e.value);
        break;
    }
  }

  /// Kernels with a ring copy other things by cp.async, such as scales: those are not shown.
  void commit_copies(warp_state& warp) {
    if (by_ring()) {
      return;
    }
    double end = warp.time;
    if (warp.copied > 0) {
      double const begin = std::max(warp.time, warp.copies_end);
      end = warp.copies_end = begin + lengths_.copy;
      if (lane_of(warp) == 1) {
        draw(bar_kind::copy, 0, warp.copy_groups, begin, end);
      }
      ++warp.copy_groups;
      warp.copied = 0;
    }
    warp.groups.push_back(end);
  }

  void wait_for_groups(warp_state& warp, std::int64_t pending) {
    auto const count = static_cast<std::int64_t>(warp.groups.size()) - pending;
    if (count > 0) {
      warp.time = std::max(warp.time, warp.groups[static_cast<std::size_t>(count - 1)]);
    }
  }

  void wait_for_copies(warp_state& warp, std::int64_t pending) {
    if (by_ring()) {
      return;
    }
    multiply_by_threads(warp);
    wait_for_groups(warp, pending);
    if (warp.landed < kernel_.k_tiles) {
      warp.to_multiply = warp.landed++;
    }
  }

  /// A block's loads come one after the other, as much of the length of a stage as they have of its bytes.
  void load(warp_state& warp, event const& e) {
    double& engine = engines_[e.of_block];
    double const begin = std::max(warp.time, engine);
    engine = begin + lengths_.copy * static_cast<double>(e.value) / static_cast<double>(kernel_.stage_bytes);
    warp.time += lengths_.ask;
    completion& of = phases_[phase_of(e)];
    of.time = std::max(of.time, engine);
    --of.missing;
    if (e.of_block == 0 && stage_of(kernel_.full, e)) {
      draw(bar_kind::copy, 0, numbers_.at(phase_of(e)), begin, engine);
    }
  }

  void arrive(warp_state& warp, event const& e) {
    if (stage_of(kernel_.empty, e)) {
      multiply_by_threads(warp);
    }
    completion& of = phases_[phase_of(e)];
    of.time = std::max(of.time, warp.time);
    --of.missing;
  }

  void pass(warp_state& warp, event const& e) {
    bool const tile_is_there = by_ring() && multiplies(warp) && stage_of(kernel_.full, e);
    if (tile_is_there) {
      multiply_by_threads(warp);
    }
    if (e.phase >= 0) {
      warp.time = std::max(warp.time, phases_.at(phase_of(e)).time);
    }
    if (tile_is_there) {
      warp.taken = numbers_.at(phase_of(e));
      if (kernel_.multiplications == 0) {
        warp.to_multiply = warp.taken;
      }
    }
  }

  /// Threads multiply a tile between the wait for it and the next one, or until they say that they have read it.
  void multiply_by_threads(warp_state& warp) {
    if (!warp.to_multiply) {
      return;
    }
    if (auto const lane = lane_of(warp)) {
      draw(bar_kind::multiply, *lane, *warp.to_multiply, warp.time, warp.time + lengths_.multiply);
    }
    warp.time += lengths_.multiply;
    warp.to_multiply.reset();
  }

  /// Each warp of a warpgroup has the tensor core of one quarter of the multiprocessor, and shares it with the warps of
  /// other warpgroups.
  void start_multiplication(warp_state& warp) {
    double& core = cores_[{warp.block, warp.number % 4}];
    double const begin = std::max(warp.time, core);
    core = warp.group = begin + lengths_.multiply / (kernel_.multiplications * kernel_.warpgroups_of_tile);
    if (auto const lane = lane_of(warp)) {
      draw(bar_kind::multiply, *lane, warp.taken, begin, core);
    }
  }

  void store(warp_state& warp, std::int64_t element) {
    multiply_by_threads(warp);
    std::int64_t const row = element / kernel_.columns, column = element % kernel_.columns;
    std::int64_t const tile = row / kernel_.block_m * kernel_.columns + column / kernel_.block_n;
    if (tile == warp.stored) {
      return;
    }
    warp.stored = tile;
    if (auto const lane = lane_of(warp)) {
      draw(bar_kind::store, *lane, stored_tile(warp), warp.time, warp.time + lengths_.store);
    }
    warp.time += lengths_.store;
  }

  /// The block's number of the tile of C that a warp stores: that of what it multiplied last.
  int stored_tile(warp_state const& warp) const { return by_ring() ? warp.taken / kernel_.k_tiles : 0; }

  timed_kernel const& kernel_;
  assumed_lengths const& lengths_;
  std::vector<warp_state> warps_;
  std::map<barrier_phase, completion> phases_;
  std::map<barrier_phase, int> numbers_;  // of the tiles of k that the phases of full barriers are of
  std::map<unsigned, double> engines_;    // until when TMA loads for a block
  std::map<std::pair<unsigned, unsigned>, double> cores_;
  time_line result_;
};

}  // namespace

time_line time_line_of(std::vector<event> const& events, timed_kernel const& kernel, assumed_lengths const& lengths) {
  return replay(of_first_cluster(events), kernel, lengths).run();
}

}  // namespace explain
