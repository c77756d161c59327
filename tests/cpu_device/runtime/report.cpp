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

void scheduler::print_waiting_threads() const {
  struct group {
    device_thread const* first;
    unsigned count;
  };
  auto const together = [](device_thread const& a, device_thread const& b) {
    return a.at == b.at && (a.waits_for == nullptr || b.waits_for == nullptr ? a.waits_for == b.waits_for
                                                                             : *a.waits_for == *b.waits_for);
  };
  std::vector<group> groups;
  for (unsigned i = 0; i < block_->size; ++i) {
    device_thread const* const thread = block_->threads[i].get();
    if ((thread->at == nullptr && thread->waits_for == nullptr) || ready_.contains(i)) {
      continue;
    }
    auto const known =
        std::find_if(groups.begin(), groups.end(), [&](group const& g) { return together(*g.first, *thread); });
    if (known != groups.end()) {
      ++known->count;
    } else {
      groups.push_back({thread, 1});
    }
  }
  std::fprintf(stderr, "cpu_device: block (%u,%u,%u) has %u threads, of which %u have returned\n", blockIdx.x,
               blockIdx.y, blockIdx.z, block_->size, block_->size - block_->running);
  for (group const& g : groups) {
    uint3 const& first = g.first->coordinates;
    std::fprintf(stderr, "cpu_device:   %u from thread (%u,%u,%u) on wait at ", g.count, first.x, first.y, first.z);
    if (mbarrier_wait const* const wait = g.first->waits_for; wait != nullptr) {
      mbarrier const& barrier = *wait->barrier;
      bool const too_many = barrier.bytes < 0;
      std::fprintf(
          stderr,
          "mbarrier_wait_parity (%s:%d), parity %u, for the mbarrier at byte %td of shared memory: in phase %u "
          "it misses %u of %u arrivals and %s %lld bytes%s\n",
          wait->where.file, wait->where.line, wait->parity,
          reinterpret_cast<unsigned char*>(barrier.word) - block_->shared.data(), barrier.phase, barrier.missing,
          barrier.arrivals, too_many ? "has" : "misses",
          static_cast<long long>(too_many ? -barrier.bytes : barrier.bytes),
          too_many ? " more than were expected" : "");
      continue;
    }
    meeting const& at = *g.first->at;
    std::fprintf(stderr, "%s (%s:%d)", at.instruction, at.where.file, at.where.line);
    if (at.mask != 0) {
      std::fprintf(stderr, ", mask 0x%08x", at.mask);
    }
    std::fputc('\n', stderr);
  }
}

void print_block() {
  if (scheduler::running != nullptr) {
    scheduler::running->print_waiting_threads();
  }
}

}  // namespace cpu_device
