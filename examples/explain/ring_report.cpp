// SPDX-License-Identifier: BSL-1.0
//! @file
//! The account of a policy with a ring, as text.

#include "report.hpp"
#include "ring.hpp"
#include "text.hpp"

namespace explain {

namespace {

std::string tiles(ring_study const& s) {
  study const& t = s.tile;
  std::string result = "\nTiles\n";
  result += text("  C              %lld x %lld tiles%s\n", wide(t.tiles_m()), wide(t.tiles_n()),
                 s.persistent ? ", of which a block takes one after the other" : ", a block for each");
  result += text("  a tile         %d x %d elements of C, %d of k at a time\n", t.block_m, t.block_n, t.block_k);
  result += text("  a block        %d threads that load, %d that multiply%s\n", s.producer_threads, t.threads,
                 s.in_turns ? ": two warpgroups, ping-pong" : "");
  result += text("  a thread       %zu x %zu elements of C\n", rows_of(t, 0).size(), columns_of(t, 0).size());
  if (s.blocks_of_cluster() > 1) {
    result +=
        text("  a cluster      %d x %d blocks: A's tile comes in %d part%s, B's in %d, each to all that need it\n",
             s.cluster_m, s.cluster_n, s.cluster_n, s.cluster_n > 1 ? "s" : "", s.cluster_m);
  }
  if (s.wgmma_n > 0) {
    result += text("  wgmma          m64n%dk%d, %zu of a warpgroup for %d of k\n", s.wgmma_n, s.wgmma_k,
                   s.wgmmas.size(), s.group_k);
  }
  return result;
}

std::string ring(ring_study const& s) {
  std::string result = text("\nA ring of %d stages, %lld bytes each\n", s.tile.stages, wide(s.stage_bytes()));
  auto const line = [&](room const& r) {
    result += text("  %-14s %3d x %6lld bytes from %6lld on\n", r.name.c_str(), r.count, wide(r.each), wide(r.begin));
  };
  line(s.a);
  line(s.b);
  for (room const& r : s.others) {
    line(r);
  }
  line(s.full);
  line(s.empty);
  result += text("  a full one completes with %d arrival and %lld bytes, an empty one with %d arrivals\n",
                 s.full_arrivals, wide(s.stage_bytes()), s.empty_arrivals);
  return result;
}

std::string residency(ring_study const& s, device_limits const& device) {
  occupancy const o = occupancy_of(s, device);
  std::string result = "\nBlocks on a multiprocessor\n";
  result += text("  by registers        %4d   %d a thread at launch (the most that the launch bound leaves)\n",
                 o.by_registers, s.registers);
  result += text("  by threads          %4d   %d of %d\n", o.by_threads, s.threads, device.threads);
  result += text("  by shared memory    %4d   %d + %d bytes of %d\n", o.by_shared_memory, s.tile.shared_bytes,
                 device.reserved_shared_bytes, device.shared_bytes);
  result += text("  so                  %4d   limited by %s\n", o.blocks, o.limited_by().c_str());
  result += text("  setmaxnreg then leaves a thread that loads %d registers, one that multiplies %d\n",
                 s.producer_registers, s.consumer_registers);
  return result + (device.has_wgmma ? "" : "  The kernel cannot run on this device.\n");
}

std::string reads(ring_study const& s, device_limits const& device) {
  std::string result = "\nShared memory\n";
  if (s.wgmma_n == 0) {
    for (operand_study const* o : {&s.tile.a, &s.tile.b}) {
      auto const passes = passes_of(o->read);
      result += text("  read %c         %d bytes a lane: %zu passes over the banks, %d without conflicts\n", o->name,
                     o->read.front().bytes, passes.size(), least_passes(passes));
    }
    study const& t = s.tile;
    result +=
        text("  of a tile of k %lld passes; %s loads of a thread for %d multiply-adds\n",
             wide(t.a.read_passes + t.b.read_passes), three_digits(t.memory_instructions()).c_str(), t.multiply_adds());
    least_time const least = least_time_of(device, t.summed_in, work_of(t));
    result += text("  least time     %s for reading, %s for the arithmetic\n", seconds_text(least.passes).c_str(),
                   seconds_text(least.arithmetic).c_str());
    return result + "  Not counted, because not known: the passes in which TMA writes.\n";
  }
  result += text("  8 x 16 bytes   %zu pass over the banks as TMA's swizzle leaves them, %zu without it\n",
                 passes_of(core_matrix(s.swizzled_a, 0)).size(), passes_of(core_matrix(unswizzled(), 0)).size());
  return result +
         "  Not counted, because not known: the passes in which TMA writes and wgmma reads, and the rate of wgmma.\n";
}

}  // namespace

std::string report_of(ring_study const& s, device_limits const& device) {
  return head_of(s.tile, device) + tiles(s) + ring(s) + residency(s, device) + reads(s, device);
}

}  // namespace explain
