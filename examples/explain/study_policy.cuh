// SPDX-License-Identifier: BSL-1.0
//! @file
//! The study of one policy: its constants, and its maps as the probes saw them. Compiled once for each element type.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "operand_maps.hpp"
#include "probe.cuh"
#include "rungs.cuh"

namespace explain {

template <class T>
using sum_of = gemm::detail::accumulator<T>;
/// What C is studied with: the type of A and B, but the sums' for integers.
template <class T>
using output_of = std::conditional_t<std::is_integral_v<T>, sum_of<T>, T>;

template <class T>
inline constexpr char const* type_text = "float";
template <>
inline constexpr char const* type_text<double> = "double";
template <>
inline constexpr char const* type_text<__half> = "half (sums: float)";
template <>
inline constexpr char const* type_text<__nv_bfloat16> = "bfloat16 (sums: float)";
template <>
inline constexpr char const* type_text<std::int8_t> = "int8 (sums and C: int32)";

/// Registers of a thread: of float and double on a GPU the compiler's, else the most that the kernel's launch bound
/// leaves it. Always of the nn kernel: compiling one for each storage, or for each type, takes nvcc minutes.
template <class Policy, class T>
void find_registers(study& s, [[maybe_unused]] bool wide) {
  using problem = gemm::detail::plain_problem<T, output_of<T>, gemm::nn, gemm::identity>;
  constexpr int blocks =
      rung_of_policy<Policy>.bound == register_bound::one_block ? 1 : gemm::detail::resident_blocks<Policy, problem>;
  int const most = 65536 / (blocks * Policy::threads) / 8 * 8;
  s.registers = most < 255 ? most : 255;
  s.registers_known = s.facts.bound == register_bound::none
                          ? "a guess: only the compiler knows, and the kernel sets it no bound"
                          : "the most that the kernel's launch bound allows; only the compiler knows";
#if defined(__CUDACC__)
  if constexpr (gemm::detail::copies_bytes<T>) {
    cudaFuncAttributes attributes{};
    example::require(wide ? cudaFuncGetAttributes(&attributes, Policy::template kernel<Policy, problem, true>())
                          : cudaFuncGetAttributes(&attributes, Policy::template kernel<Policy, problem, false>()));
    s.registers = attributes.numRegs;
    s.registers_known = s.storage == "nn" ? "as compiled" : "as compiled for nn";
  } else {
    s.registers_known += ", and explain compiles kernels for float and double alone";
  }
#endif
}

/// The library's maps of one operand, and how wide the accesses are; `Extent` is its tile's along m or n.
template <class Policy, class T, gemm::major SharedMajor, int Extent, bool IsA>
struct operand_maps {
  static constexpr feed from = rung_for<Policy, T>().from;
  static constexpr gemm::major k = gemm::major::k, mn = gemm::major::mn;

  // Where narrow elements are fetched ahead, chunks are as long where they may not be accessed at once.
  template <gemm::major Major, bool Wide>
  static constexpr int width() {
    return Wide || from == feed::widening ? Policy::template access_width<T, Major> : 1;
  }
  template <gemm::major Major, bool Wide>
  using map =
      gemm::detail::chunk_map<T, Major, SharedMajor, Extent, Policy::block_k, Policy::threads, width<Major, Wide>()>;

