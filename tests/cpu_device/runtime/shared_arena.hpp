// SPDX-License-Identifier: BSL-1.0
//! @file
//! A block's dynamic shared memory: exactly as large as the launch asked for, between two red zones.
#pragma once

#include <cstddef>
#include <memory>

namespace cpu_device {

class shared_arena {
 public:
  ~shared_arena();

  /// Makes it `bytes` large; what lies before and behind is poisoned for the address sanitizer.
  void resize(std::size_t bytes);

  /// Fills it with 0xff, a NaN in every floating-point type: what a block reads before writing shows.
  void forget();

  bool contains(void const* begin, std::size_t bytes) const;

  /// Aligned to 1024 bytes and no more, which is all that gemm::arch::dynamic_shared_memory promises.
  unsigned char* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  struct free_memory {
    void operator()(unsigned char* pointer) const;
  };

  std::unique_ptr<unsigned char, free_memory> allocation_;
  std::size_t capacity_ = 0;
  unsigned char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace cpu_device
