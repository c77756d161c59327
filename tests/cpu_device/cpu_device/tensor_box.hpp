// SPDX-License-Identifier: BSL-1.0
//! @file
//! Tensor maps as the CPU device encodes them, and the copies of one box into shared memory and out of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "memory_access.hpp"

namespace cpu_device {

/// What cuTensorMapEncodeTiled leaves in a CUtensorMap here. Innermost dimension first.
struct tensor_map {
  static constexpr std::uint64_t valid_signature = 0x70616d726f736e65;

  std::uint64_t signature;
  unsigned char const* data;
  std::array<std::int64_t, 3> extents;
  std::array<std::int64_t, 2> strides;  // of the outer two dimensions, in bytes
  std::array<std::int32_t, 3> box;
  std::int32_t element_bytes;
  std::uint32_t swizzle_mask;  // 0, 1, 3 or 7: how many address bits take part
  std::uint32_t to_tf32;       // whether floats are rounded to TF32
};

/// A box of a tensor, and where it lies in shared memory.
struct tensor_box {
  tensor_map map;
  std::array<int, 3> corner;
  unsigned char* shared;

  std::int64_t line_bytes() const { return std::int64_t(map.box[0]) * map.element_bytes; }
  std::int64_t bytes() const { return line_bytes() * map.box[1] * map.box[2]; }
};

/// A row of a box: the part of it that lies in the tensor, in bytes from its beginning.
struct tensor_line {
  unsigned char const* global;  // of `begin`
  unsigned char* shared;        // of byte 0, before the swizzle
  std::int64_t begin, end;
};

/// Calls visit(tensor_line) for every row of the box. Inlined, and so must visit be: copies run on the stack of any
/// thread, and the thread sanitizer is to see what they copy, but none of their own variables.
template <class Visitor>
[[gnu::always_inline]] inline void for_each_line(tensor_box const& box, Visitor visit) {
  tensor_map const& map = box.map;
  std::int64_t const element = map.element_bytes;
  std::int64_t const begin = std::clamp<std::int64_t>(-std::int64_t(box.corner[0]), 0, map.box[0]);
  std::int64_t const end = std::clamp<std::int64_t>(map.extents[0] - box.corner[0], begin, map.box[0]);
  unsigned char* shared = box.shared;
  for (std::int64_t z = box.corner[2]; z < std::int64_t(box.corner[2]) + map.box[2]; ++z) {
    for (std::int64_t y = box.corner[1]; y < std::int64_t(box.corner[1]) + map.box[1]; ++y) {
      bool const inside = end > begin && z >= 0 && z < map.extents[2] && y >= 0 && y < map.extents[1];
      if (inside) {
        std::int64_t const offset = z * map.strides[1] + y * map.strides[0] + (box.corner[0] + begin) * element;
        visit(tensor_line{map.data + offset, shared, begin * element, end * element});
      } else {
        visit(tensor_line{nullptr, shared, 0, 0});
      }
      shared += box.line_bytes();
    }
  }
}

/// Tells the sanitizers of all that the copy is going to read and write.
inline void observe_box(tensor_box const& box) {
  for_each_line(
      box, [](tensor_line const& line) __attribute__((always_inline)) {
        if (line.end > line.begin) {
          observe_read(line.global, std::size_t(line.end - line.begin));
        }
      });
  observe_write(box.shared, std::size_t(box.bytes()));
}

/// Where the swizzle puts the piece of 16 bytes that is meant for this address.
inline unsigned char* swizzled(unsigned char* shared, tensor_map const& map) {
  auto const address = reinterpret_cast<std::uintptr_t>(shared);
  return shared + (std::int64_t(address ^ (address >> 7 & map.swizzle_mask) << 4) - std::int64_t(address));
}

/// Rounds the floats of 16 bytes to the nearest of 10 bits of fraction, in ties the even one: what an H200 does where
/// the map is of TFLOAT32. Every NaN becomes the same.
[[gnu::always_inline]] inline void round_to_tf32(unsigned char* piece) {
  constexpr std::uint32_t infinity = 0x7f800000, nan = 0x7fffe000, dropped = 0x1fff, tie = 0x1000;
  std::uint32_t words[4];
  std::memcpy(words, piece, sizeof(words));
  for (std::uint32_t& word : words) {
    std::uint32_t const magnitude = word & 0x7fffffff, rest = word & dropped;
    bool const up = rest > tie || (rest == tie && (word & tie << 1) != 0);
    word = magnitude > infinity ? nan : word - rest + (up ? dropped + 1 : 0);
  }
  std::memcpy(piece, words, sizeof(words));
}

/// Copies the box, with zeros for what is outside the tensor, in pieces of 16 bytes that the swizzle puts in place.
inline void copy_box(tensor_box const& box) {
  constexpr std::int64_t piece = 16;
  for_each_line(
      box, [&box](tensor_line const& line) __attribute__((always_inline)) {
        for (std::int64_t byte = 0; byte < box.line_bytes(); byte += piece) {
          unsigned char* const to = swizzled(line.shared + byte, box.map);
          std::int64_t const begin = std::clamp(line.begin, byte, byte + piece);
          std::int64_t const end = std::clamp(line.end, byte, byte + piece);
          if (end - begin == piece) {
            std::memcpy(to, line.global + (byte - line.begin), std::size_t(piece));
          } else {
            std::memset(to, 0, std::size_t(piece));
            if (end > begin) {
              std::memcpy(to + (begin - byte), line.global + (begin - line.begin), std::size_t(end - begin));
            }
          }
          if (box.map.to_tf32 != 0) {
            round_to_tf32(to);
          }
        }
      });
}

/// Where the piece of 16 bytes ends in which the tensor does: all of it is stored.
inline std::int64_t stored_end(tensor_line const& line) { return (line.end + 15) / 16 * 16; }

/// As observe_box(), of a copy from shared memory.
inline void observe_stored_box(tensor_box const& box) {
  observe_read(box.shared, std::size_t(box.bytes()));
  for_each_line(
      box, [](tensor_line const& line) __attribute__((always_inline)) {
        if (line.end > line.begin) {
          observe_write(const_cast<unsigned char*>(line.global), std::size_t(stored_end(line) - line.begin));
        }
      });
}

/// Copies what of the box is inside the tensor back to it, in pieces of 16 bytes.
inline void store_box(tensor_box const& box) {
  constexpr std::int64_t piece = 16;
  for_each_line(
      box, [&box](tensor_line const& line) __attribute__((always_inline)) {
        for (std::int64_t byte = 0; byte < line.end; byte += piece) {
          std::int64_t const begin = std::clamp(line.begin, byte, byte + piece);
          std::int64_t const end = line.end > line.begin ? std::clamp(stored_end(line), byte, byte + piece) : begin;
          if (end > begin) {
            std::memcpy(const_cast<unsigned char*>(line.global) + (begin - line.begin),
                        swizzled(line.shared + byte, box.map) + (begin - byte), std::size_t(end - begin));
          }
        }
      });
}

}  // namespace cpu_device
