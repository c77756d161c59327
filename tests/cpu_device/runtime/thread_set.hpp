// SPDX-License-Identifier: BSL-1.0
//! @file
//! A set of a block's threads, from which the next one to run is found in a few instructions.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace cpu_device {

/// The threads of one block, by their linear index. first(), last() and next() need a set that is not empty.
class thread_set {
 public:
  static constexpr unsigned capacity = 1024;

  bool empty() const { return occupied_ == 0; }
  bool contains(unsigned thread) const { return (words_[thread / 64] >> thread % 64 & 1) != 0; }

  void insert(unsigned thread) { insert_word(thread / 64, std::uint64_t(1) << thread % 64); }

  void insert(thread_set const& other) {
    for (unsigned word = 0; word < words_.size(); ++word) {
      insert_word(word, other.words_[word]);
    }
  }

  /// The lanes of one warp, as a mask.
  void insert_warp(unsigned warp, unsigned lanes) { insert_word(warp / 2, std::uint64_t(lanes) << warp % 2 * 32); }

  void erase(unsigned thread) {
    std::uint64_t& word = words_[thread / 64];
    word &= ~(std::uint64_t(1) << thread % 64);
    if (word == 0) {
      occupied_ &= ~(1u << thread / 64);
    }
  }

  /// Makes it the set of the threads 0 to count - 1.
  void assign_first(unsigned count) {
    *this = {};
    for (unsigned word = 0; word < count / 64; ++word) {
      insert_word(word, ~std::uint64_t(0));
    }
    if (count % 64 != 0) {
      insert_word(count / 64, ~std::uint64_t(0) >> (64 - count % 64));
    }
  }

  unsigned first() const { return first_in(unsigned(std::countr_zero(occupied_))); }

  unsigned last() const {
    unsigned const word = 31u - unsigned(std::countl_zero(occupied_));
    return word * 64 + 63 - unsigned(std::countl_zero(words_[word]));
  }

  /// The first thread that is not below `from`; where there is none, the first of all.
  unsigned next(unsigned from) const {
    unsigned const word = from / 64;
    if (std::uint64_t const rest = words_[word] >> from % 64; rest != 0) {
      return from + unsigned(std::countr_zero(rest));
    }
    std::uint32_t const above = occupied_ & ~((2u << word) - 1);
    return first_in(unsigned(std::countr_zero(above != 0 ? above : occupied_)));
  }

 private:
  void insert_word(unsigned word, std::uint64_t bits) {
    words_[word] |= bits;
    occupied_ |= std::uint32_t(bits != 0) << word;
  }

  unsigned first_in(unsigned word) const { return word * 64 + unsigned(std::countr_zero(words_[word])); }

  std::array<std::uint64_t, capacity / 64> words_{};
  std::uint32_t occupied_ = 0;  // bit w: words_[w] is not zero
};

}  // namespace cpu_device
