// SPDX-License-Identifier: BSL-1.0
//! @file
//! The facts of a policy, found by the compiler.
#pragma once

#include <type_traits>

#include <gemm/block/deferred_store.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/block/slice_fragments.cuh>
#include <gemm/block/turned_squares.cuh>
#include <gemm/block/turned_tile.cuh>
#include <gemm/epilogue/elementwise.hpp>
#include <gemm/host/access_width.hpp>
#include <gemm/host/copy_rates.hpp>
#include <gemm/host/one_wave.hpp>
#include <gemm/host/packed_storage.hpp>
#include <gemm/host/policy_facts.hpp>
#include <gemm/host/repack_plan.cuh>
#include <gemm/host/tensor_core_lines.hpp>
#include <gemm/host/tma_operands.cuh>
#include <gemm/kernel/outer_product.cuh>
#include <gemm/kernel/persistent.cuh>
#include <gemm/kernel/pipelined.cuh>
#include <gemm/kernel/repack.cuh>
#include <gemm/kernel/skinny.cuh>
#include <gemm/kernel/split_k.cuh>
#include <gemm/kernel/warp_per_product.cuh>
#include <gemm/policy.hpp>

namespace gemm::detail {

/// Multiply-adds of a multiprocessor in a clock: in float, half as many in double and in integers, 16 times as many on
/// the tensor cores.
template <class Policy, class Accum>
inline constexpr double multiply_adds_per_clock = takes_any_storage<Policy>   ? 2048.0
                                                  : std::is_integral_v<Accum> ? 64.0
                                                                              : 128.0 * 4 / sizeof(Accum);

/// What the model knows of a policy: of one without figures that it is a middling candidate.
template <class Policy, class Problem>
constexpr void add_model_facts(policy_facts& of) {
  using copies = copy_model<Policy, Problem>;
  using lines = line_cost<Policy, Problem>;
  if constexpr (requires { Policy::efficiency; }) {
    of.efficiency = Policy::efficiency;
    of.efficiency_alone = Policy::efficiency_alone;
    of.overhead = Policy::overhead;
  } else {
    of.efficiency = 0.75;
    of.efficiency_alone = 0.5;
    of.overhead = 2e-6;
  }
  if constexpr (requires { Policy::stored_first; }) {
    of.stored_first = Policy::stored_first;
  }
  if constexpr (requires { Policy::lone; }) {
    of.lone = Policy::lone;
  }
  of.per_clock = multiply_adds_per_clock<Policy, typename Problem::accum>;
  of.fitted = copies::fitted;
  of.wide = copies::wide;
  of.narrow = copies::narrow;
  of.turning = copies::turning;
  of.hidden = copies::hidden;
  of.line_rate = lines::rate;
  of.line_more = lines::more;
}

/// What is particular to policies of some rungs.
template <class Policy, class Problem>
constexpr void add_rung_facts(policy_facts& of) {
  if constexpr (is_skinny<Policy>) {
    of.few_rows = Policy::few_rows;
    of.few = Policy::few;
    of.many = Policy::many;
    of.most = Policy::most;
  }
  if constexpr (is_outer_product<Policy>) {
    of.most_k = Policy::most_k;
  }
  if constexpr (requires { Policy::groups; }) {
    of.groups = Policy::groups;
  }
  if constexpr (requires { Policy::consumer_threads; }) {
    of.consumer_threads = Policy::consumer_threads;
  }
  if constexpr (requires { Policy::resident; }) {
    of.most_resident = Policy::resident;
  }
  if constexpr (requires { Policy::leaves_registers; }) {
    of.has_registers = Policy::leaves_registers || std::is_same_v<decltype(Problem::epilogue), identity>;
  }
  of.swaps = requires { requires Policy::swaps; };
}

/// What is particular to policies that use TMA.
template <class Policy, class Problem>
constexpr void add_tma_facts(policy_facts& of) {
  using input = typename Problem::input;
  using own = typename Problem::storage;
  of.tma = true;
  of.slim = is_slim<Policy>;
  of.repacks = repacks<Policy>;
  of.turns_a = turns_a<Policy, Problem>;
  of.turns_b = turns_b<Policy, Problem>;
  of.turns_squares = turns_squares<Policy, Problem>;
  of.turns_tiles = turns_tiles<Policy> && own::b == major::mn;
  of.takes_operands = takes_operands<Policy, Problem>;
  of.stores_by_tma = stores_by_tma<Policy>;
  of.stores_any_rows = stores_any_rows<Policy>;
  of.a = box_of<Policy, own::a, input>(Policy::block_m, blocks_along_n<Policy>);
  of.b = box_of<Policy, own::b, input>(Policy::block_n, blocks_along_m<Policy>);
}

template <class Policy, class Problem>
inline constexpr policy_facts policy_facts_of = [] {
  using input = typename Problem::input;
  using own = typename Problem::storage;
  policy_facts of;
  of.name = gemm::name<Policy>();
  of.direct_name = gemm::name<direct<Policy>>();
  of.block_m = Policy::block_m;
  of.block_n = Policy::block_n;
  of.block_k = Policy::block_k;
  if constexpr (splits_in_cluster<Problem> && requires { Policy::tile_threads; }) {
    of.threads = Policy::tile_threads;
  } else {
    of.threads = Policy::threads;
  }
  of.along_m = blocks_along_m<Policy>;
  of.along_n = blocks_along_n<Policy>;
  of.products = batch_per_block<Policy>;
  of.shared_bytes = Policy::template shared_bytes<typename Problem::accum>;
  of.resident = of.resident_in_cluster = resident<Policy, Problem>;
  if constexpr (requires { Policy::tile_resident; }) {
    of.resident_in_cluster = Policy::tile_resident;
  }
  of.tensor = takes_any_storage<Policy>;
  of.skinny = is_skinny<Policy>;
  of.outer = is_outer_product<Policy>;
  of.persistent = is_persistent<Policy>;
  of.slices_in_fragments = slices_in_fragments<Policy, Problem>;
  of.waits = waits<Policy>;
  of.narrow_on_sm90a = narrow_on_sm90a<Policy>;
  of.copies_narrow_on_sm90a = copies_narrow_on_sm90a<Policy, input>;
  of.defers_stores = defers_stores<Policy, Problem>;
  add_rung_facts<Policy, Problem>(of);
  if constexpr (uses_tma<Policy>) {
    add_tma_facts<Policy, Problem>(of);
  } else {
    of.wide_a = wide_access_a<Policy, input, own::a>;
    of.wide_b = wide_access_b<Policy, input, own::b>;
  }
  add_model_facts<direct<Policy>, Problem>(of);
  return of;
}();

}  // namespace gemm::detail
