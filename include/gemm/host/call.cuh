// SPDX-License-Identifier: BSL-1.0
//! @file
//! The path of one call: validate, choose, and do with the problem what was asked for.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include <gemm/emulation/enqueue.cuh>
#include <gemm/emulation/enqueue_equilibrated.cuh>
#include <gemm/epilogue.hpp>
#include <gemm/host/call_plan.cuh>
#include <gemm/host/choice.hpp>
#include <gemm/host/choose.hpp>
#include <gemm/host/compiled_code.cuh>
#include <gemm/host/compiled_kernel.hpp>
#include <gemm/host/compiled_kernel_of.hpp>
#include <gemm/host/decide.hpp>
#include <gemm/host/device.hpp>
#include <gemm/host/front.hpp>
#include <gemm/host/launch.cuh>
#include <gemm/host/plan_rules.hpp>
#include <gemm/host/prepacked_call.cuh>
#include <gemm/host/repack.cuh>
#include <gemm/host/scratch.cuh>
#include <gemm/host/split_k.cuh>
#include <gemm/host/validate.hpp>
#include <gemm/kernel/tensor_core.cuh>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/policy.hpp>
#include <gemm/prepacked.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// The rules that values must keep, checked before anything else is done with them.
template <class A, class B, class C, class Scalar, class Epilogue>
status validate_call(A const& a, B const& b, C const& c, options<Scalar> const& opts, Epilogue const& epilogue) {
  status result = validate_views(facts_of("A", "lda", a), facts_of("B", "ldb", b), facts_of("C", "ldc", c),
                                 reads_operands(opts.alpha, a.columns));
  result = result ? validate_workspace(opts.workspace, 0) : result;
  if (result && c.rows > 0 && c.columns > 0 && c.batch_count > 0) {
    result = check_epilogue(epilogue, c.rows, c.columns, c.batch_count);
  }
  return result;
}

[[gnu::cold]] inline status no_workspace(std::size_t bytes, cudaError_t error) {
  return {status_code::cuda_failure, error, "no %zu bytes of workspace: %s", bytes, cudaGetErrorString(error)};
}

/// What is done with a problem, the policy for it, and how k is cut; Splits: how it may be. `limit` is the most
/// workspace that a choice may need, and `no_memory` says that there was none to be had.
struct check_only {
  gemm::workspace workspace;
  static constexpr bool no_memory = false;

  std::size_t limit() const { return limit_of(workspace); }

  template <class Policy, splits Splits, class Problem>
  status operator()(Problem const& p, slicing const& slices, prepacked_parts const& prepacked = {}) const {
    call_plan const plan = plan_call<Policy, Splits>(p, slices, prepacked);
    status const result = check_workspace(workspace, plan.bytes());
    return result ? check_plan<Policy>(p, plan) : result;
  }
};

struct check_and_enqueue {
  gemm::workspace workspace;
  cudaStream_t stream;
  bool no_memory = false;

  std::size_t limit() const { return limit_of(workspace); }

  template <class Policy, splits Splits, class Problem>
  status operator()(Problem const& p, slicing const& slices, prepacked_parts const& prepacked = {}) {
    call_plan const plan = plan_call<Policy, Splits>(p, slices, prepacked);
    status result = check_workspace(workspace, plan.bytes());
    result = result ? check_plan<Policy>(p, plan) : result;
    if (!result) {
      return result;
    }
    scratch const memory(workspace, plan.bytes(), stream);
    if (memory.error() != cudaSuccess) {
      no_memory = true;
      return no_workspace(plan.bytes(), memory.error());
    }
    if constexpr (repacks<Policy>) {
      status const packed = enqueue_repack<Policy>(p, plan.packing, plan.split, memory.data(), stream);
      void* const sums = static_cast<unsigned char*>(memory.data()) + plan.packing.bytes;
      return packed ? enqueue_product<Policy, Splits>(problem_of_packed<Policy>(p, plan.packing, memory.data()),
                                                      plan.split, sums, stream)
                    : packed;
    } else if constexpr (splits_floats<Policy>) {
      return enqueue_fp16x3<Policy>(p, plan.parts, memory.data(), stream);
    } else {
      return enqueue_product<Policy, Splits>(p, plan.split, memory.data(), stream);
    }
  }
};

struct measure_workspace {
  std::size_t& bytes;
  static constexpr bool no_memory = false;

  std::size_t limit() const { return (std::numeric_limits<std::size_t>::max)(); }

  template <class Policy, splits Splits, class Problem>
  status operator()(Problem const& p, slicing const& slices, prepacked_parts const& prepacked = {}) const {
    call_plan const plan = plan_call<Policy, Splits>(p, slices, prepacked);
    status const result = check_plan<Policy>(p, plan);
    bytes = result ? plan.bytes() : 0;
    return result;
  }
};

/// An operand as the policy multiplies it: floats as tf32 where its name says so.
template <class Policy, class View>
auto as_multiplied(View const& view) {
  if constexpr (std::is_same_v<typename View::value_type, float> && multiplies_tf32<Policy>) {
    return as_tf32(view);
  } else {
    return view;
  }
}

/// Whether a list has policies that need code for sm_90a.
template <class Problem, class... Policies, splits... Splits>
constexpr bool uses_tma_for(candidate_list<candidate<Policies, Splits>...>) {
  return (Policies::info.uses_tma() || ...);
}

/// Validates, chooses where the policy is for the library to choose, and calls action.operator()<Policy,
/// Splits>(problem, slices, parts) with what is left to do, if anything; parts: of operands that are prepacked. `told`
/// becomes what was chosen last.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue, class Action>
status with_problem(A const& a, B const& b, C const& c, options<Scalar> const& given, Epilogue const& epilogue,
                    Action action, choice* told = nullptr) {
  options<Scalar> const opts = with_factors(given, view_of(a), view_of(b));
  status result = validate_call(view_of(a), view_of(b), c, opts, epilogue);
  if (!result || c.rows == 0 || c.columns == 0 || c.batch_count == 0) {
    return result;
  }
  known_device const device;
  auto const p = problem_of(as_multiplied<Policy>(view_of(a)), as_multiplied<Policy>(view_of(b)), c, opts.alpha,
                            opts.beta, epilogue);
  if (p.k > 0) {
    result = validate_prepacked("A", a);
    result = result ? validate_prepacked("B", b) : result;
  }
  prepacked_parts const parts = parts_of_call(a, b, p.turned);
  if constexpr (is_choice<Policy>) {
    using list = candidates<Policy, std::remove_const_t<decltype(p)>>;
    auto const best_within = [&](std::size_t limit) {
      int index = 0;
      choice best;
      status const found = decide<Policy>(list{}, p, limit, index, best, parts);
      if (told != nullptr) {
        *told = best;
        if (p.turned) {  // the kernels' A is the caller's B
          std::swap(told->packs_a, told->packs_b);
        }
        told->note = uses_tma_for<std::remove_const_t<decltype(p)>>(list{}) ? missing_code() : std::string_view{};
      }
      return found ? with_candidate(list{}, index,
                                    [&]<class Candidate, splits Splits>() {
                                      return action.template operator()<Candidate, Splits>(p, slicing_of(best), parts);
                                    })
                   : found;
    };
    result = result ? best_within(action.limit()) : result;
    return action.no_memory ? best_within(0) : result;  // slower, but it runs
  } else {
    constexpr slicing slices = Policy::info.slices;
    return result ? action.template operator()<whole_of<Policy>, splits_of(slices)>(p, slices, parts) : result;
  }
}

}  // namespace gemm::detail
