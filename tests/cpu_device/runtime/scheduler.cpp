// SPDX-License-Identifier: BSL-1.0
//! @file
//! The order of blocks and threads, and the life of one thread.

#include "scheduler.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>

#include "cpu_device/device.hpp"

thread_local constinit uint3 threadIdx{};
thread_local constinit uint3 blockIdx{};
thread_local constinit dim3 blockDim{};
thread_local constinit dim3 gridDim{};

namespace cpu_device {
namespace {

// The clusters of a grid in the order in which they run.
class cluster_sequence {
 public:
  cluster_sequence(run_order order, std::uint64_t count, random_generator& random) : order_(order), count_(count) {
    if (order == run_order::random) {
      // A permutation without a table: steps of a length that has no divisor in common with the count.
      first_ = random.below(count);
      do {
        step_ = 1 + random.below(count);
      } while (std::gcd(step_, count) != 1);
    }
  }

  std::uint64_t operator[](std::uint64_t i) const {
    switch (order_) {
      case run_order::forward:
        return i;
      case run_order::reverse:
        return count_ - 1 - i;
      case run_order::random:
        break;
    }
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(i) * step_ + first_) % count_);
  }

 private:
  run_order order_;
  std::uint64_t count_;
  std::uint64_t first_ = 0;
  std::uint64_t step_ = 1;
};

}  // namespace

thread_local constinit scheduler* scheduler::running = nullptr;

scheduler& scheduler::of_this_thread() {
  static thread_local std::unique_ptr<scheduler> const own = std::make_unique<scheduler>();
  return *own;
}

void scheduler::run_grid(launch_shape const& shape, kernel_call const& call) {
  if (running != nullptr) {
    fail("a kernel launched a kernel, which the CPU device does not model");
  }
  running = this;
  options_ = current_options();
  random_ = random_generator(options_.seed);
  call_ = &call;
  gridDim = shape.grid;
  blockDim = shape.block;

  dim3 const each = shape.cluster;
  dim3 const clusters(shape.grid.x / each.x, shape.grid.y / each.y, shape.grid.z / each.z);
  std::uint64_t const count = std::uint64_t(clusters.x) * clusters.y * clusters.z;
  std::span const residents(clusters_.data(), std::size_t(std::min<std::uint64_t>(count, clusters_.size())));
  for (cluster& resident : residents) {
    resident.resize(shape, &thread_body);
    resident.before().release();  // after all that the host thread did, earlier launches included
  }
  if (options_.record != nullptr) {
    options_.record->events.push_back(
        {.what = event_kind::launch, .value = std::int64_t(count) * each.x * each.y * each.z});
  }
  cluster_sequence const sequence(options_.order, count, random_);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t const index = cluster_number_ = sequence[i];
    run_cluster(residents[i % residents.size()],
                {unsigned(index % clusters.x) * each.x, unsigned(index / clusters.x % clusters.y) * each.y,
                 unsigned(index / clusters.x / clusters.y) * each.z});
  }
  for (cluster& resident : residents) {
    resident.before().acquire();
  }
  running = nullptr;
}

void scheduler::run_cluster(cluster& resident, uint3 first) {
  cluster_ = &resident;
  alone_ = resident.size == 1;
  resident.restart(first);
  enter(*resident.blocks[0]);
  choose_next();
  turn_to_next();
  host_.switch_to(thread_->stack);  // the last thread to return switches back
  ++resident.generation;
}

void scheduler::enter(block& which) {
  block_ = &which;
  blockIdx = which.coordinates;
}

void scheduler::thread_body() {
  for (;;) {
    scheduler& self = *running;
    self.cluster_->before().acquire();
    self.call_->run();
    self.finish_thread();  // comes back when this stack serves a thread of another cluster
  }
}

void scheduler::finish_thread() {
  check_nobody_waits_for_this_thread();
  check_multiplications_have_been_waited_for();
  check_stores_have_been_waited_for();
  thread_->copies.discard();
  thread_->stores.discard();
  block_->returned.insert(thread_->index);
  block_->warps[thread_->index / 32].returned |= 1u << thread_->index % 32;
  cluster_->after().release();
  --block_->running;
  if (cluster_->arrived != 0) {
    leave_cluster_barrier();
  }
  if (block_->running == 0) {
    check_copies_have_been_waited_for();
    check_reads_have_been_waited_for();
    check_arrivals_have_been_waited_for();
    if (--cluster_->running == 0) {
      thread_->stack.switch_to(host_);
      return;
    }
  }
  suspend();
}

void scheduler::make_all_ready() {
  sanitizer::unobserved const own_memory;  // a compiler may make it a call of memset
  block_->ready.assign_first(block_->size);
  choose_next();
}

void scheduler::choose_next() {
  if (alone_) {
    choose_next_in(*block_);
  } else {
    choose_next_in_cluster();
  }
}

void scheduler::choose_next_in(block& from) {
  if (from.ready.empty()) {
    next_ = nullptr;
    return;
  }
  unsigned index = 0;
  switch (options_.order) {
    case run_order::forward:
      index = from.ready.first();
      break;
    case run_order::reverse:
      index = from.ready.last();
      break;
    case run_order::random:
      index = from.ready.next(unsigned(random_.below(from.size)));
      break;
  }
  next_ = from.threads[index].get();
  next_->stack.prefetch();
}

void scheduler::turn_to_next() {
  thread_ = next_;
  vain_tests_ = 0;
  threadIdx = thread_->coordinates;
  if (alone_) {
    block_->ready.erase(thread_->index);
    choose_next_in(*block_);
  } else {
    enter(thread_->home);
    block_->ready.erase(thread_->index);
    choose_next_in_cluster();
  }
}

void scheduler::suspend() {
  while (next_ == nullptr) {  // the last moment for what is still on its way
    if (!land_a_box_somewhere()) {
      sanitizer::unobserved const reporting;
      print_waiting_threads();
      fail("deadlock: no thread of the %s can run", cluster_->size == 1 ? "block" : "cluster");
    }
  }
  device_thread& previous = *thread_;
  turn_to_next();
  if (thread_ != &previous) {
    previous.stack.switch_to(thread_->stack);
  }
}

void scheduler::give_way_at_random() {
  if (options_.order == run_order::random && random_.coin()) {
    block_->ready.insert(thread_->index);
    choose_next();
    suspend();
  }
}

}  // namespace cpu_device
