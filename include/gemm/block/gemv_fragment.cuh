// SPDX-License-Identifier: BSL-1.0
//! @file
//! The reads of a block of the skinny rung: gemv fragments of the large operand in registers, tiles of the small one in
//! shared memory.
//!
//!     large operand       k ->        A pass is k_threads chunks deep. A thread has the same chunk of every pass and
//!     rows   | 0 | 1 | 2 | 3 |...     `lines` neighbouring rows: a fragment of `lines` x chunk, read along
//!            | 0 | 1 | 2 | 3 |        whichever direction memory runs.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include <gemm/arch/prefetch.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/vector.cuh>
#include <gemm/element.hpp>

namespace gemm::detail {

constexpr int least(int a, int b) { return a < b ? a : b; }

/// How the threads of a policy share the tile of the large operand. Which k's a thread sums does not depend on the
/// storage, so that all storages give the same bits.
template <class Policy, class T, major Major>
struct gemv_layout {
  static constexpr int few = Policy::few, many = Policy::many;
  static constexpr int words = static_cast<int>(sizeof(accumulator<T>)) / 4;

  /// A fragment: 16 bytes in both directions, or as much as a thread's accumulators and its share of the tile allow.
  static constexpr int most_lines = 64 / (few * words) >= 16  ? 16
                                    : 64 / (few * words) >= 8 ? 8
                                    : 64 / (few * words) >= 4 ? 4
                                                              : 2;
  static constexpr int lines = least(least(widest<T>, Policy::share / 4), most_lines);
  static constexpr int chunk = least(widest<T>, Policy::share / lines);
  static constexpr int passes = Policy::share / (lines * chunk);  // of a tile

  /// The accesses that make a fragment.
  static constexpr int width = Major == major::mn ? lines : chunk;
  static constexpr int pieces = Major == major::mn ? chunk : lines;

  static constexpr int line_threads = many / lines, k_threads = Policy::threads / line_threads;
  static constexpr int pass_depth = k_threads * chunk;

  /// Lanes go along memory: over all rows of the tile where it is mn-major, along 128 bytes of k where it is k-major.
  static constexpr int lanes_k =
      Major == major::mn ? 32 / least(32, line_threads) : least(k_threads, line_threads < 4 ? 32 / line_threads : 8);
  static constexpr int lanes_n = 32 / lanes_k;
  static constexpr int warps_n = line_threads / lanes_n, warps_k = k_threads / lanes_k;
  /// How far apart lanes with neighbouring chunks are.
  static constexpr int lane_step = Major == major::mn ? lanes_n : 1;

  __device__ static int warp_k() { return warp() / warps_n; }
  __device__ static int lane_k() { return Major == major::mn ? lane() / lanes_n : lane() % lanes_k; }
  /// The thread's chunk of a pass.
  __device__ static int chunk_index() { return warp_k() * lanes_k + lane_k(); }
  /// Its first row of the tile.
  template <bool Wide>
  __device__ static int line() {
    int const lane_line = Major == major::mn ? lane() % lanes_n : lane() / lanes_k;
    return warp() % warps_n * lanes_n * lines + lane_line * (line_step<Wide> == 1 ? lines : 1);
  }
  /// Stride between its rows. Where elements along lanes are read one by one, neighbouring lanes read neighbours, which
  /// is faster (docs/tuning-notes.md, skinny).
  template <bool Wide>
  static constexpr int line_step = Major == major::mn && !Wide ? lanes_n : 1;

 private:
  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
};

/// A thread's fragments of the large operand, pass after pass. Wide: whether its accesses may be as wide as they are.
template <class Layout, class T, major Major, bool Wide>
class gemv_stream {
  static constexpr int step = Layout::template line_step<Wide>;  // between the elements of an access

 public:
  /// The block's rows start at `first` of the operand.
  __device__ gemv_stream(operand_view<T, Major> const& from, std::int64_t first)
      : ld_(from.ld),
        k_left_(from.depth),
        lines_left_(from.extent - first < Layout::many ? static_cast<int>(from.extent - first) : Layout::many) {
    if (from.depth > 0) {  // else the operand may be null
      next_ = from.at(first + Layout::template line<Wide>(), Layout::chunk_index() * Layout::chunk);
    }
  }

  /// Whether the next `depth` of k lie inside the operand with all rows of the tile: the same for the whole block.
  __device__ bool has_whole(int depth) const { return lines_left_ == Layout::many && k_left_ >= depth; }

  /// Whether any of k is left, likewise.
  __device__ bool has_any() const { return k_left_ > 0; }

  /// Starts to read a pass that lies inside the operand.
  ///
  /// No branch in here nor in the loop around it. Where control flow meets, ptxas makes loads in flight share one
  /// scoreboard, and the first wait is then for all of them.
  __device__ void fetch_whole(packed<T, Layout::width> (&gemv_fragment)[Layout::pieces]) {
#pragma unroll
    for (int i = 0; i < Layout::pieces; ++i) {
      if constexpr (Wide) {
        gemv_fragment[i] = load_packed<Layout::width>(next_ + i * ld_);
      } else {
        vector<T, Layout::width> piece;
#pragma unroll
        for (int e = 0; e < Layout::width; ++e) {
          piece.element[e] = next_[i * ld_ + e * step];
        }
        gemv_fragment[i] = __builtin_bit_cast(packed<T, Layout::width>, piece);
      }
    }
    advance();
  }

