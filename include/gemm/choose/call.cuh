// SPDX-License-Identifier: BSL-1.0
//! @file
//! The steps of one call: validate, make the problem, plan it, enqueue the plan.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <limits>
#include <type_traits>

#include <gemm/block/grouped_problem.cuh>
#include <gemm/block/own_problem.cuh>
#include <gemm/block/problem.cuh>
#include <gemm/choose/call_rules.hpp>
#include <gemm/choose/candidates.hpp>
#include <gemm/choose/plan.hpp>
#include <gemm/choose/plan_memo.hpp>
#include <gemm/choose/ragged_plan.hpp>
#include <gemm/emulation/enqueue.cuh>
#include <gemm/emulation/enqueue_equilibrated.cuh>
#include <gemm/emulation/prepacked_call.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/epilogue/accum_factors.hpp>
#include <gemm/launch/device.hpp>
#include <gemm/launch/grouped.cuh>
#include <gemm/launch/indexed.cuh>
#include <gemm/launch/launch.cuh>
#include <gemm/launch/make_problem.hpp>
#include <gemm/launch/problem_in_memory.cuh>
#include <gemm/launch/ragged.cuh>
#include <gemm/launch/repack.cuh>
#include <gemm/launch/scratch.cuh>
#include <gemm/launch/split_k.cuh>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/plain_view.hpp>
#include <gemm/policy.hpp>
#include <gemm/scales.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// An operand as the policy multiplies it: floats as tf32 where its name says so.
template <class Policy, class View>
auto as_multiplied(View const& view) {
  if constexpr (std::is_same_v<typename View::value_type, float> && multiplies_tf32<Policy>) {
    return as_tf32(view);
  } else {
    return view;
  }
}

/// The problem of a call that validate_call() has passed and that is not empty.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue>
auto problem_of_call(A const& a, B const& b, C const& c, options<Scalar> const& given, Epilogue const& epilogue) {
  options<Scalar> const opts = with_factors(given, view_of(plain_view(a)), view_of(plain_view(b)));
  auto const of_a = as_multiplied<Policy>(view_of(plain_view(a)));
  auto const of_b = as_multiplied<Policy>(view_of(plain_view(b)));
  using input = typename decltype(of_a)::value_type;
  constexpr bool scaled = is_scaled<plain_view_of<A>> || is_scaled<plain_view_of<B>>;
  auto const own = problem_epilogue<input, typename C::value_type, scaled>(epilogue);
  auto p = problem_of(of_a, of_b, plain_view(c), Scalar(opts.alpha), Scalar(opts.beta), own, scales_of(plain_view(a)),
                      scales_of(plain_view(b)));
  p.n *= has_gate<Epilogue> ? 2 : 1;
  p.constant = {.a = p.swapped_ab ? opts.constant_b : opts.constant_a,
                .b = p.swapped_ab ? opts.constant_a : opts.constant_b};
  return problem_in_memory(p, a, b, c);
}

/// The kernels that a call may launch: the candidates, or that of the policy which is named.
template <class Policy, class Problem>
struct kernels_of_call {
  using type = candidate_list<candidate<named_policy<Policy, Problem>, splits_of(Policy::info.slices)>>;
};
template <class Policy, class Problem>
requires is_choice<Policy>
struct kernels_of_call<Policy, Problem> {
  using type = candidates<Policy, Problem>;
};

/// Makes the plan of a problem and checks it, with the workspace that the caller gives. Without one it may need any.
template <class Policy, class Problem>
static status plan_call(Problem const& p, prepacked_terms const& prepacked, workspace const* given, call_plan& plan) {
  if constexpr (is_choice<Policy>) {
    constexpr std::size_t any = (std::numeric_limits<std::size_t>::max)();
    return choose<Policy>(p, prepacked, given != nullptr ? limit_of(*given) : any, plan);
  } else {
    using own = named_policy<Policy, Problem>;
    plan = plan_of_policy<own>(p, Policy::info.slices, prepacked);
    status result = given != nullptr ? check_workspace(*given, plan.bytes) : status{};
    result = result ? check_terms<own>(plan, p) : result;
    result = result ? check_plan(plan, p) : result;
    if (result) {
      if constexpr (splits_floats<Policy>) {
        lay_out_terms_launch<own>(plan, p, multiprocessors_of_call());
      } else {
        lay_out_launch(plan, p);
      }
    }
    return result;
  }
}

