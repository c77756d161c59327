// SPDX-License-Identifier: BSL-1.0
//! @file
//! What the device says before it aborts.

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "cpu_device/device.hpp"
#include "scheduler.hpp"

namespace cpu_device {

void fail(char const* format, ...) {
  std::fflush(stdout);
  std::fputs("cpu_device: ", stderr);
  if (scheduler::running != nullptr) {
    std::fprintf(stderr, "block (%u,%u,%u) thread (%u,%u,%u): ", blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
                 threadIdx.y, threadIdx.z);
  }
  va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::fputc('\n', stderr);
  std::abort();
}

namespace {

bool waits(device_thread const& thread) {
  return thread.waits_at != nullptr || thread.waits_for != nullptr || thread.waits_for_cluster != nullptr;
}

template <class T>
bool same(T const* a, T const* b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

bool wait_together(device_thread const& a, device_thread const& b) {
  return a.waits_at == b.waits_at && same(a.waits_for, b.waits_for) && same(a.waits_for_cluster, b.waits_for_cluster);
}

void print_wait(mbarrier_wait const& wait, block const& in) {
  mbarrier const& barrier = *wait.barrier;
  if (barrier.word == nullptr) {
    std::fprintf(stderr, "named_barrier_sync (%s:%d): barrier %td misses %u of %u arrivals\n", wait.where.file,
                 wait.where.line, &barrier - in.named_barriers.data(), barrier.missing, barrier.arrivals);
    return;
  }
  bool const too_many = barrier.bytes < 0;
  std::fprintf(stderr,
               "mbarrier_wait_parity (%s:%d), parity %u, for the mbarrier at byte %td of shared memory: in phase %u it "
               "misses %u of %u arrivals and %s %lld bytes%s\n",
               wait.where.file, wait.where.line, wait.parity,
               reinterpret_cast<unsigned char const*>(barrier.word) - in.shared.data(), barrier.phase, barrier.missing,
               barrier.arrivals, too_many ? "has" : "misses",
               static_cast<long long>(too_many ? -barrier.bytes : barrier.bytes),
               too_many ? " more than were expected" : "");
}

void print_wait(call_site where, cluster const& in) {
  std::fprintf(stderr, "cluster_wait (%s:%d), phase %u: %u of the cluster's %u threads that run have arrived\n",
               where.file, where.line, in.phase, in.arrived, in.running_threads());
}

void print_wait(meeting const& point) {
  std::fprintf(stderr, "%s (%s:%d)", point.instruction, point.where.file, point.where.line);
  if (point.mask != 0) {
    std::fprintf(stderr, ", mask 0x%08x", point.mask);
  }
  std::fputc('\n', stderr);
}

void print_waiting_threads_of(block const& one, cluster const& all) {
  struct group {
    device_thread const* first;
    unsigned count;
  };
  std::vector<group> groups;
  for (unsigned i = 0; i < one.size; ++i) {
    device_thread const& thread = *one.threads[i];
    if (!waits(thread) || one.ready.contains(i)) {
      continue;
    }
    auto const known =
        std::find_if(groups.begin(), groups.end(), [&](group const& g) { return wait_together(*g.first, thread); });
    if (known != groups.end()) {
      ++known->count;
    } else {
      groups.push_back({&thread, 1});
    }
  }
  std::fprintf(stderr, "cpu_device: block (%u,%u,%u) has %u threads, of which %u have returned\n", one.coordinates.x,
               one.coordinates.y, one.coordinates.z, one.size, one.size - one.running);
  for (group const& g : groups) {
    device_thread const& first = *g.first;
    std::fprintf(stderr, "cpu_device:   %u from thread (%u,%u,%u) on wait at ", g.count, first.coordinates.x,
                 first.coordinates.y, first.coordinates.z);
    if (first.waits_for != nullptr) {
      print_wait(*first.waits_for, one);
    } else if (first.waits_for_cluster != nullptr) {
      print_wait(*first.waits_for_cluster, all);
    } else {
      print_wait(*first.waits_at);
    }
  }
}

}  // namespace

void scheduler::print_waiting_threads() const {
  for (unsigned rank = 0; rank < cluster_->size; ++rank) {
    print_waiting_threads_of(*cluster_->blocks[rank], *cluster_);
  }
}

void print_block() {
  if (scheduler::running != nullptr) {
    scheduler::running->print_waiting_threads();
  }
}

}  // namespace cpu_device