  /// Has the L2 fetch what so many calls of fetch_whole() are going to read.
  template <int Passes>
  __device__ void prefetch_whole() const {
#pragma unroll
    for (int pass = 0; pass < Passes; ++pass) {
      T const* const from = next_ + pass * (Major == major::mn ? Layout::pass_depth * ld_ : Layout::pass_depth);
#pragma unroll
      for (int i = 0; i < Layout::pieces; ++i) {
        arch::prefetch_to_l2(from + i * ld_);
      }
    }
  }

  /// Reads any pass. What lies outside the operand is 0, as in the small operand's tile.
  __device__ void fetch(packed<T, Layout::width> (&gemv_fragment)[Layout::pieces]) {
    int const depth = k_left_ < Layout::pass_depth ? static_cast<int>(k_left_) : Layout::pass_depth;
    int const k = depth - Layout::chunk_index() * Layout::chunk, line = lines_left_ - Layout::template line<Wide>();
    int const along = Major == major::mn ? line : k, across = Major == major::mn ? k : line;
#pragma unroll
    for (int i = 0; i < Layout::pieces; ++i) {
      vector<T, Layout::width> piece;
#pragma unroll
      for (int e = 0; e < Layout::width; ++e) {
        piece.element[e] = i < across && e * step < along ? next_[i * ld_ + e * step] : T{};
      }
      gemv_fragment[i] = __builtin_bit_cast(packed<T, Layout::width>, piece);
    }
    advance();
  }

 private:
  __device__ void advance() {
    k_left_ -= Layout::pass_depth;
    next_ += Major == major::mn ? Layout::pass_depth * ld_ : Layout::pass_depth;
  }

  T const* next_ = nullptr;
  std::int64_t ld_, k_left_;
  int lines_left_;  // of the operand in the block's tile
};

/// Tiles of the small operand in flight to shared memory, widened, laid out [chunk][few][k in the chunk]: a thread
/// reads its chunk of a row at once. Chunks are padded by 16 bytes where eight of them would use the same banks.
template <class Layout, class Policy, class T, major Major>
class chunked_tile {
  using accum = accumulator<T>;
  static constexpr int few = Policy::few, depth = Policy::block_k, elements = few * depth;
  static constexpr int count = (elements + Policy::threads - 1) / Policy::threads;
  static constexpr bool even = few * Layout::chunk / widest<accum> % 2 == 0;

 public:
  static constexpr int pitch = few * Layout::chunk + (even ? widest<accum> : 0);
  static_assert(pitch * (depth / Layout::chunk) <= Policy::small_elements);

  /// The block's rows start at `first` of the operand.
  __device__ chunked_tile(operand_view<T, Major> const& from, std::int64_t first)
      : ld_(from.ld),
        k_left_(from.depth),
        lines_left_(from.extent - first < few ? static_cast<int>(from.extent - first) : few) {
    if (from.depth > 0) {  // else the operand may be null
      next_ = from.at(first + line(0), k(0));
    }
  }

  /// Starts to read the next tile, element by element: where m or n is 1, nothing else is aligned.
  __device__ void fetch() {
    int const depth_left = k_left_ < depth ? static_cast<int>(k_left_) : depth;
#pragma unroll
    for (int i = 0; i < count; ++i) {
      bool const inside = has(i) && line(i) < lines_left_ && k(i) < depth_left;
      staged_[i] =
          inside ? next_[Major == major::k ? line_step(i) * ld_ + k_step(i) : k_step(i) * ld_ + line_step(i)] : T{};
    }
    k_left_ -= depth;
    next_ += Major == major::k ? depth : depth * ld_;
  }

  /// Whether the tile that was fetched last has any of k.
  __device__ bool was_inside() const { return k_left_ > -depth; }

  /// Completes what fetch() has started.
  __device__ void commit(accum* shared) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      if (has(i)) {
        shared[k(i) / Layout::chunk * pitch + line(i) * Layout::chunk + k(i) % Layout::chunk] = widen(staged_[i]);
      }
    }
  }

 private:
  // Element number i of a thread: neighbouring threads take neighbours in memory.
  static constexpr int fast = Major == major::k ? depth : few, threads = Policy::threads;
  __device__ static constexpr int fast_step(int i) { return fast > threads ? i % (fast / threads) * threads : 0; }
  __device__ static constexpr int slow_step(int i) {
    return fast > threads ? i / (fast / threads) : i * (threads / fast);
  }
  __device__ static constexpr int line_step(int i) { return Major == major::k ? slow_step(i) : fast_step(i); }
  __device__ static constexpr int k_step(int i) { return Major == major::k ? fast_step(i) : slow_step(i); }
  __device__ static int fast_index() { return static_cast<int>(threadIdx.x) % fast; }
  __device__ static int slow_index() { return static_cast<int>(threadIdx.x) / fast; }
  __device__ static bool has(int i) {
    return elements % threads == 0 || static_cast<int>(threadIdx.x) + i * threads < elements;
  }
  __device__ static int line(int i) { return (Major == major::k ? slow_index() : fast_index()) + line_step(i); }
  __device__ static int k(int i) { return (Major == major::k ? fast_index() : slow_index()) + k_step(i); }

  T const* next_ = nullptr;
  std::int64_t ld_, k_left_;
  int lines_left_;  // of the operand in the block's tile
  T staged_[count];
};

}  // namespace gemm::detail
