// SPDX-License-Identifier: BSL-1.0
//! @file
//! Packing while others multiply: warps that have nothing else to do copy operands to where TMA can load them.
//!
//!     launch before    clears the counters, packs the first panels of k
//!     packing warps    take strips of the other panels, in the order of k: copy them, count them
//!     producer         waits for the count of a panel before it asks for the panel's first tile
//!
//! A block multiplies its way along k much more slowly than memory could bring k, so that the packing is soon far ahead
//! of all. Which block runs when does not matter: who waits has warps of its own that go on packing until all strips
//! are taken, and who has taken one waits for nobody.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/cp_async.cuh>
#include <gemm/arch/global_atomics.cuh>
#include <gemm/arch/tma.cuh>
#include <gemm/block/row_classes.cuh>
#include <gemm/block/tma_problem.cuh>
#include <gemm/block/turned_squares.cuh>
#include <gemm/block/vector.cuh>

namespace gemm {

/// An operand that is packed in panels, and its copy. Not for users; it is not in detail for the kernels' symbols.
template <class T>
struct panel_operand {
  T const* from;
  T* to;
  std::int64_t ld_from, ld_to;
  std::int64_t gap;   // of a copy in squares: after every 32 elements of a line
  int lines, length;  // of `from`
  int strips;         // of a panel, 0 where the operand stays where it is
  bool k_along;       // k runs along lines
  bool turned;        // the copy is the transpose
};

/// What warps pack while others multiply; nothing where there are no counters. Not for users, likewise.
template <class T>
struct panel_packing {
  panel_operand<T> of[2] = {};
  std::uint32_t* counters = nullptr;  // the strips that are taken, then those of each panel that are packed
  int first_k = 0;                    // where the panels begin, a multiple of a tile's depth
  int strips = 0;                     // of all panels
};

/// What a kernel is told whose operands may still have to be packed. Not for users, likewise.
template <class Problem>
struct panel_problem : tma_problem<Problem> {
  panel_packing<typename Problem::input> packing;
  row_class_maps rows;
};

namespace detail {

/// A panel's depth along k, and what a warp packs at a time: so many lines of the operand, and so long.
inline constexpr int panel_depth = 128, strip_lines = 8, strip_length = 128;

/// What a warp packs, on its way: by line; or turned, by column of the operand, the halves of every second four columns
/// having changed places, so that the lanes that read 16 bytes at the same time have different banks.
template <class T>
struct alignas(16) strip_buffer {
  T element[strip_lines * strip_length];
};
/// The buffers of so many warps.
template <class T, int Warps>
struct strip_buffers {
  strip_buffer<T> of_warp[Warps];
};
template <class T>
struct strip_buffers<T, 0> {};

/// Strips of an operand in each panel, whose other extent is this.
constexpr std::int64_t strips_of_panel(std::int64_t extent, bool k_along) {
  return k_along ? (extent + strip_lines - 1) / strip_lines
                 : (extent + strip_length - 1) / strip_length * (panel_depth / strip_lines);
}

/// Copies a strip, by a warp. In as few instructions as can be: a warp that shares a scheduler with others that
/// multiply has one issued in 70 clocks (H200; with 480 for 1024 elements, packing took two thirds of the time of
/// 2047^3).
template <bool Turned, class T>
__device__ void pack_strip(panel_operand<T> const& o, strip_buffer<T>& buffer, int line, int first) {
  static_assert(sizeof(T) == 4);
  constexpr int width = widest<T>, parts = strip_length / 32;
  int const lane = static_cast<int>(threadIdx.x) % 32, lines = o.lines - line, length = o.length - first;
  int const half = lane / 4 % 2 * width;  // where the first half is
  bool inside[parts];
#pragma unroll
  for (int j = 0; j < parts; ++j) {
    inside[j] = lane + 32 * j < length;
  }
  auto const for_each_line = [&](auto action) {
    if (lines >= strip_lines) {
#pragma unroll
      for (int i = 0; i < strip_lines; ++i) {
        action(i);
      }
    } else {
#pragma unroll 1
      for (int i = 0; i < lines; ++i) {
        action(i);
      }
    }
  };
  T const* from = o.from + line * o.ld_from + first + lane;
  for_each_line([&](int i) {
    T* const to = Turned ? &buffer.element[lane * strip_lines + (i / width * width ^ half) + i % width]
                         : &buffer.element[i * strip_length + lane];
#pragma unroll
    for (int j = 0; j < parts; ++j) {
      arch::cp_async_zfill<sizeof(T)>(to + (Turned ? 32 * j * strip_lines : 32 * j), from + 32 * j,
                                      inside[j] ? static_cast<int>(sizeof(T)) : 0);
    }
    from += o.ld_from;
  });
  arch::cp_async_commit_group();
  arch::cp_async_wait_group<0>();
  __syncwarp();
  using piece = vector<T, width>;  // as a whole, or the compiler stores what was just loaded element by element
  if constexpr (Turned) {
    T* to = o.to + (first + lane) * o.ld_to + line + line / square_side * o.gap;
#pragma unroll
    for (int j = 0; j < parts; ++j) {
      T const* const column = &buffer.element[(lane + 32 * j) * strip_lines];
      if (inside[j]) {
        *reinterpret_cast<piece*>(to) = *reinterpret_cast<piece const*>(column + half);
        if (lines > width) {
          *reinterpret_cast<piece*>(to + width) = *reinterpret_cast<piece const*>(column + (width ^ half));
        }
      }
      to += 32 * o.ld_to;
    }
  } else if (lane * width < length) {
    T* to = o.to + line * o.ld_to + first + lane * width;
    for_each_line([&](int i) {
      *reinterpret_cast<piece*>(to) = *reinterpret_cast<piece const*>(&buffer.element[i * strip_length + lane * width]);
      to += o.ld_to;
    });
  }
}

/// Packs strips until all are taken; by whole warps, each with a buffer of its own.
template <class T>
__device__ void pack_panels(panel_packing<T> const& x, strip_buffer<T>& buffer) {
  constexpr int across = panel_depth / strip_lines;
  bool const first_lane = threadIdx.x % 32 == 0;
  int const of_panel = x.of[0].strips + x.of[1].strips;
  std::uint32_t* counter = x.counters + 1;  // of the panel that the strip is in
  for (int begin = 0, k = x.first_k;;) {
    int strip = 0;
    if (first_lane) {
      strip = static_cast<int>(arch::take_ticket(x.counters));
    }
    strip = __shfl_sync(0xffffffffU, strip, 0);  // after which nobody reads the buffer any more
    if (strip >= x.strips) {
      return;
    }
    for (; strip >= begin + of_panel; begin += of_panel, ++counter) {
      k += panel_depth;
    }
    int const number = strip - begin;
    bool const is_b = number >= x.of[0].strips;
    panel_operand<T> const& o = x.of[is_b ? 1 : 0];
    int const of_operand = number - (is_b ? x.of[0].strips : 0);
    int const line = o.k_along ? of_operand * strip_lines : k + of_operand % across * strip_lines;
    int const first = o.k_along ? k : of_operand / across * strip_length;
    if (o.turned) {
      pack_strip<true>(o, buffer, line, first);
    } else {
      pack_strip<false>(o, buffer, line, first);
    }
    __syncwarp();
    if (first_lane) {
      arch::count_up(counter);
    }
  }
}

/// For one thread that asks for tiles along k: waits for what they need.
template <class T>
class packed_panels {
 public:
  __device__ explicit packed_panels(panel_packing<T> const& x)
      : x_(x), next_k_(x.counters != nullptr ? x.first_k : 0x7fffffff) {}

  /// Before the tile at this k; they come in any order that is upward.
  __device__ void wait_for(int k) {
    if (k >= next_k_) {
      int const panel = (k - x_.first_k) / panel_depth;
      arch::wait_for_count(x_.counters + 1 + panel, static_cast<std::uint32_t>(x_.of[0].strips + x_.of[1].strips));
      arch::fence_proxy_async_global();
      next_k_ = x_.first_k + (panel + 1) * panel_depth;
    }
  }

 private:
  panel_packing<T> const& x_;
  int next_k_;
};

}  // namespace detail

}  // namespace gemm
