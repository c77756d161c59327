// SPDX-License-Identifier: BSL-1.0
//! @file
//! The studies of the policies with rings: their constants, their shared memory, and where TMA puts a tile.

#include <cstddef>
#include <memory>

#include <gemm/block/cluster_position.cuh>
#include <gemm/block/swizzled_tile.cuh>

#include "operand_maps.hpp"
#include "ring.hpp"
#include "ring_policies.cuh"
#include "ring_probe.cuh"

namespace explain {

namespace {

template <class Policy>
auto storage_of() {
  if constexpr (on_tensor_cores<Policy>) {
    return std::make_unique<typename Policy::shared_storage>();
  } else {
    return std::make_unique<typename Policy::template shared_storage<float>>();
  }
}

/// Where the parts of a block's shared memory begin, as the policy's own type has them.
template <class Policy>
void measure_rooms(ring_study& s) {
  auto const shared = storage_of<Policy>();
  auto const room_of = [&](char const* name, auto const& array) {
    return room{name, reinterpret_cast<char const*>(&array) - reinterpret_cast<char const*>(shared.get()),
                sizeof(array[0]), static_cast<int>(sizeof(array) / sizeof(array[0]))};
  };
  s.a = room_of("A", shared->a);
  s.b = room_of("B", shared->b);
  s.full = room_of("full", shared->full);
  s.empty = room_of("empty", shared->empty);
  if constexpr (multiplies_terms<Policy>) {
    s.others = {room_of("C and scales", shared->of_warp)};
  } else if constexpr (in_turns<Policy>) {
    s.others = {room_of("C", shared->c), room_of("turn", shared->turn)};
  } else if constexpr (on_tensor_cores<Policy>) {
    s.others = {room_of("C", shared->c)};
  }
}

/// As the kernels initialise their barriers: no constant says it.
template <class Policy>
void count_arrivals(ring_study& s) {
  s.full_arrivals = 1;
  if constexpr (on_tensor_cores<Policy>) {
    int const warps = in_turns<Policy> ? 4 : Policy::consumer_threads / 32;
    s.empty_arrivals = warps * gemm::detail::cluster_position<Policy>::sources;
    s.cluster_m = Policy::cluster_m;
    s.cluster_n = Policy::cluster_n;
    s.wgmma_n = Policy::block_n;
    s.wgmma_k = gemm::detail::swizzled_tile<stored_of<Policy>, gemm::major::k, Policy::block_m,
                                            128 / sizeof(stored_of<Policy>)>::depth;
    s.in_turns = in_turns<Policy>;
  } else {
    s.empty_arrivals = Policy::template consumer_arrivals<true, false>;
  }
}

/// The instructions of a warpgroup, in the order of the kernels' loops: for each step of k every 64 rows; of elements
/// in terms first the small products of all steps.
template <class Policy>
void list_wgmmas(ring_study& s) {
  if constexpr (multiplies_terms<Policy>) {
    using terms = typename Policy::terms;
    s.terms = terms::count;
    s.group_k = gemm::detail::chunk_depth;
    for (int k = 0; k < s.group_k; k += s.wgmma_k) {
      for (int i = 0; i < terms::small_count; ++i) {
        s.wgmmas.push_back({0, k, terms::small_product(i).a, terms::small_product(i).b});
      }
    }
    for (int k = 0; k < s.group_k; k += s.wgmma_k) {
      s.wgmmas.push_back({0, k, 0, 0});
    }
  } else if constexpr (on_tensor_cores<Policy>) {
    s.group_k = Policy::block_k;
    for (int k = 0; k < s.group_k; k += s.wgmma_k) {
      for (int row = 0; row < Policy::accumulators * 128 / Policy::block_n; row += 64) {
        s.wgmmas.push_back({row, k});
      }
    }
  }
}

template <class Policy>
void set_registers(ring_study& s) {
  s.resident = Policy::resident;
  s.registers = 65536 / Policy::resident / Policy::threads / 8 * 8;
  if constexpr (on_tensor_cores<Policy>) {
    s.producer_registers = Policy::producer_registers;
    s.consumer_registers = Policy::consumer_registers;
  } else {
    s.producer_registers = Policy::template producer_registers<true, false>;
    s.consumer_registers = Policy::template consumer_registers<true, false>;
  }
  int const after = s.producer_threads * s.producer_registers + s.tile.threads * s.consumer_registers;
  if (after > s.threads * s.registers) {
    std::fprintf(stderr, "%s: setmaxnreg asks for %d registers of %d\n", s.tile.policy.c_str(), after,
                 s.threads * s.registers);
    std::exit(1);  // it would wait forever: what this account says of registers is wrong
  }
}

/// Which piece of a line lies where, of the first eight lines.
swizzle_map swizzle_of(std::vector<std::int64_t> const& places, int depth, int element_bytes) {
  swizzle_map map{};
  int const of_piece = 16 / element_bytes;
  for (int line = 0; line < 8; ++line) {
    for (int piece = 0; piece < 8; ++piece) {
      std::int64_t const at = places[static_cast<std::size_t>(line * depth + piece * of_piece)] - line * 128;
      map[static_cast<std::size_t>(line)][static_cast<std::size_t>(at / 16)] = piece;
    }
  }
  return map;
}

/// One operand's tile as TMA leaves it in shared memory.
tile_map map_of(ring_study const& s, char name, std::vector<std::int64_t> const& places) {
  study const& t = s.tile;
  room const& stage = name == 'A' ? s.a : s.b;
  tile_map map;
  map.name = name;
  map.k_major = map.k_major_shared = name == 'A' || s.wgmma_n > 0;
  map.outer = name == 'A' ? t.block_m : t.block_n;
  map.depth = static_cast<int>(places.size()) / map.outer;
  map.threads = t.threads;
  map.from = t.facts.from;
  map.ld = map.k_major ? t.size.k : name == 'A' ? t.size.m : t.size.n;
  map.element_bytes = t.element_bytes;
  map.sum_bytes = static_cast<int>(stage.each / static_cast<std::int64_t>(places.size()));
  map.stage_begin = stage.begin;
  map.stage_bytes = stage.each;
  for (std::int64_t const place : places) {
    map.shared.push_back(stage.begin + place);
  }
  return map;
}

template <class Policy>
void study_tiles(ring_study& s) {
  using T = stored_of<Policy>;
  constexpr int line = 128 / sizeof(T);  // elements of k, or terms of them
  using gemm::major;
  if constexpr (on_tensor_cores<Policy>) {
    // Any policy of the tensor cores, those of split terms included, loads k-major lines of 128 bytes so.
    using lines = gemm::sm90_wgmma_64x128x64;
    auto const a = places_of_tile<lines, T, major::k, Policy::block_m, line>();
    auto const b = places_of_tile<lines, T, major::k, Policy::block_n, line>();
    s.swizzled_a = swizzle_of(a, line, sizeof(T));
    s.tile.a.map = map_of(s, 'A', a);
    s.tile.b.map = map_of(s, 'B', b);
  } else {
    auto const a = places_of_tile<Policy, T, major::k, Policy::block_m, line>();
    auto const b = places_of_tile<Policy, T, major::mn, Policy::block_n, line>();
    s.swizzled_a = swizzle_of(a, line, sizeof(T));
    std::vector<std::vector<int>> rows, columns;
    for (int thread = 0; thread < s.tile.threads; ++thread) {
      rows.push_back(rows_of(s.tile, thread));
      columns.push_back(columns_of(s.tile, thread));
    }
    s.tile.a = study_of(map_of(s, 'A', a), rows);
    s.tile.b = study_of(map_of(s, 'B', b), columns);
  }
}

template <class Policy>
ring_study study_one(problem_size const& size) {
  ring_study s;
  study& t = s.tile;
  t.policy = gemm::name<Policy>();
  t.type = std::is_same_v<element_of<Policy>, float> ? "float" : "bfloat16";
  t.storage = on_tensor_cores<Policy> ? "nt" : "nn";
  t.facts = ring_rung<Policy>();
  t.size = size;
  t.element_bytes = t.output_bytes = sizeof(element_of<Policy>);
  t.block_m = Policy::block_m;
  t.block_n = Policy::block_n;
  t.stages = Policy::stages;
  t.shared_bytes = static_cast<int>(Policy::template shared_bytes<float>);
  s.threads = Policy::threads;
  s.producer_threads = Policy::producer_threads;
  s.first_consumer = on_tensor_cores<Policy> ? 0 : s.producer_threads;
  t.threads = s.threads - s.producer_threads;
  s.persistent = Policy::info.is_persistent();
  if constexpr (multiplies_terms<Policy>) {
    using terms = typename Policy::terms;
    t.block_k = gemm::detail::piece_elements / terms::count;
  } else {
    t.block_k = Policy::block_k;
  }
  for (int const thread : owners_by_ring(t.policy)) {
    t.owner.push_back(thread - s.first_consumer);
  }
  measure_rooms<Policy>(s);
  count_arrivals<Policy>(s);
  list_wgmmas<Policy>(s);
  set_registers<Policy>(s);
  study_tiles<Policy>(s);
  return s;
}

}  // namespace

std::vector<std::string> ring_policies() {
  int device = 0, major = 0, minor = 0;
  example::require(cudaGetDevice(&device));
  example::require(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  example::require(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return major == 9 && minor == 0 ? names_of(all_ring_policies{}) : std::vector<std::string>();
}

ring_study study_ring(std::string const& policy, problem_size const& size) {
  return of_policy<ring_study>(all_ring_policies{}, policy, [&]<class Policy>() { return study_one<Policy>(size); });
}

}  // namespace explain
