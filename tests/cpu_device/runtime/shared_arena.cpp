// SPDX-License-Identifier: BSL-1.0
//! @file
//! The allocation behind a block's dynamic shared memory.

#include "shared_arena.hpp"

#include <cstdlib>
#include <cstring>

#include "cpu_device/device.hpp"
#include "sanitizers.hpp"

namespace cpu_device {
namespace {

constexpr std::size_t base_alignment = 2048;
constexpr std::size_t front_zone = 1024;  // puts the data at an odd multiple of 1024
constexpr std::size_t back_zone = 1024;

}  // namespace

void shared_arena::free_memory::operator()(unsigned char* pointer) const { std::free(pointer); }

shared_arena::~shared_arena() { sanitizer::unpoison(allocation_.get(), capacity_); }

void shared_arena::resize(std::size_t bytes) {
  if (data_ != nullptr && bytes == size_) {
    return;
  }
  std::size_t const needed = (front_zone + bytes + back_zone + base_alignment - 1) / base_alignment * base_alignment;
  if (needed > capacity_) {
    sanitizer::unpoison(allocation_.get(), capacity_);
    allocation_.reset(static_cast<unsigned char*>(std::aligned_alloc(base_alignment, needed)));
    if (allocation_ == nullptr) {
      fail("no memory for %zu bytes of shared memory", bytes);
    }
    capacity_ = needed;
  }
  data_ = allocation_.get() + front_zone;
  size_ = bytes;
  sanitizer::poison(allocation_.get(), capacity_);
  sanitizer::unpoison(data_, size_);
}

void shared_arena::forget() { std::memset(data_, 0xff, size_); }

bool shared_arena::contains(void const* begin, std::size_t bytes) const {
  // Integers, because pointers into different objects have no order.
  auto const from = reinterpret_cast<std::size_t>(begin);
  auto const base = reinterpret_cast<std::size_t>(data_);
  return from >= base && bytes <= size_ && from - base <= size_ - bytes;
}

}  // namespace cpu_device