  /// The chunks of a tile in shared memory, whose first element is at `base`.
  template <class Tile>
  static void add(tile_map& result, bool wide, Tile const& tile, void const* base) {
    static constexpr int widths[] = {width<k, false>(), width<k, true>(), width<mn, false>(), width<mn, true>()};
    int const number = (result.k_major ? 0 : 2) + (wide ? 1 : 0);
    result.width = widths[number];
    result.chunks = chunks_of<map<k, false>, map<k, true>, map<mn, false>, map<mn, true>>(number, Policy::threads);
    // As tile_loader::commit(), async_tile_loader::start() and widening_tile_loader::commit() do it: where elements are
    // neighbours on both sides, in the widest pieces; else one element after the other.
    bool const singly = from == feed::widening && !wide;
    result.load_width = singly ? 1 : result.width;
    result.store_width = from == feed::async ? result.width
                         : singly || result.k_major || SharedMajor == k
                             ? 1
                             : gemm::detail::greatest_common_divisor(gemm::detail::widest<sum_of<T>>, result.width);
    result.stage_begin = reinterpret_cast<char const*>(&tile.tile) - static_cast<char const*>(base);
    result.stage_bytes = sizeof(tile.tile);
    for (int outer = 0; outer < Extent; ++outer) {
      for (int depth = 0; depth < Policy::block_k; ++depth) {
        result.shared.push_back(reinterpret_cast<char const*>(tile.at(outer, depth)) - static_cast<char const*>(base));
      }
    }
  }
};

/// Everything of an operand's map but where it is in shared memory.
template <class Policy, class T>
tile_map plain_map(char name, gemm::major major, std::int64_t ld, int depth) {
  tile_map result;
  result.name = name;
  result.k_major = major == gemm::major::k;
  result.outer = name == 'A' ? Policy::block_m : Policy::block_n;
  result.depth = depth;
  result.threads = Policy::threads;
  result.element_bytes = static_cast<int>(sizeof(T));
  result.sum_bytes = static_cast<int>(sizeof(sum_of<T>));
  std::int64_t const tile_line = result.k_major ? result.depth : result.outer;
  result.ld = ld > tile_line ? ld : tile_line;  // a full tile is shown even where the matrix is smaller
  result.from = rung_for<Policy, T>().from;
  return result;
}

template <class T>
operand_study study_operand(tile_map& map, std::vector<std::vector<int>> const& lines) {
  if (map.from == feed::global) {  // every thread reads its own elements
    map.width = map.load_width = map.k_major ? map.depth : 1;
    for (int k = 0; k < map.depth; k += map.width) {
      for (auto const& line : lines) {
        map.chunks.push_back({line.front(), k});
      }
    }
  }
  map.loads = map.k_major ? addresses_of<T, gemm::major::k>(map.chunks, map.ld)
                          : addresses_of<T, gemm::major::mn>(map.chunks, map.ld);
  return study_of(map, lines);
}

template <class Policy, class T>
void study_maps(study& s, tile_map a, tile_map b, bool wide) {
  if constexpr (rung_for<Policy, T>().from != feed::global) {
    using tiles = typename Policy::template shared_storage<sum_of<T>>;
    auto const shared = std::make_unique<tiles>();
    constexpr gemm::major major_a = shared_major_a<Policy>, major_b = gemm::major::mn;
    a.k_major_shared = major_a == gemm::major::k;
    b.k_major_shared = false;
    operand_maps<Policy, T, major_a, Policy::block_m, true>::add(a, wide, view_of(shared->a, !a.k_major_shared),
                                                                 shared.get());
    operand_maps<Policy, T, major_b, Policy::block_n, false>::add(b, wide, view_of(shared->b, true), shared.get());
  }
  std::vector<std::vector<int>> rows, columns;
  for (int thread = 0; thread < s.threads; ++thread) {
    rows.push_back(rows_of(s, thread));
    columns.push_back(columns_of(s, thread));
  }
  s.a = study_operand<T>(a, rows);
  s.b = study_operand<T>(b, columns);
}

template <class Policy, class T>
study study_one(request const& r) {
  study s;
  s.policy = gemm::name<Policy>();
  s.type = type_text<T>;
  s.storage = r.storage;
  s.facts = rung_for<Policy, T>();
  s.size = r.size;
  s.summed_in = std::is_same_v<sum_of<T>, double> ? sums::f64 : std::is_integral_v<T> ? sums::i32 : sums::f32;
  s.element_bytes = static_cast<int>(sizeof(T));
  s.sum_bytes = static_cast<int>(sizeof(sum_of<T>));
  s.output_bytes = static_cast<int>(sizeof(output_of<T>));
  s.block_m = Policy::block_m;
  s.block_n = Policy::block_n;
  s.threads = Policy::threads;
  s.shared_bytes = static_cast<int>(Policy::template shared_bytes<sum_of<T>>);
  s.owner = owners_of(s.policy);

  T const* const any = reinterpret_cast<T const*>(256);
  auto const [m, n, k] = r.size;
  bool const a_turned = r.storage[0] == 't', b_turned = r.storage[1] == 't';
  gemm::major const major_a = a_turned ? gemm::tn::a : gemm::nn::a, major_b = b_turned ? gemm::nt::b : gemm::nn::b;
  std::int64_t const lda = a_turned ? gemm::col_major(any, m, k).ld : gemm::row_major(any, m, k).ld;
  std::int64_t const ldb = b_turned ? gemm::col_major(any, k, n).ld : gemm::row_major(any, k, n).ld;
  // As enqueue() decides it for aligned operands: wide accesses to both or to none.
  constexpr int widths[] = {Policy::template access_width<T, gemm::major::k>,
                            Policy::template access_width<T, gemm::major::mn>};
  int const width_a = widths[major_a == gemm::major::mn], width_b = widths[major_b == gemm::major::mn];
  bool const wide = (width_a > 1 || width_b > 1) && lda % width_a == 0 && ldb % width_b == 0;
  if constexpr (Policy::info.stages > 1) {
    s.stages = Policy::info.stages;
    s.ahead = s.facts.from == feed::async ? s.stages - 1 : wide ? 1 : 0;
    s.waiting_bytes = gemm::detail::waiting_bytes<Policy, T, gemm::detail::accumulator<T>>;
    s.facts.idea = s.ahead > 0 ? s.facts.idea : unaligned_idea;
  }
  s.block_k = s.facts.from == feed::global && wide ? widths[0] : Policy::block_k;
  study_maps<Policy, T>(s, plain_map<Policy, T>('A', major_a, lda, s.block_k),
                        plain_map<Policy, T>('B', major_b, ldb, s.block_k), wide);
  find_registers<Policy, T>(s, wide);
  if (r.registers > 0) {
    s.registers = r.registers;
    s.registers_known = "as you say";
  }
  return s;
}

template <class T, class... Policies>
study study_one_of(policy_pack<Policies...> policies, request const& r) {
  return of_policy<study>(policies, r.policy, [&]<class Policy>() { return study_one<Policy, T>(r); });
}

}  // namespace explain
