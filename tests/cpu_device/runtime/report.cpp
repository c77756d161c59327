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
    meeting const* at;
    device_thread const* first;
    unsigned count;
  };
  std::vector<group> groups;
  for (unsigned i = 0; i < block_->size; ++i) {
    device_thread const* const thread = block_->threads[i].get();
    if (thread->at == nullptr || ready_.contains(i)) {
      continue;
    }
    auto const known =
        std::find_if(groups.begin(), groups.end(), [thread](group const& g) { return g.at == thread->at; });
    if (known != groups.end()) {
      ++known->count;
    } else {
      groups.push_back({thread->at, thread, 1});
    }
  }
  std::fprintf(stderr, "cpu_device: block (%u,%u,%u) has %u threads, of which %u have returned\n", blockIdx.x,
               blockIdx.y, blockIdx.z, block_->size, block_->size - block_->running);
  for (group const& g : groups) {
    uint3 const& first = g.first->coordinates;
    std::fprintf(stderr, "cpu_device:   %u from thread (%u,%u,%u) on wait at %s (%s:%d)", g.count, first.x, first.y,
                 first.z, g.at->instruction, g.at->where.file, g.at->where.line);
    if (g.at->mask != 0) {
      std::fprintf(stderr, ", mask 0x%08x", g.at->mask);
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
