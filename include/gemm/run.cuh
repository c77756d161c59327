// SPDX-License-Identifier: BSL-1.0
//! @file
//! The calls: run(), and what can be asked before it.
#pragma once

#include <gemm/arch/cuda_compiler.cuh>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <gemm/element.hpp>
#include <gemm/epilogue.hpp>
#include <gemm/host/call.cuh>
#include <gemm/host/call_log.hpp>
#include <gemm/host/choice.hpp>
#include <gemm/host/decide.hpp>
#include <gemm/host/type_rules.hpp>
#include <gemm/matrix.hpp>
#include <gemm/options.hpp>
#include <gemm/policies.cuh>
#include <gemm/policy.hpp>
#include <gemm/prepack.cuh>
#include <gemm/prepacked.hpp>
#include <gemm/status.hpp>

namespace gemm {

namespace detail {

/// One line for a call that GEMM_LOG asks for. The policy that the caller has named is not in `best`.
template <class Policy, class A, class B, class C>
[[gnu::cold]] void log_call_of(C const& c, std::int64_t k, choice best, status const& result) {
  if constexpr (!is_choice<Policy>) {
    best.policy = c.rows == 0 || c.columns == 0 || c.batch_count == 0 ? std::string_view{} : name<Policy>();
  }
  log_call({c.rows, c.columns, k, c.batch_count, element_name<typename A::value_type>,
            element_name<typename C::value_type>, A::layout, B::layout, C::layout},
           best, result);
}

}  // namespace detail

/// C = epilogue(alpha * A B + beta * C), enqueued on the stream of the options.
///
/// Shapes: A is m x k, B is k x n, C is m x n, each row- or column-major with any leading dimension, alignment and
/// size; batches agree in their count, and an A or B of a single matrix serves all of C's. Where the policy is
/// fp32_emulated, or an fp16x3 or bf16x6 policy, A or B, or both, may be prepacked (see prepacked_a()).
///
/// Types: those of element.hpp's table. Floats are multiplied as they are, unless as_tf32() or a policy that is named
/// says that they are to be rounded. Sums are formed in the accumulator's type in an order that the policy and k
/// decide: that of k, or where k is split that of the slices. So results are bitwise the same from run to run, and with
/// a policy that is named (but stream_k, checked, balanced, and fp16x3_sliced without a number of slices) a row of C
/// does not depend on what other rows there are; each sum is rounded once, when it becomes an element of C.
/// Products of two __half are exact in float, and those of __nv_bfloat16 short of underflow and overflow; on sm_90
/// their sums may be the tensor cores', which cut off where a float's addition rounds (see tensor_core). Floats go
/// there only where a policy that is named says so (see fp16x3), or fp32_emulated in a policy's place: then with the
/// error that `checked` says. Sums of int8_t, and their products with alpha and beta, are taken modulo 2^32.
///
/// As in BLAS: nothing happens where m or n is 0; with k = 0 or alpha = 0, A and B are not read and C becomes
/// epilogue(beta * C), whatever they hold and alpha is; with beta = 0, C is not read, so a NaN in it disappears. All
/// other Inf and NaN propagate as IEEE arithmetic says.
///
/// C must not overlap A or B, and where these are read a C with the pointer of one is refused; all other overlaps are
/// for the caller to avoid. What an epilogue adds may be C (see residual()).
///
/// Policy: the kernel, at compile time; without one the library chooses (see chosen()). Views, options and epilogue are
/// copied; what they point to must live until the stream has done the work. Does not synchronise, allocates nothing but
/// the workspace where none is given (see workspace_size()), may be captured into a graph, and may be called from
/// several threads at once. Not in a process that has called cudaDeviceReset() since its first call: the pool of
/// workspaces and what kernels have been granted are remembered.
///
/// With GEMM_LOG=1 in the environment, which is read at the first call, each call prints a line on stderr: sizes,
/// types, orders, the policy, how k is split, what is packed, the predicted or measured time, and choice::note.
///
/// Returns a status that names the argument, its value and the rule where something is wrong; then nothing was launched
/// or written (see status for the one exception).
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] status run(A a, B b, C c, detail::options_for<A> opts = {}, Epilogue epilogue = {}) {
  if constexpr (detail::check_types<Policy, A, B, C, Epilogue>()) {
    detail::check_and_enqueue const action{opts.workspace, opts.stream};
    if (!detail::logs_calls()) {
      return detail::with_problem<Policy>(a, b, c, opts, epilogue, action);
    }
    choice best;
    status const result = detail::with_problem<Policy>(a, b, c, opts, epilogue, action, &best);
    detail::log_call_of<Policy, detail::viewed<A>, detail::viewed<B>>(c, detail::view_of(a).columns, best, result);
    return result;
  }
  return {};
}

