// SPDX-License-Identifier: BSL-1.0
//! @file
//! The path of one call: validate, choose, and do with the problem what was asked for.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include <gemm/epilogue.hpp>
#include <gemm/host/choose.hpp>
#include <gemm/host/decide.hpp>
#include <gemm/host/front.hpp>
#include <gemm/host/launch.cuh>
#include <gemm/host/split_k.cuh>
#include <gemm/host/validate.hpp>
#include <gemm/options.hpp>
#include <gemm/policy.hpp>
#include <gemm/status.hpp>

namespace gemm::detail {

/// The rules that values must keep, checked before anything else is done with them.
template <class A, class B, class C, class Scalar, class Epilogue>
status validate_call(A const& a, B const& b, C const& c, options<Scalar> const& opts, Epilogue const& epilogue) {
  status result = validate_views(facts_of("A", "lda", a), facts_of("B", "ldb", b), facts_of("C", "ldc", c),
                                 opts.alpha != Scalar(0));
  if (result) {
    result = validate_workspace(opts.workspace, 0);
  }
  if (result && c.rows > 0 && c.columns > 0 && c.batch_count > 0) {
    result = check_epilogue(epilogue, c.rows, c.columns, c.batch_count);
  }
  return result;
}

/// What is done with a problem, the policy for it, and the most slices that k may be cut into.
struct check_only {
  gemm::workspace workspace;

  template <class Policy, bool Splits, class Problem>
  status operator()(Problem const& p, int slices) const {
    if constexpr (Splits) {
      if (split_plan const plan = plan_split<Policy>(p, slices); plan.slices > 1) {
        status const result = validate_workspace(workspace, plan.bytes);
        return result ? check_launch<Policy>(problem_of_slices(p, plan, nullptr)) : result;
      }
    }
    return check_launch<Policy>(p);
  }
};

struct check_and_enqueue {
  gemm::workspace workspace;
  cudaStream_t stream;

  template <class Policy, bool Splits, class Problem>
  status operator()(Problem const& p, int slices) const {
    if (status result = check_only{workspace}.template operator()<Policy, Splits>(p, slices); !result) {
      return result;
    }
    if constexpr (Splits) {
      if (split_plan const plan = plan_split<Policy>(p, slices); plan.slices > 1) {
        scratch const memory(workspace, plan.bytes, stream);
        if (memory.error() != cudaSuccess) {
          static_cast<void>(cudaGetLastError());
          return {status_code::cuda_failure, memory.error(), "no %zu bytes of workspace: %s", plan.bytes,
                  cudaGetErrorString(memory.error())};
        }
        return enqueue_split<Policy>(p, plan, static_cast<typename Problem::accum*>(memory.data()), stream);
      }
    }
    return enqueue<Policy>(p, stream);
  }
};

struct measure_workspace {
  std::size_t& bytes;

  template <class Policy, bool Splits, class Problem>
  status operator()(Problem const& p, int slices) const {
    if constexpr (Splits) {
      bytes = plan_split<Policy>(p, slices).bytes;
    }
    return {};
  }
};

/// Validates, chooses where the policy is `automatic`, and calls action.operator()<Policy, Splits>(problem, slices)
/// with what is left to do, if anything.
template <class Policy, class A, class B, class C, class Scalar, class Epilogue, class Action>
status with_problem(A const& a, B const& b, C const& c, options<Scalar> const& opts, Epilogue const& epilogue,
                    Action action) {
  status result = validate_call(a, b, c, opts, epilogue);
  if (!result || c.rows == 0 || c.columns == 0 || c.batch_count == 0) {
    return result;
  }
  auto const p = problem_of(a, b, c, opts.alpha, opts.beta, epilogue);
  if constexpr (std::is_same_v<Policy, automatic>) {
    using list = candidates<std::remove_const_t<decltype(p)>>;
    int index = 0;
    choice best;
    result = decide(list{}, p, limit_of(opts.workspace), index, best);
    return result
               ? with_candidate(list{}, index,
                                [&]<class Candidate>() {
                                  return action.template operator()<Candidate, !is_skinny<Candidate>>(p, best.slices);
                                })
               : result;
  } else {
    constexpr int slices = split_of<Policy>::slices;
    return action.template operator()<typename split_of<Policy>::whole, (slices > 1)>(p, slices);
  }
}

}  // namespace gemm::detail
