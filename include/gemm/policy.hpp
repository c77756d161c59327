// SPDX-License-Identifier: BSL-1.0
//! @file
//! Policies: the compile-time parameters of a kernel, the types they are written with, and their names.
#pragma once

#include <gemm/cxx20.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include <gemm/kernel_info.hpp>

namespace gemm {

/// The tile of C (m x n) of a thread block, and the depth (k) of one step along the inner dimension. In elements.
template <int M, int N, int K = 1>
struct block {
  static constexpr int m = M;  ///< rows of the tile
  static constexpr int n = N;  ///< columns of the tile
  static constexpr int k = K;  ///< depth of a step
};

/// The part of a block's tile that one warp computes, in elements.
template <int M, int N>
struct warp {
  static constexpr int m = M;  ///< rows
  static constexpr int n = N;  ///< columns
};

/// The adjacent elements that one thread computes; a thread may own several such tiles.
template <int M, int N = 1>
struct thread {
  static constexpr int m = M;  ///< rows
  static constexpr int n = N;  ///< columns
};

/// The warps of a block, where the tile does not determine them.
template <int Count>
struct warps {
  static constexpr int count = Count;  ///< how many
};

/// The tiles of each operand in shared memory, those in flight included.
template <int Count>
struct stages {
  static constexpr int count = Count;  ///< how many
};

/// The groups of warps that split k inside a block (sliced-K): each has the whole tile of C.
template <int Count>
struct k_groups {
  static constexpr int count = Count;  ///< how many
};

/// A struct of compile-time parameters that says how a product is computed, never what; policies of tensor cores say
/// with what error. Named policies derive from the templates in gemm/kernel/, which keeps kernels' symbols short.
///
///     block_m, block_n, block_k  the tile of C and the depth of a step
///     threads, accumulators      of a block; of a thread
///     info                       its kernel_info
///     check_operands<T>()        whether A and B may have elements of T
///     check<T>()                 its rules for an accumulator of T, by static_assert
template <class P>
concept policy = requires {
  { P::block_m } -> std::convertible_to<int>;
  { P::block_n } -> std::convertible_to<int>;
  { P::block_k } -> std::convertible_to<int>;
  { P::threads } -> std::convertible_to<int>;
  { P::accumulators } -> std::convertible_to<int>;
  { P::info } -> std::same_as<kernel_info const&>;
  { P::template check_operands<float>() } -> std::same_as<bool>;
  { P::template check<float>() } -> std::same_as<bool>;
};

/// In a policy's place: the library's choice among the named policies, at run time; chosen() shows it.
struct automatic {};

namespace detail {

template <class T>
constexpr std::string_view name_in_signature() {
  return __PRETTY_FUNCTION__;
}

/// The type's name as the compilers print it, between "T = " (g++, clang) or "T=" (nvcc's front end) and the end of the
/// list.
template <class T>
constexpr std::string_view raw_name() {
  std::string_view text = name_in_signature<T>();
  std::size_t const equals = text.find("T =") != text.npos ? text.find("T =") + 4 : text.find("T=") + 2;
  text.remove_prefix(equals);
  std::size_t const end = text.find(';') != text.npos ? text.find(';') : text.rfind(']');
  return text.substr(0, end);
}

/// raw_name without the library's own namespace and without the blanks that not all compilers print.
template <class T>
struct type_name {
  static constexpr std::size_t capacity = raw_name<T>().size();
  char text[capacity + 1] = {};
  std::size_t length = 0;

  constexpr type_name() {
    constexpr std::string_view raw = raw_name<T>(), own = "gemm::";
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (raw.substr(i).starts_with(own)) {
        i += own.size() - 1;
      } else if (raw[i] != ' ' || (raw[i - 1] != ',' && raw[i - 1] != '>')) {
        text[length++] = raw[i];
      }
    }
  }
};

template <class T>
inline constexpr type_name<T> type_name_of{};

}  // namespace detail

/// The policy's name as its type is written: "warp_tile_128x128x16", or "warp_tile<block<128,128,16>,...>" for
/// a policy without a name of its own.
template <class Policy>
constexpr std::string_view name() {
  return {detail::type_name_of<Policy>.text, detail::type_name_of<Policy>.length};
}