/// The same without options.
template <class Policy = automatic, class A, class B, class C, class Epilogue>
requires(!std::is_convertible_v<Epilogue, detail::options_for<A>>) [[nodiscard]] status
    run(A a, B b, C c, Epilogue epilogue) {
  if constexpr (detail::check_fourth<Epilogue>()) {
    return run<Policy>(a, b, c, detail::options_for<A>{}, epilogue);
  }
  return {};
}

/// The status that run() with the same arguments would return, short of the launch itself.
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] status can_run(A a, B b, C c, detail::options_for<A> opts = {}, Epilogue epilogue = {}) {
  if constexpr (detail::check_types<Policy, A, B, C, Epilogue>()) {
    return detail::with_problem<Policy>(a, b, c, opts, epilogue, detail::check_only{opts.workspace});
  }
  return {};
}

/// The same without options.
template <class Policy = automatic, class A, class B, class C, class Epilogue>
requires(!std::is_convertible_v<Epilogue, detail::options_for<A>>) [[nodiscard]] status
    can_run(A a, B b, C c, Epilogue epilogue) {
  if constexpr (detail::check_fourth<Epilogue>()) {
    return can_run<Policy>(a, b, c, detail::options_for<A>{}, epilogue);
  }
  return {};
}

/// Bytes of device memory that run() with the same arguments uses as workspace: 0 where k is not split and no operand
/// is packed, and where run() would refuse. A workspace among the options does not count: how large one should be is
/// what is asked.
///
/// The options of run() may leave the workspace out: then it takes as much from a memory pool of the library's, in
/// stream order, and gives it back; the pool keeps up to a 128th of the device's memory from call to call. With one,
/// `automatic` keeps to what fits into it, and a policy that needs more refuses. Where there is no memory left for one,
/// `automatic` does without.
template <class Policy = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] std::size_t workspace_size(A a, B b, C c, detail::options_for<A> opts = {}, Epilogue epilogue = {}) {
  std::size_t bytes = 0;
  if constexpr (detail::check_types<Policy, A, B, C, Epilogue>()) {
    opts.workspace = {};
    static_cast<void>(detail::with_problem<Policy>(a, b, c, opts, epilogue, detail::measure_workspace{bytes}));
  }
  return bytes;
}

/// The same without options.
template <class Policy = automatic, class A, class B, class C, class Epilogue>
requires(!std::is_convertible_v<Epilogue, detail::options_for<A>>) [[nodiscard]] std::size_t
    workspace_size(A a, B b, C c, Epilogue epilogue) {
  if constexpr (detail::check_fourth<Epilogue>()) {
    return workspace_size<Policy>(a, b, c, detail::options_for<A>{}, epilogue);
  }
  return 0;
}

/// What run() with the same arguments runs, without a policy or with fp32_emulated, and what the model predicts or
/// tuning has measured; see choice. Beta, an epilogue and a workspace that is given matter: without them it may be
/// another policy. Empty where there is nothing to compute or run() would refuse: can_run() says why.
template <class Choice = automatic, class A, class B, class C, class Epilogue = identity>
[[nodiscard]] choice chosen(A a, B b, C c, detail::options_for<A> opts = {}, Epilogue epilogue = {}) {
  static_assert(detail::is_choice<Choice>, "gemm: chosen is asked of gemm::automatic or gemm::fp32_emulated.");
  choice best;
  if constexpr (detail::check_types<Choice, A, B, C, Epilogue>()) {
    if (!detail::with_problem<Choice>(a, b, c, opts, epilogue, detail::check_only{opts.workspace}, &best)) {
      return {};
    }
  }
  return best;
}

/// The same without options.
template <class Choice = automatic, class A, class B, class C, class Epilogue>
requires(!std::is_convertible_v<Epilogue, detail::options_for<A>>) [[nodiscard]] choice
    chosen(A a, B b, C c, Epilogue epilogue) {
  if constexpr (detail::check_fourth<Epilogue>()) {
    return chosen<Choice>(a, b, c, detail::options_for<A>{}, epilogue);
  }
  return {};
}

}  // namespace gemm
