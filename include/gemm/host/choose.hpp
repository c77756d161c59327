// SPDX-License-Identifier: BSL-1.0
//! @file
//! Which policy runs when the caller names none: the one that a model of waves and bandwidth predicts to be fastest.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <gemm/emulation/model.hpp>
#include <gemm/emulation/split_plan.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/host/choice.hpp>
#include <gemm/host/choice_key.hpp>
#include <gemm/host/compiled_code.cuh>
#include <gemm/host/compiled_kernel.hpp>
#include <gemm/host/compiled_kernel_of.hpp>
#include <gemm/host/device.hpp>
#include <gemm/host/heuristic.hpp>
#include <gemm/host/kernel_table.hpp>
#include <gemm/host/launch.cuh>
#include <gemm/host/one_wave.hpp>
#include <gemm/host/repack.cuh>
#include <gemm/host/split_k.cuh>
#include <gemm/policies.cuh>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>

namespace gemm {

namespace detail {

/// How k is cut by a choice, a measurement or a tuned plan.
template <class Choice>
slicing slicing_of(Choice const& c) {
  return {c.slices, c.in_cluster ? addition::cluster : c.tail ? addition::last_block : addition::second_kernel};
}

/// Whether a tile of few rows or columns has all of C's, and one of half as many has not (16 are the fewest).
inline bool fits_slim_tile(compiled_kernel const& of, std::int64_t m, std::int64_t n) {
  bool const of_rows = of.block_m < of.block_n;
  int const most = of_rows ? of.block_m : of.block_n, least = most == 16 ? 1 : most / 2 + 1;
  std::int64_t const few = of_rows ? m : n;
  return few >= least && few <= most;
}

/// Whether persistent blocks store a C like this one well: rows in 16-byte pieces, which some need, and by TMA alone
/// where accumulators are C's transpose.
template <class Problem>
bool stores_well(compiled_kernel const& of, Problem const& p) {
  constexpr int width = widest<typename Problem::output>;
  bool const in_pieces = allows_vectors<width>(p.c);
  return of.stores_misaligned_rows ||
         (in_pieces && (!of.stores_by_tma || p.n % width == 0) &&
          (!of.swap_ab || (p.beta == typename Problem::accum(0) && sizeof(typename Problem::output) == 2)));
}

/// Whether a candidate may be chosen: with registers for the epilogue, something for TMA to bring, a C that a block
/// which stays stores well, few rows or columns in one tile, a short k, a batch of small products, and operands that
/// TMA cannot bring as they are, if it is for those.
template <class Problem>
[[gnu::cold]] bool eligible(compiled_kernel const& of, Problem const& p, repack_plan const& packing) {
  constexpr bool reads_b_along = Problem::storage::b == major::mn;
  if (!of.has_registers) {
    return false;
  }
  if (of.options.narrow_on_sm90a && reads_b_along) {
    constexpr int width = widest<typename Problem::input>;
    if (has_sm90a_code() && allows_vectors<width>(p.a) && allows_vectors<width>(p.b)) {
      return false;
    }
  }
  if (of.is_small_tile() && !fits_slim_tile(of, p.m, p.n)) {
    return false;
  }
  if (of.uses_tma() && !of.on_tensor_cores() && (p.m == 1 || p.n == 1)) {
    return false;  // an H200, in 16 x 128 tiles: tn 1x12288x10752 159 us, skinny_1x32x512 119
  }
  if (of.repacks) {
    return has_sm90a_code() && p.k > 0 && check_repack(p, packing) && (!of.is_persistent() || stores_well(of, p));
  }
  if (of.is_skinny()) {
    std::int64_t const few = of.skinny_m ? p.m : p.n;
    return few <= of.most_of_few() && (few > 1 || of.few == 1);
  }
  if (of.most_k > 0) {
    return p.k <= of.most_k;
  }
  return of.products == 1 || (p.batch_count > 1 && p.m <= 2 * of.block_m && p.n <= 2 * of.block_n);
}

/// action(slicing) for all ways to cut k that are tried. A second kernel adds powers of two, and as many slices as fill
/// the device once, and twice: where it holds 3.77 times the blocks of a whole product, three and seven. Of the
/// smallest tiles, which memory bounds, twice is an even number.
template <class Problem, class Action>
void for_each_slicing(compiled_kernel const& of, splits const& how, Problem const& p, int multiprocessors,
                      Action action) {
  if (how.in_workspace) {
    double const places = tables::cluster_places(of.cluster_blocks(), of.resident, multiprocessors) / tiles_of(of, p);
    int const once = static_cast<int>((std::min)(places, 2048.0)),
              twice = of.elements() <= 1024 ? 2 * once : static_cast<int>((std::min)(2 * places, 4096.0));
    for (int slices = 2; slices < twice; slices *= 2) {
      action(slicing{slices});
    }
    action(slicing{once});
    action(slicing{twice});
  }
  for (addition const by : {addition::last_block, addition::cluster}) {
    for (int slices = 2; how.has(by) && has_sm90a_code() && slices <= 8; ++slices) {
      action(slicing{slices, by});
    }
  }
}

/// The best that a policy can do, forever where it is not eligible: with all of k, or in for_each_slicing()'s slices.
template <class Problem>
[[gnu::cold, gnu::noinline]] choice best_whole_or_split(compiled_kernel const& of, splits const& how, Problem const& p,
                                                        int multiprocessors, std::size_t limit) {
  repack_plan const packing = of.repacks ? plan_repack(of, p) : repack_plan{};
  if (!eligible(of, p, packing) || packing.bytes > limit) {
    return {.policy = of.name, .seconds = std::numeric_limits<double>::infinity()};
  }
  device_info device;
  static_cast<void>(current_device_info(device));
  auto const predicted = [&](split_plan const& plan) { return predict(of, p, plan, packing, device); };
  choice best = predicted({});
  for_each_slicing(of, how, p, multiprocessors, [&](slicing const& slices) {
    split_plan const plan = plan_split(of, p, slices);
    if (plan.slices > 1 && plan.bytes <= limit - packing.bytes && fits_grids<Problem>(plan)) {
      choice const split = predicted(plan);
      best = split.seconds < best.seconds ? split : best;
    }
  });
  return best;
}

/// The best that a candidate can do, forever where it may not be chosen.
template <class Policy, splits Splits, class Problem>
[[gnu::cold]] choice best_of(Problem const& p, int multiprocessors, std::size_t limit,
                             prepacked_parts const& prepacked) {
  if constexpr (splits_floats<Policy>) {
    fp16x3_plan const plan = plan_fp16x3<typename Policy::parts>(p, prepacked);
    bool const legal = adding_of<Policy> == wanted_adding(p, multiprocessors) && has_sm90a_code() && p.k > 0 &&
                       check_fp16x3<typename Policy::parts>(p, plan) && plan.bytes <= limit &&
                       check_grid(facts_of_launch(compiled_kernel_of<typename Policy::otherwise, Problem>, p));
    return legal ? predict_emulated<Policy>(p, multiprocessors, plan)
                 : choice{.policy = name<Policy>(), .seconds = std::numeric_limits<double>::infinity()};
  } else {
    return best_whole_or_split(compiled_kernel_of<Policy, Problem>, Splits, p, multiprocessors, limit);
  }
}

/// The same among candidates of fp32_emulated, some of which multiply floats in parts: from this k on no persistent
/// blocks, which add all of it in one chain. cublasSgemm cuts k where C is small, and errs by less (H200, 768 x 768 x
/// 256: persistent_36x128x32 had 1.6 to 2.0 times its error, what is chosen instead 0.42 to 0.83).
template <bool Emulated, class Policy, splits Splits, class Problem>
[[gnu::cold]] choice best_allowed(Problem const& p, int multiprocessors, std::size_t limit,
                                  prepacked_parts const& prepacked) {
  if constexpr (Emulated && !splits_floats<Policy>) {
    constexpr std::int64_t short_k = 256;
    if (Policy::info.is_persistent() && p.k >= short_k) {
      return {.policy = name<Policy>(), .seconds = std::numeric_limits<double>::infinity()};
    }
  }
  return best_of<Policy, Splits>(p, multiprocessors, limit, prepacked);
}

/// The candidate with the shortest predicted time, where a smaller tile must promise 2 % less than a larger one: the
/// model knows nothing of caches, which prefer the larger. Every thread remembers its last choices: to ask the model
/// takes longer than a launch.
template <class... Policies, splits... Splits, class Problem>
status choose(candidate_list<candidate<Policies, Splits>...>, Problem const& p, std::size_t limit, int& index,
              choice& best, prepacked_parts const& prepacked = {}) {
  struct memory {
    choice_key key;
    int index = -1;
    choice best;
  };
  constexpr std::size_t remembered = 32;
  constexpr bool emulated = (splits_floats<Policies> || ...);
  static thread_local memory memories[remembered];
  int multiprocessors = 0;
  status result = device_attribute(multiprocessors, cudaDevAttrMultiProcessorCount);
  if (result) {
    choice_key const key = choice_key_of(p, multiprocessors, limit, prepacked);
    memory& last = memories[key.hash() % remembered];
    if (!(last.key == key)) {
      last = {key, -1, {}};
      int number = 0;
      for (choice const& c : {best_allowed<emulated, Policies, Splits>(p, multiprocessors, limit, prepacked)...}) {
        if (last.index < 0 || c.seconds < last.best.seconds) {
          last.index = number;
          last.best = c;
        }
        ++number;
      }
    }
    index = last.index;
    best = last.best;
  }
  return result;
}

/// action.operator()<Policy, Splits>() for the candidate of this index.
template <class Policy, splits Splits, class Action>
status with_policy(Action const& action) {
  return action.template operator()<Policy, Splits>();
}
template <class... Policies, splits... Splits, class Action>
status with_candidate(candidate_list<candidate<Policies, Splits>...>, int index, Action const& action) {
  using call = status (*)(Action const&);
  static constexpr call calls[] = {&with_policy<Policies, Splits, Action>...};
  return calls[index](action);
}

}  // namespace detail

}  // namespace gemm