namespace detail {

/// A policy's info; of other types the defaults.
template <class Policy>
inline constexpr kernel_info info_of{};
template <policy Policy>
inline constexpr kernel_info info_of<Policy> = Policy::info;

/// Whether a policy's kernel is given tensor maps, and is written for sm_90a.
template <class Policy>
inline constexpr bool uses_tma = Policy::info.uses_tma();

/// Base of policies for elements of any type.
struct any_operands {
  /// Whether A and B may have elements of this type.
  template <class T>
  static constexpr bool check_operands() {
    return true;
  }
};

/// Whether whole is a positive multiple of part; false for sizes that a check has yet to refuse.
constexpr bool divides(int part, int whole) { return part > 0 && whole > 0 && whole % part == 0; }

/// whole / part for sizes that a check has yet to refuse.
constexpr int ratio(int whole, int part) { return part > 0 ? whole / part : 0; }

/// Whether a block may have so many threads: whole warps, at most 1024.
constexpr bool legal_threads(int threads) { return threads >= 32 && threads <= 1024 && threads % 32 == 0; }

/// The most dynamic shared memory that any GPU grants a block (sm_90: 227 KiB). A smaller device is refused at run
/// time.
inline constexpr std::size_t max_shared_bytes = 232448;

/// The checks below assert one rule after the other, each only where those before it hold: one mistake, one message.
template <std::size_t Bytes>
constexpr bool fits_shared_memory() {
  static_assert(Bytes <= max_shared_bytes,
                "gemm: the tiles of A and B must fit into a block's shared memory (227 KiB). Make block, its depth or "
                "stages smaller.");
  return Bytes <= max_shared_bytes;
}

/// Whether a thread's accumulators take at most 128 of its 255 registers: with more the compiler spills.
template <class T, int Elements>
constexpr bool fits_registers() {
  constexpr bool fits = Elements * static_cast<int>(sizeof(T)) / 4 <= 128;
  static_assert(fits,
                "gemm: the accumulators of a thread must fit into 128 registers (more spill). Make the thread's part "
                "of the tile smaller.");
  return fits;
}

/// A block tile of thread_m x thread_n per thread.
template <class Block, class Thread>
constexpr bool legal_thread_tile() {
  constexpr bool whole = divides(Thread::m, Block::m) && divides(Thread::n, Block::n) && Block::k > 0;
  static_assert(whole,
                "gemm: block_m must be a multiple of thread_m, block_n of thread_n, and block_k at least 1. Change "
                "block or thread.");
  if constexpr (whole) {
    constexpr bool legal = legal_threads(Block::m / Thread::m * (Block::n / Thread::n));
    static_assert(legal,
                  "gemm: block_m / thread_m * block_n / thread_n must be a multiple of 32 from 32 to 1024 (the block's "
                  "threads, whole warps). Change block or thread.");
    return legal;
  }
  return false;
}

/// Rows of a warp's 32 lanes, laid out lanes_m x lanes_n, whose tile must divide the warp's. 8 x 4 where possible,
/// which reads the fewest different elements for square thread tiles; 0 where no layout fits.
constexpr int lanes_along_m(int warp_m, int warp_n, int thread_m, int thread_n) {
  for (int lanes_m : {8, 4, 16, 2, 32, 1}) {
    if (divides(lanes_m * thread_m, warp_m) && divides(32 / lanes_m * thread_n, warp_n)) {
      return lanes_m;
    }
  }
  return 0;
}

/// A block tile of warp tiles, each walked over by 32 lanes with thread_m x thread_n each.
template <class Block, class Warp, class Thread>
constexpr bool legal_warp_tile() {
  constexpr bool whole = divides(Warp::m, Block::m) && divides(Warp::n, Block::n) && Block::k > 0;
  static_assert(whole,
                "gemm: block_m must be a multiple of warp_m, block_n of warp_n, and block_k at least 1. Change block "
                "or warp.");
  if constexpr (whole) {
    constexpr bool lanes = lanes_along_m(Warp::m, Warp::n, Thread::m, Thread::n) > 0;
    static_assert(lanes,
                  "gemm: warp_m x warp_n must be a whole number of times lanes_m * thread_m x lanes_n * thread_n for "
                  "some lanes_m * lanes_n = 32. Change warp or thread.");
    constexpr bool legal = legal_threads(Block::m / Warp::m * (Block::n / Warp::n) * 32);
    static_assert(!lanes || legal,
                  "gemm: a block has 1 to 32 warps, (block_m / warp_m) * (block_n / warp_n). Change block or warp.");
    return lanes && legal;
  }
  return false;
}

/// Whether tiles of T can be moved in 16-byte accesses.
template <class T, class Block, class Thread>
constexpr bool legal_vectors() {
  constexpr int width = 16 / static_cast<int>(sizeof(T));
  constexpr bool threads = Thread::m % width == 0 && Thread::n % width == 0;
  static_assert(threads,
                "gemm: thread_m and thread_n must be multiples of 16 bytes (4 floats, 2 doubles: fragments are read "
                "from shared memory in 128-bit accesses). Change thread.");
  constexpr bool blocks = Block::m % width == 0 && Block::n % width == 0 && Block::k % width == 0;
  static_assert(!threads || blocks,
                "gemm: block_m, block_n and block_k must be multiples of 16 bytes (4 floats, 2 doubles: tiles are read "
                "in 128-bit accesses). Change block.");
  return threads && blocks;
}

}  // namespace detail

}  // namespace gemm
