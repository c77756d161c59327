// SPDX-License-Identifier: BSL-1.0
//! @file
//! Barriers, votes and shuffles under their CUDA names.
#pragma once

#include <cstring>
#include <type_traits>

#include "call_site.hpp"
#include "device.hpp"

// Every function has a hidden last parameter: the place of the call, which names the barrier in messages.

inline void __syncthreads(cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::block_barrier(where);
}

inline void __syncwarp(unsigned mask = 0xffffffffu, cpu_device::call_site where = cpu_device::call_site::current()) {
  cpu_device::warp_collective("__syncwarp", mask, nullptr, nullptr, where);
}

namespace cpu_device {

/// What a vote tells every lane: who takes part and who of them said yes.
struct vote_result {
  unsigned present;
  unsigned in_favour;
};

inline vote_result vote(char const* instruction, unsigned mask, bool predicate, call_site where) {
  struct ballot {
    bool predicate;
    vote_result result;
  } mine{predicate, {}};
  warp_collective(
      instruction, mask, &mine,
      [](void* const* lanes, unsigned present) {
        vote_result result{present, 0};
        for (unsigned lane = 0; lane < 32; ++lane) {
          if (lanes[lane] != nullptr && static_cast<ballot*>(lanes[lane])->predicate) {
            result.in_favour |= 1u << lane;
          }
        }
        for (unsigned lane = 0; lane < 32; ++lane) {
          if (lanes[lane] != nullptr) {
            static_cast<ballot*>(lanes[lane])->result = result;
          }
        }
      },
      where);
  return mine.result;
}

/// The value that lane `source` of the warp passed; 0xff bytes where that lane takes no part, which CUDA leaves
/// undefined.
template <class T>
T shuffle(char const* instruction, unsigned mask, T value, unsigned source, call_site where) {
  // What CUDA has overloads for: the types of cuda_fp16.h and cuda_bf16.h are no larger than a register.
  static_assert(std::is_arithmetic_v<T> || sizeof(T) <= 4, "a shuffle exchanges numbers of one register or two");
  struct exchange {
    T value;
    unsigned source;
    T result;
  } mine{value, source, value};
  warp_collective(
      instruction, mask, &mine,
      [](void* const* lanes, unsigned) {
        for (unsigned lane = 0; lane < 32; ++lane) {
          if (lanes[lane] != nullptr) {
            exchange& to = *static_cast<exchange*>(lanes[lane]);
            if (void const* from = lanes[to.source]; from != nullptr) {
              to.result = static_cast<exchange const*>(from)->value;
            } else {
              std::memset(static_cast<void*>(&to.result), 0xff, sizeof(T));
            }
          }
        }
      },
      where);
  return mine.result;
}

}  // namespace cpu_device

inline unsigned __ballot_sync(unsigned mask, int predicate,
                              cpu_device::call_site where = cpu_device::call_site::current()) {
  return cpu_device::vote("__ballot_sync", mask, predicate != 0, where).in_favour;
}

inline int __any_sync(unsigned mask, int predicate, cpu_device::call_site where = cpu_device::call_site::current()) {
  return cpu_device::vote("__any_sync", mask, predicate != 0, where).in_favour != 0;
}

inline int __all_sync(unsigned mask, int predicate, cpu_device::call_site where = cpu_device::call_site::current()) {
  auto const [present, in_favour] = cpu_device::vote("__all_sync", mask, predicate != 0, where);
  return in_favour == present;
}

// The shuffles divide the warp into sections of `width` lanes, a power of two; a source outside the section means
// "keep your own value" for up, down and xor, and wraps for the indexed form.

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32,
              cpu_device::call_site where = cpu_device::call_site::current()) {
  unsigned const section = cpu_device::lane_index() & ~unsigned(width - 1);
  return cpu_device::shuffle("__shfl_sync", mask, value, section | (unsigned(source) & unsigned(width - 1)), where);
}

template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                 cpu_device::call_site where = cpu_device::call_site::current()) {
  unsigned const lane = cpu_device::lane_index();
  unsigned const in_section = lane & unsigned(width - 1);
  return cpu_device::shuffle("__shfl_up_sync", mask, value, delta <= in_section ? lane - delta : lane, where);
}

template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   cpu_device::call_site where = cpu_device::call_site::current()) {
  unsigned const lane = cpu_device::lane_index();
  unsigned const in_section = lane & unsigned(width - 1);
  bool const inside = delta < unsigned(width) - in_section;
  return cpu_device::shuffle("__shfl_down_sync", mask, value, inside ? lane + delta : lane, where);
}

template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32,
                  cpu_device::call_site where = cpu_device::call_site::current()) {
  unsigned const lane = cpu_device::lane_index();
  unsigned const source = (lane ^ unsigned(lane_mask)) & 31;
  unsigned const section_end = lane | unsigned(width - 1);  // an earlier section may be read, a later one may not
  return cpu_device::shuffle("__shfl_xor_sync", mask, value, source <= section_end ? source : lane, where);
}
