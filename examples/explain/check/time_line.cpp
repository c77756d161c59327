// SPDX-License-Identifier: BSL-1.0
//! @file
//! Whether time_line_of() draws from events what follows from them.

#include "../time_line.hpp"

#include <cstdio>
#include <stdexcept>
#include <vector>

namespace {

using cpu_device::event;
using cpu_device::event_kind;
using explain::bar_kind;
using explain::time_bar;

int wrong = 0;

void check(bool holds, char const* what) {
  if (!holds) {
    std::printf("%s\n", what);
    ++wrong;
  }
}

bool same(std::vector<time_bar> const& found, std::vector<time_bar> const& expected) {
  bool equal = found.size() == expected.size();
  for (std::size_t i = 0; equal && i < found.size(); ++i) {
    time_bar const &x = found[i], &y = expected[i];
    equal = x.what == y.what && x.lane == y.lane && x.tile == y.tile && x.number == y.number && x.begin == y.begin &&
            x.end == y.end;
  }
  if (!equal) {
    for (time_bar const& b : found) {
      std::printf("  %d in lane %d, tile %d.%d: %g to %g\n", static_cast<int>(b.what), b.lane, b.tile, b.number,
                  b.begin, b.end);
    }
  }
  return equal;
}

constexpr explain::assumed_lengths lengths{.copy = 10, .multiply = 30, .store = 5, .ask = 0};
constexpr int full = 100, empty = 200;  // stage s: 8 s more

event at_barrier(event_kind what, unsigned thread, std::int64_t barrier, int phase, std::int64_t value = 0) {
  return {.what = what, .thread = thread, .barrier = barrier, .phase = phase, .value = value};
}

/// One thread loads `tiles` tiles into two stages; the first lane of each of four warps says that it has read one. The
/// producer's events come first, as far as they go, and all lanes of a warp wait.
/// The last warp may begin when the one before it has read the first tile.
std::vector<event> of_ring(int tiles, bool last_warp_waits = false) {
  std::vector<event> events{{.what = event_kind::launch, .value = 1}};
  for (int tile = 0; tile < tiles; ++tile) {
    int const stage = tile % 2, phase = tile / 2;
    events.push_back(at_barrier(event_kind::phase_over, 0, empty + 8 * stage, phase - 1));
    events.push_back(at_barrier(event_kind::arrival, 0, full + 8 * stage, phase));
    events.push_back(at_barrier(event_kind::box, 0, full + 8 * stage, phase, 1000));
    for (unsigned warp = 1; warp < 5; ++warp) {
      if (last_warp_waits && tile == 0 && warp == 4) {
        events.push_back(at_barrier(event_kind::phase_over, 32 * warp, 300, 0));
      }
      for (unsigned lane : {0U, 1U}) {
        events.push_back(at_barrier(event_kind::phase_over, 32 * warp + lane, full + 8 * stage, phase));
      }
      events.push_back(at_barrier(event_kind::arrival, 32 * warp, empty + 8 * stage, phase));
      if (last_warp_waits && tile == 0 && warp == 3) {
        events.push_back(at_barrier(event_kind::arrival, 32 * warp, 300, 0));
      }
    }
  }
  for (unsigned warp = 1; warp < 5; ++warp) {
    events.push_back({.what = event_kind::note, .thread = 32 * warp, .value = 3});
    events.push_back({.what = event_kind::note, .thread = 32 * warp, .value = 4});
  }
  return events;
}

explain::timed_kernel ring_of(int tiles) {
  return {.threads = 160,
          .producer_threads = 32,
          .first_consumer = 32,
          .k_tiles = tiles,
          .block_m = 64,
          .block_n = 64,
          .columns = 64,
          .full = {full, full + 8},
          .empty = {empty, empty + 8},
          .stage_bytes = 1000};
}

void check_ring() {
  // Tiles 2 and 3 have to wait for 0 and 1 to be read; multiplications follow one another.
  auto const line = time_line_of(of_ring(4), ring_of(4), lengths);
  check(line.lanes == std::vector<std::string>{"loads", "consumers"}, "the lanes of a ring");
  check(same(line.bars, {{bar_kind::copy, 0, 0, 0, 0, 10},
                         {bar_kind::copy, 0, 0, 1, 10, 20},
                         {bar_kind::copy, 0, 0, 2, 40, 50},
                         {bar_kind::copy, 0, 0, 3, 70, 80},
                         {bar_kind::multiply, 1, 0, 0, 10, 40},
                         {bar_kind::multiply, 1, 0, 1, 40, 70},
                         {bar_kind::multiply, 1, 0, 2, 70, 100},
                         {bar_kind::multiply, 1, 0, 3, 100, 130},
                         {bar_kind::store, 1, 0, 0, 130, 135}}),
        "a ring of two stages");
  // A stage is empty when the last warp has read it.
  check(same(time_line_of(of_ring(4, true), ring_of(4), lengths).bars, {{bar_kind::copy, 0, 0, 0, 0, 10},
                                                                        {bar_kind::copy, 0, 0, 1, 10, 20},
                                                                        {bar_kind::copy, 0, 0, 2, 70, 80},
                                                                        {bar_kind::copy, 0, 0, 3, 100, 110},
                                                                        {bar_kind::multiply, 1, 0, 0, 10, 40},
                                                                        {bar_kind::multiply, 1, 0, 1, 40, 70},
                                                                        {bar_kind::multiply, 1, 0, 2, 80, 110},
                                                                        {bar_kind::multiply, 1, 0, 3, 110, 140},
                                                                        {bar_kind::store, 1, 0, 0, 140, 145}}),
        "a ring with a slow warp");
  // Who copies nothing afterwards is not shown.
  auto events = of_ring(4);
  events.push_back({.what = event_kind::launch, .value = 1});
  events.push_back({.what = event_kind::note, .thread = 32, .value = 64 * 64});
  check(same(time_line_of(events, ring_of(4), lengths).bars, line.bars), "the last launch that copies");
}

/// Two warps that copy three tiles by cp.async, two ahead.
std::vector<event> of_copies() {
  std::vector<event> events{{.what = event_kind::launch, .value = 1}};
  auto const by_all = [&](event e) {
    for (unsigned thread : {0U, 32U}) {
      e.thread = thread;
      events.push_back(e);
    }
  };
  auto const start = [&](bool copies) {
    if (copies) {
      by_all({.what = event_kind::copy, .value = 16});
    }
    by_all({.what = event_kind::copies_committed});
  };
  auto const finish = [&](int phase) {
    by_all({.what = event_kind::copies_landed, .value = 1});
    by_all(at_barrier(event_kind::arrival, 0, -1, phase));
    by_all(at_barrier(event_kind::phase_over, 0, -1, phase));
  };
  start(true);
  start(true);
  finish(0);
  for (int tile = 0; tile < 3; ++tile) {
    start(tile == 0);
    finish(tile + 1);
  }
  by_all({.what = event_kind::note, .value = 0});
  return events;
}

void check_copies() {
  auto const line =
      time_line_of(of_copies(), {.threads = 64, .k_tiles = 3, .block_m = 64, .block_n = 64, .columns = 64}, lengths);
  check(same(line.bars, {{bar_kind::copy, 0, 0, 0, 0, 10},
                         {bar_kind::copy, 0, 0, 1, 10, 20},
                         {bar_kind::copy, 0, 0, 2, 20, 30},
                         {bar_kind::multiply, 1, 0, 0, 10, 40},
                         {bar_kind::multiply, 1, 0, 1, 40, 70},
                         {bar_kind::multiply, 1, 0, 2, 70, 100},
                         {bar_kind::store, 1, 0, 0, 100, 105}}),
        "three tiles by cp.async");
}

/// Two warpgroups that have a tile in common share the tensor cores.
void check_wgmma() {
  std::vector<event> events{{.what = event_kind::launch, .value = 1}};
  events.push_back(at_barrier(event_kind::box, 0, full, 0, 1000));
  for (unsigned warp = 1; warp < 9; ++warp) {
    unsigned const thread = 32 * warp;
    events.push_back(at_barrier(event_kind::phase_over, thread, full, 0));
    events.push_back({.what = event_kind::multiplication, .thread = thread});
    events.push_back({.what = event_kind::multiplications, .thread = thread});
    events.push_back({.what = event_kind::multiplications_done, .thread = thread, .value = 0});
    events.push_back({.what = event_kind::note, .thread = thread, .value = 0});
  }
  explain::timed_kernel kernel = ring_of(1);
  kernel.threads = 288;
  kernel.multiplications = 1;
  kernel.warpgroups_of_tile = 2;
  check(same(time_line_of(events, kernel, lengths).bars, {{bar_kind::copy, 0, 0, 0, 0, 10},
                                                          {bar_kind::multiply, 1, 0, 0, 10, 25},
                                                          {bar_kind::store, 1, 0, 0, 25, 30},
                                                          {bar_kind::multiply, 2, 0, 0, 25, 40},
                                                          {bar_kind::store, 2, 0, 0, 40, 45}}),
        "two warpgroups");
}

void check_refusal() {
  auto events = of_ring(4);
  std::erase_if(events,
                [](event const& e) { return e.what == event_kind::arrival && e.barrier == full && e.phase == 1; });
  check(same(time_line_of(events, ring_of(4), lengths).bars, time_line_of(of_ring(4), ring_of(4), lengths).bars),
        "an arrival that is not recorded is not waited for");
  // Who waits for his own later arrival waits forever.
  event const own = at_barrier(event_kind::arrival, 0, 300, 0), wait = at_barrier(event_kind::phase_over, 0, 300, 0);
  events = {{.what = event_kind::launch, .value = 1}, at_barrier(event_kind::box, 0, full, 0, 1000), wait, own};
  bool refused = false;
  try {
    time_line_of(events, ring_of(1), lengths);
  } catch (std::logic_error const&) {
    refused = true;
  }
  check(refused, "a wait for what nobody does");
}

}  // namespace

int main() {
  check_ring();
  check_copies();
  check_wgmma();
  check_refusal();
  return wrong == 0 ? 0 : 1;
}