/// The plan of a call; none where it is empty.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue>
static status plan_arguments(A const& a, B const& b, C const& c, options<Scalar> const& opts, Epilogue const& epilogue,
                             workspace const* given, call_plan& plan) {
  status const result = validate_call(a, b, c, opts, epilogue);
  if (!result || is_empty(c)) {
    return result;
  }
  known_device const device(opts.stream);
  if (status const found = device.status(); !found) {
    return found;
  }
  auto const p = problem_of_call<Policy>(a, b, c, opts, epilogue);
  return plan_call<Policy>(p, terms_of_call(a, b, p.swapped_ab), given, plan);
}

/// Enqueues what is planned for a policy; `memory` has the plan's bytes.
template <class Policy, splits Splits, class Problem>
static status enqueue_plan(Problem const& p, call_plan const& plan, void* memory, cudaStream_t stream) {
  if constexpr (splits_floats<Policy>) {
    return enqueue_fp16x3<Policy>(p, plan.terms, plan.launch, plan.fallback, memory, stream);
  } else {
    void* const slices = static_cast<unsigned char*>(memory) + plan.slices_begin;
    if constexpr (repacks<Policy>) {
      status result = enqueue_repack<Policy>(p, plan.packing, memory, stream);
      auto const packed = problem_of_packed<Policy>(p, plan.packing, memory);
      result = result ? enqueue_product<Policy, Splits>(packed, plan.launch, plan.split, slices, stream) : result;
      if constexpr (is_grouped_problem<Problem>) {
        return result ? enqueue_others<policy_without_tma<Problem>>(packed, stream) : result;
      } else {
        return result;
      }
    } else {
      return enqueue_product<Policy, Splits>(p, plan.launch, plan.split, slices, stream);
    }
  }
}

template <class Problem>
using enqueue_function = status (*)(Problem const&, call_plan const&, void*, cudaStream_t);

/// enqueue_plan() of each kernel of a list, by plan::index.
template <class Problem, class... Policies, splits... Splits>
static enqueue_function<Problem> enqueue_function_of(candidate_list<candidate<Policies, Splits>...>, int index) {
  static constexpr enqueue_function<Problem> all[] = {&enqueue_plan<Policies, Splits, Problem>...};
  return all[index];
}

/// The problem of a product that does not read A and B, nor their scales: of any of the types of A and B that sum so.
template <class Problem>
auto problem_of_nothing(Problem const& p) {
  using accum = typename Problem::accum;
  using facts = epilogue_facts_of<Problem>;
  using input = std::conditional_t<std::is_integral_v<accum>, typename Problem::element_a, accum>;
  using epilogue = factored<typename facts::factors, typename facts::rest>;  // given the value that scales would make
  plain_problem<input, typename Problem::output, nn, epilogue> q{};
  q.m = p.m;
  q.n = p.n;
  q.c = p.c;
  q.batch_count = p.batch_count;
  q.alpha = p.alpha;
  q.beta = p.beta;
  q.epilogue = {facts::factors_of(p.epilogue), facts::rest_of(p.epilogue)};
  return q;
}
template <layered Problem>
auto problem_of_nothing(Problem const& p) {
  return p.around(problem_of_nothing(static_cast<typename Problem::common const&>(p)));
}

/// Enqueues what is planned for a call; `memory` has the plan's bytes. No kernel of scaled operands looks whether it
/// may read the scales: where it may not, the simplest kernel runs.
template <class Policy, class Problem>
static status enqueue_call(Problem const& p, call_plan const& plan, void* memory, cudaStream_t stream) {
  if constexpr (epilogue_facts_of<Problem>::has_scales) {
    if (p.k == 0) {
      constexpr bool by_row = is_ragged_problem<Problem> || stores_by_row<Problem>;
      using simplest = std::conditional_t<by_row, pipelined_16x64x32, naive<block<4, 32>>>;
      return enqueue<simplest>(problem_of_nothing(p), stream);
    }
  }
  using kernels = typename kernels_of_call<Policy, Problem>::type;
  return enqueue_function_of<Problem>(kernels{}, plan.index)(p, plan, memory, stream);
}

/// What is done where there is no memory for a plan: where the library chooses, another plan, slower, but it runs.
template <class Policy, class Problem>
[[gnu::cold]] static status plan_without_memory(Problem const& p, prepacked_terms const& prepacked, cudaError_t error,
                                                call_plan& plan) {
  if constexpr (is_choice<Policy>) {
    return choose<Policy>(p, prepacked, 0, plan);
  } else {
    return {status_code::cuda_failure, error, "no %zu bytes of workspace: %s", plan.bytes, cudaGetErrorString(error)};
  }
}

}  // namespace gemm::detail
